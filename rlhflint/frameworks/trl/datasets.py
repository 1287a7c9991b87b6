"""What a script says of its data: that they are streamed, and the columns of data written down in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import makers
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.call import Argument

_MADE = ("datasets.Dataset.from_dict", "datasets.Dataset.from_list")
_IMAGES = ("image", "images")


def streams(given: object) -> bool:
    """Whether a data set is known to be streamed."""
    return any(one.name == "streaming" and one.value == Known(True) for call in makers(given) for one in call.arguments)


def columns(given: object) -> dict[str, Argument | None]:
    """The columns of a data set that is written down in the script, with their rows where they are written together.

    Empty where they are not known: data from the Hub, from files, data that were mapped.
    """
    calls = makers(given)
    if not calls or calls[0].target not in _MADE or calls[0].more:
        return {}
    first = next((one for one in calls[0].arguments if one.position == 0 or one.name in ("mapping", "list")), None)
    if first is None or not first.complete:
        return {}
    if calls[0].target.endswith("from_dict"):
        return {one.name: one for one in first.items if one.name}
    rows = first.items[:1]
    return {one.name: None for row in rows if row.complete for one in row.items if one.name}


def has_images(given: object) -> bool:
    """Whether a data set is known to have a column of images."""
    known = columns(given)
    return any(name in known for name in _IMAGES)


def labels(given: object) -> tuple[int, int] | None:
    """How many samples are desirable and how many are not, by the column `label`; None where that is not known."""
    column = columns(given).get("label")
    if column is None or not isinstance(column.value, Known) or not isinstance(column.value.value, list):
        return None
    said = [one for one in column.value.value if isinstance(one, bool)]
    if len(said) != len(column.value.value):
        return None
    return said.count(True), said.count(False)
