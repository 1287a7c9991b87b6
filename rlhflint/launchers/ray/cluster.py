"""`ray start` and `ray stop` lines of a script: the machines of a Ray cluster as the script brings them up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rlhflint.command import Choice, Command, Script
from rlhflint.launchers.count import Count, given_count, option_count
from rlhflint.launchers.options.reading import read_options
from rlhflint.launchers.options.table import launcher_table
from rlhflint.launchers.remembered import remembered
from rlhflint.launchers.unwrapping.start import Start, Wrapper
from rlhflint.launchers.unwrapping.unwrap import start_of
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced

GCS_PORT = 6379
"""Port of `ray start --head` unless `--port` says otherwise (ray/scripts/scripts.py@2.60.0)."""
DASHBOARD_PORT = 8265
"""Port of the dashboard and the job server unless `--dashboard-port` says otherwise."""
CLIENT_PORT = 10001
"""Port for `ray://` clients unless `--ray-client-server-port` says otherwise."""


@dataclass(frozen=True, slots=True)
class RayStart:
    """One `ray start` line.

    `wrapper` holds its options. `gpus` and `cpus` are what it says this machine has, None where it leaves that to Ray,
    which then counts them itself. `machines` is on how many machines the line starts Ray: more than one under `srun`.
    """

    command: Command
    start: Start
    wrapper: Wrapper
    machines: Count
    gpus: Count | None = None
    cpus: Count | None = None

    @property
    def head(self) -> bool:
        """It starts a head."""
        return self.wrapper.given("head") is not None

    @property
    def address(self) -> Traced | None:
        """Where a worker finds its head: `host:port`."""
        return self.wrapper.value("address")

    @property
    def port(self) -> Count:
        """The port of the head: `--port`, else Ray's default; of a worker that of `--address`."""
        if self.head:
            return option_count(self.wrapper, "port") or Count(GCS_PORT, "Ray's default")
        address = self.address
        if address is None:
            return Count.unknown(self.wrapper.more or "no --address is given")
        colon = address.text.rfind(":")
        digits = address.text[colon + 1 :]
        if colon < 0 or not (digits.isascii() and digits.isdigit() and len(digits) < 6):
            return Count.unknown(address.because or f"{address.text[:40]!r} names no port", address.span)
        return Count(int(digits), "--address", address.span_of(colon + 1, len(address.text)))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """On which ways through the script the line is run."""
        return self.command.choices

    @property
    def span(self) -> Span:
        """The words `ray start` and its options."""
        spans = [word.span for word in self.wrapper.words if word.span is not None]
        return spans[0].to(spans[-1]) if spans else self.command.span


def ray_starts(script: Script, along: Command | None = None) -> tuple[RayStart, ...]:
    """Every `ray start` of a script, in its order; with `along` those that one run with this command can have.

    Of several ways through the script (both branches of an `if`) such a run takes one: that of the command, else the
    first.
    """
    if along is None:
        return tuple(_ray_starts(script))
    taken: list[RayStart] = []
    for line in _ray_starts(script):
        if _same_run(line.choices, along.choices) and all(_same_run(line.choices, other.choices) for other in taken):
            taken.append(line)
    return tuple(taken)


def _same_run(choices: Iterable[Choice], others: Iterable[Choice]) -> bool:
    """Whether one run can take both ways. Rounds of a loop over known words all belong to the same run."""
    ways = {other.span: other for other in others}
    for choice in choices:
        other = ways.get(choice.span)
        if other is not None and other.taken != choice.taken and not (other.certain and choice.certain):
            return False
    return True


def _ray_starts(script: Script) -> Iterator[RayStart]:
    for command, start in _ray_commands(script, "start"):
        words = (start.target, *start.arguments)
        table = launcher_table("ray_start")
        reading = read_options(words[2:], table, interspersed=True)
        wrapper = Wrapper("ray start", words, tuple(reading.options), more=reading.more)
        yield RayStart(
            command,
            start,
            wrapper,
            _machines(start),
            option_count(wrapper, "num_gpus"),
            option_count(wrapper, "num_cpus"),
        )


def ray_stops(script: Script) -> tuple[Command, ...]:
    """Every `ray stop` of a script, in its order."""
    return tuple(command for command, _ in _ray_commands(script, "stop"))


def _ray_commands(script: Script, name: str) -> Iterator[tuple[Command, Start]]:
    return ((command, start) for command, start in _started_by_ray(script) if start.arguments[0].text == name)


@remembered
def _started_by_ray(script: Script) -> tuple[tuple[Command, Start], ...]:
    found = []
    for command in script.commands:
        if not any("ray" in word.text[-300:] for word in command.words):
            continue
        start = start_of(command)
        if start is None or start.target.text.rpartition("/")[2] != "ray" or not start.arguments:
            continue
        found.append((command, start))
    return tuple(found)


def _machines(start: Start) -> Count:
    """On how many machines a line is run: the nodes of the `srun` around it, else the one."""
    step = start.wrapper("srun")
    if step is None:
        return Count(1)
    nodes = step.given("nodes")
    if nodes is not None:
        return given_count(step, nodes)
    tasks = step.given("ntasks")
    if tasks is not None and given_count(step, tasks).number == 1:
        return Count(1, tasks.flag.text, tasks.value.span if tasks.value else None)
    hosts = step.value("nodelist")
    if hosts is not None and (step.more or not hosts.many) and "," not in hosts.text and "[" not in hosts.text:
        return Count.unknown(step.more) if step.more else Count(1, "--nodelist", hosts.span)
    return Count.unknown("srun runs it on every machine of the job")
