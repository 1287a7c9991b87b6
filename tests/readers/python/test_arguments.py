"""What an argument is, through constants, arithmetic, texts and dictionaries."""

from __future__ import annotations

import pytest

from readers.python.reading import call, read, shown, values
from rlhflint.call import Named, Origin
from rlhflint.value import Known, OneOf, Unknown

HEAD = "import os, sys\nfrom trl import SFTConfig\n"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("8", 8),
        ("-1", -1),
        ("1e-6", 1e-6),
        ("1_024", 1024),
        ("0x10", 16),
        ("'out'", "out"),
        ("'out' '/a'", "out/a"),
        ("r'a\\b'", "a\\b"),
        ("True", True),
        ("None", None),
        ("[1, 'a']", [1, "a"]),
        ("(1, 2)", (1, 2)),
        ("{'a': {'b': 1}}", {"a": {"b": 1}}),
        ("2 * 4 + 1", 9),
        ("2 ** 10", 1024),
        ("7 // 2", 3),
        ("7 % 4", 3),
        ("1 / 4", 0.25),
        ("'a' + 'b'", "ab"),
        ("[1] + [2]", [1, 2]),
        ("f'run-{3}'", "run-3"),
        ("f'{0.5:.2f}'", "0.50"),
        ("f'{\"x\"!r}'", "'x'"),
        ("int('8')", 8),
        ("float('1e-6')", 1e-6),
        ("max(2, 3)", 3),
        ("len([1, 2])", 2),
        ("not True", False),
        ("3 > 2", True),
        ("1 if 2 > 1 else 0", 1),
        ("None or 5", 5),
        ("0 and 5", 0),
        ("(n := 4)", 4),
        ("'LORA'.lower()", "lora"),
        ("os.path.join('out', 'a')", "out/a"),
        ("[1, 2, 3][1]", 2),
        ("[1, 2, 3][:2]", [1, 2]),
        ("{'a': 1}['a']", 1),
        ("{'a': 1}.get('b', 7)", 7),
        ("dict(a=1, **{'b': 2})", {"a": 1, "b": 2}),
        ("dict([('a', 1)])", {"a": 1}),
        ("{'a': 1} | {'b': 2}", {"a": 1, "b": 2}),
        ("list((1, 2))", [1, 2]),
        ("sorted", Named("builtins.sorted")),
    ],
)
def test_a_value_is_worked_out(written: str, value: object) -> None:
    found = values(f"{HEAD}SFTConfig(x={written})\n")["x"]
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    "written",
    [
        "load()",
        "args.lr",
        "10 ** 1000",
        "10 ** 10 ** 10",
        "'a' * 10 ** 9",
        "1 / 0",
        "f'{1:999999999d}'",
        "int('x')",
        "[i for i in range(3)]",
        "{**load()}",
        "[*load()]",
        "json.loads('1')",
        "sys.argv[1]",
        "os.environ['X']",
        "(lambda: load())()",
        "1 << 3",
        "'a' % 3",
    ],
)
def test_what_cannot_be_worked_out_is_unknown(written: str) -> None:
    argument = call(f"{HEAD}SFTConfig(x={written})\n").arguments[0]
    assert isinstance(argument.value, Unknown)
    assert argument.value.because


@pytest.mark.parametrize(
    ("written", "default"),
    [
        ("os.environ.get('N', '8')", "8"),
        ("os.getenv('N', 8)", 8),
        ("int(os.environ.get('N', '8'))", 8),
        ("int(os.environ.get('N', '8')) * 2", 16),
        ("f\"run-{os.environ.get('N', '8')}\"", "run-8"),
    ],
)
def test_the_environment_may_give_another_value_than_the_default(written: str, default: object) -> None:
    value = call(f"{HEAD}SFTConfig(x={written})\n").arguments[0].value
    assert isinstance(value, OneOf)
    assert value.default == default
    assert "N" in value.because


def test_a_variable_set_in_the_file_is_read_from_the_environment() -> None:
    text = (
        f"{HEAD}os.environ['N'] = '4'\nos.environ.update(M='5')\n"
        "SFTConfig(n=int(os.environ['N']), m=os.environ.get('M'))\n"
    )
    assert values(text) == {"n": 4, "m": "5"}
    assert [(one.name, shown(one)) for one in read(text).environment] == [("N", "4"), ("M", "5")]


def test_constants_are_taken_as_they_are_where_they_are_used() -> None:
    text = f"{HEAD}n = 4\na = SFTConfig(n=n)\nn = 8\nn += 1\nb = SFTConfig(n=n)\n"
    assert [shown(one.arguments[0]) for one in read(text).calls] == [4, 9]


def test_one_assignment_to_several_names() -> None:
    assert values(f"{HEAD}(a, *b), c = d = (1, 2, 3), 4\nSFTConfig(a=a, b=b, c=c, d=d)\n") == {
        "a": 1,
        "b": [2, 3],
        "c": 4,
        "d": ((1, 2, 3), 4),
    }


def test_keywords_from_a_dictionary_keep_the_place_of_its_entry() -> None:
    text = f"{HEAD}BASE = {{'eval_strategy': 'steps'}}\nBASE['seed'] = 1\nSFTConfig(**BASE, lr=2)\n"
    found = {argument.name: argument for argument in call(text).arguments}
    assert [one.origin for one in found.values()] == [Origin.KEY, Origin.ITEM, Origin.KEYWORD]
    for name, argument in found.items():
        assert argument.name_span is not None
        assert text[argument.name_span.start : argument.name_span.end] == name
        assert argument.renamable
    assert text[found["seed"].span.start : found["seed"].span.end] == "BASE['seed'] = 1"
    value = found["eval_strategy"].value_span
    assert value is not None
    assert text[value.start : value.end] == "'steps'"


def test_a_key_that_is_no_plain_text_cannot_be_renamed_in_place() -> None:
    text = f"{HEAD}KEY = 'a'\nSFTConfig(**{{KEY: 1, 'b\\x63': 2}})\n"
    assert [(one.name, one.renamable) for one in call(text).arguments] == [("a", False), ("bc", False)]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("d.update(b=2)", {"a": 1, "b": 2}),
        ("d.update({'a': 3})", {"a": 3}),
        ("d |= {'b': 2}", {"a": 1, "b": 2}),
        ("d.pop('a')", {}),
        ("del d['a']", {}),
        ("d.setdefault('a', 9)", {"a": 1}),
        ("d.clear()", {}),
        ("e = d; e['a'] = 5", {"a": 5}),
        ("e = dict(d); e['a'] = 5", {"a": 1}),
        ("d = {**d, 'b': 2}", {"a": 1, "b": 2}),
        ("d = {k: v for k, v in d.items()}", None),
        ("change(d)", None),
        ("print(d)", {"a": 1}),
        ("d[key] = 2", None),
        ("d.update(load())", None),
    ],
)
def test_a_dictionary_is_changed_before_it_is_used(change: str, expected: dict[str, object] | None) -> None:
    found = call(f"{HEAD}d = {{'a': 1}}\n{change}\nSFTConfig(**d)\n")
    if expected is None:
        assert found.more
        assert not any(isinstance(one.value, Known) for one in found.arguments)
    else:
        assert found.more == ""
        assert {one.name: shown(one) for one in found.arguments} == expected


def test_what_an_unknown_dictionary_may_override_is_only_a_default() -> None:
    found = call(f"{HEAD}SFTConfig(**{{'a': 1, **load(), 'b': 2}})\n")
    assert isinstance(found.arguments[0].value, OneOf)
    assert found.arguments[1].value == Known(2)
    assert found.more


def test_unknown_keywords_say_why() -> None:
    found = call(f"{HEAD}SFTConfig(a=1, **options)\n")
    assert found.arguments[0].value == Known(1)
    assert "**options" in found.more


def test_positions_behind_unknown_ones_are_not_counted() -> None:
    found = call(f"{HEAD}SFTConfig(1, *[2, 3], *more, 4)\n")
    assert [one.position for one in found.arguments] == [0, 1, 2, None]
    assert found.more


def test_the_parts_of_a_list_are_known_where_the_whole_is_not() -> None:
    argument = call(f"{HEAD}SFTConfig(x=[1, load(), str], y={{'a': load(), 'b': 2}}, z=[*load(), 1])\n").arguments
    assert isinstance(argument[0].value, Unknown)
    assert [shown(one) for one in argument[0].items][::2] == [1, Named("builtins.str")]
    assert argument[0].complete
    assert [one.name for one in argument[1].items] == ["a", "b"]
    assert not argument[2].complete


def test_a_name_is_no_data() -> None:
    text = (
        f"{HEAD}import torch, settings\ndef reward(c): return 0\n"
        "SFTConfig(a=torch.bfloat16, b=settings.LR, c=reward, d=[reward])\n"
    )
    a, b, c, d = call(text).arguments
    assert [one.named for one in (a, b, c)] == [
        Named("torch.bfloat16"),
        Named("settings.LR"),
        Named("reward", local=True),
    ]
    assert all(isinstance(one.value, Unknown) for one in (a, b, c))
    assert d.value == Known([Named("reward", local=True)])


def test_the_literal_behind_a_constant_is_given() -> None:
    text = f"{HEAD}LOSS = 'dapo'  # chosen\nOTHER = LOSS\nSFTConfig(a=OTHER, b=8, c=LOSS + 'x')\n"
    a, b, c = call(text).arguments
    assert a.literal is not None
    assert text[a.literal.start : a.literal.end] == "'dapo'"
    assert b.literal == b.value_span
    assert c.literal is None
