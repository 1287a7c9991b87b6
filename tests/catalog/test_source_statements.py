"""Statements and expressions around a parser are followed as Python follows them, or the program is left open."""

from __future__ import annotations

import argparse
import textwrap

import pytest

from tests.catalog.test_argparse_source import reading

HEAD = "import argparse\nparser = argparse.ArgumentParser()\nadd = parser.add_argument\n"
FOLLOWED = {
    "a default given in a second step": "step = 2\nstep += 3\nstep -= 1\nadd('--n', type=int, default=step)",
    "the first of several": "first, *others = ['a', 'b']\na, b = ['--c', '--d']\nadd(a)\nadd(b)",
    "an entry that is replaced": "known = {'lr': 1}\nknown['lr'] = 2\nknown['n'] = 3\nfor k, v in known.items():\n"
    "    add('--' + k, type=int, default=v)",
    "a dict over another": "base = {'type': int, 'default': 1}\nadd('--n', **{**base, 'default': 2})",
    "sums and products": "add('--a', type=int, default=2 * 3 + 4 // 3 - 2 ** 5)\nadd('--b', type=float, default=7 / 2)",
    "a negated number": "add('--a', type=float, default=-1.5)\nadd('--b', type=int, default=+2)",
    "a remainder": "add('--a', type=int, default=17 % 5)\nadd('--%d-%s' % (3, 'b'))",
    "text many times": "add('--' + 'ab' * 3)\nadd('--' + 3 * 'c')",
    "a condition that holds": "add('--a' if 3 > 2 else '--b')\nadd('--c' if 'x' in ['y'] else '--d')",
    "not, and, or": "if not [] and (0 or 1):\n    add('--a')\nif not (1 and ''):\n    add('--b')\nif [] or {}:\n"
    "    add('--c')",
    "is and is not": "x = None\nif x is None:\n    add('--a')\nif x is not None:\n    add('--b')",
    "a search that finds": "for n in ['a', 'b', 'c']:\n    if n == 'b':\n        break\n    add('--' + n)\n"
    "else:\n    add('--end')",
    "a search that finds nothing": "for n in ['a', 'b']:\n    if n == 'z':\n        break\nelse:\n    add('--end')",
    "letters of a text": "for n in 'xyz':\n    add('--' + n)",
    "keys of a dict": "for n in {'a': 1, 'b': 2}:\n    add('--' + n)",
    "numbers of a range": "for n in range(1, 4):\n    add(f'--r{n}')",
    "two lists at once": "for n, d in zip(['a', 'b'], [1, 2]):\n    add('--' + n, type=int, default=d)",
    "a comprehension with a condition": "[add('--' + n) for n in ['a', 'b', 'c'] if n != 'b']",
    "choices made by a comprehension": "add('--a', choices=[n.upper() for n in ['x', 'y']])",
    "a name bound on the way": "add((name := '--a'))\nadd(name + 'b')",
    "a text with an inserted number": "n = 3\nadd(f'--a{n!s}', default=f'{n} steps')",
    "a function that returns early": "def name(short):\n    if short:\n        return '--a'\n    return '--long'\n"
    "add(name(True))\nadd(name(False))",
    "a function that returns nothing": "def fill(p):\n    p.add_argument('--a')\n    return\nfill(parser)",
    "a function with names of its own": "def fill(p, *names, kind=int, **more):\n    for n in names:\n"
    "        p.add_argument('--' + n, type=kind, **more)\nfill(parser, 'a', 'b', default=3)\n"
    "fill(parser, 'c', kind=float)",
    "a function in a function": "def outer(p):\n    x = 'a'\n    def inner():\n        p.add_argument('--' + x)\n"
    "    inner()\nouter(parser)",
    "a lambda with a default": "f = lambda p, n='a': p.add_argument('--' + n)\nf(parser)\nf(parser, 'b')",
    "a block with a resource": "import contextlib\nwith contextlib.suppress(ValueError):\n    add('--a')",
    "a block that is tried": "try:\n    add('--a')\nexcept ValueError:\n    raise\nelse:\n    add('--b')\n"
    "finally:\n    add('--c')",
    "a class that knows its names": "class Names:\n    prefix = 'a'\n    def __init__(self, end):\n"
    "        self.end = end\n"
    "    def flag(self):\n        return '--' + self.prefix + self.end\nadd(Names('x').flag())",
    "a class under another": "class A:\n    n = '--a'\n    m = '--m'\nclass B(A):\n    n = '--b'\nadd(B.n)\nadd(B.m)",
    "sets": "names = {'a'}\nnames.add('b')\nfor n in sorted(names):\n    add('--' + n)",
    "a list that is turned": "names = ['a', 'b']\nnames.reverse()\nfor n in reversed(names):\n    add('--' + n)",
    "texts that are taken apart": "for n in 'a,b c'.replace(' ', ',').split(','):\n    add('--' + n.strip().lower())",
    "typed names": "name: str = '--a'\nlater: int\nadd(name)",
    "options under one name": "add('--a', dest='x', type=int)\nadd('--b', dest='x', default=3, type=int)\n"
    "parser.set_defaults(x=5)",
}


def live(program: str) -> dict[str, tuple[object, ...]]:
    """The options that the program's parser has when Python runs it."""
    names: dict[str, object] = {}
    exec(HEAD + program, names)  # a text of this module
    made = names["parser"]
    assert isinstance(made, argparse.ArgumentParser)
    return {
        action.option_strings[-1]: (action.default, action.type and action.type.__name__, action.choices)
        for action in made._actions
        if action.dest != "help"
    }


def read(program: str) -> dict[str, tuple[object, ...]]:
    """The same, read."""
    found = reading(HEAD + program + "\nparser.parse_args()\n")
    assert (found.open, found.broken) == ("", "")
    return {flag: (row.get("default"), row.get("type"), row.get("choices")) for flag, row in found.options.items()}


@pytest.mark.parametrize("program", FOLLOWED.values(), ids=FOLLOWED)
def test_options_are_those_that_python_registers(program: str) -> None:
    assert read(program) == live(program) != {}


NOT_KNOWN = {
    "a while loop": "n = 'a'\nwhile len(n) < 3:\n    n += 'a'\nadd('--' + n)",
    "a loop over what is not known": "for n in names():\n    add('--' + n)",
    "one of several cases": "match mode():\n    case 1:\n        n = '--a'\n    case _:\n        n = '--b'\nadd(n)",
    "one of two values": "add('--a' if mode() else '--b')",
    "a deleted name": "n = '--a'\ndel n\nadd(n)",
    "the rest of a list": "a, *rest = ['--a', '--b']\nadd(*rest)",
    "a list that does not fit": "a, b = names()\nadd(a)",
    "an unknown end": "add('--' + end())",
    "unknown parts": "add(f'--{end()}')",
    "a number with a form": "add(f'--{3:03d}')",
    "a text with a form": "add('--{:>3}'.format('a'))\nadd('--%3d' % 3)",
    "an unknown index": "add(['--a', '--b'][mode()])",
    "an index beyond the end": "add(['--a', '--b'][2])",
    "an unknown condition": "n = '--a' if 3 < mode() else '--b'\nadd(n)",
    "one of two words": "add(mode() or '--a')",
    "operands that do not fit": "add('--a' + 3)",
    "an unknown key": "names = {'a': '--a'}\nnames[mode()] = '--b'\nfor n in names.values():\n    add(n)",
    "an unknown spread": "names = {'a': '--a', **more()}\nfor n in names.values():\n    add(n)",
    "an unknown base class": "from absent import Base\nclass Names(Base):\n    pass\nadd(Names.flag)",
    "a comprehension with an unknown condition": "[add(n) for n in ['--a', '--b'] if mode()]\n"
    "add(*[n for n in ['--c'] if mode()])",
    "a set of unknown things": "for n in {'--a', mode()}:\n    add(n)",
    "a generator's values": "def names():\n    yield '--a'\nfor n in names():\n    add(n)",
    "text without end": "add('--' + 'a' * 10 ** 6)",
    "a power without end": "add('--' + str(10 ** 10 ** 10))",
    "an attribute set under a condition": "class Names:\n    def __init__(self, p):\n        self.n = '--a'\n"
    "        if mode():\n            self.n = '--b'\n        p.add_argument(self.n)\nNames(parser)",
    "a function that returns one of two": "def name(p):\n    if mode():\n        return '--a'\n"
    "    return '--b'\nadd(name(parser))",
}


@pytest.mark.parametrize("program", NOT_KNOWN.values(), ids=NOT_KNOWN)
def test_names_that_are_not_known_leave_the_program_open(program: str) -> None:
    assert reading(HEAD + program + "\nparser.parse_args()\n").open == "it has options whose names are not literal"


@pytest.mark.parametrize(
    ("program", "because"),
    [
        ("parser.epilog = 'x'\nparser.prog = 'y'\nparser.print_help()", ""),
        ("parser.fromfile_prefix_chars = '@'", "its parser's fromfile_prefix_chars is set"),
        ("parser.register('type', 'yes', bool)", ""),
        ("parser._registry_get('type', 'yes')", "its parser's _registry_get is used"),
        ("parser.add_argument.cache = 1\nprint(parser)", ""),
        ("parser._option_string_actions.pop('--a')", "its parser's _option_string_actions is used"),
        ("parser.convert_arg_line_to_args.x", "its parser's convert_arg_line_to_args is used"),
        ("absent().add_argument('--b')", "it has a parser that cannot be followed"),
        ("extend(parser)", "its parser is handed to extend"),
        ("extend([{'p': parser}])", "its parser is handed to extend"),
        ("extend(p=parser.add_argument)", "its parser is handed to extend"),
        ("import sys\nsys.argv = ['x', '--a']", "it changes its own command line"),
        ("[1].sort(key=len)", ""),
    ],
)
def test_what_is_done_with_a_parser_besides(program: str, because: str) -> None:
    assert reading(HEAD + program + "\nparser.parse_args()\n").open == because


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("parents=[absent()]", "it takes options over from a parent parser that cannot be followed"),
        ("parents=absent()", "it takes options over from a parent parser that cannot be followed"),
        ("parents=[base]", "the parser is built with argument_default"),
        ("fromfile_prefix_chars='@'", "the parser is built with fromfile_prefix_chars"),
        ("prefix_chars='-', description='x'", ""),
        ("conflict_handler='resolve'", ""),
    ],
)
def test_a_parser_is_made_in_one_way_or_another(made: str, found: str) -> None:
    program = f"""
        import argparse
        base = argparse.ArgumentParser(argument_default=argparse.SUPPRESS, add_help=False)
        parser = argparse.ArgumentParser({made})
        parser.add_argument("--a", type=int)
        parser.parse_args()
    """
    assert reading(program).open == found


def test_a_flag_that_takes_another_ones_place() -> None:
    program = """
        import argparse
        parser = argparse.ArgumentParser(conflict_handler="resolve")
        parser.add_argument("--a", type=int)
        parser.add_argument("--a", type=float)
        parser.parse_args()
    """
    found = reading(program)
    assert (found.broken, found.options["--a"]) == ("", {"type": "float"})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("type=None, default=None", {}),
        ("type=lambda text: text", {"type": {"expr": "lambda text: text"}}),
        ("type=float, default=float('inf')", {"type": "float", "default": {"expr": "inf"}}),
        ("choices={'b', 'a'}", {"choices": ["a", "b"]}),
        ("default={'a': 1}", {"default": {"expr": "{'a': 1}"}}),
        ("default=[1.5, None]", {"default": [1.5, None]}),
        ("action=argparse.BooleanOptionalAction", {"action": "BooleanOptionalAction", "aliases": ["--no-a"]}),
        ("action=Own", {"action": {"expr": "Own"}}),
        ("action='store_false', default=True", {"action": "store_false"}),
        ("action='store_true', default=True", {"action": "store_true", "default": True}),
        ("**more()", {"open": True}),
        ("dest='a', required=False, metavar='A'", {}),
    ],
)
def test_what_is_kept_of_an_option(given: str, kept: dict[str, object]) -> None:
    program = f"class Own(argparse.Action):\n    pass\nadd('--a', {given})\nparser.parse_args()\n"
    assert reading(HEAD + program).options["--a"] == kept


def test_a_default_that_is_set_under_a_condition_is_not_known() -> None:
    program = textwrap.dedent(
        """
        add('--a', default=1)
        add('--b', default=1)
        if mode():
            parser.set_defaults(a=2)
        parser.parse_args()
        """
    )
    found = reading(HEAD + program)
    assert found.options == {"--a": {"default": {"expr": "not literal"}}, "--b": {"default": 1}}


def test_two_registrations_of_which_one_is_made_agree_where_they_do() -> None:
    program = "add('--a', type=int, default=1)\nif mode():\n    add('--a', type=int, default=2)\nparser.parse_args()\n"
    found = reading(HEAD + program)
    assert (found.open, found.broken) == ("", "")
    assert found.options["--a"] == {"type": "int", "open": True}
