"""What commands, container images and the file of a launch say about releases."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.project.kinds import FileKind
from rlhflint.text import HOLE
from rlhflint.versions.collecting import MOST, Collector
from rlhflint.versions.commands import read_command
from rlhflint.versions.dockerfile import read_dockerfile
from rlhflint.versions.images import add_image
from rlhflint.versions.own_file import read_own_text, read_python_version
from rlhflint.versions.requirement import Origin

PATH = "/project/train.sh"


def of_command(words, included=None):
    collector = Collector(PATH)
    read_command(collector, 7, words, Origin.OWN_FILE, (included if included is not None else []).append)
    return collector


def pairs(collector):
    return [(one.name, one.specifier) for one in collector.requirements]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip install trl==0.22.2 vllm>=0.8", [("trl", "==0.22.2"), ("vllm", ">=0.8")]),
        ("pip3 install -q -U openrlhf[vllm]==0.5.4", [("openrlhf", "==0.5.4")]),
        ("!pip --no-cache-dir install --index-url trl trl==0.22.2", [("trl", "==0.22.2")]),
        ("%pip install trl==0.22.2 # vllm==0.1", [("trl", "==0.22.2")]),
        ("/opt/conda/bin/python -m pip install trl", [("trl", "")]),
        ("python3.11 -m pip install -e git+https://host/trl@v0.24.0", [("trl", "==0.24.0")]),
        ("HF_HOME=/x sudo -E pip install peft==0.15", [("peft", "==0.15")]),
        ("conda run -n rl pip install peft==0.15", [("peft", "==0.15")]),
        ("uv pip install --system trl==0.24.0", [("trl", "==0.24.0")]),
        ("uv add trl==0.24.0 --extra vllm", [("trl", "==0.24.0")]),
        (
            "uv run --with trl==0.24.0,peft -p 3.11 train.py --with vllm==1",
            [("trl", "==0.24.0"), ("peft", ""), ("python", "==3.11.*")],
        ),
        ("uv run --with=trl==0.24.0 --python=3.11.7 -m x", [("trl", "==0.24.0"), ("python", "==3.11.7")]),
        ("conda install -y -c pytorch pytorch=2.5.1 trl", [("torch", "==2.5.1"), ("trl", "")]),
        ("srun --container-image=nvcr.io#vllm/vllm-openai:v0.8.5 bash x.sh", [("vllm", "==0.8.5")]),
        (
            "srun --container-image docker://rayproject/ray:2.48.0-py311-gpu x",
            [("ray", "==2.48.0"), ("python", "==3.11.*")],
        ),
        ("echo pip install trl==0.22.2", []),
        ("pip uninstall -y trl", []),
        ("pip download trl==0.22.2", []),
        ("python train.py pip install trl==0.1", []),
        ("pipx install trl==0.22.2", []),
        ("apt-get install python3", []),
        ("X=1", []),
        ("uv", []),
        ("pip", []),
    ],
)
def test_a_command_says(command, expected):
    assert pairs(of_command(command.split())) == expected


def test_what_a_command_says_has_its_place():
    (one,) = of_command(["pip", "install", "trl==0.22.2"]).requirements
    assert (one.source, one.origin) == ("pip install in /project/train.sh line 7", Origin.OWN_FILE)


def test_a_version_that_is_not_known_names_the_package_only():
    assert pairs(of_command(["pip", "install", f"trl=={HOLE}", f"{HOLE}==1", f"vllm{HOLE}"])) == [("trl", "")]


def test_requirements_files_of_a_command_are_told():
    included = []
    of_command(
        ["pip", "install", "-r", "a.txt", "--requirement=b.txt", "-rc.txt", "--requirement", "d.txt", "trl"], included
    )
    of_command(["uv", "run", "--with-requirements", "e.txt", "x"], included)
    assert included == ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]


def test_a_mistake_in_a_command_is_told():
    (trouble,) = of_command(["pip", "install", "trl=0.24.0"]).troubles
    assert (trouble.place.line, trouble.message) == (7, "trl: '=0.24.0' is no version")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"pip": ["vllm==0.8.5", 3]}, [("vllm", "==0.8.5")]),
        ({"pip": {"packages": ["trl"]}, "uv": ["peft==1"]}, [("trl", ""), ("peft", "==1")]),
        ({"image_uri": "rayproject/ray:2.9.0"}, [("ray", "==2.9.0")]),
        ({"container": {"image": "vllm/vllm-openai:v0.8.5"}}, [("vllm", "==0.8.5")]),
        ({"pip": "requirements.txt"}, []),
        ([], []),
    ],
)
def test_a_ray_environment_says(environment, expected):
    words = ["ray", "job", "submit", f"--runtime-env-json={json.dumps(environment)}", "--", "python"]
    assert pairs(of_command(words)) == expected


@pytest.mark.parametrize("text", ["{", "[" * 50_000, HOLE])
def test_a_ray_environment_that_is_no_json_says_nothing(text):
    assert pairs(of_command(["ray", "job", "submit", "--runtime-env-json", text])) == []


@given(
    st.lists(
        st.one_of(
            st.text(max_size=8), st.sampled_from(["pip", "install", "uv", "run", "-r", "conda", "--with", "trl", "-m"])
        )
    )
)
def test_any_words_are_survived(words):
    of_command(words)


# Images


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("vllm/vllm-openai:v0.8.5", ("vllm", "==0.8.5", False)),
        ("registry.host:5000/vllm/vllm-openai:v0.8.5.post1@sha256:ab12", ("vllm", "==0.8.5.post1", False)),
        ("pytorch/pytorch:2.5.1-cuda12.4-cudnn9-devel", ("torch", "==2.5.1", False)),
        ("huggingface/transformers-pytorch-gpu:4.41.2", ("transformers", "==4.41.2", False)),
        ("python:3.11-slim", ("python", "==3.11.*", False)),
        ("docker.io/library/python:3.11.7", ("python", "==3.11.7", False)),
        ("ghcr.io/me/openrlhf:0.9.3", ("openrlhf", "==0.9.3", True)),
        ("me/OpenRLHF:v0.9.3-cu124", ("openrlhf", "==0.9.3", True)),
        ("docker:me/vllm-openai:0.8.5", ("vllm", "==0.8.5", True)),
    ],
)
def test_an_image_says(image, expected):
    collector = Collector(PATH)
    add_image(collector, 1, image)
    assert [(one.name, one.specifier, one.guess) for one in collector.requirements] == [expected]
    assert collector.opaque


@pytest.mark.parametrize(
    "image",
    [
        "nvcr.io/nvidia/pytorch:25.06-py3",
        "vllm/vllm-openai:latest",
        "vllm/vllm-openai:nightly-2.1",
        "vllm/vllm-openai",
        "vllm/vllm-openai:${TAG}",
        "deepspeed/deepspeed:v072_torch112_cu117",
        "me/openrlhf:3",
        "me/trl-training:0.24.0",
        "ubuntu:22.04",
        "",
        "a b",
    ],
)
def test_an_image_that_says_nothing(image):
    collector = Collector(PATH)
    add_image(collector, 1, image)
    assert collector.requirements == []


# Dockerfiles


def dockerfile(text, included=None):
    return read_dockerfile("/project/Dockerfile", text.encode(), (included if included is not None else []).append)


def test_a_dockerfile_says_what_its_last_stage_and_those_below_say():
    included = []
    found = dockerfile(
        """\
# syntax=docker/dockerfile:1
ARG VLLM=0.8.5
FROM python:3.10 AS docs
RUN pip install trl==0.1

FROM --platform=linux/amd64 pytorch/pytorch:2.5.1-cuda12.4 AS Base
ENV TRL_VERSION=0.24.0 OTHER="x y"
ENV PEFT 0.15.0
RUN --mount=type=cache,target=/root/.cache \\
    # the trainer
    pip install -q "trl==${TRL_VERSION}" \\

    && pip install peft==$PEFT vllm==${VLLM}; pip install deepspeed | tee log

FROM base
RUN <<EOF
set -e
pip install -r requirements.txt
EOF
RUN ["pip", "install", "ray==2.48.0"]
CMD ["pip", "install", "accelerate==1"]
""",
        included,
    )
    assert [(one.name, one.specifier, one.place.line, one.origin.name) for one in found.requirements] == [
        ("torch", "==2.5.1", 6, "IMAGE"),
        ("trl", "==0.24.0", 9, "DOCKERFILE"),
        ("peft", "==0.15.0", 9, "DOCKERFILE"),
        ("vllm", "", 9, "DOCKERFILE"),
        ("deepspeed", "", 9, "DOCKERFILE"),
        ("ray", "==2.48.0", 20, "DOCKERFILE"),
    ]
    assert included == ["requirements.txt"]
    assert found.opaque


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RUN pip install trl==0.1",
        "FROM",
        "FROM a\nRUN pip install 'trl",
        "FROM a AS a\nRUN <<E\npip",
        "FROM a\nRUN pip " + "\\\n" * 5000,
        "FROM a\n" + "RUN pip install 'a\n" * 3000,
    ],
)
def test_odd_dockerfiles_say_nothing(text):
    assert dockerfile(text).requirements == ()


@given(
    st.lists(
        st.sampled_from(
            [
                "FROM a AS b\n",
                "FROM b\n",
                "RUN ",
                "pip install ",
                "trl==1",
                "\\\n",
                "\n",
                "<<E\n",
                "E\n",
                "'",
                "ENV A=1\n",
                "$A",
                "&&",
                "#",
            ]
        )
    )
)
def test_any_dockerfile_is_survived(pieces):
    dockerfile("".join(pieces))


# The file of the launch


def test_script_metadata():
    text = """\
#!/usr/bin/env python
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "trl[vllm]==0.24.0",
#     "peft",
# ]
# ///
import trl
"""
    found = read_own_text("/project/x.py", text, FileKind.PYTHON)
    assert [(one.name, one.specifier, one.place.line) for one in found.requirements] == [
        ("trl", "==0.24.0", 5),
        ("peft", "", 6),
        ("python", ">=3.11", 3),
    ]
    assert found.requirements[0].source == "script metadata in /project/x.py line 5"
    assert found.listings[0].names == {"trl", "peft", "python"}


@pytest.mark.parametrize(
    "text",
    ["# /// script\n# dependencies = ['trl']\n", "# /// script\nx\n# ///", "# /// script\n# dependencies = 1\n# ///\n"],
)
def test_script_metadata_that_is_none(text):
    assert read_own_text("/project/x.py", text, FileKind.PYTHON).requirements == ()


BLOCK = re.compile(r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
"""What PEP 723 gives as the reference for reading a block."""


@pytest.mark.parametrize(
    "text",
    [
        "# /// script\n# dependencies = ['trl==1.0.0']\n# ///\n",
        "#!/usr/bin/env python\n\n# /// script\n#\n# dependencies = ['trl==1.0.0']\n# ///\nimport trl\n",
        "# /// script\n# dependencies = ['trl==1.0.0']\n\n# ///\n",
        "# /// script\n# dependencies = [\n#   'trl==1.0.0',\n# ]\n# ///",
        "# /// script\n# dependencies = ['trl==1.0.0']\n# /// \n",
        "# /// other\n# dependencies = ['trl==1.0.0']\n# ///\n",
        " # /// script\n# dependencies = ['trl==1.0.0']\n# ///\n",
        "# /// script\ndependencies = ['trl==1.0.0']\n# ///\n",
        "# /// script\n# dependencies = ['trl==1.0.0']\n",
        "# /// script\n# dependencies = ['trl==1.0.0', 3, {}]\n# ///\n",
        "# /// script\n# [tool]\n# dependencies = ['trl==1.0.0']\n# ///\n",
        "# /// script\n# requires-python = '>=3.10'\n# ///\n",
    ],
)
def test_script_metadata_is_read_as_its_standard_reads_it(text):
    blocks = [block for block in BLOCK.finditer(text) if block["type"] == "script"]
    content = [line.removeprefix("#").removeprefix(" ") for line in blocks[0]["content"].splitlines()] if blocks else []
    table = tomllib.loads("\n".join(content))
    expected = [one.partition("==")[0] for one in table.get("dependencies", []) if isinstance(one, str)]
    expected += ["python"] if "requires-python" in table else []
    found = read_own_text("/project/x.py", text, FileKind.PYTHON)
    assert [one.name for one in found.requirements] == expected
    assert found.troubles == ()


def test_a_job_of_very_many_images_ends():
    text = "".join(f"- image: vllm/vllm-openai:v0.8.{n % 6}\n" for n in range(5000))
    found = read_own_text("/project/job.yaml", text, FileKind.YAML)
    assert 0 < len(found.requirements) <= MOST
    assert found.requirements[0].place.line == 1


@pytest.mark.parametrize(
    "text",
    [
        "FROM\nRUN pip install openrlhf==0.8.0\n",
        "RUN pip install openrlhf==0.8.0\nFROM x\n",
        "FROM a AS build\nRUN pip install openrlhf==0.8.0\nFROM b\n",
        "FROM x\nENV V=0.8.0\nARG V\nRUN pip install openrlhf==$V\n",
    ],
)
def test_a_dockerfile_that_pins_nothing(text):
    assert [one.exact for one in dockerfile(text).requirements if one.exact] == []


@pytest.mark.parametrize(
    "text",
    [
        "FROM x\nENV V=0.8.0\nRUN pip install openrlhf==$V\n",
        "FROM x\nENV V 0.8.0\nRUN pip install openrlhf==${V}\n",
        "FROM x AS base\nENV V=0.8.0\nFROM base\nRUN pip install openrlhf==$V\n",
        "".join(f"FROM x{n} AS s{n}\n" for n in range(20)) + "RUN pip install openrlhf==0.8.0\n",
    ],
)
def test_a_dockerfile_that_pins_a_release(text):
    assert [one.exact for one in dockerfile(text).requirements if one.name == "openrlhf"] == ["0.8.0"]


def test_of_very_many_stages_the_last_is_not_known():
    found = dockerfile("".join(f"FROM x AS s{n}\n" for n in range(5000)) + "RUN pip install openrlhf==0.8.0\n")
    assert [one for one in found.requirements if one.name == "openrlhf"] == []


def test_broken_script_metadata_is_told():
    found = read_own_text("/project/x.py", "\n# /// script\n# a = 1\n# b = \n# ///\n", FileKind.PYTHON)
    assert [trouble.place.line for trouble in found.troubles] == [4]


def test_images_in_yaml():
    text = """\
spec:
  containers:
    - image: vllm/vllm-openai:v0.8.5  # pinned
      name: x
    - name: y
      image: "rayproject/ray:2.48.0"
image: mine:latest
"""
    found = read_own_text("/project/job.yaml", text, FileKind.YAML)
    assert [(one.name, one.exact, one.place.line) for one in found.requirements] == [
        ("vllm", "0.8.5", 3),
        ("ray", "2.48.0", 6),
    ]
    assert found.opaque
    assert not read_own_text("/project/job.yaml", "a: 1", FileKind.YAML).opaque


@pytest.mark.parametrize(
    "environment",
    [
        'pip: ["vllm==0.8.5", "trl"]',
        "env_vars: {A: b}\npip:\n  - vllm==0.8.5\n\n  # the newest\n  - trl",
        "pip:\n  packages:\n    - vllm==0.8.5\n    - trl\n  pip_check: false",
        "uv: [vllm==0.8.5, trl]",
    ],
)
def test_the_ray_environment_of_a_manifest(environment):
    block = "".join(f"    {line}\n" for line in environment.split("\n"))
    text = f"kind: RayJob\nspec:\n  runtimeEnvYAML: |  # what it needs\n{block}  entrypoint: pip install peft==0.1\n"
    found = read_own_text("/project/job.yaml", text, FileKind.YAML)
    assert [(one.name, one.exact) for one in found.requirements] == [("vllm", "0.8.5"), ("trl", None)]
    line = found.requirements[0].place.line
    assert "vllm" in text.split("\n")[line - 1]


@pytest.mark.parametrize("block", ["pip: [", "pip: vllm==0.8.5", "- vllm==0.8.5", "[" * 60 + "vllm", ""])
def test_a_manifest_whose_ray_environment_cannot_be_read_says_nothing(block):
    text = f"spec:\n  runtimeEnvYAML: |\n    {block}\n"
    assert read_own_text("/project/job.yaml", text, FileKind.YAML).requirements == ()


def test_the_image_of_a_slurm_script():
    found = read_own_text(PATH, "#!/bin/bash\n#SBATCH --container-image=vllm/vllm-openai:v0.8.5\n", FileKind.SHELL)
    assert [(one.name, one.exact, one.place.line) for one in found.requirements] == [("vllm", "0.8.5", 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.11\n", ["==3.11.*"]),
        ("# x\n3.12.4\n3.11\n", ["==3.12.4"]),
        ("python-3.11", ["==3.11.*"]),
        ("pypy3\n", []),
        ("", []),
    ],
)
def test_the_file_of_the_interpreter(text, expected):
    found = read_python_version("/project/.python-version", text.encode())
    assert [one.specifier for one in found.requirements] == expected
