"""Which of several statements is in force for a file."""

from __future__ import annotations

import os
import shlex
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.command import Command, Script
from rlhflint.packages.ranges import allows, exact, hull
from rlhflint.project.configurations import Configurations
from rlhflint.project.places import Place, Repositories, shown
from rlhflint.project.settings import Settings
from rlhflint.text import Span, Traced
from rlhflint.versions.declared import Declared, Near
from rlhflint.versions.installed import read_environment_at
from rlhflint.versions.requirement import Origin, Requirement
from rlhflint.versions.said import Said, said_in
from rlhflint.versions.search import VersionSearch
from rlhflint.versions.vendored import vendored_in

OPENRLHF = ["0.8.9", "0.9.0", "0.9.3", "0.10.1.post2", "0.10.2", "0.11.2"]
VLLM = ["0.8.2", "0.8.5", "0.9.0", "0.10.0"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return Project(tmp_path)


class Project:
    def __init__(self, folder):
        self.folder = folder

    def write(self, path, text=""):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def declared(self, path="train.sh", options=None, **more):
        return VersionSearch().declared(path, config=Configurations(options or Settings()).for_file(path), **more)


def known(declared, name="openrlhf", releases=OPENRLHF):
    version = declared.resolve(name, releases)
    return None if version is None else (version.value, version.specifier, version.source)


# The order of the places


def test_nothing_is_stated(project):
    declared = project.declared()
    assert declared.get("openrlhf") is None
    assert declared.resolve("openrlhf", OPENRLHF) is None


def test_each_place_gives_way_to_the_one_before(project):
    """From the farthest to the nearest; each is added to those that are there already."""

    def now(**more):
        return known(project.declared("run/train.sh", **more))

    site = "env/lib/python3.11/site-packages/openrlhf-0.8.9.dist-info"
    project.write(f"{site}/METADATA", "Name: openrlhf\nVersion: 0.8.9\n")
    assert now(python="env/bin/python") == ("0.8.9", "", f"{site} (installed)")
    project.write("openrlhf/cli/train_sft.py")
    project.write("openrlhf/__init__.py", '__version__ = "0.9.0"\n')
    assert now() == ("0.9.0", "", "openrlhf/__init__.py line 1 (a copy in the tree)")
    project.write("Dockerfile", "FROM me/openrlhf:0.9.3\n")
    assert now() == ("0.9.3", "", "image openrlhf:0.9.3 in Dockerfile line 1")
    project.write("Dockerfile", "FROM me/openrlhf:0.9.3\nRUN pip install openrlhf==0.10.2\n")
    assert now() == ("0.10.2", "", "pip install in Dockerfile line 2")
    project.write("environment.yml", "dependencies:\n  - pip:\n    - openrlhf==0.8.9\n")
    assert now() == ("0.8.9", "", "environment.yml line 3")
    project.write("requirements-gpu.txt", "openrlhf==0.9.0\n")
    assert now() == ("0.9.0", "", "requirements-gpu.txt line 1")
    project.write("setup.cfg", "[options]\ninstall_requires = openrlhf==0.9.3\n")
    assert now() == ("0.9.3", "", "setup.cfg line 2")
    project.write("requirements.txt", "\nopenrlhf==0.10.2\n")
    assert now() == ("0.10.2", "", "requirements.txt line 2")
    project.write("uv.lock", '[[package]]\nname = "openrlhf"\nversion = "0.8.9"\n')
    assert now() == ("0.8.9", "", "uv.lock line 3")
    project.write("run/requirements-old.txt", "openrlhf==0.9.0\n")
    assert now() == ("0.9.0", "", "run/requirements-old.txt line 1")
    commands = [Said(4, ["pip", "install", "openrlhf==0.9.3"])]
    assert now(commands=commands) == ("0.9.3", "", "pip install in run/train.sh line 4")
    project.write("rlhflint.toml", '[versions]\nopenrlhf = "0.10.2"\n')
    assert now(commands=commands) == ("0.10.2", "", "rlhflint.toml line 2")
    project.write("rlhflint.toml", '[[overrides]]\npaths = ["run"]\nversions = { openrlhf = "0.11.2" }\n')
    assert now(commands=commands) == ("0.11.2", "", "rlhflint.toml line 3")
    options = Settings(framework_versions={"openrlhf": "0.8.9"})
    assert now(commands=commands, options=options) == ("0.8.9", "", "--framework-version")


def test_two_projects_side_by_side_have_their_own_releases(project):
    project.write("a/requirements.txt", "openrlhf==0.11.2\n")
    project.write("b/requirements.txt", "openrlhf==0.9.0\n")
    assert known(project.declared("a/run.sh")) == ("0.11.2", "", "a/requirements.txt line 1")
    assert known(project.declared("b/run.sh")) == ("0.9.0", "", "b/requirements.txt line 1")


@pytest.mark.parametrize("entry", ["folder", "file"])
def test_the_search_ends_at_the_repository(project, entry):
    project.write("requirements.txt", "openrlhf==0.9.0\n")
    if entry == "folder":
        (project.folder / "sub/.git").mkdir(parents=True)
    else:
        project.write("sub/.git", "gitdir: x\n")
    assert known(project.declared("sub/deep/run.sh")) is None


def test_without_a_repository_the_search_ends_at_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "requirements.txt").write_text("openrlhf==0.9.0\n")
    (tmp_path / "here/sub").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert known(VersionSearch().declared("sub/run.sh")) is None
    search = VersionSearch(repositories=Repositories(str(tmp_path)))
    assert known(search.declared("sub/run.sh"))[0] == "0.9.0"


def test_what_lies_above_is_named_from_the_working_directory(project, monkeypatch):
    project.write("requirements.txt", "openrlhf==0.9.0\n")
    (project.folder / "sub").mkdir()
    monkeypatch.chdir(project.folder / "sub")
    assert known(VersionSearch().declared("run.sh"))[2] == "../requirements.txt line 1"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.sh", "a.sh"),
        ("./sub/../a.sh", "a.sh"),
        ("../a.sh", "../a.sh"),
        ("{here}", "."),
        ("{here}/sub/a.sh", "sub/a.sh"),
        ("{above}", ".."),
        ("{above}/herein/a.sh", "../herein/a.sh"),
        ("/elsewhere/a.sh", "/elsewhere/a.sh"),
        ("/", "/"),
    ],
)
def test_a_path_is_shown_from_the_working_directory_or_in_full(tmp_path, monkeypatch, path, expected):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert shown(path.format(here=tmp_path / "here", above=tmp_path)) == expected


# Ranges and contradictions


def test_a_range_takes_the_newest_known_release_inside(project):
    project.write("requirements.txt", "openrlhf>=0.9,<0.10\n")
    declared = project.declared()
    assert known(declared) == ("0.9.3", "<0.10,>=0.9", "requirements.txt line 1")
    assert declared.get("openrlhf").exact is None


def test_a_range_beyond_what_is_known_gives_its_own_bound(project):
    project.write("requirements.txt", "openrlhf>=0.12\ndeepspeed<0.16\n")
    declared = project.declared()
    assert known(declared)[:2] == ("0.12", ">=0.12")
    assert known(declared, "deepspeed", [])[:2] == ("0.16", "<0.16")


def test_a_package_that_is_only_named_has_no_release(project):
    project.write("requirements.txt", "openrlhf\nvllm!=0.8.5\n")
    declared = project.declared()
    assert declared.get("openrlhf").place.line == 1
    assert known(declared) is None
    assert known(declared, "vllm", VLLM) == ("0.10.0", "!=0.8.5", "requirements.txt line 2")
    assert known(declared, "vllm", []) is None


def test_a_range_nearby_is_made_exact_by_a_pin_inside_it_farther_off(project):
    project.write("run/requirements.txt", "openrlhf>=0.9\n")
    project.write("requirements.txt", "openrlhf==0.9.3\n")
    assert known(project.declared("run/a.sh")) == ("0.9.3", "", "requirements.txt line 1")
    project.write("requirements.txt", "openrlhf==0.8.9\n")
    declared = project.declared("run/a.sh")
    assert known(declared) == ("0.11.2", ">=0.9", "run/requirements.txt line 1")


def test_a_name_nearby_takes_the_release_from_farther_off(project):
    project.write("run/requirements.txt", "openrlhf\n")
    project.write("requirements.txt", "openrlhf>=0.9,<0.10\n")
    assert known(project.declared("run/a.sh"))[:2] == ("0.9.3", "<0.10,>=0.9")


@pytest.mark.parametrize(
    ("path", "command", "stated", "expected"),
    [
        ("a.ipynb", "pip install trl", "trl==0.12.2", ">=0.12.2"),
        ("a.ipynb", "python -m pip install -q trl vllm", "trl==0.12.2", ">=0.12.2"),
        ("a.ipynb", "pip install trl", "trl>=0.12,<0.15", ">=0.12"),
        ("a.ipynb", "pip install 'trl>=0.14'", "trl==0.15.0", ">=0.14"),
        ("a.ipynb", "pip install trl", "trl<0.15", None),
        ("a.ipynb", "pip install trl==0.14.0", "trl==0.12.2", ""),
        ("a.ipynb", "pip install vllm", "trl==0.12.2", ""),
        ("a.sh", "pip install -U trl", "trl==0.12.2", ">=0.12.2"),
        ("a.sh", "pip install -qU trl", "trl==0.12.2", ">=0.12.2"),
        ("a.sh", "uv pip install --upgrade trl", "trl==0.12.2", ">=0.12.2"),
        ("a.sh", "pip install trl", "trl==0.12.2", ""),
        ("a.sh", "pip install 'trl>=0.12'", "trl==0.12.2", ""),
    ],
)
def test_what_is_installed_anew_may_be_newer_than_what_another_file_pins(project, path, command, stated, expected):
    project.write("requirements.txt", f"{stated}\n")
    commands = [Said(3, tuple(shlex.split(command)))]
    version = project.declared(path, commands=commands).resolve("trl", ["0.12.2", "0.14.0", "0.15.0", "0.16.0"])
    assert (None if version is None else version.specifier) == expected


def test_a_notebook_beside_a_lock_file_names_both(project):
    project.write("uv.lock", '[[package]]\nname = "trl"\nversion = "0.12.2"\n')
    declared = project.declared("a.ipynb", commands=[Said(3, ("pip", "install", "trl"))])
    value, specifier, source = known(declared, "trl", ["0.12.2", "0.16.0"])
    assert (value, specifier) == ("0.16.0", ">=0.12.2")
    assert source == "pip install in a.ipynb line 3 without a release, beside uv.lock line 3"


def test_what_is_configured_stands_above_what_a_notebook_installs(project):
    project.write("rlhflint.toml", '[versions]\ntrl = "0.14.0"\n')
    declared = project.declared("a.ipynb", commands=[Said(3, ("pip", "install", "trl"))])
    assert known(declared, "trl", ["0.12.2", "0.14.0", "0.16.0"])[:2] == ("0.14.0", "")


def test_pins_of_one_rank_that_differ_leave_a_range(project):
    project.write("requirements-a.txt", "vllm==0.8.2\n")
    project.write("requirements-b.txt", "vllm==0.9.0\n")
    assert known(project.declared(), "vllm", VLLM) == (
        "0.9.0",
        ">=0.8.2,<=0.9.0",
        "requirements-a.txt line 1 and requirements-b.txt line 1, which differ",
    )


def test_extras_that_differ_leave_a_range(project):
    project.write("setup.py", 'setup(extras_require={"vllm": ["vllm==0.8.2"], "vllm_latest": ["vllm>=0.8.2"]})\n')
    assert known(project.declared(), "vllm", VLLM)[:2] == ("0.10.0", ">=0.8.2")


def test_a_pin_and_a_range_of_one_rank_that_agree_are_the_pin(project):
    project.write("setup.py", 'setup(install_requires=["trl==0.24.0"])\n')
    project.write("pyproject.toml", '[project]\ndependencies = ["trl>=0.20"]\n')
    assert known(project.declared(), "trl", [])[0] == "0.24.0"


def test_a_release_is_spelled_as_it_is_known(project):
    project.write("requirements.txt", "openrlhf==0.9\nvllm==0.8.5.0\n")
    declared = project.declared()
    assert known(declared)[0] == "0.9.0"
    assert known(declared, "vllm", VLLM)[0] == "0.8.5"
    assert known(declared, "vllm", [])[0] == "0.8.5.0"


def test_an_image_of_somebodys_own_counts_only_with_a_release_that_exists(project):
    project.write("Dockerfile", "FROM me/openrlhf:1.2.0\n")
    assert known(project.declared()) is None
    project.write("Dockerfile", "FROM me/openrlhf:0.9.3\n")
    declared = project.declared()
    assert known(declared)[0] == "0.9.3"
    assert declared.get("openrlhf") is None


def test_extras_are_those_of_all_places(project):
    project.write("run/requirements.txt", "openrlhf[ring]\n")
    project.write("requirements.txt", "openrlhf[vllm]==0.9.3\n")
    assert project.declared("run/a.sh").get("openrlhf").extras == {"ring", "vllm"}


REQUIREMENTS = st.builds(
    lambda specifier, origin, distance, line: Near(
        distance, Requirement("trl", specifier, exact(specifier), origin, Place("/x", line))
    ),
    st.sampled_from(["", "==1", "==2", ">=1", "<2", ">=1,<3", "==1.*"]),
    st.sampled_from([Origin.LOCK, Origin.REQUIREMENTS, Origin.VARIANT]),
    st.integers(1, 3),
    st.integers(1, 9),
)


@given(st.lists(REQUIREMENTS, max_size=6), st.randoms())
def test_what_is_in_force_is_always_something_that_is_stated_and_the_order_of_reading_does_not_matter(stated, random):
    chosen = Declared(tuple(stated)).resolve("trl", ["1", "1.5", "2", "3"])
    shuffled = sorted(stated, key=lambda _: random.random())
    again = Declared(tuple(shuffled)).resolve("trl", ["1", "1.5", "2", "3"])
    assert (chosen and (chosen.value, chosen.specifier)) == (again and (again.value, again.specifier))
    ranks: dict[tuple[int, Origin], set[str]] = {}
    for near in stated:
        if near.requirement.specifier:
            ranks.setdefault((near.distance, near.requirement.origin), set()).add(near.requirement.specifier)
    if chosen is None:
        assert all(hull(specifiers) == "" for specifiers in ranks.values())
        return
    assert any(allows(specifier, chosen.value) for specifiers in ranks.values() for specifier in specifiers)
    nearest = ranks[min(ranks)]
    if len(nearest) == 1:
        assert allows(nearest.pop(), chosen.value)


# What is in the file itself


def test_the_requirements_a_command_installs_from_are_read(project):
    project.write("reqs/train.txt", "openrlhf==0.9.3\n")
    project.write("requirements.txt", "openrlhf==0.8.9\n")
    commands = [Said(1, ["pip", "install", "-r", "reqs/train.txt", "-r", "gone.txt"])]
    assert known(project.declared("run/a.sh", commands=commands)) == ("0.9.3", "", "reqs/train.txt line 1")


def test_the_text_of_the_file_is_read_by_its_kind(project):
    metadata = '# /// script\n# dependencies = ["trl==0.24.0"]\n# ///\n'
    assert known(project.declared("x.py", text=metadata), "trl", [])[0] == "0.24.0"
    assert known(project.declared("x.sh", text=metadata), "trl", []) is None
    docker = "FROM vllm/vllm-openai:v0.8.5\nRUN pip install trl==0.24.0\n"
    assert known(project.declared("docker/Dockerfile.train", text=docker), "vllm", VLLM)[0] == "0.8.5"
    assert known(project.declared("job.yaml", text="image: vllm/vllm-openai:v0.8.5\n"), "vllm", VLLM)[0] == "0.8.5"


def test_the_commands_of_a_dockerfile_of_its_own_stand_before_those_of_others(project):
    project.write("Dockerfile.a", "FROM x\nRUN pip install trl==0.1\n")
    project.write("Dockerfile.b", "FROM x\nRUN pip install trl==0.2\n")
    text = "FROM x\nRUN pip install trl==0.2\n"
    assert known(project.declared("Dockerfile.b", text=text), "trl", [])[0] == "0.2"


def script(path, *commands, directives=()):
    def words(text, start):
        return tuple(Traced.made(word, Span(path, start, start + 1)) for word in text.split())

    return Script(
        path,
        Span(path, 0, 99),
        tuple(Command(words(text, at * 10), Span(path, at * 10, at * 10 + 9)) for at, text in enumerate(commands)),
        directives=tuple(Traced.made(text, Span(path, 90, 99)) for text in directives),
    )


def test_the_commands_of_scripts_that_may_say_something(project):
    scripts = [
        script(
            "run/a.sh", "echo x", "pip install trl==0.24.0", directives=["SBATCH --container-image=x/y:1", "SBATCH -N1"]
        ),
        script("run/a.sh", "echo y", "pip install trl==0.24.0"),
        script("env.sh", "uv pip install peft==0.15"),
    ]
    said = said_in(scripts, lambda span: span.start // 10 + 1)
    assert [(one.line, one.words[-1], one.path) for one in said] == [
        (10, "--container-image=x/y:1", project.folder.joinpath("run/a.sh").as_posix()),
        (2, "trl==0.24.0", project.folder.joinpath("run/a.sh").as_posix()),
        (1, "peft==0.15", project.folder.joinpath("env.sh").as_posix()),
    ]
    declared = project.declared("run/a.sh", commands=said)
    assert known(declared, "trl", []) == ("0.24.0", "", "pip install in run/a.sh line 2")
    assert known(declared, "peft", []) == ("0.15", "", "pip install in env.sh line 1")
    assert declared.opaque


# Troubles and what is kept


def test_troubles_are_told_once_with_their_place(project):
    project.write("requirements.txt", "trl=>0.24\n")
    search = VersionSearch()
    for name in ("a.sh", "b.sh", "sub/c.sh"):
        (trouble,) = search.declared(name).troubles
        assert (str(trouble.place), trouble.message) == ("requirements.txt line 1", "trl: '=>0.24' is no version")


def test_a_folder_is_read_once(project, monkeypatch):
    project.write("requirements.txt", "openrlhf==0.9.0\n")
    search = VersionSearch()
    search.declared("a.sh")
    project.write("requirements.txt", "openrlhf==0.9.3\n")
    assert known(search.declared("b.sh"))[0] == "0.9.0"
    monkeypatch.setattr("rlhflint.versions.search.MOST_FOLDERS", 1)
    search.declared("sub/c.sh")
    assert known(search.declared("b.sh"))[0] == "0.9.3"


# What is missing


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        ({"requirements.txt": "openrlhf==0.9\n"}, True),
        ({"requirements.txt": "openrlhf[ring]==0.9\n"}, False),
        ({"requirements.txt": "openrlhf==0.9\nring_flash_attn\n"}, False),
        ({"requirements.txt": "peft\n"}, False),
        ({"requirements.txt": "openrlhf==0.9\n-e .\n"}, False),
        ({"requirements.txt": "openrlhf==0.9\n", "Dockerfile": "FROM mine\n"}, False),
        ({"requirements.txt": "openrlhf==0.9\n", "Dockerfile": "RUN x\n"}, True),
        ({"requirements.txt": "openrlhf==0.9\n", "requirements-gpu.txt": "ring-flash-attn\n"}, False),
        ({"pyproject.toml": '[project]\ndependencies = ["openrlhf==0.9"]\n'}, True),
        ({"pyproject.toml": '[project]\ndependencies = ["peft"]\noptional-dependencies.a = ["openrlhf"]\n'}, False),
        ({"uv.lock": '[[package]]\nname = "openrlhf"\nversion = "0.9"\n[[package]]\nname = "torch"\n'}, True),
        ({"setup.py": 'setup(install_requires=["openrlhf"])\n'}, True),
        ({"environment.yml": "dependencies: [{pip: [openrlhf]}]\n"}, True),
        ({}, False),
    ],
)
def test_whether_a_package_is_known_to_be_missing(project, files, missing):
    for path, text in files.items():
        project.write(path, text)
    assert (project.declared().missing("ring-flash-attn", ["openrlhf[ring]"]) is not None) is missing


@pytest.mark.parametrize(
    ("path", "text", "missing"),
    [
        ("job.yaml", "image: team/train\n", False),
        ("job.yaml", '- {name: a, "image": "team/train"}\n', False),
        ("job.yaml", "spec:\n  containers:\n    - name: a\n", False),
        ("job.yaml", "run: |\n  ./train.sh\n", True),
        ("train.sh", "#SBATCH --container-image=team/train\n", False),
        ("Dockerfile", "FROM team/train\n", True),
    ],
)
def test_a_lock_file_tells_nothing_of_the_image_that_a_launch_says_it_runs_in(project, path, text, missing):
    project.write("uv.lock", '[[package]]\nname = "openrlhf"\nversion = "0.9"\n[[package]]\nname = "torch"\n')
    project.write(path, text)
    assert (project.declared(path, text=text).missing("ring-flash-attn") is not None) is missing


def test_the_list_that_lacks_a_package_is_named(project):
    project.write("requirements.txt", "peft\nopenrlhf==0.9\n")
    assert str(project.declared().missing("liger-kernel", ["openrlhf[liger]"]).place) == "requirements.txt line 2"


def test_what_a_listed_framework_brings_along_is_not_missing(project):
    project.write("requirements.txt", "openrlhf==0.9\n")
    assert project.declared().missing("flash-attn", ["openrlhf"]) is None


def test_what_an_environment_does_not_hold_is_missing(project):
    site = "env/lib/python3.11/site-packages"
    project.write(f"{site}/openrlhf-0.9.3.dist-info/METADATA", "Version: 0.9.3\n")
    declared = project.declared(python="env")
    assert declared.missing("ring-flash-attn", ["openrlhf[ring]"]) is not None
    project.write(f"{site}/ring_flash_attn-0.1.dist-info/METADATA", "Version: 0.1\n")
    assert project.declared(python="env").missing("ring-flash-attn") is None


# Copies in the tree


@pytest.mark.parametrize(
    ("files", "folder", "release", "guess"),
    [
        ({"openrlhf/cli/a.py": "", "openrlhf/__init__.py": '__version__ = "0.9.3"'}, "openrlhf", "0.9.3", False),
        ({"openrlhf/trainer/a.py": "", "openrlhf/version.py": "version: str = '0.9.3'"}, "openrlhf", "0.9.3", False),
        ({"openrlhf/cli/a.py": "", "version.txt": "0.9.3\n"}, "openrlhf", "0.9.3", True),
        (
            {"openrlhf/cli/a.py": "", "version.txt": "0.9.3\n", "setup.py": 'setup(name="OpenRLHF")'},
            "openrlhf",
            "0.9.3",
            False,
        ),
        (
            {"openrlhf/cli/a.py": "", "version.txt": "0.9.3\n", "setup.py": 'setup(\n name="OpenRLHF")'},
            "openrlhf",
            "0.9.3",
            False,
        ),
        ({"openrlhf/cli/a.py": "", "setup.py": 'setup(\n name="mine",\n version="1.0")'}, "openrlhf", None, False),
        ({"OpenRLHF/openrlhf/cli/a.py": "", "OpenRLHF/version.txt": "0.9.3"}, "OpenRLHF/openrlhf", "0.9.3", True),
        (
            {"src/trl/trainer/a.py": "", "pyproject.toml": '[project]\nname = "trl"\nversion = "0.24.0"'},
            "src/trl",
            "0.24.0",
            False,
        ),
        ({"trl/trainer/a.py": "", "trl/VERSION": "0.24.0\n"}, "trl", "0.24.0", False),
        ({"trl/trainer/a.py": "", "VERSION": "main\n"}, "trl", None, False),
    ],
)
def test_a_copy_of_a_framework(tmp_path, files, folder, release, guess):
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (copy,) = vendored_in(str(tmp_path))
    assert copy.folder == str(tmp_path / folder)
    assert (copy.release.exact if copy.release else None) == release
    assert (copy.release.guess if copy.release else False) is guess


@pytest.mark.parametrize(
    "path", ["trl/run.sh", "openrlhf.py", ".venv/openrlhf/cli/a.py", "build/openrlhf/cli/a.py", "a/b/openrlhf/cli/a.py"]
)
def test_what_is_no_copy(tmp_path, path):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text("")
    assert vendored_in(str(tmp_path)) == []


def test_the_nearest_copy_is_found_from_a_script(project):
    project.write("openrlhf/cli/a.py")
    project.write("exp/OpenRLHF/openrlhf/cli/a.py")
    project.write("exp/OpenRLHF/version.txt", "0.9.3\n")
    declared = project.declared("exp/scripts/run.sh")
    assert declared.vendored("openrlhf").folder == str(project.folder / "exp/OpenRLHF/openrlhf")
    assert known(declared) == ("0.9.3", "", "exp/OpenRLHF/version.txt line 1 (a copy in the tree)")
    assert project.declared("run.sh").vendored("openrlhf").folder == str(project.folder / "openrlhf")
    assert declared.vendored("trl") is None


# Installed packages


def test_the_environment_of_this_interpreter_is_read():
    found = {one.name: one.exact for one in read_environment_at(sys.executable).requirements}
    assert found["python"] == ".".join(map(str, sys.version_info[:3])) or found["python"] is None


def test_metadata_of_an_environment(tmp_path):
    site = tmp_path / "lib/python3.12/site-packages"
    for path, text in {
        "flash_attn-2.8.3.dist-info/METADATA": "Name: flash_attn\nVersion: 2.8.3+cu12\n\nVersion: 9\n",
        "trl-0.24.0.dev0-py3.12.egg-info/PKG-INFO": "Version: 0.24.0.dev0\n",
        "ray-2.48.0.dist-info/RECORD": "",
        "torch.dist-info/METADATA": "Name: torch\n",
        "numpy-1.26.dist-info/METADATA": "Version: 1.26\n",
    }.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
    (site / "peft-0.15.0-py3.12.egg-info").write_text("Version: 0.15.0\n")
    expected = {"flash-attn": "2.8.3", "trl": "0.24.0.dev0", "ray": "2.48.0", "peft": "0.15.0", "python": None}
    for path in (tmp_path, tmp_path / "bin/python", site):
        assert {one.name: one.exact for one in read_environment_at(str(path)).requirements} == expected


def test_an_environment_that_sees_the_packages_of_the_system(tmp_path):
    (tmp_path / "usr/bin").mkdir(parents=True)
    (tmp_path / "env/bin").mkdir(parents=True)
    for site, version in (("usr", "0.1"), ("env", "0.2")):
        info = tmp_path / site / "lib/python3.11/site-packages" / f"trl-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Version: {version}\n")
    info = tmp_path / "usr/lib/python3.11/site-packages/peft-0.3.dist-info"
    info.mkdir()
    settings = tmp_path / "env/pyvenv.cfg"
    for system, expected in (("false", {"trl": "0.2"}), ("true", {"trl": "0.2", "peft": "0.3"})):
        settings.write_text(f"home = {tmp_path}/usr/bin\ninclude-system-site-packages = {system}\nversion = 3.11.9\n")
        found = {one.name: one.exact for one in read_environment_at(str(tmp_path / "env/bin/python")).requirements}
        assert found == {**expected, "python": "3.11.9"}


def test_an_interpreter_that_is_a_link_belongs_where_it_leads(tmp_path):
    (tmp_path / "opt/bin").mkdir(parents=True)
    (tmp_path / "opt/bin/python3").write_text("")
    (tmp_path / "opt/lib/python3.11/site-packages/trl-0.1.dist-info").mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").symlink_to(tmp_path / "opt/bin/python3")
    assert [
        one.exact for one in read_environment_at(str(tmp_path / "bin/python")).requirements if one.name == "trl"
    ] == ["0.1"]


def test_a_path_without_packages_is_told(tmp_path):
    (trouble,) = read_environment_at(str(tmp_path / "python")).troubles
    assert trouble.message == "no site-packages folder belongs to this interpreter"


def test_what_is_installed_makes_a_range_exact_and_nothing_else(project):
    os.makedirs("env/lib/python3.11/site-packages/openrlhf-0.9.3.dist-info")
    project.write("requirements.txt", "openrlhf>=0.9\n")
    assert known(project.declared(python="env"))[0] == "0.9.3"
    project.write("requirements.txt", "openrlhf>=0.10\n")
    assert known(project.declared(python="env"))[:2] == ("0.11.2", ">=0.10")


def test_a_dockerfile_for_another_release_than_the_image_of_the_job_says_nothing_of_the_job(project):
    job = "jobs:\n  train:\n    image: openrlhf/openrlhf:0.9.3\n"
    project.write("Dockerfile", "FROM x\nRUN pip install openrlhf==0.9.0 vllm==0.8.2\n")
    assert known(project.declared("job.yaml", text=job), "openrlhf")[0] == "0.9.3"
    assert known(project.declared("job.yaml", text=job), "vllm", VLLM) is None
    assert known(project.declared("train.sh"), "vllm", VLLM)[0] == "0.8.2"


def test_a_dockerfile_for_the_release_of_the_image_says_the_rest(project):
    job = "jobs:\n  train:\n    image: openrlhf/openrlhf:0.9.3\n"
    project.write("Dockerfile", "FROM x\nRUN pip install openrlhf==0.9.3 vllm==0.8.5\n")
    assert known(project.declared("job.yaml", text=job), "vllm", VLLM)[0] == "0.8.5"


def test_a_release_that_is_asked_for_leaves_the_rest_of_the_list_as_it_is(project):
    project.write("requirements.txt", "openrlhf==0.9.0\nvllm==0.8.2\n")
    asked = Settings(framework_versions={"openrlhf": "0.9.3"})
    assert known(project.declared(options=asked), "openrlhf")[0] == "0.9.3"
    assert known(project.declared(options=asked), "vllm", VLLM)[0] == "0.8.2"
