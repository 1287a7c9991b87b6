from dataclasses import replace

import pytest

from rlhflint.document import Document
from rlhflint.finding import Finding, Severity, Stage
from rlhflint.judged import Judged, Undecided
from rlhflint.launch import Launch, Version
from rlhflint.rule import ERROR, STARTUP, Rule
from rlhflint.source import Source
from rlhflint.suppress.apply import decided, suppress
from rlhflint.suppress.suppression import Policy
from rlhflint.text import Span

NAMES = {
    "OR203": "async-with-colocate-all",
    "OR204": "group-too-small",
    "OR310": "other-thing",
    "LA111": "secret-in-launch",
    "RL003": "crashed-rule",
    "RL004": "unused-suppression",
    "RL005": "misspelt-suppression",
}
ALL_RAN = frozenset({"OR203", "OR204", "OR310", "LA111"})


def found(code: str, text: str, piece: str, path: str = "a.sh") -> Finding:
    """A finding at the first appearance of a piece of text."""
    start = text.index(piece)
    return Finding(code, NAMES[code], Severity.ERROR, Stage.STARTUP, code, Span(path, start, start + len(piece)))


def outcome(text: str, *findings: tuple[str, str], kind: str = "shell", **policy):
    source = Source("a.sh", text)
    document = Document(source, kind, sources={"a.sh": source})
    policy = {"names": NAMES, "decided": ALL_RAN} | policy
    return suppress(document, [found(code, text, piece) for code, piece in findings], Policy(**policy))


def codes(findings) -> list[str]:
    return [one.code for one in findings]


def fixed(text: str, *findings: tuple[str, str], **policy) -> str:
    """The text after the fixes of what is wrong with its suppressions."""
    edits = [edit for one in outcome(text, *findings, **policy).own if one.fix for edit in one.fix.edits]
    for edit in sorted(edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def test_finding_on_the_line_of_a_comment_is_let_through():
    one = outcome("python x.py --async  # rlhflint: ignore[OR203] why\n", ("OR203", "--async"))
    assert (codes(one.kept), codes(one.suppressed), one.own) == ([], ["OR203"], ())


def test_comment_above_a_command_lets_findings_on_all_its_lines_through():
    text = "# rlhflint: ignore[OR203] why\npython x.py \\\n  --a 1 \\\n  --async\npython y.py --b\n"
    one = outcome(text, ("OR203", "--async"), ("OR203", "--b"))
    assert (len(one.kept), len(one.suppressed)) == (1, 1)


def test_finding_of_another_rule_is_kept():
    one = outcome("python x.py --async  # rlhflint: ignore[OR203] why\n", ("OR204", "x.py"), ("OR203", "--async"))
    assert codes(one.kept) == ["OR204"]


@pytest.mark.parametrize("prefix", ["OR", "OR2", "OR20"])
def test_prefix_stands_for_all_codes_that_begin_so(prefix):
    one = outcome(f"python x.py --async  # rlhflint: ignore[{prefix}] why\n", ("OR203", "--async"), ("OR310", "x.py"))
    assert "OR203" in codes(one.suppressed)
    assert codes(one.kept) == ([] if prefix == "OR" else ["OR310"])
    assert one.own == ()


def test_finding_that_only_touches_the_covered_line_is_let_through():
    text = "python x.py \\\n  --lr \\\n  1  # rlhflint: ignore[OR203] why\n"
    assert codes(outcome(text, ("OR203", "--lr \\\n  1")).suppressed) == ["OR203"]


def test_finding_that_ends_where_the_next_line_begins_is_kept():
    text = "a\nb  # rlhflint: ignore[OR203] why\n"
    one = outcome(text, ("OR203", "a\n"))
    assert codes(one.kept) == ["OR203"]


def test_finding_without_length_is_let_through():
    assert codes(outcome("a  # rlhflint: ignore[OR203] why\n", ("OR203", "")).suppressed) == ["OR203"]


def test_whole_file_is_covered_by_a_comment_anywhere():
    text = "python x.py --async\na  # rlhflint: ignore-file[OR203] why\n"
    assert codes(outcome(text, ("OR203", "--async"), ("OR204", "x.py")).kept) == ["OR204"]


def test_finding_in_a_sourced_file_is_let_through_by_a_comment_there():
    main = Source("a.sh", "source b.sh\npython x.py  # rlhflint: ignore[OR203]\n")
    other = Source("b.sh", "X=1  # rlhflint: ignore[OR203] why\nY=2  # rlhflint: ignore[OR204]\n")
    document = Document(main, "shell", sources={"a.sh": main, "b.sh": other})
    finding = found("OR203", other.text, "X=1", "b.sh")
    one = suppress(document, [finding], Policy(NAMES, ALL_RAN))
    assert one.suppressed == (finding,)
    assert [(own.code, own.span.path) for own in one.own] == [("RL004", "a.sh")]


# what is unused


def test_unused_suppression_is_told_and_taken_out():
    text = "a\n# rlhflint: ignore[OR203] why\nb\nc  # rlhflint: ignore[OR204]\n"
    assert codes(outcome(text).own) == ["RL004", "RL004"]
    assert fixed(text) == "a\nb\nc\n"


def test_only_the_unused_code_is_taken_out():
    text = "a  # rlhflint: ignore[OR204, OR203,LA111] why\n"
    assert fixed(text, ("OR203", "a")) == "a  # rlhflint: ignore[OR203] why\n"


def test_rule_that_could_not_be_decided_is_not_called_unused():
    text = "a  # rlhflint: ignore[OR203]\nb  # rlhflint: ignore[OR2]\n"
    assert outcome(text, decided=ALL_RAN - {"OR203"}).own == ()


def test_nothing_is_called_unused_where_a_rule_crashed():
    assert outcome("a  # rlhflint: ignore[OR203]\n", ("RL003", "a")).own == ()


def test_prefix_is_unused_if_none_of_its_rules_finds_anything():
    assert codes(outcome("a  # rlhflint: ignore[OR2]\n").own) == ["RL004"]


def test_rules_about_the_tool_are_never_called_unused():
    assert outcome("a  # rlhflint: ignore[RL003, RL004] why\n").own == ()


def test_finding_about_a_suppression_can_be_ignored_itself():
    text = "a  # rlhflint: ignore[OR203, RL004] why\n"
    one = outcome(text)
    assert (one.own, codes(one.suppressed)) == ((), ["RL004"])
    assert outcome("# rlhflint: ignore-file[RL00]\nb  # rlhflint: ignore[OR203]\n").own == ()


def test_mandatory_rule_is_not_let_through():
    text = "a  # rlhflint: ignore[OR203] why\n"
    one = outcome(text, ("OR203", "a"), mandatory=lambda code: code == "OR203")
    assert codes(one.kept) == ["OR203"]
    assert "mandatory" in one.own[0].message
    assert fixed(text, ("OR203", "a"), mandatory=lambda code: code == "OR203") == "a\n"


def test_prefix_lets_through_what_is_not_mandatory():
    text = "a b  # rlhflint: ignore[OR2] why\n"
    one = outcome(text, ("OR203", "a"), ("OR204", "b"), mandatory=lambda code: code == "OR203")
    assert (codes(one.kept), codes(one.suppressed), one.own) == (["OR203"], ["OR204"], ())


def test_reason_can_be_required():
    text = "a  # rlhflint: ignore[OR203]\nb  # rlhflint: ignore[OR203] why\n"
    one = outcome(text, ("OR203", "a"), ("OR203", "b"), require_reason=True)
    assert (codes(one.kept), codes(one.suppressed)) == (["OR203"], ["OR203"])
    assert [(own.code, own.fix) for own in one.own] == [("RL005", None)]


# what is misspelt


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("# rlhflint: disable=OR203 why", "# rlhflint: ignore[OR203] why"),
        ("# rlhflint: noqa", "# rlhflint: ignore[OR203]"),
        ("# rlhflint: ignore", "# rlhflint: ignore[OR203]"),
        ("# noqa: OR203", "# rlhflint: ignore[OR203]"),
        ("# rlhflint-ignore: OR203", "# rlhflint: ignore[OR203]"),
        ("# rlhflint: disable-file=OR203", "# rlhflint: ignore-file[OR203]"),
        ("# rlhflint: ignore[or203] why", "# rlhflint: ignore[OR203] why"),
        ("# rlhflint: ignore[async-with-colocate-all] why", "# rlhflint: ignore[OR203] why"),
        ("# rlhflint: ignore[OR203, XX999] why", "# rlhflint: ignore[OR203] why"),
    ],
)
def test_misspelt_suppression_is_put_right_where_it_lets_a_finding_through(wrong, right):
    text = f"python x.py --async  {wrong}\n"
    one = outcome(text, ("OR203", "--async"))
    assert codes(one.own) == ["RL005"]
    after = fixed(text, ("OR203", "--async"))
    assert after == f"python x.py --async  {right}\n"
    again = outcome(after, ("OR203", "--async"))
    assert (codes(again.suppressed), again.own) == (["OR203"], ())


def test_code_that_is_nearly_right_is_asked_about():
    text = "a  # rlhflint: ignore[OR20S] why\n"
    (own,) = outcome(text, ("OR203", "a")).own
    assert own.fix is None
    assert own.help == "did you mean OR203?"
    assert fixed("a  # rlhflint: ignore[OR20S] why\n") == "a\n"


def test_misspelt_code_lets_nothing_through():
    one = outcome("a  # rlhflint: ignore[or203] why\n", ("OR203", "a"))
    assert codes(one.kept) == ["OR203"]


def test_right_code_beside_a_wrong_one_counts():
    one = outcome("a  # rlhflint: ignore[XX999, OR203] why\n", ("OR203", "a"))
    assert (codes(one.suppressed), codes(one.own)) == (["OR203"], ["RL005"])


@pytest.mark.parametrize("wrong", ["# rlhflint: disable=OR203", "# rlhflint: ignore", "# rlhflint: ignore[XX999]"])
def test_misspelt_suppression_that_would_let_nothing_through_is_taken_out(wrong):
    assert fixed(f"a  {wrong}\nb\n") == "a\nb\n"


def test_misspelt_suppression_is_put_right_where_its_rule_was_not_decided():
    assert fixed("a  # rlhflint: disable=OR203\n", decided=frozenset({"OR204"})) == "a  # rlhflint: ignore[OR203]\n"


def test_nothing_is_taken_out_of_a_file_without_a_launch():
    text = "a  # rlhflint: ignore\nb  # rlhflint: ignore[OR203] why\nc  # rlhflint: disable=OR203\n"
    one = outcome(text, decided=frozenset())
    assert codes(one.own) == ["RL005", "RL005"]
    assert fixed(text, decided=frozenset()) == text.replace("disable=OR203", "ignore[OR203]")


def test_comments_of_other_tools_are_left_alone():
    text = "a  # noqa: E501\nb  # noqa: OR203, E501\nc  # rlhflint: XX1\n"
    assert outcome(text, ("OR203", "b")).own == ()


def test_misplaced_suppression_is_told_without_a_fix():
    text = "python x.py \\\n  --async \\\n  # rlhflint: ignore[OR203] why\n  --b\n"
    one = outcome(text, ("OR203", "--async"))
    assert codes(one.kept) == ["OR203"]
    assert [(own.code, own.fix) for own in one.own] == [("RL005", None)]
    assert "above the command" in one.own[0].help


def test_many_suppressions_and_findings_are_matched_in_no_time():
    text = "".join(f"a{number}  # rlhflint: ignore[OR203]\n" for number in range(4_000))
    findings = [("OR203", f"a{number} ") for number in range(0, 2_000, 2)]
    one = outcome(text, *findings)
    assert (len(one.suppressed), len(one.own)) == (1_000, 3_000)


# which rules were decided


def a_rule(code: str, programs: str, applies: tuple[str, ...] = ()) -> Rule:
    return Rule(code, "x", ERROR, STARTUP, (programs,), applies, "none", True, lambda _: iter(()))


def judged(*undecided: str, release: str = "0.11.2") -> Judged:
    versions = {"openrlhf": Version("openrlhf", release, "here", stated=True)}
    launch = Launch("openrlhf:train_sft", "a.sh", Span("a.sh", 0, 1), versions=versions)
    return Judged(launch, tuple(Undecided(code, "x", "y") for code in undecided))


def test_rule_is_decided_if_it_looked_at_a_launch():
    rules = [a_rule("OR1", "openrlhf:*"), a_rule("TR1", "trl:*"), a_rule("OR2", "script"), a_rule("RL1", "")]
    assert decided(rules, [judged()]) == {"OR1", "OR2"}
    assert decided(rules, []) == frozenset()


def test_rule_about_other_programs_alone_is_decided():
    rules = [a_rule("OR1", "openrlhf:*"), a_rule("OR2", "openrlhf:train_ppo_ray"), a_rule("TR1", "trl:*")]
    others = [a_rule("RL1", "script"), a_rule("LA1", "commands"), replace(a_rule("RL3", ""), programs=())]
    assert decided([], [judged()], [*rules, *others]) == {"OR2", "TR1"}
    assert decided([], [judged("OR2")], [a_rule("OR2", "trl:*"), a_rule("OR2", "openrlhf:*")]) == frozenset()
    assert decided([], [], [*rules, *others]) == frozenset()


def test_rule_is_not_decided_if_one_launch_left_it_open():
    assert decided([a_rule("OR1", "openrlhf:*")], [judged(), judged("OR1")]) == frozenset()


def test_rule_is_not_decided_at_a_release_it_does_not_hold_for():
    rules = [a_rule("OR1", "openrlhf:*", (">=0.12",))]
    assert decided(rules, [judged()]) == frozenset()
    assert decided(rules, [judged(release="0.12.0")]) == {"OR1"}


def test_a_release_that_is_none_decides_nothing():
    rules = [a_rule("OR1", "openrlhf:*"), a_rule("OR2", "script")]
    assert decided(rules, [judged(release="the newest")]) == frozenset()
    assert decided(rules, [judged(release="the newest"), judged()]) == {"OR1", "OR2"}
