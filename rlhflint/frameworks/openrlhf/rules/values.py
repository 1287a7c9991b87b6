"""Words that the program's parser refuses or takes otherwise than meant: values, abbreviations, repetitions."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.arguments import Argument, Mistake, Trouble, takes
from rlhflint.conversion import NotAChoice, WrongType
from rlhflint.expressions import expression
from rlhflint.frameworks.openrlhf.programs import EVERY
from rlhflint.frameworks.openrlhf.session import details_of
from rlhflint.launch import Setting
from rlhflint.likeness import alike
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Remove, Rename, Rewrite
from rlhflint.rule import ADVICE, ERROR, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.text import HOLE, Traced
from rlhflint.value import Known

_NEGATIVE_EXPONENT = expression(r"-(\d+\.?\d*|\.\d+)[eE][-+]?\d+")


@rule("OR103", "ambiguous-prefix", severity=ERROR, stage=PARSE, programs=EVERY)
def ambiguous_prefix(launch: ProgramModel) -> Iterator[Draft]:
    """A shortened flag has to fit one flag of the program only.

    What happens: the program prints "ambiguous option" and ends with exit status 2.

    Why: argparse takes the beginning of a name for the name, if exactly one begins so.

    Example:
        --train.colocate_a

    Use instead:
        --train.colocate_all
    """
    for trouble in _troubles(launch, Mistake.AMBIGUOUS):
        names = _listed(trouble.candidates)
        yield launch.finding(
            at=trouble.word.span,
            message=f"{trouble.word.text} is ambiguous: it is the beginning of more than one flag, {names}",
            help=f"write the whole name: {names}",
        )


@rule("OR104", "abbreviated-flag", severity=ADVICE, stage=SILENT, programs=EVERY, fix="safe")
def abbreviated_flag(launch: ProgramModel) -> Iterator[Draft]:
    """Flags are best written out.

    What happens: nothing now. A release that adds another flag with the same beginning refuses the launch.

    Why: argparse takes the beginning of a name for the name, as long as exactly one begins so.

    Example:
        --ds.zero_s 3

    Use instead:
        --ds.zero_stage 3
    """
    for argument, setting in _given(launch):
        if argument.abbreviated:
            flag = argument.option.flag
            yield launch.finding(
                *setting.canonical,
                at=argument.name.span,
                message=f"{argument.name.text} works only while no other flag begins so; it is taken for {flag}",
                help=f"write {flag}",
                proposal=Proposal(f"Write {flag}", SAFE, (Rename(setting, (flag,)),)),
            )


@rule("OR105", "value-after-switch", severity=ERROR, stage=PARSE, programs=EVERY, fix="safe")
def value_after_switch(launch: ProgramModel) -> Iterator[Draft]:
    """A switch takes no value: it is given, or it is not.

    What happens: the program prints "unrecognized arguments" (or "ignored explicit argument") and ends with exit
    status 2.

    Why: switches are registered with `store_true`; the word behind one belongs to nothing.

    Example:
        --ds.packing_samples True

    Use instead:
        --ds.packing_samples
    """
    for trouble in _troubles(launch, Mistake.STRAY_WORD):
        if trouble.before is not None and trouble.before.option.switch:
            yield _switch_with_value(launch, trouble.before.name.text, trouble.before.option.flag, trouble)
    for trouble in _troubles(launch, Mistake.SURPLUS_VALUE):
        if trouble.option is not None:
            yield _switch_with_value(launch, trouble.option.flag, trouble.option.flag, trouble)


def _switch_with_value(launch: ProgramModel, written: str, flag: str, trouble: Trouble) -> Draft:
    names = details_of(launch).edition.names(flag)
    joined = trouble.mistake is Mistake.SURPLUS_VALUE
    value = trouble.word.text[len(written) :] if joined else trouble.word.text
    off = value.lower() in ("false", "0", "no", "off", "none", "null")
    span = trouble.word.verbatim_span if not joined else None
    return launch.finding(
        *names,
        at=trouble.word.span,
        message=f"{written} takes no value, and {value!r} behind it is refused",
        help=f"leave {written} out altogether: that is what switches it off" if off else f"write {written} alone",
        proposal=Proposal(f"Remove {value}", SAFE, (Rewrite(span, ""),)) if span and not off else None,
    )


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
    for trouble in _troubles(launch, Mistake.MISSING_VALUE):
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
            help=f"did you mean {near[0]}?" if near else f"write {_listed(tuple(map(str, refused.cause.choices)))}",
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
    for trouble in _troubles(launch, Mistake.MISSING_VALUE):
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


@rule("OR109", "flag-given-twice", severity=WARNING, stage=SILENT, programs=EVERY, fix="unsafe")
def flag_given_twice(launch: ProgramModel) -> Iterator[Draft]:
    """A flag is given once, or its values agree.

    What happens: the last one counts, the others are ignored without a word.

    Why: argparse stores the value of each occurrence in the same place.

    Example:
        --ckpt.save_steps 100 --ckpt.save_steps -1

    Use instead:
        --ckpt.save_steps 100
    """
    last: dict[str, tuple[Argument, Setting]] = {}
    for argument, setting in _given(launch):
        flag = argument.option.dest
        before = last.get(flag)
        last[flag] = argument, setting
        if before is None or argument.option.action in ("append", "count", "extend"):
            continue
        old, new = before[1].value, setting.value
        if isinstance(old, Known) and isinstance(new, Known) and old.value != new.value:
            yield launch.finding(
                *setting.canonical,
                at=before[1].name_span,
                message=f"{before[1].name} is given again further on with another value: "
                f"{_shown(new.value)} counts, {_shown(old.value)} is ignored",
                help="keep the one you mean",
                proposal=Proposal(f"Remove {before[1].name} {_shown(old.value)}", UNSAFE, (Remove(before[1]),)),
            )


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


@rule("OR111", "stray-word", severity=ERROR, stage=PARSE, programs=EVERY)
def stray_word(launch: ProgramModel) -> Iterator[Draft]:
    """Every word of the command belongs to a flag.

    What happens: the program prints "unrecognized arguments" and ends with exit status 2. Words behind
    `ds.lora.target_modules`, which takes any number, are swallowed by it instead.

    Why: no entry point takes positional arguments (cli/*.py@0.11.2). A stray word is often a value with an unquoted
    blank in it, or one value too many.

    Example:
        --data.prompt_dataset data/a.jsonl data/b.jsonl

    Use instead:
        --data.prompt_dataset data/a.jsonl,data/b.jsonl
    """
    for trouble in _troubles(launch, Mistake.STRAY_WORD):
        if trouble.before is not None and trouble.before.option.switch:
            continue
        behind = f" behind {trouble.before.name.text}" if trouble.before is not None else ""
        yield launch.finding(
            at=trouble.word.span,
            message=f"no flag takes the word {trouble.word.text!r}{behind}",
            help="put values with blanks in quotes, give each flag the values it takes, or remove the word",
        )


def _troubles(launch: ProgramModel, mistake: Mistake) -> Iterator[Trouble]:
    for trouble in details_of(launch).reading.troubles:
        if trouble.mistake is mistake and HOLE not in trouble.word.text:
            yield trouble


def _given(launch: ProgramModel) -> Iterator[tuple[Argument, Setting]]:
    """The accepted flags with the settings made of them."""
    settings = {id(setting.name_text): setting for setting in launch.session.launch.settings}
    for argument in details_of(launch).reading.arguments:
        setting = settings.get(id(argument.name))
        if setting is not None:
            yield argument, setting


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


def _listed(names: tuple[str, ...]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
