"""Move upstream's own example commands to another release, and ask both releases whether they are the same launches.

    python -m tools.same_launch REPOSITORY [--to 0.11.2] [--since 0.5.0] [--verbose]

REPOSITORY is a git directory of OpenRLHF with its tags. Of each tag the scripts below `examples` are read; a command
counts if all its words are known and its own release accepts it. It has to be accepted at the other release, with the
same value for every setting that still exists, unless a message names the setting. Each distinct command is asked
about once. The exit status is 1 if one is not the same.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rlhflint.frameworks.openrlhf.catalog import openrlhf
from tests.oracle.same_launch import compared
from tools.schemas.packages import Unavailable, wheel


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--since", default="0.5.0")
    parser.add_argument("--to", default=openrlhf().newest)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    position = openrlhf().releases.position
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for release in openrlhf().releases[position(options.since) : position(options.to) + 1]:
        for path, text in scripts(options.repository, f"v{release}"):
            if (release, text) in seen:
                continue
            seen.add((release, text))
            try:
                found = list(compared(text, release, options.to, wheel))
            except Unavailable as missing:
                counts["not to be had"] += 1
                print(missing)
                break
            for one in found:
                counts["commands"] += 1
                if one.same:
                    counts["same"] += 1
                else:
                    counts["not the same"] += 1
                    print(f"{release} {path}: {one.refusal if not one.accepted else ''} {one.different}")
                    if options.verbose:
                        print("   ", " ".join(one.before))
                        print("   ", " ".join(one.after or ["(not found)"]))
        print(release, dict(counts), flush=True)
    print(dict(counts))
    return int(bool(counts["not the same"]))


def scripts(repository: str, tag: str) -> list[tuple[str, str]]:
    """Path and text of the shell scripts below `examples` at a tag; none if there is no such tag."""
    listed = _git(repository, "ls-tree", "-r", "--name-only", tag, "examples")
    paths = [path for path in listed.splitlines() if path.endswith(".sh")]
    return [(path, _git(repository, "show", f"{tag}:{path}")) for path in paths]


def _git(repository: str, *arguments: str) -> str:
    done = subprocess.run(["git", "--git-dir", repository, *arguments], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main())
