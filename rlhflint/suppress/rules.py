"""The rules about suppressions themselves."""

from __future__ import annotations

from rlhflint.rule import SILENT, WARNING, described

UNUSED = described(
    "RL004",
    "unused-suppression",
    severity=WARNING,
    stage=SILENT,
    fix="safe",
    documentation="""A comment that ignores a rule has to let a finding of that rule through.

    What happens: `# rlhflint: ignore[OR203]` stands where OR203 finds nothing. If the launch goes wrong in this way
    later, nobody is told.

    Why: the launch was put right, the comment stands at another place than the finding, or the rule is mandatory in
    this project and cannot be ignored. A comment at the end of a line covers that line; one on a line of its own the
    statement below it, in a shell script the whole command with its continued lines; `ignore-file` the whole file.
    A rule about other programs than those that the file starts finds nothing in it. Nothing is said of rules that were
    not run, or that could not be decided on a launch of the file, nor in a file without a launch. The fix removes the
    codes that are not needed, or the comment if it has no other.
    """,
)

MISSPELT = described(
    "RL005",
    "misspelt-suppression",
    severity=WARNING,
    stage=SILENT,
    fix="safe",
    documentation="""A comment that is meant to ignore a rule has to be written as `# rlhflint: ignore[OR203] reason`.

    What happens: the comment has no effect. It has another keyword (`disable`, `noqa`), names no rule or one that does
    not exist, gives no reason although the project requires one, or stands between the continued lines of a command,
    which a comment ends.

    Why: codes are required, so that a comment lets nothing through that its writer has not seen: `ignore[OR203]`,
    `ignore[OR203, LA111]`, `ignore[OR2]` for all rules whose code begins so, `ignore-file[OR203]` for the whole file.
    The fix writes the comment as it was meant where that lets a finding through, and removes it elsewhere.
    """,
)
