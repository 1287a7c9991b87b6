"""None in the rows of a data set, which TRL took out itself before 1.0."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.allowed import allowed
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.programs import DPO, REWARD, SFT
from rlhflint.frameworks.trl.releases import NAME, versions_for
from rlhflint.proposal import UNSAFE, Proposal, Rewrite
from rlhflint.python_syntax import syntax_tree
from rlhflint.rule import FIRST_STEP, WARNING, Draft, rule
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel
    from rlhflint.scene import Scene

_FUNCTION = "remove_none_values"
_KEPT = "1.0.0"
_STRIPPED = {SFT: "0.19.0", REWARD: "0.24.0", DPO: "0.29.0"}
"""The first release that took None out of the rows, by program; the last one is 0.29.1."""


@rule("TR602", "none-values-kept", severity=WARNING, stage=FIRST_STEP, programs="module", fix="unsafe")
def none_values_mapped(scene: Scene) -> Iterator[Draft]:
    """None in the rows of a data set is taken out by with_transform, not by map.

    What happens: map changes nothing, and None values reach the chat template: errors, or empty batches.

    Why: up to 0.29.1 TRL stripped them itself; since 1.0 it does not. What map returns goes into an Arrow table, which
    puts the missing keys back (trainer/utils.py@1.0.0).

    Example:
        # trl 1.0.0
        from trl.trainer.utils import remove_none_values

        dataset = dataset.map(remove_none_values)

    Use instead:
        # trl 1.0.0
        from trl.trainer.utils import remove_none_values

        dataset = dataset.with_transform(remove_none_values)
    """
    module, source = scene.document.module, scene.document.source
    names = [one.bound for one in module.imports if one.path.endswith(f".{_FUNCTION}")] if module is not None else []
    if not names or not source.path.endswith(".py"):
        return
    version = versions_for((), scene.site)[NAME]
    order = releases()
    if not version.stated or order.position(order.place(version.value).release) < order.position(_KEPT):
        return
    for span in _mapped(source.path, source.text, names):
        yield scene.finding(
            span,
            f"map({_FUNCTION}) has no effect: the table that map writes puts the missing keys back, and TRL "
            f"{version.value} does not take None out itself",
            help=f"write with_transform({_FUNCTION})",
            proposal=Proposal("Write with_transform", UNSAFE, (Rewrite(span, "with_transform"),)),
        )


def _mapped(path: str, text: str, names: list[str]) -> Iterator[Span]:
    """Where `.map(` is called with one of the functions: the places of the word `map`."""
    try:
        tree = syntax_tree(text)
    except (SyntaxError, ValueError):
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "map"):
            continue
        values = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "function")]
        end_line, end_column = node.func.end_lineno, node.func.end_col_offset
        if end_line is None or end_column is None or end_line > len(lines):
            continue
        if any(isinstance(value, ast.Name) and value.id in names for value in values):
            column = len(lines[end_line - 1].encode()[:end_column].decode(errors="ignore"))
            end = sum(map(len, lines[: end_line - 1])) + end_line - 1 + column
            if text[end - 3 : end] == "map":
                yield Span(path, end - 3, end)


@rule("TR602", "none-values-kept", severity=WARNING, stage=FIRST_STEP, programs=tuple(_STRIPPED), applies=">=1.0.0")
def none_values_in_the_range(launch: ProgramModel) -> Iterator[Draft]:
    """A project should not allow releases that take None out of its data together with releases that do not.

    What happens: nothing is said. With 1.0 and newer, None values reach the chat template: errors, or empty batches.

    Why: SFT stripped them from 0.19 on, Reward from 0.24, DPO in 0.29; all stopped at 1.0
    (trainer/sft_trainer.py@0.29.1, @1.0.0).

    Example:
        --- requirements.txt
        trl>=0.29,<1.5
        --- train.py
        from trl import DPOConfig, DPOTrainer

        DPOTrainer("m", ref_model=None, args=DPOConfig(output_dir="out"), train_dataset=data).train()

    Use instead:
        --- requirements.txt
        trl>=1.0,<1.5
        --- train.py
        from trl import DPOConfig, DPOTrainer

        DPOTrainer("m", ref_model=None, args=DPOConfig(output_dir="out"), train_dataset=data).train()
    """
    span, order = allowed(launch.session.launch), releases()
    since = order.position(_STRIPPED[launch.session.launch.program])
    stripping = [one for one in span if since <= order.position(one) < order.position(_KEPT)]
    if stripping and order.position(span[-1]) >= order.position(_KEPT):
        yield launch.finding(
            at=launch.session.launch.span,
            message=f"TRL {stripping[-1]} takes None values out of the rows by default, TRL {span[-1]} does not, and "
            f"trl {launch.session.launch.versions[NAME].specifier} allows both",
            help="pin one release of TRL; from 1.0 on, dataset.with_transform(remove_none_values) takes them out",
        )
