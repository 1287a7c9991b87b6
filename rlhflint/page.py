"""The documentation of a rule, read from its definition: for `rlhflint rule`, the generated pages, and the tests."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.registry import abouts
from rlhflint.rule import Rule

_HEADING = expression(r"^(What happens|Why|Example|Use instead):\s?(.*)$")
_FILE = expression(r"^--- (\S+)$", re.MULTILINE)
_TARGET = expression(r"^# (?P<what>[^\n]*)\n")


@dataclass(frozen=True, slots=True)
class Example:
    """A launch in the documentation of a rule.

    `text` are the settings alone, a whole file, or several files, each behind a line `--- NAME`. `target` is what its
    first line, a comment, says of it: programs and releases such as `train_sft, openrlhf 0.9.5` or `trl 0.27.0`; empty
    for the rule's program at the newest release it holds for.
    """

    text: str
    target: str = ""

    @property
    def files(self) -> dict[str, str]:
        """Its files by name, where it has several; empty for settings alone and for a single file."""
        parts = _FILE.split(self.text)
        return {name: text.strip("\n") + "\n" for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@dataclass(frozen=True, slots=True)
class Page:
    """The parts of a rule's documentation. `wrong` is found by the rule, `right` is not; both may be missing."""

    summary: str
    what_happens: str
    why: str
    wrong: Example | None
    right: Example | None


def page(documentation: str) -> Page:
    """The parts of a docstring in the form that `rlhflint.rule` describes."""
    parts: dict[str, list[str]] = {"": []}
    current = ""
    for line in documentation.splitlines():
        heading = _HEADING.match(line)
        if heading:
            current = heading[1]
            parts[current] = [heading[2]] if heading[2] else []
        else:
            parts[current].append(line)
    return Page(
        summary=_prose(parts[""]),
        what_happens=_prose(parts.get("What happens", [])),
        why=_prose(parts.get("Why", [])),
        wrong=_example(parts.get("Example", [])),
        right=_example(parts.get("Use instead", [])),
    )


def _prose(lines: Iterable[str]) -> str:
    """Paragraphs, each in one line."""
    paragraphs = "\n".join(line.strip() for line in lines).strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _example(lines: list[str]) -> Example | None:
    import textwrap

    text = textwrap.dedent("\n".join(lines)).strip("\n")
    if not text:
        return None
    target = _TARGET.match(text)
    return Example(text[target.end() :], target["what"]) if target else Example(text)


def markdown(rules: Iterable[Rule]) -> str:
    """The page of a rule; several records where it looks at programs of several frameworks."""
    records = list(rules)
    first = records[0]
    lines = [f"# {first.code} {first.name}", ""]
    for one in records:
        content = page(one.documentation)
        lines += [content.summary, ""]
        lines += _facts(one)
        for heading, text in (("What happens", content.what_happens), ("Why", content.why)):
            lines += [f"## {heading}", "", text, ""] if text else []
        for heading, example in (("Example", content.wrong), ("Use instead", content.right)):
            if example is not None:
                said = [f"With {example.target}:", ""] if example.target else []
                lines += [f"## {heading}", "", *said, f"```{_language(example.text)}", example.text, "```", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _facts(rule: Rule) -> list[str]:
    releases = " or ".join(f"`{one}`" for one in rule.applies) or "all"
    return [
        f"- severity: {rule.severity.value}, at {rule.stage.value}",
        *([f"- programs: {', '.join(f'`{one}`' for one in rule.programs)}"] if rule.programs else []),
        f"- releases: {releases}",
        f"- fix: {rule.fix}",
        *([] if rule.on else ["- off unless selected"]),
        *(f"- experimental: run with `--experimental {one}`" for one in _experimental(rule)),
        "",
    ]


def _experimental(rule: Rule) -> list[str]:
    """The experimental frameworks whose programs a rule looks at."""
    families = {program.partition(":")[0] for program in rule.programs}
    return [about.name for about in abouts() if about.experimental and about.name in families]


def _language(text: str) -> str:
    if text.lstrip().startswith(("--", "#!", "export", "deepspeed", "python3 ")):
        return "sh"
    if re.search(r"^(from|import) |\w\(", text, re.MULTILINE):
        return "python"
    return "yaml" if re.match(r"[\w-]+:", text.lstrip()) else "sh"
