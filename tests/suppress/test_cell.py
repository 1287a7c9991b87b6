from rlhflint.suppress.cell import comments

MARK = "# rlhflint: ignore[TR203] why"


def covered(text: str) -> list[str]:
    """What each suppression of a cell covers; `@@` stands for the comment."""
    text = text.replace("@@", MARK)
    for one in comments(text):
        assert text.startswith(MARK, one.start)
    return [text[one.covers_start : one.covers_end] for one in comments(text)]


def test_cell_of_python_is_read_like_a_module():
    assert covered("a = f(\n  b=1,  @@\n)\n@@\nc = 1") == ["  b=1,  ", "c = 1"]


def test_command_line_may_have_a_comment_at_its_end_and_above():
    text = "x = 'it'\n@@\n!python x.py \\\n   --don't 1\n!trl sft --b 2  @@\ny = 1  @@\n"
    assert covered(text) == ["!python x.py \\\n   --don't 1", "!trl sft --b 2  ", "y = 1  "]


def test_magic_line_does_not_stop_the_reading():
    assert covered("%cd it's\n%timeit f(\na = 1  @@\n") == ["a = 1  "]


def test_operator_at_the_start_of_a_line_is_python():
    assert covered("a = (b\n  % (c,\n  @@\n  d))\ne\n") == ["d"]


def test_indented_command_belongs_to_its_block():
    assert covered("if a:\n    @@\n    !python x.py\n    b\n") == ["!python x.py"]


def test_cell_of_a_shell_is_read_like_a_script():
    assert covered("%%bash\n@@\npython x.py \\\n  --a 1\nb\n") == ["python x.py \\\n  --a 1"]
    assert covered("\n%%writefile run.sh\ncat <<E\n@@\nE\na  @@\n") == ["a  "]


def test_cell_that_writes_python_is_read_like_a_module():
    assert covered("%%writefile x.py\na = 1  @@\n") == ["a = 1  "]
