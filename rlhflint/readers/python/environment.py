"""Variables of the environment, as the module reads and sets them."""

from __future__ import annotations

from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Abstract, Alt, Entry


def environment(run: Run, name: str) -> Abstract:
    """`os.environ[name]`."""
    value = run.store.get(("environment", name))
    if value is ABSENT or isinstance(value, Alt):
        return run.unknown(f"{name} is read from the environment", "environment", name)
    return value


def set_environment(run: Run, entry: Entry) -> None:
    """`os.environ[name] = value`."""
    run.store.set(("environment", entry.name), entry.value)
    if run.recording:
        run.variables.append(entry)
