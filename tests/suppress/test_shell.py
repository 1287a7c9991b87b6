import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.suppress.comment import CONTINUED
from rlhflint.suppress.shell import Shell, comments

MARK = "# rlhflint: ignore[OR203] why"


def covered(text: str) -> list[str]:
    """What each suppression of a script covers; `@` stands for the comment."""
    text = text.replace("@", MARK)
    return [text[one.covers_start : one.covers_end] for one in comments(text)]


def test_comment_at_the_end_of_a_line_covers_the_line():
    assert covered("a\npython x.py --b 1  @\nc\n") == ["python x.py --b 1  "]


def test_last_line_of_a_continued_command_is_covered_alone_by_a_comment_on_it():
    assert covered("python x.py \\\n  --a 1 \\\n  --b 2 @\n") == ["  --b 2 "]


def test_comment_above_a_command_covers_all_its_lines():
    command = "python -m x \\\n  --a 1 \\\n  --b 2"
    assert covered(f"a\n@\n{command}\nc\n") == [command]


def test_blank_lines_and_other_comments_may_stand_between():
    assert covered("@\n\n# more\n@\npython x.py\nb\n") == ["python x.py"] * 2


def test_comment_covers_all_commands_of_the_line_it_stands_above():
    assert covered("@\ncd x && python x.py; echo\nb\n") == ["cd x && python x.py; echo"]


def test_here_document_belongs_to_the_command_above_it():
    command = "python x.py $(cat <<EOF\n  --a 1\n  # --b 2\nEOF\n) --c"
    assert covered(f"@\n{command}\nb\n") == [command]


def test_text_in_a_here_document_is_no_comment():
    assert covered("cat <<'EOF'\n@\nEOF\n@\nb\n") == ["b"]


def test_tabs_before_the_end_of_a_here_document_are_ignored_on_request():
    assert covered("cat <<-EOF\n\t@\n\tEOF\n@\nb") == ["b"]
    assert covered("cat <<EOF\n\t@\n\tEOF\n@\nb") == []


def test_two_here_documents_of_one_line_follow_each_other():
    assert covered('@\ncat <<A <<"B"\n@\nA\n@\nB\n@\nc\n') == ['cat <<A <<"B"\n' + f"{MARK}\nA\n{MARK}\nB", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "echo '@'",
        'echo "@"',
        "echo 'a\n@\nb'",
        'echo "a\n@\nb"',
        'echo "$(echo "a")\n@\nb"',
        "echo $'\\'\n@\nb'",
        "echo a@",
        "echo \\@",
        "x=${a:-@}",
        "x=${a/ @/}",
        "x=$((1 << 2 @))",
        ": <<< x ' @'",
    ],
)
def test_text_that_is_no_comment_is_left_alone(text):
    assert covered(text) == []


@pytest.mark.parametrize(
    "before",
    [
        "echo it\\'s",
        "echo $#",
        "echo ${#x[@]}",
        'echo "${x:-it\'s}"',
        "x=$((1 << 2))",
        "((x << 2))",
        "cat <<< x",
        "case $x in a|b) echo 'x';; (c) echo y;; esac",
        'echo "`echo "a"`"',
        "echo $(case x in x) echo y;; esac)",
        "[[ $x =~ ^a#b ]]",
        "echo if then case for {",
        "echo $(x) if",
        "f() { echo }; }",
        "function g { echo; }",
        "for ((i=0; i<3; i++)); do echo; done",
        "x=(a b) y",
        "echo a#b",
        'x="a" # "',
        "echo {a,b} }",
        "ls *(a|b) ?(c)",
    ],
)
def test_rest_of_the_script_is_not_misread_behind(before):
    assert covered(f"{before}\n@\nnext \\\n one\nother\n") == ["next \\\n one"]


def test_element_of_an_array_is_covered_by_its_line():
    text = "ARGS=(\n  --a 1  @\n  @\n  --b 2\n  --c 3\n)\n"
    assert covered(text) == ["  --a 1  ", "--b 2"]


def test_element_of_an_array_may_take_several_lines():
    assert covered('ARGS=(\n  @\n  --b "x\ny"\n  --c 3\n)\n') == ['--b "x\ny"']


def test_last_element_ends_with_the_array():
    assert covered("ARGS=(\n  @\n  --b 2)\n--c") == ["--b 2"]


def test_continuation_inside_an_array_does_not_hurt_a_comment():
    text = "ARGS=( --a 1 \\\n  @\n  --b 2 \\\n)\n"
    assert covered(text) == ["--b 2 \\\n"]


def test_array_is_covered_by_a_comment_above_it():
    array = "ARGS=(\n  --a 1\n\n  --b 2\n)"
    assert covered(f"@\n{array}\nnext\n") == [array]


def test_quoted_value_over_several_lines_is_covered_by_a_comment_above_it():
    value = 'ARGS="\n --a 1 \\\n --b 2"'
    assert covered(f"@\n{value}\nnext\n") == [value]


@pytest.mark.parametrize(
    "block",
    [
        "if [ $x ]; then\n  a\n  if b; then c; fi\nelse\n  d\nfi",
        "for n in 1 2; do\n  python x.py \\\n --n $n\ndone > log",
        "while read x\ndo\n  a\ndone",
        "case $1 in\n  a) x\n  y;;\n  *) w\nesac",
        "{\n a\n b\n} | tee x",
        "(\n cd x\n a\n)",
        "f() {\n  a\n  b\n}",
        "f ()\n{\n  a\n}",
        "function f {\n a\n}",
    ],
)
def test_block_is_covered_whole_by_a_comment_above_it(block):
    assert covered(f"@\n{block}\nnext\n") == [block]


def test_comment_in_a_block_covers_the_command_below_it():
    assert covered("if a; then\n  @\n  b \\\n  c\n  d\nfi\n") == ["b \\\n  c"]
    assert covered("case x in\n  a)\n  @\n  b\n  c\n  ;;\nesac\n") == ["b"]


def test_comment_before_the_end_of_a_block_covers_nothing():
    assert covered("if a; then\n b\n @\nfi\nc\n") == [""]


def test_comment_at_the_end_of_a_script_covers_nothing():
    assert covered("a\n@") == [""]


def test_comment_between_continued_lines_ends_the_command():
    text = f"python x.py \\\n  --a 1 \\\n  {MARK}\n  --b 2\n"
    (only,) = comments(text)
    assert only.broken == CONTINUED


def test_windows_line_ends_make_no_difference():
    text = f"a\r\n{MARK}\r\nb \\\r\n  c {MARK}\r\nd\r\n"
    first, second = comments(text)
    assert text[first.start : first.end] == MARK
    assert text[first.covers_start : first.covers_end].startswith("b \\\r\n  c ")
    assert text[second.start : second.end] == MARK


def test_stretches_that_may_be_scripts_of_their_own_are_noted():
    text = "bash -c '\na\n' \"b\nc\" <<EOF\nd\nEOF\n"
    assert [text[start:end] for start, end in Shell(text).run().quoted] == ["\na\n", "b\nc", "d\n"]


@given(st.text(st.sampled_from("a\n\\'\"`$(){}[];&|<>#= \t"), max_size=80))
def test_any_text_is_read_to_its_end(text):
    text = text.replace("#", f"{MARK}\n#")
    for one in comments(text):
        assert text.startswith("#", one.start)
        assert 0 <= one.covers_start <= one.covers_end <= len(text)
        assert not one.alone or one.covers_start >= one.start
