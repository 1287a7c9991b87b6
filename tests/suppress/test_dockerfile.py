from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.suppress.dockerfile import comments
from tests.suppress import covering

covered = partial(covering.covered, comments)


def test_comment_above_an_instruction_covers_all_its_lines():
    instruction = "RUN python x.py \\\n  --a 1 \\\n# other\n\n  --b 2"
    assert covered(f"FROM x\n@@\n\n{instruction}\nCMD y\n") == [instruction]


def test_comment_between_continued_lines_covers_the_line_below():
    assert covered("CMD python x.py \\\n  @@\n  --a 1 \\\n  --b 2\n") == ["  --a 1 \\"]


def test_comment_above_and_between_are_told_apart():
    text = "@@\nCMD python x.py \\\n  @@\n  --a 1\nUSER x\n"
    assert covered(text) == ["CMD python x.py \\\n  @@\n  --a 1", "  --a 1"]


def test_here_document_belongs_to_its_instruction():
    instruction = "RUN <<EOF bash\n@@\npython x.py\nEOF"
    assert covered(f"@@\n{instruction}\n@@\nUSER x\n") == [instruction, "USER x"]
    assert covered("@@\nCOPY <<-'A' <<\"B\" /x/\na\nA\n@@\nB\nUSER x\n")[0].endswith("\nB")


def test_other_escape_character_joins_lines():
    assert covered("# escape=`\n@@\nRUN a `\n  b\nUSER x\n") == ["RUN a `\n  b"]


def test_text_behind_an_instruction_is_no_comment_of_the_builder():
    assert covered("ENV A=1 @@\n") == []


def test_comment_at_the_end_covers_nothing():
    assert covered("FROM x\n@@") == [""]


def test_windows_line_ends_make_no_difference():
    assert covered("@@\r\nRUN a \\\r\n  b\r\nUSER x\r\n") == ["RUN a \\\r\n  b"]


@given(st.text(st.sampled_from("aR\n \t\\#<E`\r"), max_size=80))
def test_any_text_is_read_without_an_error(text):
    text = text.replace("#", f"{covering.MARK}\n#")
    for one in comments(text):
        assert text.startswith("#", one.start)
        assert 0 <= one.covers_start <= one.covers_end <= len(text)
