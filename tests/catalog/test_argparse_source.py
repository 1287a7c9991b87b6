"""Parsers of programs, however they are built, read from their source."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pytest

from rlhflint.catalog.source.argparse_source import ParserReading, read_program

CLI = "openrlhf/cli/train_x.py"


def reading(source: str, files: Mapping[str, str] | None = None) -> ParserReading:
    """What is read of a program and of other files of its tree, by path."""
    tree = {CLI: textwrap.dedent(source), **{path: textwrap.dedent(text) for path, text in (files or {}).items()}}
    found = read_program(CLI, tree.get)
    assert found is not None
    return found


def options(source: str, files: Mapping[str, str] | None = None) -> dict[str, dict]:
    """The options of a program that can be followed to its end."""
    found = reading(source, files)
    assert (found.open, found.broken) == ("", "")
    return {flag: dict(row) for flag, row in found.options.items()}


def test_an_option_keeps_what_a_command_line_cares_about():
    assert options(
        """
        import argparse
        if __name__ == "__main__":
            parser = argparse.ArgumentParser()
            parser.add_argument("--lr", type=float, default=1e-5, help="learning rate")
            parser.add_argument("--name", type=str, default=None, metavar="NAME")
            parser.add_argument("--estimator", choices=("gae", "rloo"), default="gae")
            parser.add_argument("--range", type=float, nargs=2, default=(-10, 10))
            parser.add_argument("--bf16", action="store_true", default=False)
            parser.add_argument("--slow", action="store_false")
            parser.add_argument("--odd", action="store_true", default=None)
            parser.add_argument("--cap", type=float, default=float("inf"))
            parser.add_argument("--size", type=int, default=int(1e8), required=True, dest="how_many")
            args = parser.parse_args()
        """
    ) == {
        "--lr": {"type": "float", "default": 1e-05},
        "--name": {},
        "--estimator": {"choices": ["gae", "rloo"], "default": "gae"},
        "--range": {"type": "float", "nargs": 2, "default": [-10, 10]},
        "--bf16": {"action": "store_true"},
        "--slow": {"action": "store_false"},
        "--odd": {"action": "store_true", "default": None},
        "--cap": {"type": "float", "default": {"expr": "inf"}},
        "--size": {"type": "int", "default": 100_000_000, "required": True, "dest": "how_many"},
    }


def test_what_is_no_literal_is_kept_as_its_source():
    found = options(
        """
        import argparse, torch
        from datetime import datetime
        parser = argparse.ArgumentParser()
        parser.add_argument("--run", default="x_%s" % datetime.now().strftime("%m"))
        parser.add_argument("--gpus", type=int, default=torch.cuda.device_count())
        parser.add_argument("--map", type=lambda text: text.split(","), choices=list_of_all())
        parser.parse_args()
        """
    )
    assert found["--run"] == {"default": {"expr": "'x_%s' % datetime.now().strftime('%m')"}}
    assert found["--gpus"] == {"type": "int", "default": {"expr": "torch.cuda.device_count()"}}
    assert found["--map"]["type"] == {"expr": "lambda text: text.split(',')"}
    assert found["--map"]["choices"] == {"expr": "list_of_all()"}


REGISTERING = {
    "f-string": """
        for prefix in ("actor", "critic"):
            parser.add_argument(f"--{prefix}.lr", type=float)
    """,
    "percent": """
        for prefix in ["actor", "critic"]:
            parser.add_argument("--%s.lr" % prefix, type=float)
    """,
    "sum": """
        for prefix in ROLES:
            parser.add_argument("--" + prefix + ".lr", type=float)
    """,
    "format, over a dict": """
        for prefix, kind in {"actor": float, "critic": float}.items():
            parser.add_argument("--{}.lr".format(prefix), type=kind)
    """,
    "enumerate and index": """
        for i, prefix in enumerate(ROLES):
            parser.add_argument(f"--{ROLES[i]}.lr", type=float)
    """,
    "function inside, keywords passed on": """
        def add(name, **more):
            parser.add_argument(f"--{name}", **more)
        [add(f"{role}.lr", type=float) for role in ROLES]
    """,
    "bound method": """
        add = parser.add_argument
        add("--actor.lr", type=float); add("--critic.lr", type=float)
    """,
    "lambda": """
        add = lambda name: parser.add_argument(f"--{name}.lr", type=float)
        add("actor"); add("critic")
    """,
    "names collected before": """
        names = []
        for role in ROLES:
            names.append(f"--{role}.lr")
        for name in names:
            parser.add_argument(*[name], **{"type": float})
    """,
    "getattr and join": """
        for role in sorted(set(ROLES)):
            getattr(parser, "add_argument")("--" + ".".join([role, "lr"]), type=float)
    """,
    "group, one left out": """
        group = parser.add_argument_group("lr")
        for role in [*ROLES, "reward"]:
            if role == "reward":
                continue
            group.add_argument(f"--{role}.lr", type=float)
    """,
    "exclusive group": """
        one = parser.add_mutually_exclusive_group()
        one.add_argument("--actor.lr", type=float)
        one.add_argument("--critic.lr", type=float)
    """,
}


@pytest.mark.parametrize("registering", REGISTERING.values(), ids=REGISTERING)
def test_options_made_in_loops_and_functions_are_unrolled(registering):
    head = "import argparse\nROLES = ['actor', 'critic']\nparser = argparse.ArgumentParser()\n"
    found = options(f"{head}{textwrap.dedent(registering)}args = parser.parse_args()\n")
    assert found == {"--actor.lr": {"type": "float"}, "--critic.lr": {"type": "float"}}


FILLED = """
    import argparse
    def build_parser():
        parser = argparse.ArgumentParser()
        parser.add_argument("--a", type=int)
        parser.add_argument("--b", default=3)
        return parser
"""
IN_ANOTHER_MODULE = {
    "absolute import": (
        "from openrlhf.cli.arguments import build_parser\nargs = build_parser().parse_args()",
        {"openrlhf/cli/arguments.py": FILLED},
    ),
    "relative import, from main": (
        "from .arguments import build_parser as make\ndef main():\n    args = make().parse_args()\nmain()",
        {"openrlhf/cli/arguments.py": FILLED},
    ),
    "relative import of a module two up": (
        "from ..options import all as A\nA.build_parser().parse_args()",
        {"openrlhf/options/all.py": FILLED},
    ),
    "module under another name": (
        "import openrlhf.options.all as A\nA.build_parser().parse_args()",
        {"openrlhf/options/all.py": FILLED},
    ),
    "module in full": (
        "import openrlhf.options.all\nopenrlhf.options.all.build_parser().parse_args()",
        {"openrlhf/options/all.py": FILLED, "openrlhf/__init__.py": "", "openrlhf/options/__init__.py": ""},
    ),
    "passed on by a package": (
        "from openrlhf.options import build_parser\nbuild_parser().parse_args()",
        {"openrlhf/options/__init__.py": "from .all import build_parser", "openrlhf/options/all.py": FILLED},
    ),
    "star": (
        "from openrlhf.options import *\nbuild_parser().parse_args()",
        {"openrlhf/options.py": FILLED},
    ),
    "file beside the script": (
        "from arguments import build_parser\nbuild_parser().parse_args()",
        {"openrlhf/cli/arguments.py": FILLED},
    ),
    "a made parser": (
        "from openrlhf.options import parser\nparser.add_argument('--b', default=3)\nparser.parse_args()",
        {
            "openrlhf/options.py": """
                import argparse
                parser = argparse.ArgumentParser()
                parser.add_argument("--a", type=int)
            """
        },
    ),
    "functions that get the parser": (
        """
        import argparse
        from openrlhf.options import add_common
        parser = argparse.ArgumentParser()
        add_common(parser)
        parser.parse_args()
        """,
        {
            "openrlhf/options.py": """
                def add_common(p):
                    p.add_argument("--a", type=int)
                    add_more(p)
                def add_more(p, *, default=3):
                    p.add_argument("--b", default=default)
            """
        },
    ),
    "parent parsers": (
        """
        import argparse
        from openrlhf.options import base
        parser = argparse.ArgumentParser(parents=[base()])
        parser.add_argument("--b", default=3)
        parser.parse_args()
        """,
        {
            "openrlhf/options.py": """
                import argparse
                def base():
                    p = argparse.ArgumentParser(add_help=False)
                    p.add_argument("--a", type=int)
                    return p
            """
        },
    ),
    "a class that holds the parser": (
        "from openrlhf.options import Arguments\nArguments().parse()",
        {
            "openrlhf/options.py": """
                import argparse
                class Base:
                    def fill(self):
                        self.p.add_argument("--b", default=3)
                class Arguments(Base):
                    def __init__(self):
                        self.p = argparse.ArgumentParser()
                        self.p.add_argument("--a", type=int)
                        self.fill()
                    def parse(self):
                        return self.p.parse_args()
            """
        },
    ),
    "classes that fill the parser": (
        """
        import argparse
        from openrlhf.options import ActorArguments
        parser = argparse.ArgumentParser()
        ActorArguments.add(parser)
        ActorArguments.more(parser)
        args = parser.parse_args()
        """,
        {
            "openrlhf/options.py": """
                class ActorArguments:
                    @staticmethod
                    def add(p):
                        p.add_argument("--a", type=int)
                    @classmethod
                    def more(cls, p):
                        p.add_argument("--b", default=3)
            """
        },
    ),
}


@pytest.mark.parametrize(("program", "files"), IN_ANOTHER_MODULE.values(), ids=IN_ANOTHER_MODULE)
def test_a_parser_built_in_another_module_is_followed(program, files):
    assert options(program, files) == {"--a": {"type": "int"}, "--b": {"default": 3}}


@pytest.mark.parametrize(
    ("statement", "because"),
    [
        ("parser.add_argument(*names_of_today())", "not literal"),
        ("for name in everything():\n    parser.add_argument(f'--{name}')", "not literal"),
        ("deepspeed.add_config_arguments(parser)", "deepspeed.add_config_arguments"),
        ("parser.add_subparsers().add_parser('x')", "add_subparsers"),
        ("for action in parser._actions:\n    action.default = None", "_actions"),
        ("register[0] = parser", ""),
        ("holder.parser = parser", "cannot be followed"),
        ("import sys\nsys.argv += ['--x']", "command line"),
        ("import sys\nsys.argv.append('--x')", "command line"),
        ("names = ['--a']\nnames.extend(more())\nfor name in names:\n    parser.add_argument(name)", "not literal"),
        ("names = ['--a']\nfill(names)\nfor name in names:\n    parser.add_argument(name)", "not literal"),
    ],
)
def test_what_cannot_be_followed_leaves_the_program_open(statement, because):
    found = reading(
        f"import argparse, deepspeed\nparser = argparse.ArgumentParser()\nparser.add_argument('--known')\n{statement}\n"
        "parser.parse_args()\n"
    )
    assert "--known" in found.options
    assert because in found.open
    assert found.open or statement.startswith("register")


@pytest.mark.parametrize(
    "source",
    [
        "from transformers import HfArgumentParser\nHfArgumentParser(Args).parse_args_into_dataclasses()",
        "import fire\nfire.Fire(main)",
        "from absent import build\nbuild().parse_args()",
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\np.parse_known_args()",
        "import argparse\nclass Own(argparse.ArgumentParser):\n    pass\nOwn().parse_args()",
        "import argparse\np = argparse.ArgumentParser(prefix_chars='-+')\np.parse_args()",
        "import argparse\np = argparse.ArgumentParser(**settings())\np.parse_args()",
        "x = (",
        "",
    ],
)
def test_a_program_that_is_no_plain_parser_is_open(source):
    assert reading(source).open


def test_known_args_first_and_all_of_them_later_is_not_open():
    source = """
        import argparse
        p = argparse.ArgumentParser()
        p.add_argument("--config")
        known, _ = p.parse_known_args()
        p.add_argument("--b")
        p.parse_args()
    """
    assert options(source) == {"--config": {}, "--b": {}}


def test_options_of_a_branch_that_is_not_known_count_as_present():
    source = """
        import argparse, os
        p = argparse.ArgumentParser()
        if os.environ.get("MODE"):
            p.add_argument("--a", type=int)
        else:
            p.add_argument("--a", type=float)
        try:
            import vllm
            p.add_argument("--b")
        except ImportError:
            vllm = None
        if False:
            p.add_argument("--never")
        p.parse_args()
    """
    assert options(source) == {"--a": {"open": True}, "--b": {}}


def test_values_that_differ_by_branch_are_not_known():
    source = """
        import argparse, os
        names = ["--a"]
        if os.environ.get("MODE"):
            names = ["--b"]
        p = argparse.ArgumentParser()
        for name in names:
            p.add_argument(name)
        p.parse_args()
    """
    assert reading(source).open


def test_an_option_registered_after_parsing_is_marked():
    source = """
        import argparse
        p = argparse.ArgumentParser()
        p.add_argument("--a")
        args = p.parse_args()
        p.add_argument("--late", action="store_true")
    """
    assert options(source) == {"--a": {}, "--late": {"action": "store_true", "after_parse": True}}


def test_a_parser_that_registers_a_flag_twice_cannot_be_built():
    source = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--a')\np.add_argument('--a')\np.parse_args()"
    )
    assert reading(source).broken == "it registers --a twice"


def test_aliases_and_pairs_of_switches_are_kept():
    source = """
        from argparse import ArgumentParser, BooleanOptionalAction
        p = ArgumentParser(allow_abbrev=False)
        p.add_argument("-n", "--num", "--number", type=int)
        p.add_argument("--fast", action=BooleanOptionalAction, default=True)
        p.set_defaults(num=4)
        p.parse_args()
    """
    assert options(source) == {
        "--num": {"type": "int", "aliases": ["-n", "--number"], "default": 4},
        "--fast": {"action": "BooleanOptionalAction", "default": True, "aliases": ["--no-fast"]},
    }
    assert not reading(source).allow_abbrev


def test_the_work_behind_parsing_is_not_followed():
    files_read: list[str] = []
    tree = {
        CLI: "import argparse\nfrom openrlhf.trainer import Trainer\np = argparse.ArgumentParser()\n"
        "p.add_argument('--a')\nargs = p.parse_args()\nTrainer(args).fit()\n",
        "openrlhf/trainer.py": "import argparse\nclass Trainer:\n    pass\n",
    }

    def read(path: str) -> str | None:
        files_read.append(path)
        return tree.get(path)

    found = read_program(CLI, read)
    assert found is not None
    assert not found.open
    assert set(found.files) <= set(tree)


def test_there_is_no_program_where_there_is_no_file():
    assert read_program(CLI, {}.get) is None
