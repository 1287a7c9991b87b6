"""The typed model of a launch: what every generated program model is built on.

A generated model (`rlhflint/frameworks/<framework>/models/`) is a class with one annotated field per setting, in
canonical names. It is a type that pydantic validates, dumps and describes (`pydantic.TypeAdapter(TrainSFT)`, or a field
of a model of yours), by pydantic's protocol for types that are not subclasses of its own: pydantic takes longer to load
than most checks take. `build` fills it: most values already are what their field holds once the release's converter
has made them; the others are converted and checked by pydantic (`rlhflint.validation`), which is loaded for them alone.
A value that does not convert is reported and left unknown, the others stand. Reading a field that is not known raises
`Undetermined`, so a rule is written as if everything were known.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from rlhflint.fitting import Misfit, fitted
from rlhflint.given import Given, Refused
from rlhflint.rule import Draft
from rlhflint.value import Known, OneOf, Undetermined, Value

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

    from rlhflint.finding import Related, Severity, Stage
    from rlhflint.proposal import Proposal
    from rlhflint.session import Session
    from rlhflint.text import Span


class Field(NamedTuple):
    """What a model says of one of its fields."""

    types: tuple[str, ...]
    """The types of its annotation, as they are written there; empty for a group."""
    default: object = None
    group: type[Group] | None = None
    """The class of the settings below it, for a group."""


class Group:
    """Settings that share a prefix. A field that is not known is absent from the instance."""

    model_fields: ClassVar[dict[str, Field]] = {}

    model_fields_set: set[str]
    """The fields that hold more than their default."""
    _unknown: dict[str, tuple[str, str]]
    """Field name → canonical name of the setting and why it is not known."""

    def __init_subclass__(cls) -> None:
        """Read the fields off the annotations. The defaults go with them: what is unknown must not show them."""
        scope, fields = vars(sys.modules[cls.__module__]), dict(cls.model_fields)
        for name, annotation in get_annotations(cls).items():
            if name.startswith("_") or annotation.startswith("ClassVar"):
                continue
            if name in cls.__dict__:
                fields[name] = Field(tuple(annotation.split(" | ")), cls.__dict__[name])
                delattr(cls, name)
            else:
                fields[name] = Field((), group=scope[annotation])
        cls.model_fields = fields

    def __init__(self) -> None:
        self.model_fields_set = set()
        self._unknown = {}
        for name, field in type(self).model_fields.items():
            default = field.default if field.group is None else field.group()
            self.__dict__[name] = default.copy() if isinstance(default, (list, dict)) else default

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema by which pydantic makes an instance of a mapping of field names to values."""
        from rlhflint.validation import schema_of

        return schema_of(cls, handler)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            unknown = self.__dict__.get("_unknown")
            if unknown is not None and name in unknown:
                raise Undetermined(*unknown[name])
            raise AttributeError(f"{type(self).__name__} has no field {name}")


class ProgramModel(Group):
    """The settings of one launch, typed; the root of a generated model.

    Besides the fields it answers for the launch as a whole: `given`, `held`, `session`.
    """

    program: ClassVar[str] = ""

    _session: Session | None = None

    @property
    def session(self) -> Session:
        """The launch, the releases in force and the place where it will run."""
        if self._session is None:
            raise RuntimeError("this model was not made from a launch")
        return self._session

    def given(self, canonical: str) -> bool:
        """Whether the launch gives a setting. Raises `Undetermined` where it may be given out of sight."""
        return self.session.given(canonical)

    def held(self, canonical: str) -> object:
        """What the field of a setting holds. Raises `Undetermined` where it is not known."""
        node: object = self
        for part in canonical.split("."):
            node = getattr(node, part)
        return node

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
_INVALID = "its value is not valid"


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
        unknown.update((name, more) for name, _ in leaves(model))
    for name, value in values.items():
        unknown.pop(name, None)
        known.pop(name, None)
        if isinstance(value, Given):
            known[name] = value
        elif isinstance(value, Known):
            known[name] = value.value
        else:
            unknown[name] = _reason(value)
    held, refused = _held(model, known)
    unknown.update((one.canonical, _INVALID) for one in refused)
    built = model()
    for name, fitting in held.items():
        _put(built, name, fitting)
    for name, because in unknown.items():
        _hide(built, name, because)
    return built, refused


def leaves(model: type[Group], prefix: str = "") -> Iterator[tuple[str, Field]]:
    """The settings of a model by canonical name."""
    for name, field in model.model_fields.items():
        if field.group is not None:
            yield from leaves(field.group, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def _held(model: type[Model], known: Mapping[str, object]) -> tuple[Mapping[str, object], tuple[Refused, ...]]:
    """The values as their fields hold them, and those that are refused."""
    fields = dict(leaves(model))
    held: dict[str, object] = {}
    refused: list[Refused] = []
    try:
        for name, value in known.items():
            if isinstance(value, Given):
                try:
                    value = value.convert(value.raw)
                except ValueError as error:
                    refused.append(Refused(name, str(error), error))
                    continue
            held[name] = fitted(fields[name].types, value)
    except (KeyError, Misfit):
        from rlhflint.validation import validated

        return validated(model, known)
    return held, tuple(refused)


def _reason(value: Value) -> str:
    if isinstance(value, OneOf):
        return f"{value.because} (otherwise {value.default!r})"
    return getattr(value, "because", "")


def _put(root: Group, canonical: str, value: object) -> None:
    *groups, leaf = canonical.split(".")
    node = root
    for group in groups:
        node = node.__dict__[group]
    node.__dict__[leaf] = value
    node.model_fields_set.add(leaf)


def _hide(root: Group, canonical: str, because: str) -> None:
    """Take the field of a setting out of the model, so that reading it raises."""
    *groups, leaf = canonical.split(".")
    node: Any = root
    for group in groups:
        node = node.__dict__.get(group)
        if not isinstance(node, Group):
            return
    if leaf in node.model_fields:
        node.__dict__.pop(leaf, None)
        node._unknown[leaf] = (canonical, because)
