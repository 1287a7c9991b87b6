"""What the rules of OpenRLHF may ask about a launch besides what every framework's may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.launchers.count import number_of
from rlhflint.session import Session
from rlhflint.text import HOLE
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.arguments import Mistake, Reading, Trouble
    from rlhflint.catalog.store import FrameworkCatalog
    from rlhflint.frameworks.openrlhf.edition import Edition
    from rlhflint.frameworks.openrlhf.strangers import Stranger
    from rlhflint.launch import Launch, Setting
    from rlhflint.model import ProgramModel


@dataclass(frozen=True, slots=True)
class Details:
    """What the framework keeps with a launch."""

    edition: Edition
    strangers: tuple[Stranger, ...]
    reading: Reading
    catalog: FrameworkCatalog


def details_in(launch: Launch) -> Details:
    """What the framework keeps with a launch of its own. Raises TypeError for a launch of another framework."""
    if not isinstance(launch.details, Details):
        raise TypeError(f"{launch.program} is no program of OpenRLHF")
    return launch.details


def details_of(model: ProgramModel) -> Details:
    """The same, for the typed model of a launch."""
    return details_in(model.session.launch)


def troubles(model: ProgramModel, mistake: Mistake) -> Iterator[Trouble]:
    """The words of a launch that its parser refuses for one reason; not those of which a part is unknown."""
    for trouble in details_of(model).reading.troubles:
        if trouble.mistake is mistake and HOLE not in trouble.word.text:
            yield trouble


@dataclass(frozen=True)
class OpenRLHFSession(Session):
    """A launch of one of OpenRLHF's programs."""

    @property
    def details(self) -> Details:
        """Edition, reading and unknown flags."""
        return details_in(self.launch)

    @property
    def edition(self) -> Edition:
        """The program as the launch is judged by it."""
        return self.details.edition

    @property
    def placed_by_ray(self) -> bool:
        """Whether it is PPO with Ray."""
        return self.launch.program == PPO

    @property
    def trains(self) -> bool:
        """Whether it is none of the programs that serve, chat, generate or merge."""
        return self.launch.program.startswith("openrlhf:train_")

    def on_several_machines(self) -> bool:
        """Whether it runs on more than one machine: the actor may say so where nothing says it of the cluster."""
        try:
            return super().on_several_machines()
        except Undetermined:
            nodes = self.setting("actor.num_nodes")
            if nodes is None or not isinstance(nodes.value, Known) or (number_of(str(nodes.value.value)) or 0) < 2:
                raise
            return True

    def as_upstream(self, what: str) -> None:
        """Raise `Undetermined` about `what` where a fork's own options are given, which may stand for it."""
        program, edition = self.edition.program, self.edition
        if not edition.copy:
            return
        own = [
            argument.option.flag
            for argument in self.details.reading.arguments
            if program is None or not program.history(argument.option.flag)
        ]
        if own:
            raise Undetermined(what, f"{own[0]} is an option that only the copy in {edition.copy} has")

    def companion(self, package: str) -> str:
        """The specifier of a package that the release in force requires, its extras included; "" for a copy.

        A copy in the user's tree has requirements of its own, whatever release it says to be.
        """
        if self.edition.copy:
            return ""
        return self.details.catalog.companions(self.edition.release).specifier(package) or ""

    @property
    def newer(self) -> bool:
        """Whether the release in force is newer than the catalog."""
        return self.edition.newer

    @property
    def newest(self) -> str:
        """The newest release that the catalog knows."""
        return self.details.catalog.newest

    def spelling(self, canonical: str) -> str:
        """The flag that sets `canonical` at the release in force, with its dashes."""
        return self.edition.spelling(canonical)


def settings_by_word(launch: Launch) -> dict[int, Setting]:
    """The settings of a launch by the identity of the word that gave each its name."""
    return {id(setting.name_text): setting for setting in launch.settings if setting.name_text is not None}
