"""Which options a launcher has, and how it wants them written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType

from rlhflint.catalog.files import read_json
from rlhflint.records import dataclass


class Style(Enum):
    """The family of command-line parsers a launcher belongs to."""

    ARGPARSE = "argparse"
    GETOPT = "getopt"
    """GNU `getopt_long`, told to stop at the first word that is no option."""
    CLICK = "click"
    PFLAG = "pflag"
    """Go: docker, apptainer."""
    CLAP = "clap"
    """Rust: uv."""
    SINGLE_DASH = "single dash"
    """Long names with one dash or two: mpirun."""

    @property
    def takes_dashes(self) -> bool:
        """A word with a dash in front still becomes the value of an option that needs one."""
        return self in (Style.GETOPT, Style.CLICK, Style.PFLAG, Style.SINGLE_DASH)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a launcher.

    `name` is its canonical name: the first long spelling without dashes, words parted by `_`. `values` is how many
    words it takes; with `optional` its one value may be left out and is otherwise joined to the name.
    """

    name: str
    values: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The options of one launcher by every spelling (`--num_gpus`, `-H`)."""

    launcher: str
    style: Style
    options: Mapping[str, Option]
    abbreviations: bool = False
    """Long options may be cut short as long as one option is meant."""

    def beginning(self, spelling: str) -> Option | None:
        """The one option that `spelling`, which is none in full, abbreviates; None where it is none or several."""
        if not self.abbreviations or not spelling.startswith("--") or len(spelling) < 3:
            return None
        meant = {option for full, option in self.options.items() if full.startswith(spelling)}
        return meant.pop() if len(meant) == 1 else None

    def find(self, spelling: str) -> Option | None:
        """The option of this spelling, in full or abbreviated."""
        return self.options.get(spelling) or self.beginning(spelling)


@cache
def launcher_table(name: str) -> Table:
    """The table of a launcher that has a data file in `schemas/launchers`. Raises OSError for any other name."""
    content = read_json("launchers", f"{name}.json")
    options: dict[str, Option] = {}
    for kind, values in (("valued", 1), ("optional", 1), ("switches", 0)):
        for canonical, spellings in content[kind].items():
            option = Option(canonical, values, kind == "optional")
            for spelling in spellings:
                options[spelling] = option
                if content["hyphens"] and spelling.startswith("--"):
                    options["--" + spelling[2:].replace("_", "-")] = option
    return Table(content["launcher"], Style(content["style"]), MappingProxyType(options), content["abbreviations"])


def written_table(launcher: str, specification: str, style: Style = Style.GETOPT) -> Table:
    """A table from its short form, options parted by blanks: `-n|--adjustment=` takes a value, `-v|--verbose` none.

    `=?` stands for a value that may be left out, `==` for two.
    """
    return Table(launcher, style, MappingProxyType(_written_options(specification)), style is Style.GETOPT)


def extended_table(table: Table, specification: str) -> Table:
    """`table` with further options in the short form of `written_table`."""
    options = {**table.options, **_written_options(specification)}
    return Table(table.launcher, table.style, MappingProxyType(options), table.abbreviations)


def _written_options(specification: str) -> dict[str, Option]:
    options: dict[str, Option] = {}
    for item in specification.split():
        spellings = item.rstrip("=?").split("|")
        ending = item[len("|".join(spellings)) :]
        option = Option(_canonical(spellings), ending.count("="), ending.endswith("?"))
        options.update(dict.fromkeys(spellings, option))
    return options


def _canonical(spellings: Iterable[str]) -> str:
    ordered = list(spellings)
    chosen = next((spelling for spelling in ordered if spelling.startswith("--")), ordered[0])
    return chosen.lstrip("-").replace("-", "_")
