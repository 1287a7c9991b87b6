"""What a job asks Slurm for: the #SBATCH header of a script, the options of `sbatch`, `salloc` and `srun`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rlhflint.command import Script
from rlhflint.expressions import expression
from rlhflint.launchers.count import Count, count_of, option_count
from rlhflint.launchers.machines.slurm_gpus import requested_gpus, stated_gpus
from rlhflint.launchers.options.reading import read_options
from rlhflint.launchers.options.runners import runner_table, runners_of
from rlhflint.launchers.remembered import remembered
from rlhflint.launchers.unwrapping.start import Wrapper
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced

HEADER = "the #SBATCH header"

_NODES = expression(r"(\d{1,6})([kKmM]?)(?:-(\d{1,6})([kKmM]?))?")
_UNITS = {"": 1, "k": 1024, "m": 1024 * 1024}
_MEMORY = expression(r"(\d{1,12})([KMGT]?)B?", re.IGNORECASE)
_MEBIBYTES = {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1024 * 1024}


@dataclass(frozen=True, slots=True)
class SlurmRequest:
    """What a job or a step asks for, in Slurm's own terms.

    `options` are all its options as given. `nodes` is the number of machines, `ntasks` of tasks in all, `gpus_per_node`
    and `cpus_per_node` what one machine gives, `gpus` the GPUs of all of them, `memory` the MiB of one machine: each
    known or with the reason why not. `asks_for_gpus` is False where no option names a GPU.
    """

    options: Wrapper
    nodes: Count
    ntasks: Count
    tasks_per_node: Count
    gpus_per_node: Count
    gpus: Count
    cpus_per_node: Count
    memory: Count
    gpu_type: str
    asks_for_gpus: bool
    exclusive: bool
    span: Span | None


@remembered
def header_of(script: Script) -> SlurmRequest | None:
    """What the #SBATCH header of a script asks for; None where it has none.

    Lines behind the first command are comments to sbatch and not read, and options of `sbatch` on the command line win
    over the header (Slurm sbatch.1@26.11); those are not seen here.
    """
    starts = [command.span.start for command in script.commands if command.span.path == script.path]
    first = min(starts, default=None)
    words: list[Traced] = []
    for directive in script.directives:
        span = directive.span
        if first is None or span is None or span.path != script.path or span.start < first:
            words.extend(directive_words(directive)[1:])
    if not words:
        return None
    reading = read_options(words, runner_table(runners_of("sbatch")[0]), interspersed=True)
    wrapper = Wrapper("sbatch", tuple(words), tuple(reading.options), more=reading.more)
    return request_of(wrapper, HEADER)


def directive_words(directive: Traced) -> list[Traced]:
    """The words of an #SBATCH line as sbatch parts them: at blanks outside quotes, up to a comment."""
    return list(_directive_words(directive))


def _directive_words(directive: Traced) -> Iterator[Traced]:
    text, start, quote, parts = directive.text, None, "", []
    for index, character in enumerate(text + " "):
        if quote:
            if character == quote and start is not None:
                parts.append(directive[start:index])
                quote, start = "", index + 1
        elif character in "\"'":
            parts.append(directive[start if start is not None else index : index])
            quote, start = character, index + 1
        elif character in " \t\r\n":
            if start is not None:
                yield _joined([*parts, directive[start:index]])
            start, parts = None, []
        elif start is None:
            if character == "#":
                return
            start = index


def _joined(parts: Sequence[Traced]) -> Traced:
    return Traced(piece for part in parts for piece in part.pieces)


def request_of(options: Wrapper, source: str) -> SlurmRequest:
    """What the options of a Slurm command ask for. `source` names them and fits behind "by"."""
    nodes = _nodes(options)
    per_node = option_count(options, "ntasks_per_node")
    ntasks = _ntasks(options, nodes, per_node)
    tasks_per_node = per_node or _per_node(ntasks, nodes)
    stated = stated_gpus(options)
    gpus_per_node, gpus = requested_gpus(options, stated, nodes, ntasks, tasks_per_node)
    spans = [word.span for word in options.words if word.span is not None]
    return SlurmRequest(
        options,
        nodes=nodes,
        ntasks=ntasks,
        tasks_per_node=tasks_per_node,
        gpus_per_node=gpus_per_node,
        gpus=gpus,
        cpus_per_node=_cpus(options, tasks_per_node, gpus_per_node, source),
        memory=_memory(options, gpus_per_node, source),
        gpu_type=next((found.type for found in stated.values() if found.type), ""),
        asks_for_gpus=bool(stated) or any(options.given(name) for name in ("tres_per_node", "tres_per_task")),
        exclusive=options.given("exclusive") is not None,
        span=spans[0].to(spans[-1]) if spans else None,
    )


def _nodes(options: Wrapper) -> Count:
    option = options.given("nodes")
    if option is None:
        if options.more or options.given("nodelist"):
            return Count.unknown(options.more or "Slurm takes the machines of --nodelist")
        tasks, per_node = option_count(options, "ntasks"), option_count(options, "ntasks_per_node")
        if tasks is None or tasks.number == 1:
            return Count(1, "Slurm's default", tasks.span if tasks else None)
        if per_node is not None and tasks.number is not None and per_node.number:
            return Count(-(-tasks.number // per_node.number), tasks.source, tasks.span)
        return Count.unknown(tasks.because or "Slurm chooses how many machines the tasks are spread over", tasks.span)
    if option.value is None or not option.certain or not option.value.known:
        return count_of(option.value, option.flag.text) if option.certain else Count.unknown(options.more)
    found = _NODES.fullmatch(option.value.text.strip())
    if found is None:
        return Count.unknown(f"{option.flag.text} is {option.value.text[:40]!r}", option.value.span)
    least = int(found[1]) * _UNITS[found[2].lower()]
    most = int(found[3]) * _UNITS[found[4].lower()] if found[3] else least
    if least != most:
        return Count.unknown(f"between {least} and {most} machines are asked for", option.value.span)
    return Count(least, option.flag.text, option.value.span)


def _ntasks(options: Wrapper, nodes: Count, per_node: Count | None) -> Count:
    stated = option_count(options, "ntasks")
    if stated is not None:
        return stated
    if per_node is not None:
        return nodes.times(per_node)
    if any(options.given(name) for name in ("ntasks_per_gpu", "ntasks_per_socket", "ntasks_per_core")):
        return Count.unknown("the number of tasks follows from other numbers of the machine")
    return nodes


def _per_node(ntasks: Count, nodes: Count) -> Count:
    if ntasks.number is not None and nodes.number and ntasks.number % nodes.number:
        return Count.unknown(f"{ntasks.number} tasks are spread over {nodes.number} machines", ntasks.span)
    return ntasks.divided(nodes)


def _cpus(options: Wrapper, tasks_per_node: Count, gpus_per_node: Count, source: str) -> Count:
    if options.given("exclusive") is not None:
        return Count.unknown("--exclusive gives all CPUs of the machines, however many they have")
    per_task = option_count(options, "cpus_per_task")
    if per_task is not None:
        return per_task.times(tasks_per_node)
    per_gpu = option_count(options, "cpus_per_gpu")
    if per_gpu is not None:
        return per_gpu.times(gpus_per_node)
    return Count.unknown(options.more or f"{source} names no CPUs")


def _memory(options: Wrapper, gpus_per_node: Count, source: str) -> Count:
    for name in ("mem", "mem_per_gpu"):
        option = options.given(name)
        if option is None:
            continue
        if not option.certain or option.value is None or not option.value.known:
            return Count.unknown(option.value.because if option.certain and option.value else options.more)
        found = _MEMORY.fullmatch(option.value.text.strip())
        if found is None or int(found[1]) == 0:
            return Count.unknown(f"{option.flag.text} is {option.value.text[:40]!r}", option.value.span)
        amount = Count(int(int(found[1]) * _MEBIBYTES[found[2].upper()]), option.flag.text, option.value.span)
        return amount if name == "mem" else amount.times(gpus_per_node)
    return Count.unknown(options.more or f"{source} names no memory")
