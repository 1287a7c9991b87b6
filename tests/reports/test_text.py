import pytest

from rlhflint.finding import Applicability, Edit, Fix, Related, Severity
from rlhflint.reports.formats import Options, render
from rlhflint.source import Source
from rlhflint.text import Span
from tests.reports.made import finding, marked, notebook, one_file, result


def frame(text: str, **changes) -> list[str]:
    """The lines of the report that show the source, without line numbers."""
    lines = render("text", result(text, **changes)).splitlines()
    return [line.partition("| ")[2] for line in lines if "|" in line]


def test_characters_of_the_finding_are_underlined():
    assert frame("python x.py ⟦--async⟧ 1\n") == ["python x.py --async 1", "            ^^^^^^^"]


def test_tabs_are_widened_above_and_below_alike():
    assert frame("\t--a\t⟦--b\tc⟧\n") == ["    --a --b c", "        ^^^^^"]


def test_wide_characters_take_two_columns():
    assert frame("--名前 ⟦模型⟧ x") == ["--名前 模型 x", "       ^^^^"]


def test_combining_marks_take_no_column():
    assert frame("cafe\u0301 ⟦e\u0301te\u0301⟧ x") == ["cafe\u0301 e\u0301te\u0301 x", "     ^^^"]


def test_carriage_returns_at_line_ends_are_not_shown():
    assert frame("a \\\r\n  ⟦--b⟧ \\\r\n") == ["  --b \\", "  ^^^"]


def test_place_at_the_end_of_the_line_is_pointed_at():
    assert frame("python x.py⟦⟧\n") == ["python x.py", "           ^"]


def test_every_line_of_a_short_stretch_is_underlined_without_its_indentation():
    shown = frame("python ⟦x.py \\\n  --a 1 \\\n  --b⟧ 2\n")
    assert shown == ["python x.py \\", "       ^^^^^^", "  --a 1 \\", "  ^^^^^^^", "  --b 2", "  ^^^"]


def test_middle_of_a_long_stretch_is_left_out():
    text = render("text", result("⟦" + "".join(f"line {number}\n" for number in range(1, 31)) + "end⟧\n"))
    assert "    1 | line 1\n      | ^^^^^^\n  ...\n   31 | end\n      | ^^^\n" in text


def test_very_long_line_is_cut_around_the_place():
    text, marks = frame("x" * 5000 + " ⟦--flag⟧ " + "y" * 5000)
    assert len(text) < 170
    assert text.startswith("…x")
    assert text.endswith("y…")
    at = marks.index("^")
    assert text[at : at + len(marks.strip())] == "--flag"


def test_place_longer_than_what_is_shown_is_underlined_up_to_the_cut():
    text, marks = frame("⟦" + "x" * 5000 + "⟧")
    assert len(marks) == len(text) - 1 == 160


def test_control_characters_of_the_source_are_written_out():
    shown = frame("a\x1b[31m⟦b⟧\u202e\x9b\n")
    assert shown == ["a\\x1b[31mb\\u202e\\x9b", "         ^"]


@pytest.mark.parametrize("name", ["text", "concise"])
@pytest.mark.parametrize("path", ["a\x1b]0;x\x07.sh", "a\nb.sh", "a\u202eb.sh", "a\rb.sh"])
def test_file_name_cannot_steer_the_terminal_or_begin_a_line(name, path):
    text = render(name, result("⟦a⟧\n", path))
    assert text.replace("\n", "").isprintable()
    assert "\nb.sh" not in text


@pytest.mark.parametrize("name", ["text", "concise", "github"])
def test_nothing_of_the_user_is_a_command_to_the_log_of_a_ci_system(name):
    text = render(
        name,
        result(
            "⟦x⟧ ##[add-mask]a ##vso[task.complete]b\n",
            "::set-env name=A::b.sh",
            message="bad\n::stop-commands::x\n  ::error::y",
            help="::group::z ##[error]q",
        ),
    )
    lines = [line.lstrip() for line in text.splitlines()]
    assert [line for line in lines if line.startswith("::")] == ([lines[0]] if name == "github" else [])
    others = text if name != "github" else "\n".join(lines[1:])
    assert "##[" not in others
    assert "##vso[" not in others


def test_further_lines_of_a_message_are_indented():
    text = render("text", result("⟦a⟧\n", message="first\nsecond", help="do\nthis"))
    assert text.startswith("error[OR203] first\n    second\n  --> train.sh:1:1\n")
    assert "  help: do\n        this\n" in text


def test_concise_report_has_one_line_a_finding():
    text = render("concise", result("a\n ⟦b⟧\n", message="first\nsecond"))
    assert text.splitlines()[0] == "train.sh:2:2: error[OR203] first second"
    assert len(text.splitlines()) == 2


def test_colours_are_used_only_when_asked_for():
    made = result("⟦a⟧\n", help="x")
    assert "\x1b" not in render("text", made)
    assert "\x1b[1;31merror\x1b[0m" in render("text", made, Options(colour=True))


def test_place_in_a_notebook_is_counted_and_shown_as_in_the_cell():
    source, span = notebook('{"cells": [\n{"source": ["a\\n",\n"x = \\"é\\", ⟦beta=1⟧,\\n"]}]}')
    text = render("text", one_file(source, finding(span)))
    assert "  --> train.ipynb:cell 1:2:" in text
    assert '    2 | x = "é", beta=1,\n      |          ^^^^^^\n' in text


def test_lines_of_a_notebook_between_first_and_last_are_found_in_their_strings():
    source, span = notebook('{"cells": [{"source": [\n "f(⟦a=1,\\n",\n "\\n",\n "  b=2⟧)"]}]}')
    text = render("text", one_file(source, finding(span)))
    assert "    1 | f(a=1,\n      |   ^^^^\n    2 |\n    3 |   b=2)\n      |   ^^^\n" in text


def test_cell_written_as_one_string_is_shown_line_by_line():
    source, span = marked('{"source": "a\\nb = ⟦\\ud83d\\ude00 \\u00e9⟧\\nc"}', "n.ipynb")
    from rlhflint.source import Position

    source = Source(source.path, source.text, lambda offset: Position(2, offset - 14, 1))
    text = render("text", one_file(source, finding(span)))
    assert "    2 | b = \U0001f600 é\n      |     ^^^^\n" in text


def test_finding_in_a_sourced_file_shows_that_file():
    source, _ = marked("source common.sh ⟦⟧\n")
    common, span = marked("X=⟦1⟧\n", "common.sh")
    made = one_file(source, finding(span))
    made.files[0].sources["common.sh"] = common
    text = render("text", made)
    assert "  --> common.sh:1:3\n    1 | X=1\n      |   ^\n" in text


def test_finding_in_a_file_that_could_not_be_read_names_it():
    text = render("text", one_file(Source("train.sh", ""), finding(Span("gone.sh", 0, 0))))
    assert "  --> gone.sh\n" in text


def test_empty_file_can_have_a_finding():
    assert "    1 |\n      | ^\n" in render("text", result("⟦⟧"))


def test_related_place_and_fix_are_told():
    source, span = marked("a ⟦b⟧\nc\n")
    fix = Fix("Remove `b`", Applicability.UNSAFE, (Edit(span, ""),))
    related = Related(Span("train.sh", 4, 5), "c is set here")
    text = render("text", one_file(source, finding(span, fix=fix, related=(related,))))
    assert "  note: c is set here (train.sh:2:1)\n" in text
    assert "  fix: Remove `b` (rlhflint fix --unsafe)\n" in text


def test_address_of_a_rule_is_told_once():
    source, span = marked("⟦a⟧\n")
    text = render("text", one_file(source, finding(span), finding(span)))
    assert text.count("/OR203.md") == 1


def test_statistics_count_the_rules_most_frequent_first():
    source, span = marked("⟦a⟧\n")
    many = [finding(span), finding(span, code="LA111", name="secret-in-launch"), finding(span)]
    text = render("text", one_file(source, *many), Options(statistics=True))
    assert "     2  OR203  async-with-colocate-all\n     1  LA111  secret-in-launch\n" in text


def test_sum_names_what_was_let_through():
    source, span = marked("⟦a⟧\n")
    made = one_file(source, finding(span), finding(span, severity=Severity.ADVICE), suppressed=2, known=1)
    assert render("text", made).splitlines()[-1] == (
        "1 error, 1 piece of advice in 0 launches (1 file); 2 suppressed; 1 in the baseline"
    )


def test_nothing_found_is_said():
    assert render("text", one_file(Source("a.sh", ""))) == "Nothing found in 0 launches (1 file)\n"
