"""The overlay `schemas/openrlhf/changes.toml`: checked against the extracted data, and divided up by program.

Every complaint names an entry of the overlay and what the data says instead. That every flag that ended and every
default that changed is spoken of is checked too, so that a new release cannot be added without a look at them.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlhflint.catalog.intervals import Interval, Releases
from rlhflint.catalog.option import read_options

OVERLAY = Path(__file__).resolve().parent.parent.parent / "schemas" / "openrlhf" / "changes.toml"
_OF_MEANING = ("release", "before", "after", "value", "unset_with")
_KINDS = {"renamed", "replaced", "revalued", "removed", "default", "meaning", "dead", "broken", "ended", "invented"}
_STAGES = {"parse", "startup", "first-step", "late", "silent"}


@dataclass
class ProgramData:
    """The extracted part of a program's data file."""

    life: tuple[Interval, ...]
    options: dict[str, tuple[Interval, ...]]

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> ProgramData:
        """From the content of the file."""
        options = {flag: tuple(map(Interval.from_row, rows)) for flag, rows in content["options"].items()}
        return cls(tuple(map(Interval.from_row, content["life"])), options)


@dataclass
class Overlay:
    """The overlay over the data of all programs. `parts` is what goes into each program's data file."""

    entries: Mapping[str, Sequence[Mapping[str, Any]]]
    releases: Releases
    programs: Mapping[str, ProgramData]
    problems: list[str] = field(default_factory=list)
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def apply(self) -> Overlay:
        """Check every entry and divide it up; then look for what no entry speaks of."""
        kept = ("changes", "replaced", "defaults", "meanings", "dead", "broken")
        self.parts = {name: {key: {} for key in kept} for name in self.programs}
        for kind in self.entries:
            if kind not in _KINDS:
                self.problems.append(f"[[{kind}]]: no such kind of entry")
                continue
            for entry in self.entries[kind]:
                for key in ("source",) if kind != "invented" else ():
                    if not entry.get(key):
                        self._complain(kind, entry, f"has no {key}")
                try:
                    getattr(self, f"_{kind}")(entry)
                except KeyError as error:
                    self._complain(kind, entry, f"lacks or misnames {error}")
        for name in self.programs:
            self.problems += self._unspoken(name)
        return self

    # One method a kind of entry

    def _renamed(self, entry: Mapping[str, Any]) -> None:
        for old, new in entry["flags"].items():
            to = [new] if isinstance(new, str) else list(new)
            for program in self._programs("renamed", entry, [old]):
                self._ends("renamed", entry, program, old, gap=True)
                for flag in to:
                    self._begins("renamed", entry, program, flag)
                self._step(program, old, {"release": entry["release"], "to": to, "note": entry.get("note", "")})

    def _replaced(self, entry: Mapping[str, Any]) -> None:
        old: Mapping[str, Sequence[str]] = entry["old"]
        for program in self._programs("replaced", entry, list(old)):
            part = self.parts[program]
            for flag in old:
                if flag not in old[flag]:
                    self._ends("replaced", entry, program, flag)
            named = [flag for flags in old.values() for flag in flags]
            for case in entry["case"]:
                for flag in (*case["from"], *case.get("unset", ())):
                    if flag not in old:
                        self._complain("replaced", entry, f"a case speaks of {flag}, which is none of the old flags")
                self._accepts("replaced", entry, program, case["from"], before=True)
                self._accepts("replaced", entry, program, case.get("to", {}))
                named += case.get("to", {})
            for flag in named:
                if not self._has(program, flag, entry["release"]):
                    self._complain("replaced", entry, f"{program} has no {flag}")
            group = {key: entry[key] for key in ("release", "old", "inverted", "note") if key in entry}
            key = f"{entry['release']} {next(iter(old))}"
            part["replaced"][key] = {**group, "cases": entry["case"]}
            for flag, flags in old.items():
                self._step(program, flag, {"release": entry["release"], "to": list(flags), "group": key})

    def _revalued(self, entry: Mapping[str, Any]) -> None:
        flag, values = entry["flag"], entry["values"]
        for program in self._programs("revalued", entry, [flag]):
            self._accepts("revalued", entry, program, {flag: list(values)}, before=True)
            self._accepts("revalued", entry, program, {flag: list(values.values())})
            rows = self.parts[program].setdefault("revalued", {})
            rows.setdefault(flag, []).append({"release": entry["release"], "values": values})

    def _removed(self, entry: Mapping[str, Any]) -> None:
        for flag, note in entry["flags"].items():
            for program in self._programs("removed", entry, [flag]):
                self._ends("removed", entry, program, flag)
                row = {"release": entry["release"], "note": note, "dead": entry.get("dead", False)}
                self._step(program, flag, row)

    def _default(self, entry: Mapping[str, Any]) -> None:
        for flag in [entry["flag"]] if isinstance(entry["flag"], str) else entry["flag"]:
            programs = [
                program
                for program in self._programs("default", entry, [flag])
                if entry["programs"] != ["*"] or self._default_changes(program, flag, entry["release"])
            ]
            if not programs:
                self._complain("default", entry, f"no program changes the default of {flag}")
            for program in programs:
                if not self._default_changes(program, flag, entry["release"]):
                    self._complain("default", entry, f"{program} does not change the default of {flag}")
                rows = self.parts[program]["defaults"].setdefault(flag, [])
                rows.append({key: entry[key] for key in ("release", "effect", "when") if key in entry})
                if "when" in entry and not self._has(program, entry["when"]["flag"], entry["release"]):
                    self._complain("default", entry, f"{program} has no {entry['when']['flag']}")

    def _meaning(self, entry: Mapping[str, Any]) -> None:
        for program in self._programs("meaning", entry, [entry["flag"]]):
            if not self._has(program, entry["flag"], entry["release"]):
                self._complain("meaning", entry, f"{program} has no {entry['flag']}")
            rows = self.parts[program]["meanings"].setdefault(entry["flag"], [])
            rows.append({key: entry[key] for key in _OF_MEANING if key in entry})
            if "unset_with" in entry and not self._has(program, entry["unset_with"], entry["release"]):
                self._complain("meaning", entry, f"{program} has no {entry['unset_with']}")

    def _dead(self, entry: Mapping[str, Any]) -> None:
        for program in entry["programs"]:
            for flag in entry["flags"]:
                for release in self._range(entry):
                    if not self._has(program, flag, release):
                        self._complain("dead", entry, f"{program} has no {flag} at {release}")
                rows = self.parts[program]["dead"].setdefault(flag, [])
                rows.append({"since": entry["since"], "until": entry.get("until"), "text": entry.get("note", "")})

    def _broken(self, entry: Mapping[str, Any]) -> None:
        if entry["stage"] not in _STAGES:
            self._complain("broken", entry, f"no such stage: {entry['stage']}")
        for program in entry["programs"]:
            for release in self._range(entry):
                if self.releases.at(self.programs[program].life, release) is None:
                    self._complain("broken", entry, f"{program} does not exist at {release}")
                if "when" in entry and not self._has(program, entry["when"]["flag"], release):
                    self._complain("broken", entry, f"{program} has no {entry['when']['flag']} at {release}")
            row = {"since": entry["since"], "until": entry.get("until")}
            row |= {key: entry[key] for key in ("stage", "what", "when") if key in entry}
            self.parts[program]["broken"][f"{entry['since']} {entry['stage']}"] = row

    def _ended(self, entry: Mapping[str, Any]) -> None:
        for program in entry["programs"]:
            last = self.programs[program].life[-1].until
            if last is None or self.releases.after(last) != entry["release"]:
                self._complain("ended", entry, f"{program} exists until {last}")
            if self.programs[entry["like"]].life[-1].until is not None:
                self._complain("ended", entry, f"{entry['like']} is gone too")
            self.parts[program]["ended"] = {key: entry[key] for key in ("release", "like", "instead") if key in entry}

    def _invented(self, entry: Mapping[str, Any]) -> None:
        if entry["fix"] not in ("safe", "unsafe", "none"):
            self._complain("invented", entry, f"no such kind of fix: {entry['fix']}")
        for program in self.programs if entry["programs"] == ["*"] else entry["programs"]:
            if entry["name"] in self.programs[program].options:
                self._complain("invented", entry, f"{program} does have {entry['name']}")
            instead = [one for one in entry.get("instead", ()) if program in one.get("programs", [program])]
            for one in instead:
                words = [word for word in one.get("words", ()) if word.startswith("--")]
                for flag in (*one.get("flags", ()), *one.get("any_of", ()), *words):
                    for release in self._range(one):
                        if not self._has(program, flag, release):
                            self._complain("invented", entry, f"{program} has no {flag} at {release}")
            rows = [{key: value for key, value in one.items() if key != "programs"} for one in instead]
            row = {"fix": entry["fix"], "note": entry.get("note", ""), "instead": rows}
            self.parts[program].setdefault("invented", {})[entry["name"]] = row

    # What no entry speaks of

    def _unspoken(self, program: str) -> Iterator[str]:
        data, part = self.programs[program], self.parts[program]
        for flag, intervals in data.options.items():
            steps = {row["release"] for row in part["changes"].get(flag, ())}
            notes = {row["release"] for row in part["defaults"].get(flag, ())}
            for interval in intervals:
                after = self.releases.after(interval.until) if interval.until else None
                if after is None or self.releases.at(data.life, after) is None:
                    continue
                if self.releases.at(intervals, after) is None and after not in steps:
                    yield f"{program}: {flag} is gone in {after}, and no entry says what became of it"
                if self._default_changes(program, flag, after) and after not in notes | steps:
                    yield f"{program}: the default of {flag} changed in {after}, and no entry says what that does"

    # Questions to the data

    def _programs(self, kind: str, entry: Mapping[str, Any], flags: Sequence[str]) -> Iterable[str]:
        """The programs an entry holds for, of those that have one of the flags just before its release."""
        before = self.releases.before(entry["release"])
        names: Iterable[str] = self.programs if entry["programs"] == ["*"] else entry["programs"]
        having = [
            name
            for name in names
            if self.releases.at(self.programs[name].life, entry["release"])
            and any(flag in self.programs[name].options for flag in flags)
            and (kind == "renamed" or any(before and self._has(name, flag, before) for flag in flags))
            and (kind != "renamed" or entry["programs"] != ["*"] or (before and self._has(name, flags[0], before)))
        ]
        if not having:
            self._complain(kind, entry, f"no program of it has {' or '.join(flags)} before {entry['release']}")
        return having

    def _ends(self, kind: str, entry: Mapping[str, Any], program: str, flag: str, *, gap: bool = False) -> None:
        release = entry["release"]
        before = self.releases.before(release)
        if self._has(program, flag, release):
            self._complain(kind, entry, f"{program} still has {flag} in {release}")
        elif not gap and (before is None or not self._has(program, flag, before)):
            self._complain(kind, entry, f"{program} has no {flag} before {release}")

    def _begins(self, kind: str, entry: Mapping[str, Any], program: str, flag: str) -> None:
        before = self.releases.before(entry["release"])
        if not self._has(program, flag, entry["release"]):
            self._complain(kind, entry, f"{program} has no {flag} in {entry['release']}")
        elif before is not None and self._has(program, flag, before):
            self._complain(kind, entry, f"{program} has {flag} before {entry['release']} already")

    def _accepts(
        self, kind: str, entry: Mapping[str, Any], program: str, values: Mapping[str, Any], *, before: bool = False
    ) -> None:
        """Literal values have to be among the choices of their options."""
        release = self.releases.before(entry["release"]) if before else entry["release"]
        for flag, value in values.items():
            interval = self.releases.at(self.programs[program].options.get(flag, ()), release or "")
            if interval is None:
                self._complain(kind, entry, f"{program} has no {flag} at {release}")
                continue
            option = read_options(flag, interval.state)[0]
            for one in value if isinstance(value, list) else [value]:
                if option.choices and not isinstance(one, dict) and one not in option.choices:
                    self._complain(kind, entry, f"{flag} of {program} does not take {one!r} at {release}")
                if option.switch is not isinstance(one, bool):
                    self._complain(kind, entry, f"{flag} of {program} is set to {one!r} at {release}")

    def _has(self, program: str, flag: str, release: str) -> bool:
        return self.releases.at(self.programs[program].options.get(flag, ()), release) is not None

    def _default_changes(self, program: str, flag: str, release: str) -> bool:
        intervals = self.programs[program].options.get(flag, ())
        defaults = []
        for version in (self.releases.before(release), release):
            interval = self.releases.at(intervals, version) if version else None
            if interval is None:
                return self._returns_changed(intervals, release)
            defaults.append(read_options(flag, interval.state)[0].default)
        return bool(defaults[0] != defaults[1])

    def _returns_changed(self, intervals: Sequence[Interval], release: str) -> bool:
        """A flag that was away comes back with another default."""
        back = [index for index, interval in enumerate(intervals) if interval.since == release and index]
        if not back:
            return False
        old, new = (read_options("--x", intervals[index].state)[0].default for index in (back[0] - 1, back[0]))
        return bool(old != new)

    def _range(self, entry: Mapping[str, Any]) -> tuple[str, ...]:
        return self.releases.within([Interval(entry["since"], entry.get("until"))])

    def _step(self, program: str, flag: str, row: Mapping[str, Any]) -> None:
        rows = self.parts[program]["changes"].setdefault(flag, [])
        rows.append({key: value for key, value in row.items() if value not in ("", False)})
        rows.sort(key=lambda row: self.releases.position(row["release"]))

    def _complain(self, kind: str, entry: Mapping[str, Any], what: str) -> None:
        name = entry.get("name") or entry.get("release") or entry.get("since")
        self.problems.append(f"[[{kind}]] {name} {entry.get('programs', '')}: {what}")


def load(path: Path = OVERLAY) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The entries of the overlay, by kind. Raises OSError and tomllib.TOMLDecodeError."""
    entries: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for kind, rows in tomllib.loads(path.read_text("utf-8")).items():
        entries[kind] += rows
    return entries
