"""What each kind of file says about releases."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.versions.conda import read_environment
from rlhflint.versions.folder import read_folder
from rlhflint.versions.locks import read_lock
from rlhflint.versions.pyproject import read_pyproject
from rlhflint.versions.requirement import Origin
from rlhflint.versions.requirements_txt import read_requirements
from rlhflint.versions.setup_files import read_setup_cfg, read_setup_py

HERE = "/project"


def said(statements):
    """Name, specifier and line of each requirement."""
    return [(one.name, one.specifier, one.place.line) for one in statements.requirements]


def troubles(statements):
    return [(trouble.place.line, trouble.message) for trouble in statements.troubles]


def write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        target = folder / path
        if isinstance(text, bytes):
            target.write_bytes(text)
        else:
            target.write_text(text)


def requirements(folder, text, name="requirements.txt", **more):
    write(folder, {name: text, **more})
    return read_requirements(str(folder / name), str(folder), Origin.REQUIREMENTS)


# requirements.txt


def test_requirements_with_all_that_pip_allows(tmp_path):
    text = """\
# training
--index-url https://host/simple
openrlhf[vllm]==0.9.3   # pinned
numpy

TRL>=0.20,<0.25 ; python_version >= "3.10"
torch==2.5.1 \\
    --hash=sha256:abc \\
    --hash=sha256:def
-e git+https://host/huggingface/transformers.git@v4.46.3#egg=transformers
peft @ git+https://host/peft@main
deepspeed==0.15.0 --no-binary :all:
"""
    found = requirements(tmp_path, text)
    assert said(found) == [
        ("openrlhf", "==0.9.3", 3),
        ("trl", "<0.25,>=0.20", 6),
        ("torch", "==2.5.1", 7),
        ("transformers", "==4.46.3", 10),
        ("peft", "", 11),
        ("deepspeed", "==0.15.0", 12),
    ]
    assert found.requirements[0].extras == {"vllm"}
    assert found.troubles == ()


def test_included_files_are_followed_inside_of_the_repository(tmp_path):
    (tmp_path / "repo/reqs").mkdir(parents=True)
    (tmp_path / "outside.txt").write_text("vllm==0.1\n")
    (tmp_path / "repo/reqs/link.txt").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "repo/reqs/base.txt").write_text("trl==0.24.0\n-r ../requirements.txt\n-r link.txt\n")
    (tmp_path / "repo/c.txt").write_text("peft<0.15\n")
    found = requirements(tmp_path / "repo", "-r reqs/base.txt\n-c c.txt\n--requirement ../outside.txt\n-r ${X}\n")
    assert [(one.name, os.path.basename(one.place.path)) for one in found.requirements] == [
        ("trl", "base.txt"),
        ("peft", "c.txt"),
    ]
    assert found.listings == ()


def test_what_conda_exports_into_a_file_of_that_name(tmp_path):
    found = requirements(tmp_path, "# platform: linux-64\ntrl=0.24.0=pypi_0\npython=3.11.9=h9_0\ntorch=2.5\n")
    assert said(found) == [("trl", "==0.24.0", 2), ("python", "==3.11.9", 3), ("torch", "==2.5", 4)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-16-be-bom", "latin-1"])
def test_encodings(tmp_path, encoding):
    text = "# geprüft\r\ntrl==0.24.0\r\n"
    raw = b"\xfe\xff" + text.encode("utf-16-be") if encoding.endswith("-bom") else text.encode(encoding)
    assert said(requirements(tmp_path, raw)) == [("trl", "==0.24.0", 2)]


def test_a_line_that_pip_refuses_is_told_with_its_place(tmp_path):
    found = requirements(tmp_path, "numpy=>1\n\ntrl=>0.24\nvllm==0.8.5\n")
    assert said(found) == [("vllm", "==0.8.5", 4)]
    assert troubles(found) == [(3, "trl: '=>0.24' is no version")]


def test_a_list_that_names_a_framework_looks_whole_unless_it_goes_on_elsewhere(tmp_path):
    assert requirements(tmp_path, "openrlhf[ring]==0.9\npeft\n").listings[0].names == {"openrlhf", "peft"}
    assert requirements(tmp_path, "peft\n").listings == ()
    assert requirements(tmp_path, "trl\n-e .\n").listings == ()
    assert requirements(tmp_path, "trl\n-r gone.txt\n").listings == ()
    assert requirements(tmp_path, "trl\nother @ https://host/other.zip\n").listings == ()


def test_many_includes_and_long_lines_end(tmp_path):
    more = {f"r{n}.txt": f"-r r{n + 1}.txt\ntrl=={n}.0\n" for n in range(300)}
    found = requirements(
        tmp_path, "-r r0.txt\n" + "x" * 3_000_000 + "\n" + " " * 1_000_000 + "#\n" + "a\\\n" * 200_000, **more
    )
    assert 1 < len(found.requirements) < 100


# Lock files

UV = """\
version = 1
requires-python = ">=3.11"
resolution-markers = [
    "sys_platform == 'linux'",
]

[[package]]
name = "openrlhf"
version = "0.9.3"
source = { git = "https://host/OpenRLHF.git?tag=v0.9.3#0123" }
dependencies = [
    { name = "ray", extra = ["default"] },
]

[[package]]
name = "mine"
version = "0.1.0"
source = { editable = "." }
dependencies = [
    { name = "openrlhf", extra = ["vllm", "ring"], marker = "sys_platform == 'linux'" },
]

[[package]]
name = "torch"
version = "2.5.1"
resolution-markers = [
    "sys_platform == 'darwin'",
]

[[package]]
name = "torch"
version = "2.6.0+cu124"
resolution-markers = [
    "sys_platform != 'darwin'",
]
"""

POETRY = """\
# This file is automatically @generated by Poetry 2.1.1 and should not be changed by hand.

[[package]]
name = "trl"
version = "0.24.0"
description = "Train [[models]] with \\"rewards\\""
optional = false
python-versions = ">=3.9"
groups = ["main"]
markers = "python_version >= \\"3.11\\""
files = [
    {file = "trl-0.24.0-py3-none-any.whl", hash = "sha256:abc"},
]

[package.dependencies]
torch = ">=2"

[package.extras]
vllm = ["vllm (>=0.8)"]

[[package]]
name = "torch"
version = "2.6.0"

[[package]]
name = "bitsandbytes"
version = "0.45.0"
markers = "sys_platform == \\"win32\\""

[metadata]
lock-version = "2.1"
python-versions = ">=3.11"
"""

PDM = """\
[metadata]
groups = ["default"]

[[metadata.targets]]
requires_python = "~=3.10"

[[package]]
name = "openrlhf"
version = "0.9.3"
requires_python = ">=3.10"

[[package]]
name = "openrlhf"
version = "0.9.3"
extras = ["vllm"]

[[package]]
name = "ray"
version = "2.48.0"
marker = "python_version >= \\"3.10\\""
"""

PYLOCK = """\
lock-version = '1.0'
requires-python = '>=3.11'
created-by = 'tool'

[[packages]]
name = 'trl'
version = '0.24.0'

[[packages.wheels]]
name = 'trl-0.24.0-py3-none-any.whl'

[[packages]]
name = 'peft'
[packages.vcs]
type = 'git'
"""


def lock(name, text):
    return read_lock(f"{HERE}/{name}", text.encode())


def test_a_lock_of_uv():
    found = lock("uv.lock", UV)
    assert said(found) == [("python", ">=3.11", 2), ("openrlhf", "==0.9.3", 9), ("torch", "==2.6.0", 32)]
    assert found.requirements[1].extras == {"vllm", "ring"}
    assert found.listings[0].closed
    assert found.listings[0].names == {"openrlhf", "torch", "python"}


def test_a_lock_of_poetry():
    assert said(lock("poetry.lock", POETRY)) == [("trl", "==0.24.0", 5), ("torch", "==2.6.0", 23)]


def test_a_lock_of_pdm():
    found = lock("pdm.lock", PDM)
    assert said(found) == [
        ("python", "~=3.10", 5),
        ("openrlhf", "==0.9.3", 9),
        ("openrlhf", "==0.9.3", 14),
        ("ray", "==2.48.0", 19),
    ]
    assert found.requirements[2].extras == {"vllm"}


def test_a_lock_of_the_standard_form():
    found = lock("pylock.train.toml", PYLOCK)
    assert said(found) == [("python", ">=3.11", 2), ("trl", "==0.24.0", 7), ("peft", "", 13)]
    assert not found.listings[0].closed


def test_line_ends_of_windows_in_a_lock():
    assert said(lock("uv.lock", UV.replace("\n", "\r\n"))) == said(lock("uv.lock", UV))


def test_a_merge_conflict_in_a_lock_is_told_and_nothing_is_believed():
    text = UV.replace('version = "0.9.3"', '<<<<<<< HEAD\nversion = "0.9.3"\n=======\nversion = "0.9.4"\n>>>>>>> b')
    found = lock("uv.lock", text)
    assert found.requirements == ()
    assert troubles(found) == [(9, "a merge conflict is left in this lock file")]


def test_a_lock_that_is_something_else_is_told():
    assert troubles(lock("uv.lock", "openrlhf 0.9.3\n"))[0][0] == 1


NAMES = st.sampled_from(["openrlhf", "trl", "torch", "numpy", "flash-attn", "other"])
VERSIONS = st.builds("{}.{}.{}".format, st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))


@given(
    st.lists(
        st.tuples(NAMES, VERSIONS, st.sampled_from(["", 'source = { registry = "x" }\n', "files = [\n    1,\n]\n"]))
    )
)
def test_a_scanned_lock_says_what_it_says_as_toml(packages):
    import tomllib

    text = "version = 1\n" + "".join(
        f'\n[[package]]\nname = "{name}"\nversion = "{version}"\n{more}[package.extras]\nname = ["x"]\n'
        for name, version, more in packages
    )
    expected = [
        (package["name"], package["version"])
        for package in tomllib.loads(text).get("package", [])
        if package["name"] not in ("numpy", "other")
    ]
    assert [(one.name, one.exact) for one in lock("uv.lock", text).requirements] == expected


# pyproject.toml


def pyproject(text):
    return read_pyproject(f"{HERE}/pyproject.toml", text.encode())


def test_the_standard_tables():
    found = pyproject("""\
[project]
name = "x"
requires-python = ">=3.11"
dependencies = [
    "openrlhf[ring]==0.10.4",
    "numpy",
    "vllm==0.8.5; sys_platform == 'darwin'",
]
[project.optional-dependencies]
serve = ["vllm==0.19.0"]
[dependency-groups]
dev = ["trl>=0.24", {include-group = "x"}]
""")
    assert said(found) == [
        ("python", ">=3.11", 3),
        ("openrlhf", "==0.10.4", 5),
        ("vllm", "==0.19.0", 10),
        ("trl", ">=0.24", 12),
    ]
    assert [one.source for one in found.requirements[2:]] == [
        f"{HERE}/pyproject.toml line 10 (extra serve)",
        f"{HERE}/pyproject.toml line 12 (group dev)",
    ]
    assert found.listings[0].extras[1] == ("openrlhf", frozenset({"ring"}))


def test_the_tables_of_poetry():
    found = pyproject("""\
[tool.poetry.dependencies]
python = "^3.11"
trl = "^0.24.0"
OpenRLHF = { version = "0.9.3", extras = ["vllm"] }
peft = { git = "https://host/peft.git", tag = "v0.15.0" }
ray = { git = "https://host/ray.git", branch = "main" }
torch = [{ version = "2.5.1", markers = "sys_platform == 'darwin'" }, { version = "2.6.0" }]
deepspeed = { version = "*", optional = true }
[tool.poetry.group.train.dependencies]
vllm = "~0.8.5"
""")
    assert said(found) == [
        ("python", "<4,>=3.11", 2),
        ("trl", "<0.25,>=0.24.0", 3),
        ("openrlhf", "==0.9.3", 4),
        ("peft", "==0.15.0", 5),
        ("ray", "", 6),
        ("torch", "==2.6.0", 7),
        ("deepspeed", "", 8),
        ("vllm", "<0.9,>=0.8.5", 10),
    ]


def test_the_tables_of_pdm_and_uv():
    found = pyproject("""\
[project]
dependencies = ["trl"]
[tool.pdm.dev-dependencies]
gpu = ["flash-attn==2.7.4.post1"]
[tool.uv]
override-dependencies = ["transformers==4.56.2"]
dev-dependencies = ["peft==0.15"]
[tool.uv.sources]
trl = { git = "https://host/trl", tag = "v0.24.0" }
vllm = { index = "x" }
""")
    assert said(found) == [
        ("trl", "", 2),
        ("flash-attn", "==2.7.4.post1", 4),
        ("transformers", "==4.56.2", 6),
        ("peft", "==0.15", 7),
        ("trl", "==0.24.0", 9),
    ]


def test_a_broken_pyproject_is_told_with_its_line():
    assert troubles(pyproject('[project]\ndependencies = [\n "trl==0.24.0"\n')) == [
        (4, "this file is not TOML: Unclosed array")
    ]
    assert troubles(pyproject('[project]\ndependencies = ["trl=0.24"]')) == [(2, "trl: '=0.24' is no version")]


@pytest.mark.parametrize(
    "text",
    [
        "project = 1",
        "project.dependencies = 1",
        "project.dependencies = [1, {}]",
        "tool = 1",
        "tool.poetry = []",
        "tool.poetry.dependencies.trl = 1",
        "tool.poetry.dependencies.trl = {extras = 1, version = 2}",
        "tool.poetry.group.a = 1",
        "tool.uv.sources.trl = [1, {git = 1, tag = 2}]",
        "dependency-groups = {a = 1}",
    ],
)
def test_tables_of_the_wrong_kind_say_nothing(text):
    found = pyproject(text)
    assert [one.specifier for one in found.requirements if one.specifier] == []
    assert found.troubles == ()


# setup.py and setup.cfg


def setup_py(text):
    return read_setup_py(f"{HERE}/setup.py", text.encode())


def test_literal_lists_of_a_setup_py():
    found = setup_py("""\
from setuptools import setup
PINS = ["peft==0.15.0"]
_deps = ["trl==0.18.0", "numpy", f"vllm=={x}"]
deps = {b: a for a, b in pairs(_deps)}
extras = {"gpu": ["flash-attn==2.7.4"], "all": other}
raise SystemExit  # never reached here
if __name__ == "__main__":
    setup(
        name="x",
        python_requires=">=3.10",
        install_requires=["torch>=2.5"] + ["ray==2.48.0"],
        extras_require={"v": ["vllm==0.8.5"], **more},
        tests_require=PINS,
    )
""")
    assert said(found) == [
        ("python", ">=3.10", 10),
        ("torch", ">=2.5", 11),
        ("ray", "==2.48.0", 11),
        ("vllm", "==0.8.5", 12),
        ("trl", "==0.18.0", 3),
        ("flash-attn", "==2.7.4", 5),
    ]
    assert [one.note for one in found.requirements] == ["", "", "", "extra v", "", "extra gpu"]


def test_a_list_that_setup_names():
    assert said(setup_py('A = ["trl==0.18.0"]\nimport setuptools\nsetuptools.setup(install_requires=A)\n')) == [
        ("trl", "==0.18.0", 1)
    ]


@pytest.mark.parametrize("text", ["setup(", "a = " + "(" * 300, "x = " + "-" * 50_000 + "1"])
def test_a_setup_py_that_cannot_be_read_ends(text):
    found = setup_py(text)
    assert found.troubles
    assert found.requirements == ()


def test_a_long_sum_ends_whether_this_python_reads_it_or_finds_it_too_deep():
    found = setup_py("deps = " + " + ".join(['["trl"]'] * 3000))
    assert bool(found.troubles) != bool(found.requirements)
    assert {one.name for one in found.requirements} <= {"trl"}


def test_a_setup_cfg():
    found = read_setup_cfg(
        f"{HERE}/setup.cfg",
        b"""\
[metadata]
name = trl==1
[options]
python_requires = >=3.9
install_requires =
    trl==0.11.4
    # torch==1
    numpy  ; comment
    transformers>=4.40 # comment
packages = find:
    peft==1
[options.extras_require]
vllm = vllm==0.6.0
dev: peft==0.13
    deepspeed
""",
    )
    assert said(found) == [
        ("python", ">=3.9", 4),
        ("trl", "==0.11.4", 6),
        ("transformers", ">=4.40", 9),
        ("vllm", "==0.6.0", 13),
        ("peft", "==0.13", 14),
        ("deepspeed", "", 15),
    ]


# environment.yml


def environment(text):
    return read_environment(f"{HERE}/environment.yml", text.encode())


def test_an_environment_of_conda():
    found = environment("""\
name: rl
channels: [conda-forge]
dependencies:
  - python=3.11
  - pytorch::pytorch=2.5.1=py3.11_cuda12.4_0
  - conda-forge::transformers>=4.46,<5
  - ray-default 2.48.*
  - "accelerate[version='>=1.0']"
  - numpy
  - pip:
      - trl==0.24.0
      - -r other.txt
      - flash-attn
""")
    assert said(found) == [
        ("python", "==3.11.*", 4),
        ("torch", "==2.5.1", 5),
        ("transformers", "<5,>=4.46", 6),
        ("ray", "==2.48.*", 7),
        ("accelerate", ">=1.0", 8),
        ("trl", "==0.24.0", 11),
        ("flash-attn", "", 13),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- trl==1\n",
        "dependencies: trl\n",
        "dependencies:\n  trl: 1\n",
        "dependencies: [{pip: trl}, [trl], null]\n",
        "trl: &a [*a]\n",
        "trl\n---\ndependencies: [trl]\n",
    ],
)
def test_an_environment_of_another_shape_says_nothing(text):
    assert environment(text).requirements == ()


def test_a_broken_environment_is_told_with_its_line():
    found = environment("dependencies:\n  - trl==0.24.0\n  - [\n")
    assert found.requirements == ()
    assert found.troubles[0].place.line >= 3


def test_a_deeply_nested_environment_ends():
    assert troubles(environment("trl: " + "[" * 20_000)) == [(1, "this file is nested too deeply to be read")]
    assert troubles(environment("trl:\n" + "- " * 20_000)) == [(1, "this file is not YAML")]


def test_ruamel_is_imported_only_for_an_environment_that_names_a_package(tmp_path):
    write(tmp_path, {"environment.yml": "dependencies:\n  - python=3.11\n  - numpy\n", "requirements.txt": "trl\n"})
    code = f"from rlhflint.versions.folder import read_folder as r; r({str(tmp_path)!r}, {str(tmp_path)!r}); "
    check = code + "import sys; sys.exit('ruamel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


# A folder


def test_all_files_of_a_folder_are_read(tmp_path):
    write(
        tmp_path,
        {
            "uv.lock": UV,
            "requirements.txt": "trl==0.1\n",
            "requirements-dev.txt": "trl==0.2\n",
            "train_requirements.in": "trl==0.3\n",
            "requirements/gpu.txt": "trl==0.4\n",
            "pyproject.toml": '[project]\ndependencies = ["trl==0.5"]\n',
            "setup.py": 'setup(install_requires=["trl==0.6"])\n',
            "setup.cfg": "[options]\ninstall_requires = trl==0.7\n",
            "environment.yaml": "dependencies:\n  - pip:\n    - trl==0.8\n",
            "Dockerfile": "FROM x\nRUN pip install trl==0.9\n",
            ".python-version": "3.11.7\n",
            "notes.txt": "trl==9\n",
        },
    )
    found = read_folder(str(tmp_path), str(tmp_path))
    assert sorted((one.exact, one.origin.name) for one in found.requirements if one.name == "trl") == [
        ("0.1", "REQUIREMENTS"),
        ("0.2", "VARIANT"),
        ("0.3", "VARIANT"),
        ("0.4", "VARIANT"),
        ("0.5", "PROJECT"),
        ("0.6", "PROJECT"),
        ("0.7", "PROJECT"),
        ("0.8", "ENVIRONMENT"),
        ("0.9", "DOCKERFILE"),
    ]
    assert {one.specifier for one in found.requirements if one.name == "python"} == {">=3.11", "==3.11.7"}
    assert found.opaque
    assert found.troubles == ()


def test_broken_files_that_have_nothing_to_do_with_us_are_left_alone(tmp_path):
    write(
        tmp_path,
        {
            "pyproject.toml": "[project\n",
            "setup.py": "{{ cookiecutter }}",
            "environment.yml": "a: [\n",
            "uv.lock": "<<<<<<< a\n",
            "setup.cfg": b"\xff\xfe\x00",
        },
    )
    os.mkfifo(tmp_path / "requirements.txt")
    (tmp_path / "poetry.lock").mkdir()
    found = read_folder(str(tmp_path), str(tmp_path))
    assert (found.requirements, found.troubles) == ((), ())


def test_a_folder_that_cannot_be_read_says_nothing(tmp_path):
    assert read_folder(str(tmp_path / "gone"), str(tmp_path)).requirements == ()


@given(
    st.sampled_from(["requirements.txt", "pyproject.toml", "setup.py", "setup.cfg", "uv.lock", "environment.yml"]),
    st.binary(max_size=60),
)
def test_any_bytes_in_any_file_are_survived(tmp_path_factory, name, raw):
    folder = tmp_path_factory.getbasetemp() / "bytes"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / name).write_bytes(b"trl==1\n" * (len(raw) % 2) + raw)
    read_folder(str(folder), str(folder))


def test_a_file_that_is_much_too_large_is_not_read(tmp_path):
    write(tmp_path, {"environment.yml": "dependencies:\n  - pip:\n    - trl==0.24.0\n" + "#" * 200_000})
    assert read_folder(str(tmp_path), str(tmp_path)).requirements == ()
