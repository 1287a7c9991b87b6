"""Options of a launcher that stand behind the module or script, where the program gets them instead."""

from __future__ import annotations

from rlhflint.launchers.options.reading import LauncherOption
from rlhflint.launchers.options.table import launcher_table
from rlhflint.launchers.unwrapping.start import Start


def misplaced_options(start: Start) -> tuple[LauncherOption, ...]:
    """The arguments of a start that are options of its launcher, spelt in full.

    Many of accelerate's are options of trainers too (`--mixed_precision`, `--gradient_accumulation_steps`): only one
    that the program does not have is in the wrong place. Empty where no launcher of processes is used.
    """
    launcher = start.launcher
    if launcher is None:
        return ()
    table = launcher_table(launcher.name.replace(" ", "_"))
    found: list[LauncherOption] = []
    words = start.arguments
    for at, word in enumerate(words):
        name, equals, _ = word.text.partition("=")
        option = table.options.get(name) if name.startswith("--") else None
        if option is None:
            continue
        value = None
        if equals:
            value = word[len(name) + 1 :]
        elif option.values and at + 1 < len(words) and not words[at + 1].text.startswith("-"):
            value = words[at + 1]
        found.append(LauncherOption(option.name, word[: len(name)], value, joined=bool(equals)))
    return tuple(found)
