"""`rlhflint rule`: the documentation of rules."""

from __future__ import annotations

import click

from rlhflint.rules import load_all
from rlhflint.wording import did_you_mean


def _codes(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return sorted({rule.code for rule in load_all() if rule.code.startswith(incomplete.upper())})


@click.command("rule")
@click.argument("code", required=False, shell_complete=_codes)
def command(code: str | None) -> None:
    """Print the documentation of the rule CODE; without it the table of all rules."""
    rules = load_all()
    if code is None:
        seen: set[str] = set()
        for rule in rules:
            if rule.code not in seen:
                seen.add(rule.code)
                off = "" if rule.on else " (off by default)"
                click.echo(f"{rule.code}  {rule.severity.value:7}  {rule.name}{off}")
        return
    from rlhflint.page import markdown

    records = [rule for rule in rules if rule.code == code.upper()]
    if not records:
        raise click.UsageError(f"there is no rule {code!r}{did_you_mean(code.upper(), [rule.code for rule in rules])}")
    click.echo(markdown(records), nl=False)
