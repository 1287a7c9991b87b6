"""Commands that end earlier than their writer meant, and line ends that do no harm."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import arguments, launches, problems, read, texts


@pytest.mark.parametrize(
    "script",
    [
        "launch --a 1 \\",
        "launch --a 1\\",
        "launch --a 1 \\\n",
        "launch --a 1 \\\n\n",
        "launch --a 1 \\\n\necho done\n",
        "launch --a 1 \\\n# --b 2\n",
        "launch --a 1 \\\n   # --b 2 \\\n   # --c 3\n\nls\n",
        "launch --a 1  # why\n",
        "launch --a \\\n1\n",
        'A=(\n--a 1\n# --x\n)\nlaunch "${A[@]}"\n',
        "launch '--a' 1 &&\n  ls\n",
        "case x in\n-h|--help) ls ;;\n--x) ls ;;\nesac\nlaunch --a 1\n",
        "cat <<EOF\nx\n--flag\nEOF\nlaunch --a 1\n",
        "launch --a 1 |\n  tee log\n",
    ],
)
def test_lines_that_end_as_they_should(script: str) -> None:
    assert problems(script) == []
    assert arguments(script) == ["--a", "1"]


def test_a_missing_backslash() -> None:
    script = "launch --a 1 \\\n  --b 2\n  --c 3 \\\n  --d 4\n"
    assert problems(script) == [("missing-backslash", 2, "")]
    assert arguments(script) == ["--a", "1", "--b", "2", "--c", "3", "--d", "4"]
    [problem] = read(script).problems
    assert problem.remedy == " \\"
    mended = script[: problem.span.start] + " \\" + script[problem.span.end :]
    assert problems(mended) == []
    assert arguments(mended) == arguments(script)


def test_a_missing_backslash_that_cannot_simply_be_put_there() -> None:
    for script in ("launch --a 1 # why\n  --b 2\n", "launch --a 1\n\n  --b 2\n", "launch --a 1\n # x\n  --b 2\n"):
        [problem] = read(script).problems
        assert (problem.kind, problem.remedy) == ("missing-backslash", None)
        assert arguments(script) == ["--a", "1", "--b", "2"]


def test_a_comment_with_flags_behind_it() -> None:
    script = "launch --a 1 \\\n  # --b 2 \\\n  --c 3\n"
    assert problems(script) == [("comment-in-continuation", 2, "# --b 2 \\")]
    assert arguments(script) == ["--a", "1", "--c", "3"]


def test_blanks_behind_a_backslash() -> None:
    script = "launch --a 1 \\  \n  --b 2 \\\t\n  --c 3\n"
    assert problems(script) == [("blank-after-backslash", 1, "  "), ("blank-after-backslash", 2, "\t")]
    assert [problem.remedy for problem in read(script).problems] == ["", ""]
    assert arguments(script) == ["--a", "1", "--b", "2", "--c", "3"]
    assert problems("launch --a 1\\ \n  --b 2\n") == [("blank-after-backslash", 1, " ")]
    assert problems("launch \\ \n  script.py\n") == [("blank-after-backslash", 1, " ")]


def test_an_escaped_blank_that_is_meant() -> None:
    for script in ("launch -d \\ \nls\n", "launch \\  _\n", "launch a\\ b\n", "launch a\\ \\\n b\n"):
        assert problems(script) == []
    assert arguments("launch -d \\ \nls\n") == ["-d", " "]


def test_text_behind_a_backslash() -> None:
    script = "launch --a 1 \\ # first\n  --b 2 \\ --c 3\n  --d 4\n"
    assert problems(script) == [("text-after-backslash", 1, "\\ # first"), ("text-after-backslash", 2, "\\ ")]
    assert arguments(script) == ["--a", "1", "--b", "2", "--c", "3", "--d", "4"]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("if true; then", "fi"), ("for i in 1; do", "done"), ("case x in x)", "esac"), ("if false; then :; else", "fi")],
)
def test_a_backslash_that_swallows_a_keyword(opening: str, closing: str) -> None:
    script = f"{opening}\n  launch --a 1 \\\n{closing}\nlaunch --b\n"
    assert problems(script) == [("syntax", 2, " \\")]
    assert [texts(command.words[1:]) for command in launches(script)] == [["--a", "1"], ["--b"]]
    [problem] = read(script).problems
    mended = script[: problem.span.start] + str(problem.remedy) + script[problem.span.end :]
    assert problems(mended) == []


def test_a_backslash_that_swallows_the_end_of_a_here_document() -> None:
    script = "read -r -d '' A <<EOF\n--a 1 \\\nEOF\nlaunch $A\n"
    assert problems(script) == [("syntax", 2, " \\")]
    assert arguments(script) == ["--a", "1"]
    assert problems(script.replace("<<EOF", "<<'EOF'")) == []


def test_carriage_returns() -> None:
    script = "set -x\r\nlaunch --a 1 \\\r\n  --b '2 3' \\\r\n\r\nif true; then\r\nlaunch x\r\nfi\r\n"
    assert problems(script) == [("carriage-return", 2, "\r")]
    assert [texts(command.words[1:]) for command in launches(script)] == [["--a", "1", "--b", "2 3"], ["x"]]
    assert problems("if true; then\r\nls\r\nfi\r\n") == [("carriage-return", 1, "\r")]
    assert problems("# a\r\n\r\nls\r\n") == []


def test_a_here_document_with_carriage_returns() -> None:
    assert arguments("read -r -d '' A <<EOF\r\n--a 1 \\\r\n--b\r\nEOF\r\nlaunch $A\r\n") == ["--a", "1", "--b"]


def test_an_empty_line_behind_a_backslash_is_taken_out() -> None:
    for empty in ("\n", "   \n"):
        script = f"launch --a 1 \\\n{empty}  --b 2\n"
        ((kind, line, underlined),) = problems(script)
        assert (kind, line, underlined) == ("missing-backslash", 2, empty)
        assert arguments(script) == ["--a", "1", "--b", "2"]


def test_a_backslash_behind_a_quote_that_is_never_closed_is_there() -> None:
    assert [kind for kind, *_ in problems('launch \\\n  --a "m \\\n  --b 1\n')] == ["syntax"]
    assert [kind for kind, *_ in problems('launch \\\n  --a "m\n  --b 1\n')] == ["syntax", "missing-backslash"]
