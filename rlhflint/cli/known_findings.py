"""The baseline: known findings let through, written down, taken out when they are fixed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from rlhflint.cli.writing import write
from rlhflint.reports.printable import printable
from rlhflint.result import Result

if TYPE_CHECKING:
    from rlhflint.suppress.baseline import Baseline


def applied(result: Result, given: Mapping[str, Any]) -> Result:
    """The result without the findings that are known; those that are written down now are known from now on.

    Raises `click.UsageError` for a baseline that cannot be used.
    """
    written, known = given["write_baseline"], given["baseline"]
    if written is not None:
        from rlhflint.suppress.baseline import baseline_of, let_through
        from rlhflint.suppress.baseline import written as text_of

        made = baseline_of(result, _folder(written))
        write(written, text_of(made))
        count = len(result.findings)
        result = let_through(result, made, _folder(written))
        click.echo(f"wrote {count - len(result.findings)} findings to {printable(written)}", err=True)
    if known is None:
        if given["prune_baseline"]:
            raise click.UsageError("--prune-baseline needs --baseline FILE")
        return result
    baseline, folder = baseline_at(known), _folder(known)
    if given["prune_baseline"]:
        from rlhflint.suppress.baseline import pruned
        from rlhflint.suppress.baseline import written as text_of

        kept = pruned(baseline, result, folder, lambda path: os.path.exists(os.path.join(folder, path)))
        if kept != baseline:
            write(known, text_of(kept))
    return without_known(result, known, baseline)


def without_known(result: Result, known: str, baseline: Baseline) -> Result:
    """The result without the findings that a baseline lets through; `known` is its file."""
    from rlhflint.suppress.baseline import let_through

    return let_through(result, baseline, _folder(known))


def baseline_at(known: str) -> Baseline:
    """The baseline in a file. Raises `click.UsageError` for one that cannot be used."""
    from rlhflint.suppress.baseline import WrongBaseline, read

    try:
        with open(known, encoding="utf-8") as file:
            return read(file.read())
    except OSError as error:
        raise click.UsageError(f"{known}: {error.strerror}") from None
    except (WrongBaseline, UnicodeDecodeError) as error:
        raise click.UsageError(f"{known}: {error}") from None


def _folder(path: str) -> str:
    return os.path.relpath(os.path.dirname(os.path.abspath(path))).replace(os.sep, "/")
