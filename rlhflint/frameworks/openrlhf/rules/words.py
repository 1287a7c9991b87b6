"""Words that the program's parser refuses or takes otherwise than meant: abbreviations, repetitions, stray words."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.arguments import Argument, Mistake
from rlhflint.frameworks.openrlhf.programs import EVERY
from rlhflint.frameworks.openrlhf.session import details_of, settings_by_word, troubles
from rlhflint.launch import Setting
from rlhflint.model import ProgramModel
from rlhflint.proposal import SAFE, UNSAFE, Alone, Proposal, Remove, Rename
from rlhflint.rule import ADVICE, ERROR, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.text import Traced
from rlhflint.value import Known
from rlhflint.wording import listed


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
    for trouble in troubles(launch, Mistake.AMBIGUOUS):
        names = listed(trouble.candidates)
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
    for argument, setting in _given(launch):
        for word in setting.stray:
            yield _switch_with_value(launch, argument, setting, word)


def _switch_with_value(launch: ProgramModel, argument: Argument, setting: Setting, word: Traced) -> Draft:
    written, value = argument.name.text, word.text
    off = value.lower() in ("false", "0", "no", "off", "none", "null")
    return launch.finding(
        *setting.canonical,
        at=setting.name_span.to(word.span) if setting.joined and word.span is not None else word.span,
        message=f"{written} takes no value, and {value!r} behind it is refused",
        help=f"leave {written} out altogether: that is what switches it off" if off else f"write {written} alone",
        proposal=Proposal(f"Remove {value}", SAFE, (Alone(setting),)) if not off else None,
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
    for trouble in troubles(launch, Mistake.STRAY_WORD):
        if trouble.before is not None and trouble.before.option.switch:
            continue
        behind = f" behind {trouble.before.name.text}" if trouble.before is not None else ""
        yield launch.finding(
            at=trouble.word.span,
            message=f"no flag takes the word {trouble.word.text!r}{behind}",
            help="put values with blanks in quotes, give each flag the values it takes, or remove the word",
        )


def _given(launch: ProgramModel) -> Iterator[tuple[Argument, Setting]]:
    """The accepted flags with the settings made of them."""
    settings = settings_by_word(launch.session.launch)
    for argument in details_of(launch).reading.arguments:
        setting = settings.get(id(argument.name))
        if setting is not None:
            yield argument, setting
