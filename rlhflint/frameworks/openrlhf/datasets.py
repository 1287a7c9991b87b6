"""How many samples a launch has, as far as its settings and a data file of the project say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.session import Session


def at_most(session: Session, dataset: str | None, max_samples: int) -> int:
    """The most samples there can be: `data.max_samples`, or the lines of the data file if they are fewer."""
    try:
        return min(max_samples, lines_of(session, dataset))
    except Undetermined:
        return max_samples


def exactly(session: Session, dataset: str | None, max_samples: int) -> int:
    """The number of samples. Raises `Undetermined` where the data is no single file of lines in the project."""
    return min(max_samples, lines_of(session, dataset))


def lines_of(session: Session, dataset: str | None) -> int:
    """The samples of a data set that is one `.jsonl` file of the project. Raises `Undetermined` for any other."""
    if not dataset:
        raise Undetermined("data", "no data is named")
    if not dataset.endswith(".jsonl") or "," in dataset or "@" in dataset:
        raise Undetermined("data", f"how many samples {dataset} has is not known")
    text = session.file(dataset)
    if text is None:
        raise Undetermined("data", f"{dataset} is not there to be counted")
    return sum(1 for line in text.splitlines() if line.strip())
