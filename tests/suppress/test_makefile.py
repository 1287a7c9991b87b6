from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.suppress.comment import CONTINUED
from rlhflint.suppress.makefile import comments
from tests.suppress import covering

covered = partial(covering.covered, comments)


def test_comment_above_a_rule_covers_its_recipe():
    rule = "train: data\n\tcd x\n\n\tpython x.py \\\n\t  --a 1"
    assert covered(f"A = 1\n@@\n{rule}\n\nother:\n\tb\n") == [rule]


def test_comment_in_a_recipe_covers_the_command_below():
    command = "\tpython x.py \\\n\t  --a 1"
    assert covered(f"train:\n\tcd x\n\t@@\n{command}\n\tb\n") == [command]
    assert covered(f"train:\n\tcd x\n@@\n{command}\n\tb\n") == [command]
    assert covered(f"train:\n\t-@@\n{command}\n\tb\n") == [command]


def test_comment_at_the_end_of_a_line_covers_the_line():
    assert covered("train:\n\tpython x.py --a 1  @@\n\tb\n") == ["\tpython x.py --a 1  "]
    assert covered("ARGS = --a 1  @@\nB = 2\n") == ["ARGS = --a 1  "]
    assert covered("ARGS = --a 1 \\\n  --b 2  @@\nB = 2\n") == ["  --b 2  "]


def test_comment_above_a_definition_covers_all_its_lines():
    definition = "ARGS := --a 1 \\\n  --b 2"
    assert covered(f"@@\n{definition}\nB = 2\n") == [definition]


def test_comment_between_continued_lines_ends_them():
    for text in (f"A = 1 \\\n  {covering.MARK}\n  2\n", f"t:\n\tpython x.py \\\n\t  {covering.MARK} \\\n\t  --a 1\n"):
        assert [one.broken for one in comments(text)] == [CONTINUED]


def test_text_that_is_no_comment_is_left_alone():
    assert covered("t:\n\techo '@@'\n") == []
    assert covered("A = \\@@\n") == []


def test_comment_at_the_end_covers_nothing():
    assert covered("t:\n\ta\n@@") == [""]


@given(st.text(st.sampled_from("a:=\n\t \\#@-'\r"), max_size=80))
def test_any_text_is_read_without_an_error(text):
    text = text.replace("#", f"{covering.MARK}\n#")
    for one in comments(text):
        assert text.startswith("#", one.start)
        assert 0 <= one.covers_start <= one.covers_end <= len(text)
