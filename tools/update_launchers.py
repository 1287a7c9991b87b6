"""Writes `schemas/launchers/`: which options of each launcher take a value and which are switches.

    python tools/update_launchers.py                      every launcher that comes from the package index
    python tools/update_launchers.py deepspeed ray_start  these
    python tools/update_launchers.py --check              say whether the committed data is what the packages give
    python tools/update_launchers.py docker_run=help.txt srun=slurm_opt.c …

The last form reads a text that no package index has: what `docker run --help` prints, Slurm's `src/common/slurm_opt.c`,
Apptainer's `cmd/internal/cli/action_flags.go`. Packages are found in the folder named by RLHFLINT_PACKAGES and fetched
with pip where they are missing; nothing of them is imported or run, save the one binary whose `--help` is read.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.schemas.packages import Unavailable, folder  # noqa: E402

SCHEMAS = ROOT / "schemas" / "launchers"
ANY_PLATFORM = ("--platform", "manylinux2014_x86_64", "--platform", "macosx_11_0_arm64", "--platform", "any")
"""Wheels for macOS are the small ones of torch; only their Python files are read."""

VALUED, SWITCH, OPTIONAL = "valued", "switches", "optional"


@dataclass(frozen=True)
class Origin:
    """Where a launcher's options are written down: files of a package, and the functions that hold them."""

    package: str
    releases: tuple[str, ...]
    files: Mapping[str, tuple[str, ...]]
    """File → names of the functions or variables to read; none for the whole file."""
    style: str = "argparse"
    abbreviations: bool = True
    hyphens: bool = False
    """Every underscore of an option may be a hyphen as well."""


_JOB_OPTIONS = {
    "ray/dashboard/modules/job/cli.py": ("submit",),
    "ray/dashboard/modules/job/cli_utils.py": ("add_common_job_options",),
    "ray/autoscaler/_private/cli_logger.py": ("CLICK_LOGGING_OPTIONS",),
}
_START_OPTIONS = {
    "ray/scripts/scripts.py": ("start",),
    "ray/autoscaler/_private/cli_logger.py": ("CLICK_LOGGING_OPTIONS",),
}
ORIGINS = {
    "deepspeed": Origin("deepspeed", ("0.13.5", "0.16.5", "0.19.8"), {"deepspeed/launcher/runner.py": ("parse_args",)}),
    "torchrun": Origin("torch", ("2.1.2", "2.11.0"), {"torch/distributed/run.py": ("get_args_parser",)}),
    "torch.distributed.launch": Origin(
        "torch",
        ("2.1.2", "2.11.0"),
        {"torch/distributed/run.py": ("get_args_parser",), "torch/distributed/launch.py": ("parse_args",)},
    ),
    "accelerate_launch": Origin(
        "accelerate",
        ("0.26.1", "0.34.2", "1.6.0", "1.15.0"),
        {"accelerate/commands/launch.py": ("launch_command_parser",)},
        abbreviations=False,
        hyphens=True,
    ),
    "ray_job_submit": Origin("ray", ("2.12.0", "2.60.0"), _JOB_OPTIONS, style="click", abbreviations=False),
    "ray_start": Origin("ray", ("2.12.0", "2.60.0"), _START_OPTIONS, style="click", abbreviations=False),
    "uv_run": Origin("uv", ("0.13.9",), {"scripts/uv": ("run", "--help")}, style="clap", abbreviations=False),
}
TEXTS = {
    "sbatch": ("getopt", "Slurm src/common/slurm_opt.c@26.11.0"),
    "srun": ("getopt", "Slurm src/common/slurm_opt.c@26.11.0"),
    "docker_run": ("pflag", "docker run --help@28.2.2"),
    "docker_exec": ("pflag", "docker exec --help@28.2.2"),
    "apptainer": ("pflag", "Apptainer cmd/internal/cli/action_flags.go@1.6"),
}
"""Launchers read from a text given on the command line: their style and where the text comes from."""


@dataclass
class Options:
    """Options by how many words they take: canonical name → spellings."""

    valued: dict[str, list[str]] = field(default_factory=dict)
    switches: dict[str, list[str]] = field(default_factory=dict)
    optional: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, names: Iterable[str]) -> None:
        """Take in an option. Spellings of several releases are joined; the last one says how many words it takes."""
        spellings = list(dict.fromkeys(names))
        if not spellings:
            return
        canonical = canonical_name(spellings)
        for other in (self.valued, self.switches, self.optional):
            spellings = list(dict.fromkeys([*spellings, *other.pop(canonical, [])]))
        getattr(self, kind)[canonical] = sorted(spellings)

    def content(self) -> dict[str, dict[str, list[str]]]:
        """The options as they are written to the data file."""
        tables = {VALUED: self.valued, OPTIONAL: self.optional, SWITCH: self.switches}
        return {kind: dict(sorted(table.items())) for kind, table in tables.items()}


def canonical_name(spellings: Iterable[str]) -> str:
    """The first long spelling without dashes, words parted by `_`; the letter of an option that has no long one."""
    ordered = list(spellings)
    chosen = next((name for name in ordered if name.startswith("--")), ordered[0])
    return chosen.lstrip("-").replace("-", "_")


def option_calls(tree: ast.Module, wanted: tuple[str, ...]) -> Iterator[tuple[str, list[str], dict[str, object]]]:
    """Every `add_argument` and `click.option` call in the definitions `wanted`: its function, names and keywords."""
    for node in tree.body:
        name = getattr(node, "name", None)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name = target.id if isinstance(target, ast.Name) else None
        if wanted and name not in wanted:
            continue
        for call in ast.walk(node):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            if call.func.attr not in ("add_argument", "option"):
                continue
            names = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            names = [part for text in names for part in re.split(r"\s*/\s*", text) if part.startswith("-")]
            keywords: dict[str, object] = {}
            for keyword in call.keywords:
                if keyword.arg:
                    value = keyword.value
                    keywords[keyword.arg] = value.value if isinstance(value, ast.Constant) else ast.unparse(value)
            yield call.func.attr, names, keywords


def read_python(options: Options, source: str, wanted: tuple[str, ...]) -> None:
    """The options that a Python source registers with argparse or click."""
    for function, names, keywords in option_calls(ast.parse(source), wanted):
        if function == "option":
            switch = bool(keywords.get("is_flag") or keywords.get("count"))
            options.add(SWITCH if switch else VALUED, names)
            continue
        action = str(keywords.get("action", "store"))
        if action in ("store_true", "store_false", "store_const", "help", "version", "count", "check_env"):
            options.add(SWITCH, names)
        else:
            options.add(OPTIONAL if keywords.get("nargs") == "?" else VALUED, names)


def read_help(options: Options, text: str) -> None:
    """The options of a `--help` text in the layout of clap or pflag: `-e, --env list   Set …`, `--with <WITH>`."""
    for line in text.splitlines():
        found = re.match(r"\s{1,8}(?:(-\w), )?\s*(--[\w-]+)(\.\.\.)?(?: (<[^>]+>|[a-z][\w-]*))?(?:\s{2,}|$)", line)
        if found:
            short, long, _, value = found.groups()
            options.add(VALUED if value else SWITCH, [name for name in (long, short) if name])


def read_slurm(options: Options, text: str, program: str) -> None:
    """The options of one Slurm command as `slurm_opt.c` lists them."""
    for block in re.findall(r"static slurm_cli_opt_t \w+ = \{(.*?)\n\};", text, re.S):
        name = re.search(r'\.name = "([\w-]+)"', block)
        argument = re.search(r"\.has_arg = (\w+)", block)
        letter = re.search(r"\.val = '(\w)'", block)
        if not name or not (".set_func = " in block or f".set_func_{program} = " in block):
            continue
        kind = {"required_argument": VALUED, "optional_argument": OPTIONAL}.get(argument[1] if argument else "", SWITCH)
        options.add(kind, [f"--{name[1]}", *([f"-{letter[1]}"] if letter else [])])


def read_apptainer(options: Options, text: str) -> None:
    """The flags of `apptainer exec`, `run` and `shell` as their Go source lists them."""
    for block in re.findall(r"cmdline\.Flag\{(.*?)\n\}", text, re.S):
        name = re.search(r'Name:\s+"([\w-]+)"', block)
        letter = re.search(r'ShortHand:\s+"(\w)"', block)
        default = re.search(r"DefaultValue:\s+(\S+?),", block)
        if name:
            switch = default is not None and default[1] in ("true", "false")
            options.add(SWITCH if switch else VALUED, [f"--{name[1]}", *([f"-{letter[1]}"] if letter else [])])


def package_file(package: str, release: str) -> Path:
    """The wheel or source archive of a release, fetched if it is missing. Raises Unavailable if that fails."""
    packages = folder()
    if (path := _present(package, release, packages)) is not None:
        return path
    packages.mkdir(parents=True, exist_ok=True)
    how = ["--no-binary", package] if package == "deepspeed" else ["--only-binary", ":all:"]
    if package in ("torch", "ray"):
        how += ["--python-version", "3.11", *ANY_PLATFORM]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *how, "--dest", str(packages)]
    done = subprocess.run([*command, f"{package}=={release}"], capture_output=True, text=True, check=False)
    if (path := _present(package, release, packages)) is None:
        raise Unavailable(f"{package} {release}: {done.stderr.strip()[-300:]}")
    return path


def _present(package: str, release: str, packages: Path) -> Path | None:
    paths = (
        path for below in (packages, packages / package) for path in sorted(below.glob(f"{package}-{release}[-.]*"))
    )
    return next((path for path in paths if path.name.endswith((".whl", ".tar.gz"))), None)


def read_member(archive: Path, member: str) -> bytes | None:
    """One file of a wheel or source archive, by the end of its path; None where the archive has none."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            name = next((name for name in wheel.namelist() if name == member or name.endswith("/" + member)), None)
            return wheel.read(name) if name else None
    with tarfile.open(archive) as tar:
        info = next((info for info in tar.getmembers() if info.name.endswith("/" + member)), None)
        stream = tar.extractfile(info) if info else None
        return stream.read() if stream else None


def help_of(binary: bytes, arguments: tuple[str, ...]) -> str:
    """What a program prints for its help."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program"
        path.write_bytes(binary)
        path.chmod(0o755)
        environment = {"PATH": "", "COLUMNS": "200", "NO_COLOR": "1", "HOME": folder}
        return subprocess.run([path, *arguments], capture_output=True, text=True, check=True, env=environment).stdout


def read_package(origin: Origin) -> tuple[Options, list[str]]:
    """The options of a launcher over its releases, oldest first, and the files they were read from."""
    options, read = Options(), []
    for release in origin.releases:
        archive = package_file(origin.package, release)
        for member, wanted in origin.files.items():
            content = read_member(archive, member)
            if content is None:
                continue
            if origin.style == "clap":
                read_help(options, help_of(content, wanted))
                read.append(f"{origin.package} {' '.join(wanted)}@{release}")
            else:
                read_python(options, content.decode(), wanted)
                read.append(f"{member}@{release}")
    return options, read


def data(name: str, given: Path | None = None) -> str:
    """The text of a launcher's data file."""
    if given is not None:
        style, source = TEXTS[name]
        options, read, abbreviations, hyphens = Options(), [source], style == "getopt", False
        text = given.read_text()
        if name in ("sbatch", "srun"):
            read_slurm(options, text, name)
        elif name == "apptainer":
            read_apptainer(options, text)
        else:
            read_help(options, text)
    else:
        origin = ORIGINS[name]
        options, read = read_package(origin)
        style, abbreviations, hyphens = origin.style, origin.abbreviations, origin.hyphens
    content: dict[str, object] = {
        "launcher": name.replace("_", " "),
        "style": style,
        "abbreviations": abbreviations,
        "hyphens": hyphens,
        "read": read,
        **options.content(),
    }
    return written(content)


def written(content: dict[str, object]) -> str:
    """A data file's text: one option a line, so that a change shows as a change of lines."""
    lines = []
    for key, value in content.items():
        if isinstance(value, dict) and value:
            rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(names)}" for name, names in value.items())
            lines.append(f" {json.dumps(key)}: {{\n{rows}\n }}")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: list[str]) -> int:
    """Write or compare the data files; 1 if `--check` finds a difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("launchers", nargs="*", metavar="LAUNCHER[=TEXT]")
    parser.add_argument("--check", action="store_true")
    parsed = parser.parse_args(arguments)
    stale = []
    for item in parsed.launchers or list(ORIGINS):
        name, _, given = item.partition("=")
        text = data(name, Path(given) if given else None)
        path = SCHEMAS / f"{name}.json"
        if parsed.check:
            if not path.is_file() or path.read_text() != text:
                stale.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for name in stale:
        print(f"schemas/launchers/{name}.json is not what its sources give")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
