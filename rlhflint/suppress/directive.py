"""Suppressions as they are written in comments, and what a comment that looks like one may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.text import Span

_TOOL = "rlhflint"
_LINE_WORDS = ["ignore", "ignores", "ignored", "ignoreline", "ignorenext", "ignorenextline"]
_LINE_WORDS += ["disable", "disabled", "disableline", "disablenext", "disablenextline"]
_LINE_WORDS += ["noqa", "nolint", "skip", "suppress", "allow", "off", "exclude"]
_FILE_WORDS = ["ignorefile", "fileignore", "disablefile", "skipfile", "noqafile"]
"""Keywords of other tools, and some that people guess; small letters only."""

_START = expression(r"(?:(?<=\s)|\A)#(?!\d)")
_GOOD = expression(
    r"#+\s*rlhflint\s*:\s*(?P<word>ignore-file|ignore)\s*\[(?P<codes>[^\[\]]*)\](?P<reason>.*)", re.DOTALL
)
_ADDRESSED = expression(r"#+\s*@?(?P<tool>[A-Za-z][A-Za-z_-]*)(?P<colon>\s*[:=])?[ \t]*(?P<rest>.*)", re.DOTALL)
_WORD = expression(r"(?P<word>[A-Za-z][A-Za-z_-]*+)(?!\d)(?P<rest>.*)", re.DOTALL)
_LIST = expression(
    r"[\s:=,]*+(?:[\[(]\s*+)?(?P<codes>[A-Za-z]{1,4}\d{1,4}\b(?:[\s,;]+[A-Za-z]{1,4}\d{1,4}\b)*)\s*,?\s*[\])]?(?P<reason>.*)",
    re.DOTALL,
)
_BRACKETS = expression(r"[\s:=]*[\[(](?P<codes>[^\[\]()]*)[\])](?P<reason>.*)", re.DOTALL)
_CODE = expression(r"[^\s,;]+")
_LONGEST = 2000
"""Characters of a comment that are looked at."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code or prefix of a suppression, as written; `start` and `end` are its characters in the comment."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Written:
    """One suppression in the text of a comment, characters `start` to `end`; `file`: it is for the whole file.

    `wrong` says why it is not read as it is written, in words that fit behind "because"; empty for a good one. `loose`:
    it is taken for one only if its codes are codes of rules, since other tools and prose look alike.
    """

    start: int
    end: int
    file: bool
    codes: tuple[Code, ...]
    reason: str = ""
    wrong: str = ""
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Directive:
    """A suppression in a file.

    `text` are the characters of `span`, `removal` those that go with it. `covers` is what it speaks of, None for the
    whole file. `wrong` and `loose` are those of `Written`; `misplaced`: it has no effect where it stands, as `wrong`
    says, and is spelled well.
    """

    text: str
    span: Span
    removal: Span
    covers: Span | None
    codes: tuple[str, ...]
    code_spans: tuple[Span, ...]
    reason: str = ""
    wrong: str = ""
    loose: bool = False
    misplaced: bool = False


def written(comment: str) -> Iterator[Written]:
    """The suppressions in a comment, good ones and misspelt ones. Several may stand behind one another."""
    comment = comment[:_LONGEST]
    starts = [found.start() for found in _START.finditer(comment)]
    for start, end in zip(starts, [*starts[1:], len(comment)], strict=False):
        text = comment[start:end].rstrip()
        good = _GOOD.fullmatch(text)
        one = _good(good) if good else _misspelt(text)
        if one is not None:
            codes = tuple(Code(code.text, start + code.start, start + code.end) for code in one.codes)
            yield Written(start, start + len(text), one.file, codes, one.reason, one.wrong, one.loose)


def spelled(codes: tuple[str, ...], reason: str, *, file: bool) -> str:
    """A suppression written as it has to be."""
    text = f"# {_TOOL}: {'ignore-file' if file else 'ignore'}[{', '.join(codes)}]"
    return f"{text} {reason}" if reason else text


def _good(found: re.Match[str]) -> Written:
    codes = _codes(found["codes"], found.start("codes"))
    wrong = "" if codes else "it names no rule"
    return Written(0, 0, found["word"] == "ignore-file", codes, _reason(found["reason"]), wrong)


def _misspelt(text: str) -> Written | None:
    """What a comment meant that is not written as a suppression; None for one that meant something else."""
    found = _ADDRESSED.fullmatch(text)
    if found is None:
        return None
    name, rest, offset = _letters(found["tool"]), found["rest"], found.start("rest")
    if name == "noqa":
        return _meant("ignore", rest, offset, f"{_TOOL} does not read `noqa`", sure=False)
    if name.startswith(_TOOL) and name != _TOOL:
        return _meant(name[len(_TOOL) :], rest, offset, f"it has to begin with `{_TOOL}:`", sure=False)
    if not _is_near(name):
        return None
    wrong = "" if found["tool"] == _TOOL and found["colon"] else f"it has to begin with `{_TOOL}:`"
    inner = _WORD.fullmatch(rest)
    if inner is None:
        return _meant("", rest, offset, wrong, sure=False)
    return _meant(inner["word"], inner["rest"], offset + inner.start("rest"), wrong, sure=bool(found["colon"]))


def _meant(word: str, rest: str, offset: int, wrong: str, *, sure: bool) -> Written | None:
    """The suppression that a keyword and what follows it were meant to be.

    `wrong` is what is wrong in front of the keyword. `sure`: what stands there is said to rlhflint and nobody else.
    """
    letters = _letters(word)
    near = get_close_matches(letters, ["ignore", "ignorefile"], 1, 0.75)
    file = letters in _FILE_WORDS or near == ["ignorefile"]
    known = file or letters in _LINE_WORDS or bool(near)
    codes, reason = _listed(rest, offset)
    if not codes and not (known and sure):
        return None
    if word not in ("ignore", "ignore-file"):
        wrong = wrong or (f"`{word}` is not its keyword" if word else "its keyword `ignore` is missing")
    wrong = wrong or ("its codes belong in brackets" if codes else "it names no rule")
    return Written(0, 0, file, codes, reason, wrong, loose=not (known and sure))


def _listed(rest: str, offset: int) -> tuple[tuple[Code, ...], str]:
    """The codes in front of a text, in brackets or not, and the reason behind them."""
    found = _BRACKETS.fullmatch(rest) or _LIST.fullmatch(rest)
    if found is None:
        return (), ""
    return _codes(found["codes"], offset + found.start("codes")), _reason(found["reason"])


def _codes(text: str, offset: int) -> tuple[Code, ...]:
    return tuple(Code(found[0], offset + found.start(), offset + found.end()) for found in _CODE.finditer(text))


def _reason(text: str) -> str:
    return text.strip().lstrip(":;,-–— \t").strip()


def _letters(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "")


def _is_near(name: str) -> bool:
    return name == _TOOL or (len(name) < 20 and SequenceMatcher(None, name, _TOOL).ratio() >= 0.85)
