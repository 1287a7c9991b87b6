"""The typed model of a launch: what every generated program model is built on.

A generated model (`rlhflint/frameworks/<framework>/models/`) holds one field per setting, in canonical names. It is
filled by `build`, which hands each given value to pydantic for conversion, one field at a time: a value that does not
convert is reported and left unknown, the others stand. Reading a field that is not known raises `Undetermined`, so a
rule is written as if everything were known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PrivateAttr, ValidationError

from rlhflint.rule import Draft
from rlhflint.value import Known, OneOf, Undetermined, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from rlhflint.finding import Related, Severity, Stage
    from rlhflint.proposal import Proposal
    from rlhflint.session import Session
    from rlhflint.text import Span


@dataclass(frozen=True, slots=True)
class Given:
    """A value before conversion, with the converter of the release in force.

    `convert` gets `raw` and returns what the program would hold; it raises `ValueError` with a message that fits
    behind the name of the setting ("takes a whole number, not '1e5'").
    """

    raw: object
    convert: Callable[[Any], object]


def _converted(value: object) -> object:
    return value.convert(value.raw) if isinstance(value, Given) else value


Convert = BeforeValidator(_converted)
"""Marks a field that takes a `Given`: `Annotated[bool | str, Convert]`."""

ArgInt = Annotated[int, Convert]
ArgFloat = Annotated[float, Convert]
ArgStr = Annotated[str, Convert]
Switch = Annotated[bool, Convert]
ArgInts = Annotated[list[int], Convert]
ArgFloats = Annotated[list[float], Convert]
ArgStrs = Annotated[list[str], Convert]
OptInt = Annotated[int | None, Convert]
OptFloat = Annotated[float | None, Convert]
OptStr = Annotated[str | None, Convert]
OptFloats = Annotated[list[float] | None, Convert]
OptStrs = Annotated[list[str] | None, Convert]
Anything = Annotated[Any, Convert]


class Group(BaseModel):
    """Settings that share a prefix. A field that is not known is absent from the instance."""

    model_config = ConfigDict(defer_build=True, extra="forbid", protected_namespaces=(), arbitrary_types_allowed=True)

    _unknown: dict[str, tuple[str, str]] = PrivateAttr(default_factory=dict)
    """Field name → canonical name of the setting and why it is not known."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            private = object.__getattribute__(self, "__dict__").get("__unknown__")
            if private is not None and name in private:
                raise Undetermined(*private[name])
            return super().__getattr__(name)


class ProgramModel(Group):
    """The settings of one launch, typed; the root of a generated model.

    Besides the fields it answers for the launch as a whole: `given`, `session`.
    """

    program: ClassVar[str] = ""

    _session: Session | None = PrivateAttr(default=None)

    @property
    def session(self) -> Session:
        """The launch, the releases in force and the place where it will run."""
        if self._session is None:
            raise RuntimeError("this model was not made from a launch")
        return self._session

    def given(self, canonical: str) -> bool:
        """Whether the launch gives a setting. Raises `Undetermined` where it may be given out of sight."""
        return self.session.given(canonical)

    def finding(
        self,
        *settings: str,
        message: str,
        help: str = "",  # noqa: A002
        severity: Severity | None = None,
        stage: Stage | None = None,
        proposal: Proposal | None = None,
        related: tuple[Related, ...] = (),
        at: Span | None = None,
    ) -> Draft:
        """A draft of a finding about `settings` (canonical names); see `rlhflint.rule.Draft`."""
        return Draft(settings, message, help, severity, stage, proposal, related, at)


Model = TypeVar("Model", bound=ProgramModel)


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that the program would not take. `message` fits behind the name of the setting."""

    canonical: str
    message: str
    cause: Exception | None = None


def build(
    model: type[Model],
    values: Mapping[str, Given | Value],
    defaults: Mapping[str, object],
    *,
    more: str = "",
) -> tuple[Model, tuple[Refused, ...]]:
    """The typed model of a launch, and the values that upstream would refuse.

    Args:
        model: the generated class.
        values: canonical name → what was given: `Given` text to convert, or a value that is known, open or unknown.
        defaults: canonical name → default at the release in force; a name that is in neither keeps the model's own.
        more: why settings that are not given might be given all the same; they are unknown then.
    """
    known: dict[str, object] = dict(defaults) if not more else {}
    unknown: dict[str, str] = {}
    if more:
        unknown.update(dict.fromkeys(_leaves(model), more))
    for name, value in values.items():
        unknown.pop(name, None)
        known.pop(name, None)
        if isinstance(value, Given):
            known[name] = value
        elif isinstance(value, Known):
            known[name] = value.value
        else:
            unknown[name] = _reason(value)
    refused: list[Refused] = []
    while True:
        try:
            built = model.model_validate(_nested(known))
            break
        except ValidationError as error:
            before = len(known)
            for detail in error.errors(include_url=False):
                name = _owner(detail["loc"], known)
                refused.append(Refused(name, _message(detail), detail.get("ctx", {}).get("error")))
                known.pop(name, None)
                unknown[name] = "its value is not valid"
            if len(known) == before:
                raise
    for name, because in unknown.items():
        _hide(built, name, because)
    return built, tuple(refused)


def _reason(value: Value) -> str:
    if isinstance(value, OneOf):
        return f"{value.because} (otherwise {value.default!r})"
    return getattr(value, "because", "")


def _leaves(model: type[Group], prefix: str = "") -> list[str]:
    names: list[str] = []
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, Group):
            names += _leaves(inner, f"{prefix}{name}.")
        else:
            names.append(prefix + (field.alias or name))
    return names


def _nested(flat: Mapping[str, object]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        *groups, leaf = name.split(".")
        node = tree
        for group in groups:
            node = node.setdefault(group, {})
        node[leaf] = value
    return tree


def _owner(location: tuple[int | str, ...], known: Mapping[str, object]) -> str:
    """The setting an error belongs to: the longest leading part of its location that names one."""
    parts = [str(part) for part in location]
    for length in range(len(parts), 0, -1):
        if (name := ".".join(parts[:length])) in known:
            return name
    return ".".join(parts)


def _message(detail: Any) -> str:
    cause = detail.get("ctx", {}).get("error")
    return str(cause) if cause is not None else str(detail["msg"])


def _hide(root: Group, canonical: str, because: str) -> None:
    """Take the field of a setting out of the model, so that reading it raises."""
    node: Any = root
    *groups, leaf = canonical.split(".")
    for group in groups:
        node = node.__dict__.get(group)
        if not isinstance(node, Group):
            return
    for name, field in type(node).model_fields.items():
        if leaf in (name, field.alias):
            node.__dict__.pop(name, None)
            node.__dict__.setdefault("__unknown__", {})[name] = (canonical, because)
            return
