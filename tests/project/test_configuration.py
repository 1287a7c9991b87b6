"""Configuration files: which is in force, what it says, and how its mistakes are told."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.frameworks import framework
from rlhflint.project.cluster import Cluster, parse_cluster
from rlhflint.project.config import KEYS, ConfigError
from rlhflint.project.configurations import Configurations
from rlhflint.project.selection import Selection, enabled
from rlhflint.project.settings import Settings, parse_programs, parse_versions
from rlhflint.registry import names, programs

EVERYTHING = """
select = ["OR", "LA104"]
ignore = ["OR7"]
extend-select = ["TR"]
extend-ignore = ["TR9"]
exclude = ["/old"]
extend-exclude = ["*.gen.sh"]
fail-on = "error"
mandatory = ["LA111"]
require-reason = true
markdown = true
python = "env/bin/python"
cluster = { nodes = 2, gpus-per-node = 8, cpus-per-node = 96, memory-per-node = 1024.5, gpu-memory = 80, gpu = "H100" }

[per-file-ignores]
"legacy/**" = ["OR6"]

[severity]
OR203 = "error"

[versions]
openrlhf = "0.9.3"
Flash_Attn = ">=2.7"

[programs]
"recipes/dpo/*.yaml" = "trl:dpo"

[extra-flags]
openrlhf = ["--mask_tool_output"]
"openrlhf:train_sft" = ["curriculum"]

[[overrides]]
paths = ["legacy"]
versions = { openrlhf = "0.8.9" }
cluster = "1x4"

[[overrides]]
paths = ["legacy/dpo.yaml"]
program = "trl:dpo"
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return Project(tmp_path)


class Project:
    def __init__(self, folder):
        self.folder = folder

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def config(self, path="train.sh", **options):
        return Configurations(Settings(**options)).for_file(self.folder / path)

    def at(self, path):
        return str(self.folder / path)


def error_of(project, text, path="rlhflint.toml"):
    project.write(path, text)
    with pytest.raises(ConfigError) as error:
        project.config()
    return error.value


# Which file is in force


def test_without_a_file_the_defaults_hold(project):
    config = project.config()
    assert (config.path, config.fail_on, config.markdown, config.cluster) == (None, "warning", False, None)
    assert config.enabled("OR203", on=True, path=project.at("x.sh"))
    assert not config.enabled("OR704", on=False, path=project.at("x.sh"))
    assert config.excludes.hides_below(project.at(""), project.at("build/x.sh"))


def test_the_nearest_file_with_our_table_is_in_force(project):
    project.write("rlhflint.toml", 'fail-on = "error"')
    project.write("a/pyproject.toml", '[project]\nname = "rlhflint-user"\n')
    project.write("a/b/pyproject.toml", '[tool.rlhflint]\nfail-on = "never"\n')
    assert project.config("a/train.sh").fail_on == "error"
    assert project.config("a/b/c/train.sh").fail_on == "never"


def test_of_two_files_in_one_folder_our_own_is_in_force(project):
    project.write("pyproject.toml", '[tool.rlhflint]\nfail-on = "never"\n')
    project.write("rlhflint.toml", 'fail-on = "error"')
    assert project.config().fail_on == "error"
    project.write(".rlhflint.toml", 'fail-on = "advice"')
    assert project.config().fail_on == "advice"


@pytest.mark.parametrize("entry", ["folder", "file"])
def test_the_search_ends_at_the_root_of_the_repository(project, entry):
    project.write("rlhflint.toml", 'fail-on = "error"')
    project.write("sub/x", "")
    if entry == "folder":
        (project.folder / "sub/.git").mkdir()
    else:
        (project.folder / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")
    assert project.config("sub/deep/train.sh").path is None


def test_without_a_repository_the_search_ends_at_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "rlhflint.toml").write_text('fail-on = "error"')
    (tmp_path / "here/sub").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert Configurations().for_file("sub/train.sh").path is None
    monkeypatch.chdir(tmp_path)
    assert Configurations().for_file("here/sub/train.sh").path == str(tmp_path / "rlhflint.toml")


def test_a_named_file_is_the_only_one_and_its_globs_are_relative_to_the_working_directory(project):
    project.write("rlhflint.toml", 'fail-on = "error"')
    project.write("shared/base.toml", 'per-file-ignores = { "scripts/*.sh" = ["OR1"] }')
    config = project.config(config="shared/base.toml")
    assert config.fail_on == "warning"
    assert not config.enabled("OR101", on=True, path=project.at("scripts/a.sh"))


def test_isolated_uses_no_file(project):
    project.write("rlhflint.toml", "broken")
    assert project.config(isolated=True).path is None


def test_a_named_file_that_is_not_there(project):
    with pytest.raises(ConfigError, match=r"gone\.toml cannot be read"):
        project.config(config="gone.toml")


# What it says


def test_every_key_is_understood(project):
    project.write("env/bin/python", "")
    project.write("rlhflint.toml", EVERYTHING)
    config = project.config()
    here = project.at("a.sh")
    assert config.enabled("OR203", on=True, path=here)
    assert not config.enabled("OR601", on=True, path=project.at("legacy/x/a.sh"))
    assert not config.enabled("OR701", on=True, path=here)
    assert config.enabled("LA104", on=True, path=here)
    assert not config.enabled("LA101", on=True, path=here)
    assert config.enabled("TR301", on=False, path=here)
    assert not config.enabled("TR901", on=True, path=here)
    assert config.excludes.hides_below(project.at(""), project.at("old/x.sh"))
    assert config.excludes.hides_below(project.at(""), project.at("a/b.gen.sh"))
    assert not config.excludes.hides_below(project.at(""), project.at("build/x.sh"))
    assert config.is_mandatory("LA111")
    assert not config.is_mandatory("LA112")
    assert (config.fail_on, config.require_reason, config.markdown) == ("error", True, True)
    assert config.python == project.at("env/bin/python")
    assert config.severity == {"OR203": "error"}
    assert config.cluster == Cluster(2, 8, 96, 1024.5, 80, "H100", "rlhflint.toml line 13")
    assert config.extra_flags_for("openrlhf:train_sft") == {"mask_tool_output", "curriculum"}
    assert config.extra_flags_for("openrlhf:train_rm") == {"mask_tool_output"}
    assert config.program_for(project.at("recipes/dpo/a.yaml")) == "trl:dpo"
    assert config.program_for(project.at("recipes/sft/a.yaml")) is None


def test_overrides_hold_for_their_files_only(project):
    project.write("env/bin/python", "")
    project.write("rlhflint.toml", EVERYTHING)
    config = project.config()
    old, new = project.at("legacy/deep/a.sh"), project.at("a.sh")
    assert {name: said.value for name, said in config.versions_for(new).items()} == {
        "openrlhf": "0.9.3",
        "flash-attn": ">=2.7",
    }
    assert config.versions_for(old)["openrlhf"].value == "0.8.9"
    assert config.versions_for(old)["openrlhf"].source == "rlhflint.toml line 34"
    assert config.versions_for(new)["flash-attn"].source == "rlhflint.toml line 23"
    assert str(config.cluster_for(old)) == "1x4"
    assert str(config.cluster_for(new)) == "2x8 H100"
    assert config.program_for(project.at("legacy/dpo.yaml")) == "trl:dpo"


def test_a_file_builds_on_the_one_it_extends(project):
    project.write(
        "base.toml",
        'ignore = ["OR1"]\nfail-on = "error"\nversions = { trl = "1.0.0", peft = "0.10" }\nextend-exclude = ["a"]\n'
        '[per-file-ignores]\n"/x" = ["LA"]\n[[overrides]]\npaths = ["*.yaml"]\nprogram = "trl:sft"\n',
    )
    project.write(
        "sub/pyproject.toml",
        '[tool.rlhflint]\nextend = "../base.toml"\nextend-ignore = ["OR2"]\nversions = { trl = "1.9.0" }\n'
        'extend-exclude = ["b"]\n[[tool.rlhflint.overrides]]\npaths = ["dpo.yaml"]\nprogram = "trl:dpo"\n',
    )
    config = project.config("sub/train.sh")
    here = project.at("sub/train.sh")
    assert [config.enabled(code, on=True, path=here) for code in ("OR101", "OR201", "OR301")] == [False, False, True]
    assert config.fail_on == "error"
    assert {name: said.value for name, said in config.versions_for(here).items()} == {"trl": "1.9.0", "peft": "0.10"}
    assert config.excludes.hides_below(project.at(""), project.at("sub/a"))
    assert config.excludes.hides_below(project.at(""), project.at("sub/b"))
    assert not config.enabled("LA101", on=True, path=project.at("x/train.sh"))
    assert config.enabled("LA101", on=True, path=project.at("sub/x/train.sh"))
    assert config.program_for(project.at("sub/dpo.yaml")) == "trl:dpo"
    assert config.program_for(project.at("sub/kto.yaml")) == "trl:sft"


def test_the_command_line_stands_above_the_file(project):
    project.write("other/bin/python", "")
    project.write("rlhflint.toml", EVERYTHING)
    config = project.config(
        select=("LA",),
        ignore=("LA104",),
        framework_versions=parse_versions(["openrlhf=0.11.2"]),
        programs=parse_programs(["recipes/dpo/*.yaml=trl:kto"]),
        cluster="4x8",
        fail_on="never",
        exclude=("skipped.sh",),
        python="other/bin/python",
    )
    here = project.at("legacy/a.sh")
    assert [config.enabled(code, on=True, path=here) for code in ("LA101", "LA104", "OR203")] == [True, False, False]
    assert config.versions_for(here)["openrlhf"].value == "0.11.2"
    assert config.versions_for(here)["openrlhf"].source == "--framework-version"
    assert config.program_for(project.at("recipes/dpo/a.yaml")) == "trl:kto"
    assert (config.fail_on, str(config.cluster), config.cluster.source) == ("never", "4x8", "--cluster")
    assert config.excludes.hides_below(project.at(""), project.at("skipped.sh"))
    assert config.excludes.hides_below(project.at(""), project.at("old/a.sh"))
    assert config.python == project.at("other/bin/python")


def test_effective_values_tell_where_they_come_from(project):
    project.write("base.toml", 'ignore = ["OR1"]\n')
    project.write("rlhflint.toml", 'extend = "base.toml"\nignore = ["OR2"]\n\n[versions]\ntrl = "1.0.0"\n')
    rows = {row.key: (row.value, row.source) for row in project.config(fail_on="never").effective()}
    assert rows["ignore"] == (["OR1", "OR2"], "base.toml line 1 and rlhflint.toml line 2")
    assert rows["versions.trl"] == ("1.0.0", "rlhflint.toml line 5")
    assert rows["fail-on"] == ("never", "--fail-on")
    assert rows["markdown"] == (False, "default")
    assert rows["select"] == (None, "default")
    assert set(KEYS) <= {key.partition(".")[0] for key in rows}


def test_select_in_a_nearer_layer_hides_what_was_selected_before(project):
    project.write("base.toml", 'select = ["OR"]\nignore = ["OR1"]\n')
    project.write("rlhflint.toml", 'extend = "base.toml"\nselect = ["OR101"]\n')
    rows = {row.key: row.value for row in project.config().effective()}
    assert (rows["select"], rows["ignore"]) == (["OR101"], None)


# Mistakes


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('ignore = []\nfail_on = "error"\n', 2, "unknown key 'fail_on'; did you mean 'fail-on'?"),
        ('fail-on = "sometimes"', 1, "fail-on has to be 'error', 'warning', 'advice' or 'never'"),
        ('select = [\n "OR",\n "or2"\n]', 3, "select[1]: 'or2' is neither a code (OR203) nor the beginning of one"),
        ("select = [1]", 1, "select[0] has to be text"),
        ('select = "OR"', 1, "select has to be a list"),
        ('markdown = "yes"', 1, "markdown has to be true or false"),
        ('[versions]\nvlm = "1"', 2, "versions.vlm: unknown package 'vlm'; did you mean 'vllm'?"),
        ('[versions]\nvllm = "new"', 2, "versions.vllm: 'new' is no version"),
        ('[versions]\nvllm = ">>1"', 2, "versions.vllm: '>>1' is no version"),
        ('[severity]\nor2 = "error"', 2, "severity.or2: 'or2' is neither a code (OR203) nor the beginning of one"),
        ('cluster = "2y8"', 1, "cluster: '2y8' is not MACHINESxGPUS"),
        ("cluster = 3", 1, 'cluster has to be text such as "2x8", or a table'),
        ("[cluster]\nnode = 1", 2, "unknown key 'node'; did you mean 'nodes'?"),
        ("[cluster]\nnodes = 0", 2, "cluster.nodes has to be greater than or equal to 1"),
        ("[cluster]\nnodes = true", 2, "cluster.nodes has to be a whole number"),
        ('[[overrides]]\nprogram = "trl:sft"', 1, "overrides[0].paths is missing"),
        ("[[overrides]]\npaths = []", 2, "overrides[0].paths must not be empty"),
        ('[[overrides]]\npaths = ["a"]\nversion = {}', 3, "unknown key 'version'; did you mean 'versions'?"),
        ('[versions]\nvllm = ">=0.9,<0.8"', 2, "versions.vllm: no version is inside '>=0.9,<0.8'"),
        ('[programs]\n"a.yaml" = "sft"', 2, "programs.a.yaml: 'sft' is no program; did you mean 'trl:sft'?"),
        ('[programs]\n"a.yaml" = "trl:grop"', 2, "programs.a.yaml: 'trl:grop' is no program; did you mean 'trl:grpo'?"),
        ('[programs]\n"a.yaml" = "x:y"', 2, "programs.a.yaml: 'x:y' is no program, such as openrlhf:train_sft or"),
        (
            '[[overrides]]\npaths = ["a"]\nprogram = "trl:grop"',
            3,
            "overrides[0].program: 'trl:grop' is no program; did you mean 'trl:grpo'?",
        ),
        ('python = "absent/python"', 1, "python: there is nothing at absent/python"),
        ('[extra-flags]\nopenrlhf = ["a b"]', 2, "extra-flags.openrlhf[0]: 'a b' is no option"),
        ('[per-file-ignores]\n"!a" = ["OR"]', 2, "per-file-ignores.!a: '!a' is no glob"),
        (
            "[tool.rlhflint]\nselect = []",
            1,
            "unknown key 'tool'; in a file of rlhflint's own",
        ),
        ("a = \n", 1, "this file is not TOML: "),
    ],
)
def test_a_mistake_is_told_with_its_line(project, text, line, message):
    error = error_of(project, text)
    assert error.place.line == line
    assert error.message.startswith(message)
    assert str(error).startswith(f"rlhflint.toml line {line}: ")


@pytest.mark.parametrize(
    ("name", "near"),
    [("openrlhf:train_sf", "openrlhf:train_sft"), ("openrlfh", "openrlhf"), ("train_rm", "openrlhf:train_rm")],
)
def test_options_of_a_fork_belong_to_a_program_or_a_framework(project, name, near):
    error = error_of(project, f'[extra-flags]\nopenrlhf = ["a"]\n"{name}" = ["x"]\n')
    assert error.place.line == 3
    assert f"{name!r} is neither a program (" in error.message
    assert error.message.endswith(f"; did you mean {near!r}?")


def test_of_several_mistakes_the_first_in_the_file_is_told(project):
    error = error_of(project, 'markdown = 1\nfail-on = "x"\nnothing = 1\n')
    assert error.place.line == 1


def test_the_line_counts_in_the_whole_pyproject(project):
    error = error_of(project, '[project]\nname = "x"\n\n[tool.rlhflint]\nselct = ["OR"]\n', "pyproject.toml")
    assert str(error) == "pyproject.toml line 5: unknown key 'selct'; did you mean 'select'?"


def test_a_broken_pyproject_that_does_not_name_us_is_left_alone(project):
    project.write("pyproject.toml", "[project\n")
    assert project.config().path is None


def test_a_table_that_is_none(project):
    assert error_of(project, "[tool]\nrlhflint = 3\n", "pyproject.toml").message == "tool.rlhflint has to be a table"


def test_an_extended_file_that_cannot_be_used_is_told_where_it_is_named(project):
    assert str(error_of(project, 'ignore = []\nextend = "gone.toml"')).startswith("rlhflint.toml line 2: ")
    project.write("pyproject.toml", "[project]\n")
    assert error_of(project, 'extend = "pyproject.toml"').message.endswith("has no table tool.rlhflint")


def test_files_that_extend_each_other_are_told(project):
    project.write("b.toml", 'extend = "rlhflint.toml"')
    error = error_of(project, 'extend = "b.toml"')
    assert (error.place.path, error.place.line) == (project.at("b.toml"), 1)


def test_an_error_found_later_is_told_at_the_key(project):
    project.write("rlhflint.toml", '\nselect = ["OR999"]\n')
    assert str(project.config().error("select", "no rule has OR999")) == "rlhflint.toml line 2: no rule has OR999"


# Options


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("openrlhf", "is not NAME=VERSION"),
        ("openrlhf=", "is not NAME=VERSION"),
        ("opnrlhf=1.0", "unknown package 'opnrlhf'; did you mean 'openrlhf'?"),
        ("openrlhf=new", "'new' is no version"),
    ],
)
def test_options_for_releases_that_are_wrong(text, message):
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        parse_versions([text])


def test_options_for_releases():
    assert parse_versions(["openrlhf=0.9.3", "Flash_Attn==2.8.3", "vllm=>=0.8"]) == {
        "openrlhf": "0.9.3",
        "flash-attn": "2.8.3",
        "vllm": ">=0.8",
    }


def test_options_for_programs():
    assert parse_programs(["a=b/*.yaml=trl:sft"]) == {"a=b/*.yaml": "trl:sft"}
    for text in ("a.yaml", "=trl:sft", "/=trl:sft"):
        with pytest.raises(ValueError, match="is not GLOB=PROGRAM"):
            parse_programs([text])
    with pytest.raises(ValueError, match="'trl:grop' is no program; did you mean 'trl:grpo'"):
        parse_programs(["a.yaml=trl:grop"])


def test_an_environment_that_is_not_there_is_told_where_it_was_named(project):
    with pytest.raises(ConfigError) as error:
        project.config(python="absent")
    assert str(error.value) == "--python: there is nothing at absent"
    project.write("env/bin/python", "")
    project.write("base.toml", 'python = "absent"')
    project.write("rlhflint.toml", 'extend = "base.toml"\npython = "env"\n')
    assert project.config().python == project.at("env")  # what is overruled need not be there


def test_the_longest_code_decides_over_the_severity(project):
    project.write("rlhflint.toml", '[severity]\nOR = "advice"\nOR2 = "error"\nOR203 = "warning"\n')
    config = project.config()
    assert [config.severity_of(code) for code in ("OR101", "OR208", "OR203", "TR101")] == [
        "advice",
        "error",
        "warning",
        None,
    ]
    project.write("rlhflint.toml", '[severity]\nALL = "advice"\nTR = "error"\n')
    assert [project.config().severity_of(code) for code in ("OR101", "TR101")] == ["advice", "error"]


@pytest.mark.parametrize("name", names())
def test_a_framework_names_its_programs_without_being_loaded(name):
    assert {one for one in programs() if one.startswith(f"{name}:")} == set(framework(name).programs())


@pytest.mark.parametrize(("text", "nodes", "gpus"), [("2x8", 2, 8), (" 1 X 4 ", 1, 4), ("8", 1, 8), ("2×0", 2, 0)])
def test_shapes_of_clusters(text, nodes, gpus):
    cluster = parse_cluster(text)
    assert (cluster.nodes, cluster.gpus_per_node, cluster.gpus) == (nodes, gpus, nodes * gpus)


@pytest.mark.parametrize("text", ["", "x8", "2x", "0x8", "-1x8", "2x8x3", "2.5x8", "two", "2x8 H100"])
def test_texts_that_are_no_shape(text):
    with pytest.raises(ValueError, match="is not MACHINESxGPUS"):
        parse_cluster(text)


# Which rules run


@pytest.mark.parametrize(
    ("selections", "expected"),
    [
        ([], True),
        ([Selection(ignore=("OR",))], False),
        ([Selection(ignore=("OR",), extend_select=("OR203",))], True),
        ([Selection(select=("OR2",), ignore=("OR203",))], False),
        ([Selection(select=("OR203",), ignore=("OR203",))], False),
        ([Selection(select=("LA",))], False),
        ([Selection(select=("ALL",))], True),
        ([Selection(select=("ALL",), ignore=("ALL",))], False),
        ([Selection(ignore=("OR203",)), Selection(select=("OR",))], True),
        ([Selection(ignore=("OR203",)), Selection(extend_select=("OR",))], True),
        ([Selection(select=("OR203",)), Selection(ignore=("OR",))], False),
        ([Selection(ignore=("OR203",)), Selection(ignore=("LA",))], False),
    ],
)
def test_whether_a_rule_runs(selections, expected):
    assert enabled("OR203", True, selections) is expected


def test_a_rule_that_is_off_runs_only_when_selected():
    assert not enabled("OR704", False, [Selection(ignore=("LA",))])
    assert enabled("OR704", False, [Selection(extend_select=("OR7",))])
    assert enabled("OR704", False, [Selection(select=("ALL",))])


SELECTORS = st.lists(st.sampled_from(["ALL", "OR", "OR2", "OR20", "OR203", "LA", "OR3"]), max_size=3).map(tuple)


@given(SELECTORS, SELECTORS, SELECTORS, st.booleans())
def test_ignoring_more_never_runs_more(select, ignore, more, on):
    narrow = enabled("OR203", on, [Selection(select=select or None, ignore=ignore + more)])
    assert narrow <= enabled("OR203", on, [Selection(select=select or None, ignore=ignore)])


# The published schema

SCHEMA = Path(__file__).parents[2] / "schemas" / "rlhflint.schema.json"


def test_the_published_schema_is_what_the_tool_writes():
    from tools.update_config_schema import schema_text

    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


def test_the_published_schema_is_a_schema_and_accepts_a_file_with_every_key():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(tomllib.loads(EVERYTHING), schema)
    assert set(schema["properties"]) == {*KEYS, "extend"}
    assert all(found.get("description") for found in schema["properties"].values())


@pytest.mark.parametrize("text", ["fail_on = 'error'", "fail-on = 'x'", "select = ['or']", "[cluster]\nnodes = 0"])
def test_the_published_schema_refuses_what_we_refuse(text):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_the_tool_says_whether_the_schema_is_up_to_date():
    tool = Path(__file__).parents[2] / "tools" / "update_config_schema.py"
    assert subprocess.run([sys.executable, str(tool), "--check"], check=False).returncode == 0


# Imports

HEAVY = "{'pydantic', 'ruamel', 'tree_sitter', 'libcst', 'packaging.requirements', 'pathlib'}"


@pytest.mark.parametrize(
    "code",
    [
        "from rlhflint.project import discovery, configurations, kinds",
        "from rlhflint.project.configurations import Configurations; Configurations().for_file('train.sh')",
        "import rlhflint.versions.search",
    ],
)
def test_no_heavy_import_without_a_table(tmp_path, code):
    check = f"{code}; import sys; sys.exit(', '.join({HEAVY} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", check], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stderr.strip() == ""
