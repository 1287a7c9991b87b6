"""Values that the program's parser refuses: of another type, too few of them, none of the choices."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.arguments import Mistake, Trouble, takes
from rlhflint.conversion import NotAChoice, WrongType
from rlhflint.expressions import expression
from rlhflint.frameworks.openrlhf.programs import EVERY
from rlhflint.frameworks.openrlhf.session import details_of, troubles
from rlhflint.likeness import alike
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Rewrite
from rlhflint.rule import ERROR, PARSE, Draft, rule
from rlhflint.text import Traced
from rlhflint.wording import listed

_NEGATIVE_EXPONENT = expression(r"-(\d+\.?\d*|\.\d+)[eE][-+]?\d+")


@rule("OR106", "wrong-type-or-count", severity=ERROR, stage=PARSE, programs=EVERY, fix="unsafe")
def wrong_type_or_count(launch: ProgramModel) -> Iterator[Draft]:
    """A value has to be of the kind that its flag takes, and as many as it takes.

    What happens: the program prints "invalid int value" or "expected one argument" and ends with exit status 2.

    Why: argparse converts with Python's own `int` and `float`: whole numbers have no exponent and no point.

    Example:
        --rollout.batch_size 1e3

    Use instead:
        --rollout.batch_size 1000
    """
    for refused in launch.session.refused:
        if isinstance(refused.cause, WrongType):
            yield _wrong_type(launch, refused.canonical, refused.message, refused.cause)
    for trouble in troubles(launch, Mistake.MISSING_VALUE):
        following = trouble.values[0].text if trouble.values else ""
        if trouble.option is None or _hidden_negative(launch, trouble) is not None:
            continue
        flag = trouble.option.flag
        yield launch.finding(
            *details_of(launch).edition.names(flag),
            at=trouble.word.span,
            message=f"{trouble.word.text} takes {_count(*takes(trouble.option))}, "
            f"and {len(trouble.values) or 'none'} {'follows' if len(trouble.values) < 2 else 'follow'}"
            + (f" ({following!r})" if following else ""),
            help=f"give it {_count(*takes(trouble.option))}",
        )


def _wrong_type(launch: ProgramModel, canonical: str, message: str, cause: WrongType) -> Draft:
    setting = launch.session.setting(canonical)
    whole = _whole_number(cause.word)
    word = next((text for text in setting.text if text.text == cause.word), None) if setting else None
    proposal = None
    if whole is not None and word is not None and word.verbatim_span is not None:
        proposal = Proposal(f"Write {whole}", UNSAFE, (Rewrite(word.verbatim_span, whole),))
    name = setting.name if setting is not None else launch.session.spelling(canonical)
    return launch.finding(
        canonical,
        at=word.span if word is not None else None,
        message=f"{name} {message}",
        help=f"write {whole}" if whole is not None else "",
        proposal=proposal,
    )


def _whole_number(word: str) -> str | None:
    """A number with an exponent or a point as the whole number it is; None if it is none."""
    try:
        number = float(word)
    except ValueError:
        return None
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else None


def _count(least: int, most: int | None) -> str:
    if most is None:
        return "at least one value" if least else "values"
    return "one value" if least == 1 else f"{least} values"


@rule("OR107", "not-among-choices", severity=ERROR, stage=PARSE, programs=EVERY, fix="unsafe")
def not_among_choices(launch: ProgramModel) -> Iterator[Draft]:
    """A value has to be one of those that the release in force lists for its flag.

    What happens: the program prints "invalid choice" and ends with exit status 2.

    Why: argparse checks `choices`, and they grow over the releases (`flash_reinforce` came with 0.11.2).

    Example:
        --algo.advantage.estimator grpo

    Use instead:
        --algo.advantage.estimator group_norm
    """
    for refused in launch.session.refused:
        if not isinstance(refused.cause, NotAChoice):
            continue
        setting = launch.session.setting(refused.canonical)
        name = setting.name if setting is not None else launch.session.spelling(refused.canonical)
        near = alike(str(refused.cause.value), [str(choice) for choice in refused.cause.choices], 1)
        word = next((text for text in setting.text if text.text == str(refused.cause.value)), None) if setting else None
        proposal = None
        if near and word is not None and word.verbatim_span is not None:
            proposal = Proposal(f"Write {near[0]}", UNSAFE, (Rewrite(word.verbatim_span, near[0]),))
        yield launch.finding(
            refused.canonical,
            at=word.span if word is not None else None,
            message=f"{name} {refused.message} at OpenRLHF {launch.session.release}",
            help=f"did you mean {near[0]}?" if near else f"write {listed(tuple(map(str, refused.cause.choices)))}",
            proposal=proposal,
        )


@rule("OR108", "negative-exponent", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def negative_exponent(launch: ProgramModel) -> Iterator[Draft]:
    """A negative number must not be written with an exponent.

    What happens: the program prints "expected 2 arguments" and ends with exit status 2.

    Why: argparse takes `-1e1` for a flag; `-10` and `-0.1` it takes for numbers.

    Example:
        --reward.clip_range -1e1 10

    Use instead:
        --reward.clip_range -10 10
    """
    for trouble in troubles(launch, Mistake.MISSING_VALUE):
        word = _hidden_negative(launch, trouble)
        if word is None or trouble.option is None:
            continue
        plain = f"{float(word.text):f}".rstrip("0").rstrip(".")
        yield launch.finding(
            *details_of(launch).edition.names(trouble.option.flag),
            at=word.span,
            message=f"{word.text} is taken for a flag, so that {trouble.word.text} lacks a value",
            help=f"write {plain}",
            proposal=Proposal(f"Write {plain}", SAFE, (Rewrite(word.verbatim_span, plain),))
            if word.verbatim_span is not None
            else None,
        )


def _hidden_negative(launch: ProgramModel, trouble: Trouble) -> Traced | None:
    """The negative number in exponent form that follows the values of a flag and was taken for a flag itself."""
    launched = launch.session.start
    if launched is None:
        return None
    words = launched.arguments
    for at, word in enumerate(words):
        if word is trouble.word:
            behind = at + 1 + len(trouble.values)
            if behind < len(words) and _NEGATIVE_EXPONENT.fullmatch(words[behind].text):
                return words[behind]
    return None
