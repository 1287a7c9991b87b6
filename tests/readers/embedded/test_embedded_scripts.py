"""Shell code in other files: what is run, and where each of its characters stands."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.readers.embedded import embedded_scripts
from rlhflint.text import HOLE


def texts(kind: str, text: str) -> list[str]:
    scripts = list(embedded_scripts("f", text, kind))
    for script in scripts:
        for piece in script.pieces:
            if piece.verbatim and piece.span is not None:
                assert text[piece.span.start : piece.span.end] == piece.text
    return [script.text.strip() for script in scripts]


def test_a_step_of_a_workflow_keeps_its_lines() -> None:
    assert texts(
        "yaml", "jobs:\n  a:\n    steps:\n      - run: |\n          trl sft \\\n            --x 1\n          ls\n"
    ) == ["trl sft \\\n  --x 1\nls"]


def test_a_folded_entrypoint_is_one_line() -> None:
    assert texts("yaml", "entrypoint: >-\n  trl sft\n  --x 1\n") == ["trl sft --x 1"]


def test_words_of_a_pod_are_put_together() -> None:
    text = "command: [trl, sft]\nargs:\n- --x\n- a b\n- $(NODE)\n- it's\n"
    assert texts("yaml", text) == [f"trl sft --x 'a b' '{HOLE}' 'it'\\''s'"]


def test_a_shell_of_a_pod_gets_its_script_as_one_word() -> None:
    assert texts("yaml", 'command: ["bash", "-c", "trl sft && ls"]\n') == ["bash -c 'trl sft && ls'"]


def test_items_of_a_gitlab_script_are_commands() -> None:
    assert texts("yaml", "job:\n  script:\n    - pip install trl\n    - trl sft\n") == ["pip install trl\ntrl sft"]


def test_expressions_of_a_workflow_are_not_known() -> None:
    assert texts("yaml", "run: trl sft --x ${{ inputs.x }} --y {{ y }}\n") == [f"trl sft --x {HOLE} --y {HOLE}"]


def test_every_document_of_a_file_is_searched() -> None:
    assert texts("yaml", "a: 1\n---\nrun: trl sft\n---\nrun: trl dpo\n") == ["trl sft", "trl dpo"]


def test_prose_is_no_command() -> None:
    assert texts("yaml", "description: run trl sft first\nname: trl sft\n") == []


def test_what_is_not_yaml_has_no_commands() -> None:
    assert texts("yaml", "run: [\n") == []


_LINES = st.lists(st.text("abc '\"#:-\\$", max_size=8), min_size=1, max_size=6)


@given(lines=_LINES, style=st.sampled_from(["|", "|-", "|+", ">", ">-"]))
def test_blocks_are_read_as_yaml_reads_them(lines: list[str], style: str) -> None:
    text = f"run: {style}\n" + "".join(f"  {line}\n" for line in ["x", *lines])
    wanted = yaml.safe_load(text)["run"]
    assert [script.text for script in embedded_scripts("f", text, "yaml")] == [wanted]
    texts("yaml", text)


def test_a_command_in_list_form_is_one_command() -> None:
    assert texts("dockerfile", 'FROM a\nCMD ["trl", "sft", \\\n  "--x", "a b"]\n') == ["trl sft --x 'a b'"]


def test_entrypoint_and_command_belong_together() -> None:
    assert texts("dockerfile", 'FROM a\nENTRYPOINT ["trl"]\nCMD ["sft"]\n') == ["trl sft"]


def test_variables_of_an_image_are_set_and_arguments_may_be() -> None:
    found = texts("dockerfile", "FROM a\nARG M=m\nENV N=1 O='a b'\nRUN trl sft --x $M\n")
    assert found == ["M=${M:-m}\nexport N=1\nexport O='a b'\ntrl sft --x $M"]


def test_comments_between_continued_lines_are_left_out() -> None:
    assert texts("dockerfile", "RUN a && \\\n# no\n  trl sft\n") == ["a && \\\n  trl sft"]


def test_a_here_document_of_run_is_a_script() -> None:
    assert texts("dockerfile", "RUN <<EOF\ntrl sft\nls\nEOF\nRUN ls\n") == ["trl sft\nls", "ls"]


def test_options_of_run_are_not_part_of_it() -> None:
    assert texts("dockerfile", "RUN --mount=type=cache,target=/c trl sft\n") == ["trl sft"]


@pytest.mark.parametrize(
    ("head", "word"),
    [
        ("X := a", "a"),
        ("X = a  # why", "a"),
        ("X = a\nX += b", "a b"),
        ("X ?= a", HOLE),
        ("X = a\nX = b", HOLE),
        ("ifdef Y\nX = a\nendif", HOLE),
        ("X = $(Y)\nY = b", "b"),
        ("", HOLE),
    ],
)
def test_variables_of_a_makefile(head: str, word: str) -> None:
    assert texts("makefile", f"{head}\nt:\n\t@trl sft --x $(X) $$HOME\n") == [f"trl sft --x {word} $HOME"]


def test_a_default_of_a_makefile_is_kept() -> None:
    [script] = embedded_scripts("f", "X ?= a\nt:\n\ttrl $(X)\n", "makefile")
    assert script.default is not None
    assert script.default.strip() == "trl a"


def test_a_recipe_is_one_script_a_line() -> None:
    assert texts("makefile", "t: u\n\ttrl sft \\\n\t  --x 1\n\n\t-ls $(shell echo (a)) $@\nv = 1\n") == [
        "trl sft \\\n\t  --x 1",
        f"ls {HOLE} {HOLE}",
    ]


def test_a_recipe_in_one_shell_is_one_script() -> None:
    assert texts("makefile", ".ONESHELL:\nt:\n\tX=1\n\ttrl sft --x $$X\n") == ["X=1\ntrl sft --x $X"]


def test_fenced_blocks_of_a_shell_only() -> None:
    text = "```bash\ntrl sft\n```\n\n```python\ntrl dpo\n```\n- a\n\n  ~~~sh\n  trl kto\n  ~~~\n"
    assert texts("markdown", text) == ["trl sft", "trl kto"]


def test_a_session_at_a_prompt_holds_what_was_typed() -> None:
    assert texts("markdown", "```console\n$ trl sft \\\n>  --x 1\nloss: 1\n$ ls\n```\n") == ["trl sft \\\n --x 1\nls"]


def test_dots_inside_a_command_of_markdown_stand_for_words_that_are_left_out():
    text = "```sh\ntrl sft \\\n  ...\n  --max_steps 1\n```\n```sh\ntrl sft --x 1\n...\ntrl kto\n```\n"
    assert texts("markdown", text) == [f"trl sft \\\n{HOLE}  --max_steps 1", "trl sft --x 1\n...\ntrl kto"]


@given(
    st.text("\\`$(){}[]\"'#:=\t\n -abRUN<E>|&*", max_size=60),
    st.sampled_from(["yaml", "dockerfile", "makefile", "markdown"]),
)
def test_any_text_is_read(text: str, kind: str) -> None:
    texts(kind, text)
