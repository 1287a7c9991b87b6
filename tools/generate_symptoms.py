"""Write docs/symptoms.md from the table that `rlhflint explain` reads.

python tools/generate_symptoms.py            write it
python tools/generate_symptoms.py --check    exit with 1 if it is stale
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rlhflint.explain.metrics import Metric  # noqa: E402
from rlhflint.explain.symptoms import Symptom, symptoms  # noqa: E402
from rlhflint.registry import title  # noqa: E402
from rlhflint.rules import load_all  # noqa: E402

PAGE = ROOT / "docs" / "symptoms.md"
_INTRODUCTION = """\
# From symptom to setting

What `rlhflint explain` knows, as a page: for each symptom the likely causes, what to do, the settings that bear on it,
and the rules that would have told before. [When a run fails all the same](explaining.md) says how to have the one found
that a log shows.
"""


def page() -> str:
    """The text of the page."""
    names = {rule.code: rule.name for rule in load_all()}
    entries = sorted(symptoms(), key=lambda one: one.title)
    contents = "\n".join(f"- [{one.title}](#{one.name})" for one in entries)
    return "\n".join([_INTRODUCTION, contents, *(line for one in entries for line in _entry(one, names))]) + "\n"


def _entry(symptom: Symptom, names: dict[str, str]) -> Iterator[str]:
    yield ""
    yield f'<a id="{symptom.name}"></a>'
    yield ""
    yield f"## {symptom.title}"
    yield ""
    yield "Likely causes:"
    yield ""
    yield from (f"{number}. {cause}" for number, cause in enumerate(symptom.causes, start=1))
    yield ""
    yield "What to do:"
    yield ""
    yield from (f"- {remedy}" for remedy in symptom.remedies)
    if symptom.metrics:
        yield ""
        yield "In the metrics:"
        yield ""
        yield from (f"- {_metric(one)}" for one in symptom.metrics)
    if symptom.truths:
        yield ""
        yield "By release:"
        yield ""
        for one in symptom.truths:
            yield f"- {title(one.package)} {one.specifier.replace(',', ', ') or '(all)'}: {one.statement}"
    for family, settings in symptom.settings.items():
        yield ""
        yield f"Settings of {title(family)}: {', '.join(f'`{name}`' for name in settings)}"
    if symptom.rules:
        yield ""
        yield f"Rules: {', '.join(f'[{code} {names[code]}](rules/{code}.md)' for code in symptom.rules)}"


def _metric(metric: Metric) -> str:
    """A row of numbers in words."""
    conditions = [
        f"above {metric.above:g}" if metric.above is not None else "",
        f"below {metric.below:g}" if metric.below is not None else "",
        f"{metric.rises:g} times the beginning" if metric.rises is not None else "",
        f"the beginning divided by {metric.falls:g}" if metric.falls is not None else "",
        "the same all the time" if metric.still else "",
        "no number" if metric.broken else "",
    ]
    told = " or ".join(filter(None, conditions))
    whose = f" ({title(metric.framework)})" if metric.framework else ""
    healthy = f"; healthy: {metric.healthy}" if metric.healthy else ""
    shows = f" shows it where it ends {told}" if told else " tells"
    return f"{', '.join(f'`{name}`' for name in metric.names)}{whose}{shows}{healthy}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Write docs/symptoms.md.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is stale")
    options = parser.parse_args()
    text = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print("docs/symptoms.md is stale: run python tools/generate_symptoms.py")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print("docs/symptoms.md written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
