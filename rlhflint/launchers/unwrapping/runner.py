"""Programs that run the command behind their options, `ray job submit` among them."""

from __future__ import annotations

from rlhflint.expressions import expression
from rlhflint.launchers.options.reading import read_options
from rlhflint.launchers.options.runners import Runner, runner_table
from rlhflint.launchers.options.table import launcher_table
from rlhflint.launchers.unwrapping.layer import Peeled, Words, are_commands, is_command, read_wrapper
from rlhflint.launchers.unwrapping.start import Fault, FaultKind, Wrapper
from rlhflint.text import Traced

_ASSIGNMENT = expression(r"[A-Za-z_]\w*=")


def peel_runner(runner: Runner, words: Words) -> Peeled:
    """A program that runs the command behind its options and operands."""
    count = 1 + len(runner.subcommand)
    table = runner_table(runner)
    starts_here = None if runner.operands else is_command
    reading = read_options(words[count:], table, starts_here=starts_here)
    operands: Words = ()
    if runner.interspersed:
        mixed = read_options(words[count:], table, interspersed=True)
        if mixed.dashes:
            reading, operands = mixed, tuple(mixed.passed)
    at = count + reading.stop
    variables: dict[str, Traced] = {}
    if not operands:
        operands = words[at : at + runner.operands]
        at += len(operands)
    more = reading.more
    if operands and operands[0].many and at + 1 < len(words) and are_commands(words[at : at + 2]) == (False, True):
        # The unknown words were options, the operand comes behind them.
        more, operands = more or operands[0].because, words[at : at + 1]
        at += 1
    while runner.assignments and at < len(words) and _ASSIGNMENT.match(words[at].text[:200]):
        name, _, _ = words[at].text.partition("=")
        variables[name] = words[at][len(name) + 1 :]
        at += 1
    if at < len(words) and words[at].text == "--":
        at += 1
    wrapper = Wrapper(runner.name, words[:at], tuple(reading.options), operands, variables, more, reading.dashes)
    doubt = reading.doubt
    rest = words[at:]
    if runner.name == "sbatch" and not rest and (wrap := wrapper.value("wrap")) is not None:
        return Peeled(wrapper, (wrap,), "code", doubt=doubt)
    if runner.name == "ssh":
        return Peeled(wrapper, rest, "code" if len(rest) == 1 else "command", doubt=doubt)
    if runner.name == "uv run" and rest:
        if wrapper.given("module"):
            return Peeled(wrapper, rest, "module", doubt=doubt)
        if wrapper.given("script") or rest[0].text.endswith(".py"):
            return Peeled(wrapper, rest, "script", doubt=doubt)
    return Peeled(wrapper, rest, "command", doubt=doubt)


def peel_ray_job(words: Words) -> Peeled | None:
    """`ray job submit`; any other command of Ray starts nothing."""
    if tuple(word.text for word in words[1:3]) != ("job", "submit"):
        return None
    table = launcher_table("ray_job_submit")
    reading = read_options(words[3:], table, starts_here=is_command)
    rest = words[3 + reading.stop :]
    fault = None
    if not reading.dashes:
        # click goes on taking options from the words of the entrypoint until it meets `--`.
        dashed = [index for index, word in enumerate(rest) if word.text.startswith("-") and len(word.text) > 1]
        ending = next((index for index in dashed if rest[index].text == "--"), len(rest))
        if any(index < ending and table.find(rest[index].text.partition("=")[0]) is None for index in dashed):
            replacement = f"-- {rest[0].text}" if rest[0].known else None
            fault = Fault(FaultKind.NO_DASHES, rest[0], replacement)
        rest = rest[:ending] + rest[ending + 1 :]
    wrapper = read_wrapper("ray job submit", words, 3, reading)
    return Peeled(wrapper, rest, "command", fault, reading.doubt)
