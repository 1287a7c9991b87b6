"""`rlhflint rule`: the documentation of rules."""

from __future__ import annotations

import click

from rlhflint.rules import load_all


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
        from difflib import get_close_matches

        near = get_close_matches(code.upper(), [rule.code for rule in rules], 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"there is no rule {code!r}{hint}")
    click.echo(markdown(records), nl=False)
