"""Draws how the cost of a check grows with the number of files and with the length of one, as an SVG.

    python tools/bench/growth.py [--runs 3] [docs/growth.svg]

Each point is the least processor time of some runs, without that of a start on one file: per file, or per launch of
one long script. A line that stays level is a cost that grows as the input does.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import environment_of, ours, seconds
from corpora import configs, launches, lengthy, recipes, unrelated

ROOT = Path(__file__).resolve().parents[2]
SIZES = (25, 50, 100, 200, 400)
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 400, 60, 40, 190, 50
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#7f8c8d")


@dataclass(frozen=True)
class Series:
    """What grows, how it is made for a size below a folder, and how many times a size it is made."""

    name: str
    make: Callable[[Path, int], None]
    times: int = 1


SERIES = (
    Series("shell scripts", launches),
    Series("Python files", configs),
    Series("YAML files", recipes),
    Series("launches in one script", lambda folder, size: lengthy(folder / "train.sh", size)),
    Series("20 unrelated files", unrelated, 20),
)


def measured(series: Series, runs: int, folder: Path, environment: Mapping[str, str]) -> list[float]:
    """Milliseconds for each unit, by size."""
    times = []
    for size in (1, *SIZES):
        place = folder / f"{SERIES.index(series)}-{size}"
        place.mkdir()
        series.make(place, size * series.times)
        command = [*ours(place), "--jobs", "1"]
        times.append(min(seconds([command], folder, environment) for _ in range(runs)))
    return [1000 * (time - times[0]) / (size - 1) for time, size in zip(times[1:], SIZES, strict=True)]


def drawing(points: dict[str, Sequence[float]]) -> str:
    """The SVG; a size in each column, at equal distances, for they double."""
    most = max(max(values) for values in points.values()) * 1.15
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    columns = [LEFT + wide * index / (len(SIZES) - 1) for index in range(len(SIZES))]

    def height(value: float) -> float:
        return TOP + high * (1 - value / most)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        "<style>text { font: 12px sans-serif; fill: #333 }</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22">Processor time for each further one, in milliseconds</text>',
    ]
    step = next(step for step in (0.5, 1, 2, 5, 10, 20, 50, 100, 1000) if most / step <= 8)
    for tick in range(int(most / step) + 1):
        y = height(tick * step)
        lines.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + wide}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick * step:g}</text>')
    for x, size in zip(columns, SIZES, strict=True):
        lines.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{size}</text>')
    label = float("-inf")
    rows = sorted(zip(points.items(), COLOURS, strict=True), key=lambda row: -row[0][1][-1])
    for (name, values), colour in rows:
        path = " ".join(f"{x:.1f},{height(value):.1f}" for x, value in zip(columns, values, strict=True))
        label = max(height(values[-1]) + 4, label + 15)  # so that no label lies on another
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{LEFT + wide + 8}" y="{label:.1f}" style="fill: {colour}">{name}</text>')
    lines.append(f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 10}" text-anchor="middle">how many</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("svg", nargs="?", type=Path, default=ROOT / "docs" / "growth.svg")
    parser.add_argument("--runs", type=int, default=3, help="runs of each size, of which the least counts")
    options = parser.parse_args()
    points: dict[str, Sequence[float]] = {}
    with tempfile.TemporaryDirectory(prefix="rlhflint-growth-") as name:
        environment = environment_of(Path(name))
        for series in SERIES:
            points[series.name] = measured(series, options.runs, Path(name), environment)
            print(series.name, *(f"{value:.2f}" for value in points[series.name]), flush=True)
    options.svg.write_text(drawing(points), encoding="utf-8")


if __name__ == "__main__":
    main()
