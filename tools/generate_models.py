"""Write the typed models of OpenRLHF's programs from the catalog, into `rlhflint/frameworks/openrlhf/models/`.

    python tools/generate_models.py            write them
    python tools/generate_models.py --check    write nothing; exit 1 if a file is not what the catalog gives

One class a program, its settings nested by the dots of their names. A field stands for a setting over all releases:

- its name is where `Program.fields` puts the value: the newest spelling; for a flag that ended or was replaced by
  options with other values the last spelling of its own (`bf16`, `prompt_max_len`);
- its type is what the newest release converts it to, wide enough for the defaults of every release;
- its default is that of the newest release that has the setting: it stands where a release does not have it yet or
  any more, and is then what upstream does without the option, save for options that replaced others, whose values
  the engine works out of the old ones.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from keyword import iskeyword
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rlhflint.catalog.intervals import Interval, Releases  # noqa: E402
from rlhflint.catalog.option import Option  # noqa: E402
from rlhflint.catalog.program import Program  # noqa: E402
from rlhflint.frameworks.openrlhf.catalog import openrlhf  # noqa: E402
from rlhflint.value import Unknown  # noqa: E402

FOLDER = ROOT / "rlhflint" / "frameworks" / "openrlhf" / "models"
WIDTH = 120
_ACRONYMS = {"ppo", "sft", "rm", "dpo", "kto", "kd", "prm"}


@dataclass
class Setting:
    """All that the releases say of one field: the option of every interval, oldest first, and its spellings."""

    name: str
    options: list[Option] = field(default_factory=list)
    spellings: dict[str, str] = field(default_factory=dict)
    """Flag → the releases in which it sets the field, in words."""

    @property
    def type(self) -> str:
        """The annotation: the newest type, widened by the defaults of every release."""
        newest = _plain_type(self.options[-1])
        if newest == "Any":
            return newest
        types = [newest]
        defaults = [option.default for option in self.options]
        if newest == "int" and any(isinstance(value, float) and not value.is_integer() for value in defaults):
            types = ["float"]
        if any(isinstance(value, str) for value in defaults) and types[0] not in ("str", "bool"):
            types.append("str")
        if any(value is None or isinstance(value, Unknown) for value in defaults):
            types.append("None")
        return " | ".join(types)

    @property
    def default(self) -> object:
        """The default of the newest release that has it; None for one that is worked out at the start."""
        value = self.options[-1].default
        if isinstance(value, Unknown):
            return None
        if isinstance(value, list) and self.type.startswith("list[float]"):
            return [float(item) for item in value]
        return int(value) if isinstance(value, float) and self.type.startswith("int") else value

    @property
    def documentation(self) -> str:
        """Its flags and their releases."""
        return "; ".join(f"`{flag}` {releases}" for flag, releases in self.spellings.items())


def settings(program: Program) -> dict[str, Setting]:
    """The fields of a program, by name."""
    states = [
        (program.releases.position(interval.since), flag, interval)
        for flag in program.flags
        for interval in program.history(flag)
    ]
    found: dict[str, Setting] = {}
    spans: dict[tuple[str, str], list[Interval]] = {}
    for _, flag, interval in sorted(states, key=lambda state: state[:2]):
        option = program.option(flag, interval.since)
        for name in program.fields(flag, interval.since) if option is not None else ():
            setting = found.setdefault(name, Setting(name))
            spans.setdefault((name, flag), []).append(interval)
            setting.spellings[flag] = in_words(spans[name, flag], program.releases)
            if option is not None and (option.action != "store_false" or flag.lstrip("-") == name):
                setting.options.append(option)
    return dict(sorted(found.items()))


def in_words(intervals: Iterable[Interval], releases: Releases) -> str:
    """The releases of some intervals: `..0.5.4`, `0.6.3..0.6.4, 0.7.0..`."""
    runs: list[list[int]] = []
    for first, last in map(releases.bounds, intervals):
        if runs and runs[-1][1] + 1 == first:
            runs[-1][1] = last
        else:
            runs.append([first, last])
    words = []
    for first, last in runs:
        since = releases[first] if first else ""
        until = releases[last] if last + 1 < len(releases) or first == last else ""
        words.append(since if since == until else f"{since}..{until}")
    return "all releases" if words == [".."] else ", ".join(words)


def render(program: Program) -> str:
    """The module of one program."""
    name = class_name(program.name)
    lines: list[str] = []
    tree = _tree(settings(program))
    body = list(_classes(name, tree, f"The settings of `{program.name}`.", program))
    source = "\n".join(body)
    special = ["Any"] if re.search(r"\bAny\b", source) else []
    groups = ["Group"] if "(Group)" in source else []
    title = f"OpenRLHF's `{program.name}` as a typed model, made from the catalog by `tools/generate_models.py`."
    lines += [f'"""{title}"""', "", "from __future__ import annotations", ""]
    lines += [f"from typing import {', '.join([*special, 'ClassVar'])}", ""]
    lines += [f"from rlhflint.model import {', '.join([*groups, 'ProgramModel'])}", "", ""]
    return "\n".join([*lines, source]) + "\n"


def class_name(program: str) -> str:
    """The class of a program: TrainPPORay for train_ppo_ray."""
    return "".join(part.upper() if part in _ACRONYMS else part.title() for part in program.split("_"))


def _plain_type(option: Option) -> str:
    if option.loose:
        return "Any"
    if option.switch:
        return "bool"
    return f"list[{option.type}]" if option.nargs in ("*", "+") or isinstance(option.nargs, int) else option.type


Tree = dict[str, "Tree | Setting"]


def _tree(found: Mapping[str, Setting]) -> Tree:
    root: Tree = {}
    for name, setting in found.items():
        *groups, leaf = name.split(".")
        node = root
        for group in groups:
            inner = node.setdefault(group, {})
            if isinstance(inner, Setting):
                raise ValueError(f"{name} is below a setting of its own")
            node = inner
        node[leaf] = setting
    return root


def _classes(name: str, tree: Tree, documentation: str, program: Program | None = None) -> Iterator[str]:
    """The lines of a class, those of the groups inside it first."""
    prefix = "" if program is not None else name
    for key, inner in tree.items():
        if isinstance(inner, dict):
            yield from _classes(prefix + key.title(), inner, f"Settings below `{key}`.")
            yield from ("", "")
    yield f"class {name}({'ProgramModel' if program is not None else 'Group'}):"
    yield f'    """{documentation}"""'
    yield ""
    if program is not None:
        yield f'    program: ClassVar[str] = "openrlhf:{program.name}"'
        yield ""
    for key, inner in sorted(tree.items(), key=lambda item: isinstance(item[1], Setting)):
        if isinstance(inner, dict):
            yield f"    {key}: {prefix + key.title()}"
        else:
            yield from _field(key, inner)


def _field(key: str, setting: Setting) -> Iterator[str]:
    if not key.isidentifier() or iskeyword(key):
        raise ValueError(f"{setting.name} cannot be a field")
    yield f"    {key}: {setting.type} = {_literal(setting.default)}"
    text = f'"""{setting.documentation}"""'
    yield from textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def _literal(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)


def _index(programs: list[str]) -> str:
    """The package's `__init__.py`."""
    rows = "\n".join(f'    "{name}": "{class_name(name)}",' for name in programs)
    return f'''"""OpenRLHF's programs as typed models, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel

_CLASSES = {{
{rows}
}}


def model_of(program: str) -> type[ProgramModel]:
    """The model of a program by its name (`train_sft`), loaded when it is asked for. Raises KeyError."""
    found: type[ProgramModel] = getattr(import_module(f"{{__name__}}.{{program}}"), _CLASSES[program])
    return found
'''


def files() -> dict[Path, str]:
    """The text of every file."""
    catalog = openrlhf()
    found = {FOLDER / f"{name}.py": render(catalog.program(name)) for name in catalog.programs}
    return {FOLDER / "__init__.py": _index(list(catalog.programs)), **found}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; say which files differ")
    options = parser.parse_args()
    wanted = files()
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text("utf-8") != text]
    stale += [path for path in sorted(FOLDER.glob("*.py")) if path not in wanted]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is not what the catalog gives")
        if not options.check and path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
