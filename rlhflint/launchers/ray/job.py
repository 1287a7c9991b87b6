"""`ray job submit`: where it goes, and the runtime environment it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from rlhflint.expressions import expression
from rlhflint.launchers.ray.traced_json import Json, JsonFault, read_json_word
from rlhflint.launchers.unwrapping.start import Start, Wrapper
from rlhflint.records import dataclass
from rlhflint.text import Traced

SUBMIT = "ray job submit"
_ADDRESS = expression(r"(?:(?P<scheme>[a-z]+)://)?(?P<host>\[[^\]]*\]|[^:/\s]*)(?::(?P<port>\d{1,5}))?(?:/.*)?")


@dataclass(frozen=True, slots=True)
class EnvironmentVariable:
    """One entry of `env_vars`: its name and value as written; the value is None where it is no text."""

    name: Traced
    value: Traced | None


@dataclass(frozen=True, slots=True)
class RayJob:
    """A submission to Ray (ray/dashboard/modules/job/cli.py and dashboard_sdk.py@2.60.0).

    `address` is the value of `--address`. `working_dir` is the folder uploaded: that of `--working-dir`, which wins,
    or of the runtime environment. `runtime_env` is the object of `--runtime-env-json` as far as it can be read.
    `fault` is what `json.loads` would refuse, `both` that a file of it (`--runtime-env`) is given besides, which is
    refused too. The packages it asks for are read with the releases (`rlhflint/versions/ray_environment.py`).
    """

    wrapper: Wrapper
    address: Traced | None = None
    working_dir: Traced | None = None
    runtime_env: Json | None = None
    env_vars: Mapping[str, EnvironmentVariable] = field(default_factory=lambda: MappingProxyType({}))
    excludes: tuple[Traced, ...] = ()
    fault: JsonFault | None = None
    both: bool = False
    more: str = ""
    """Why the runtime environment may hold more than can be seen."""

    @property
    def host(self) -> str | None:
        """The host of the address; None where it is not given or not known."""
        return self._part("host")

    @property
    def port(self) -> int | None:
        """The port of the address; None where it is not given or not known."""
        port = self._part("port")
        return int(port) if port else None

    @property
    def scheme(self) -> str | None:
        """`http`, `https`, `ray`; None where it is not given or not known."""
        return self._part("scheme")

    @property
    def local(self) -> bool:
        """It goes to the machine it is submitted from: no address, or the loopback one."""
        return self.address is None or self.host in ("127.0.0.1", "localhost", "0.0.0.0", "[::1]")

    def _part(self, part: str) -> str | None:
        if self.address is None or len(self.address.text) > 1000:
            return None
        found = _ADDRESS.fullmatch(self.address.text)
        text = found[part] if found else None
        return text if text and text.isprintable() and text.isascii() else None


def ray_job_of(start: Start) -> RayJob | None:
    """The submission that a start goes through; None if it goes through none."""
    wrapper = start.wrapper(SUBMIT)
    return None if wrapper is None else _read(wrapper)


def _read(wrapper: Wrapper) -> RayJob:
    written = wrapper.value("runtime_env_json")
    file = wrapper.value("runtime_env")
    more = wrapper.more
    environment, fault = None, None
    if written is not None:
        try:
            environment = read_json_word(written)
        except JsonFault as refused:
            fault = refused
    if environment is not None:
        more = more or (environment.written.because if environment.kind == "unknown" else environment.more)
    if file is not None:
        more = more or f"{file.text if file.known else 'the file of --runtime-env'} is not read"
    members = environment if environment is not None and environment.kind == "object" else None
    env_vars = members.get("env_vars") if members else None
    if env_vars is not None and env_vars.kind == "unknown":
        more = more or env_vars.written.because
    elif env_vars is not None:
        more = more or env_vars.more
    directory = wrapper.value("working_dir") or _text(members, "working_dir")
    return RayJob(
        wrapper,
        address=wrapper.value("address"),
        working_dir=directory,
        runtime_env=environment,
        env_vars=MappingProxyType(_variables(env_vars)),
        excludes=_texts(members.get("excludes") if members else None),
        fault=fault,
        both=written is not None and file is not None,
        more=more,
    )


def _variables(env_vars: Json | None) -> dict[str, EnvironmentVariable]:
    variables: dict[str, EnvironmentVariable] = {}
    for name, value in env_vars.members if env_vars else ():
        known = value.text if value.kind == "text" else value.written if value.kind == "unknown" else None
        variables[name.text] = EnvironmentVariable(name, known)
    return variables


def _text(members: Json | None, key: str) -> Traced | None:
    value = members.get(key) if members else None
    if value is None:
        return None
    return value.written if value.kind == "unknown" else value.text if value.kind == "text" else None


def _texts(value: Json | None) -> tuple[Traced, ...]:
    items = value.items if value is not None and value.kind == "array" else ()
    return tuple(item.text for item in items if item.kind == "text" and item.text is not None)
