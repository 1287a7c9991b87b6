"""What the rules of verl may ask about a launch besides what every framework's may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlhflint.frameworks.verl.catalog import verl
from rlhflint.session import Session
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.verl.overrides import Override
    from rlhflint.launch import Setting
    from rlhflint.model import ProgramModel


@dataclass(frozen=True, slots=True)
class Details:
    """What the framework keeps with a launch.

    `release` is the release of the catalog that stands for the version in force, `engine` that of the configuration.
    `open` says why the configuration is not one of verl's own as released; it is empty if it is one. `given` are the
    overrides, each with its setting, without those that choose files or are Hydra's own.
    """

    release: str
    newer: bool
    engine: str
    open: str
    given: tuple[tuple[Override, Setting], ...]


@dataclass(frozen=True)
class VerlSession(Session):
    """A launch of verl's trainer."""

    @property
    def details(self) -> Details:
        """Release, engine and overrides. Raises TypeError for a launch of another framework."""
        if not isinstance(self.launch.details, Details):
            raise TypeError(f"{self.launch.program} is no program of verl")
        return self.launch.details

    @property
    def kinds(self) -> dict[str, str]:
        """Name → kind of every setting of the configuration. Raises `Undetermined` where it is not verl's own."""
        if self.details.open:
            raise Undetermined("config", self.details.open)
        return verl().kinds(self.details.release, self.details.engine)

    @property
    def placed_by_ray(self) -> bool:
        """Ray starts its workers."""
        return True

    @property
    def newer(self) -> bool:
        """Whether the release in force is newer than the catalog."""
        return self.details.newer

    @property
    def newest(self) -> str:
        """The newest release that the catalog knows."""
        return verl().releases.newest


def session_of(model: ProgramModel) -> VerlSession:
    """The session of a model of one of verl's launches. Raises TypeError for another framework's."""
    if not isinstance(model.session, VerlSession):
        raise TypeError(f"{model.session.launch.program} is no program of verl")
    return model.session
