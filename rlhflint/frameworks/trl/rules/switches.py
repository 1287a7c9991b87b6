"""Switches on a command line: flags that are true, false or unset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.arguments import Mistake
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.session import details_of
from rlhflint.proposal import SAFE, Proposal, Rewrite
from rlhflint.rule import ERROR, PARSE, Draft, rule

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel
    from rlhflint.text import Span


@rule("TR111", "bare-optional-bool", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def bare_optional_bool(launch: ProgramModel) -> Iterator[Draft]:
    """A flag that can be true, false or unset needs its value.

    What happens: "expected one argument", and exit status 2.

    Why: from 0.19 on bf16 is unset by default, and the parser lets a flag stand alone only where its default is true or
    false (transformers/hf_argparser.py@4.56.2).

    Example:
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --bf16

    Use instead:
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --bf16 true
    """
    reading = launch.session.launch.reading
    fields = details_of(launch).fields
    for trouble in reading.troubles if reading is not None else ():
        if trouble.mistake is not Mistake.MISSING_VALUE or trouble.option is None or trouble.values:
            continue
        field = fields.get(trouble.option.dest) if fields is not None else None
        if field is not None and "bool" in field.type:
            span = trouble.word.verbatim_span
            yield launch.finding(
                field.name,
                at=trouble.word.span,
                message=f"{trouble.word.text} alone is refused at TRL {launch.session.release}: it is unset by default "
                "and takes a value",
                help=f"write {trouble.word.text} true",
                proposal=_with_value(trouble.word.text, span) if span is not None else None,
            )


def _with_value(flag: str, span: Span) -> Proposal:
    return Proposal(f"Write {flag} true", SAFE, (Rewrite(span, f"{flag} true"),))
