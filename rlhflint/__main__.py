"""The command line: `rlhflint`, `python -m rlhflint`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    from rlhflint.cli import rlhflint

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name in a finding must not end the report where the locale is no UTF-8
            stream.reconfigure(errors="backslashreplace")
    # Plugins that other packages bring for pydantic have no part in this; to look for them takes the metadata of all.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    rlhflint(prog_name="rlhflint")


if __name__ == "__main__":
    # `python -m` puts the working directory in front, where a linted project may have a `pydantic.py` of its own.
    if sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
        del sys.path[0]
    main()
