"""The launchers' own parsers against the reading of their options, and the data files against the packages."""

import argparse
import ast
import collections
import contextlib
import enum
import io
import os
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from launchers.written import texts
from rlhflint.command import Command
from rlhflint.launchers import start_of
from rlhflint.launchers.options.table import launcher_table
from rlhflint.launchers.processes.counting import processes
from rlhflint.launchers.processes.deepspeed import BadHostfile, read_hostfile, read_resources
from rlhflint.text import Span, Traced

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import update_launchers
from tools.schemas.packages import Unavailable

NEWEST = {"deepspeed": "0.19.8", "torch": "2.11.0", "accelerate": "1.15.0"}


# The first example of a property reads the package, which takes longer than an example may: no deadline here.


@cache
def source(package, member):
    try:
        archive = update_launchers.package_file(package, NEWEST[package])
    except Unavailable as error:
        pytest.skip(str(error))
    return update_launchers.read_member(archive, member).decode()


def definitions(text, names, namespace):
    """The definitions `names` of a source, run in a namespace that stands for all else."""
    body = [node for node in ast.parse(text).body if getattr(node, "name", None) in names]
    exec(compile(ast.Module(body, []), "upstream", "exec"), namespace)
    return namespace


@cache
def deepspeed():
    namespace = {
        "argparse": argparse, "collections": collections, "defaultdict": collections.defaultdict, "re": re,
        "List": list, "Dict": dict, "Tuple": tuple, "DLTS_HOSTFILE": "/job/hostfile", "PDSH_LAUNCHER": "pdsh",
        "TORCH_DISTRIBUTED_DEFAULT_PORT": 29500, "logger": argparse.Namespace(error=print),
    }  # fmt: skip
    names = ("parse_args", "parse_node_config", "parse_node_config_list", "_parse_hostfile")
    return definitions(source("deepspeed", "deepspeed/launcher/runner.py"), names, namespace)


@cache
def torch():
    namespace = {"os": os, "Action": argparse.Action}
    definitions(source("torch", "torch/distributed/argparse_util.py"), ("env", "check_env"), namespace)
    modes = enum.Enum("_AffinityMode", {"NODE": "node", "SOCKET": "socket"})
    namespace |= {"ArgumentParser": argparse.ArgumentParser, "REMAINDER": argparse.REMAINDER, "_AffinityMode": modes}
    return definitions(
        source("torch", "torch/distributed/run.py"), ("get_args_parser", "parse_min_max_nnodes"), namespace
    )


@cache
def accelerate():
    namespace = {"argparse": argparse, "DYNAMO_BACKENDS": ["no"], "TORCH_DYNAMO_MODES": ["default"], "str_to_bool": str}
    utilities = source("accelerate", "accelerate/commands/utils.py")
    classes = [node.name for node in ast.parse(utilities).body if isinstance(node, ast.ClassDef)]
    definitions(utilities, classes, namespace)
    names = ("launch_command_parser", "CustomHelpFormatter", "clean_option")
    return definitions(source("accelerate", "accelerate/commands/launch.py"), names, namespace)


class Refused(Exception):
    pass


def upstream(launcher, words):
    """What the launcher's own parser makes of words, by canonical name."""
    if launcher == "deepspeed":
        run = deepspeed()["parse_args"]
    elif launcher == "torchrun":
        run = torch()["get_args_parser"]().parse_args
    else:
        run = accelerate()["launch_command_parser"]().parse_args
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            parsed = vars(run(words))
    except SystemExit:
        raise Refused from None
    parsed.pop("nondefault", None)
    return parsed


TARGETS = {"deepspeed": ("user_script", "user_args")}
SHORTENED = {"deepspeed": ["--num_g", "--master_p"], "torchrun": ["--nn", "--max-r"], "accelerate launch": []}


def command_lines(launcher):
    """Options as the launcher has them, some words out of place, a target and its arguments."""
    options = launcher_table(launcher.replace(" ", "_")).options
    valued = sorted(name for name, option in options.items() if option.values) + SHORTENED[launcher]
    switches = sorted(name for name, option in options.items() if not option.values and option.name != "help")
    value = st.sampled_from(["8", "2", "-1", "localhost:0,1", "a.yaml"])
    stray = st.sampled_from(["--", "-1", "--lr", "8", "a.b"]).map(lambda word: [word])
    given_value = st.tuples(st.sampled_from(valued), value)
    option = st.one_of(
        given_value.map(list),
        given_value.map(lambda pair: ["=".join(pair)]),
        st.sampled_from(switches).map(lambda word: [word]),
    )
    front = st.lists(st.one_of(option, option, option, stray), max_size=5)
    back = st.lists(st.one_of(option, stray), max_size=2)
    target = st.sampled_from(["train.py", "pkg.mod"]).map(lambda word: [word])
    return st.tuples(front, target, back).map(
        lambda parts: [word for part in (*parts[0], parts[1], *parts[2]) for word in part]
    )


@pytest.mark.parametrize("launcher", list(SHORTENED))
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_options_and_target_are_those_of_the_launchers_own_parser(launcher, data):
    items = data.draw(command_lines(launcher))
    try:
        parsed = upstream(launcher, items)
    except Refused:
        assume(False)
    target, arguments = (parsed.pop(key) for key in TARGETS.get(launcher, ("training_script", "training_script_args")))
    words = tuple(Traced.made(item, None) for item in [*launcher.split(), *items])
    found = start_of(Command(words, Span("run.sh", 0, 0)))
    assert (found.target.text, texts(found.arguments)) == (target, arguments)
    for option, given_value in found.wrappers[0].values.items():
        if option.endswith("tpu_cluster"):
            continue  # It is kept under another name.
        if isinstance(parsed[option], str):
            assert given_value.text == parsed[option]
        elif isinstance(parsed[option], int | float) and given_value is not None and parsed[option] is not True:
            assert float(given_value.text) == parsed[option]


@settings(deadline=None)
@given(st.text(alphabet="ab:@,01 2x", max_size=12))
def test_resources_are_read_as_deepspeed_reads_them(text):
    functions = deepspeed()
    try:
        expected = {host: tuple(slots) for host, slots in functions["parse_node_config_list"](text).items()}
    except ValueError:
        assert read_resources(text) is None
        return
    found = read_resources(text)
    if found is None:  # A host without a name is one that no machine has.
        assert "" in expected
    else:
        assert dict(found.hosts) == expected


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["a slots=8", "b slots=4", "a slots=2", "# x", "", "  c  slots=1", "d", "e slots=x"]),
        max_size=4,
    )
)
def test_hostfiles_are_read_as_deepspeed_reads_them(lines):
    functions = deepspeed()
    try:
        expected = dict(functions["_parse_hostfile"](lines))
    except ValueError:
        with pytest.raises(BadHostfile):
            read_hostfile("\n".join(lines))
    else:
        assert read_hostfile("\n".join(lines)) == expected


@settings(deadline=None)
@given(st.sampled_from(["1", "2", "1:2", "3:3", "2:4"]))
def test_ranges_of_machines_are_read_as_torchrun_reads_them(text):
    least, most = torch()["parse_min_max_nnodes"](text)
    words = tuple(Traced.made(item, None) for item in ["torchrun", f"--nnodes={text}", "t.py"])
    command = Command(words, Span("run.sh", 0, 0))
    assert processes(start_of(command), command).nodes.number == (least if least == most else None)


@pytest.mark.parametrize("launcher", list(update_launchers.ORIGINS))
def test_the_data_files_are_what_the_packages_give(launcher):
    try:
        made = update_launchers.data(launcher)
    except Unavailable as error:
        pytest.skip(str(error))
    assert (update_launchers.SCHEMAS / f"{launcher}.json").read_text() == made


def test_every_data_file_says_where_it_comes_from():
    named = {*update_launchers.ORIGINS, *update_launchers.TEXTS}
    files = sorted(update_launchers.SCHEMAS.glob("*.json"))
    assert {path.stem for path in files} == named
