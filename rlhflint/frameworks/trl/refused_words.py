"""Words of a command line that the parser of a script of TRL's kind cannot take, besides unknown flags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.arguments import Mistake
from rlhflint.frameworks.trl.session import details_of
from rlhflint.rule import ERROR, PARSE, SILENT, WARNING
from rlhflint.text import HOLE

if TYPE_CHECKING:
    from rlhflint.arguments import Trouble
    from rlhflint.frameworks.trl.catalog.unknown_names import UnknownName
    from rlhflint.model import ProgramModel
    from rlhflint.rule import Draft

_EXIT = "the parser ends with exit status 2"


def ambiguous_flags(launch: ProgramModel) -> Iterator[Draft]:
    """Beginnings of several options. Two spellings of one option are one: newer releases of Python take those."""
    for trouble in _troubles(launch, Mistake.AMBIGUOUS):
        meant = sorted({flag.replace("-", "_").lstrip("_") for flag in trouble.candidates})
        if len(meant) > 1 and not _may_have_more(launch):
            yield launch.finding(
                *meant,
                at=trouble.word.span,
                message=f"{trouble.word.text} is the beginning of {', '.join('--' + name for name in meant)}: {_EXIT}",
                help="write the flag out",
                severity=ERROR,
                stage=PARSE,
            )


def stray_words(launch: ProgramModel, effect: UnknownName | None) -> Iterator[Draft]:
    """Words behind the values of a flag, which no option takes."""
    if details_of(launch).by not in ("own", "script") or effect is None or _may_have_more(launch):
        return
    ignored = effect.flag == "ignored"
    for trouble in _troubles(launch, Mistake.STRAY_WORD):
        behind = f" behind {trouble.before.name.text}" if trouble.before is not None else ""
        fate = "it is dropped without a word" if ignored else "the parser refuses it, and the launch ends"
        yield launch.finding(
            at=trouble.word.span,
            message=f"no flag takes the word {trouble.word.text!r}{behind} at TRL {launch.session.release}: {fate}",
            help="put values with blanks in quotes, or remove the word",
            severity=WARNING if ignored else ERROR,
            stage=SILENT if ignored else PARSE,
        )


def missing_values(launch: ProgramModel) -> Iterator[Draft]:
    """Flags without the value they take; those that are true, false or unset are TR111's."""
    fields = details_of(launch).fields
    for trouble in _troubles(launch, Mistake.MISSING_VALUE):
        field = fields.get(trouble.option.dest) if fields is not None and trouble.option is not None else None
        if field is None or "bool" in field.type:
            continue
        yield launch.finding(
            field.name,
            at=trouble.word.span,
            message=f"{trouble.word.text} takes a value, and there is none: {_EXIT}",
            help=f"write the value behind {trouble.word.text}",
        )


def _may_have_more(launch: ProgramModel) -> bool:
    return bool(details_of(launch).open)


def _troubles(launch: ProgramModel, mistake: Mistake) -> Iterator[Trouble]:
    reading = launch.session.launch.reading
    for trouble in reading.troubles if reading is not None else ():
        if trouble.mistake is mistake and HOLE not in trouble.word.text:
            yield trouble
