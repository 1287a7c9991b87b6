"""What a rule may ask about a launch besides its settings: releases in force, files, the place where it will run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

from packaging.version import Version as Release

from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rlhflint.command import Command
    from rlhflint.given import Refused
    from rlhflint.launch import Launch, Setting, Version
    from rlhflint.launchers import Start
    from rlhflint.launchers.machines.offer import Offer
    from rlhflint.launchers.processes.world import World
    from rlhflint.machines import Machines
    from rlhflint.site import Site


@cache
def _parsed(release: str) -> Release:
    return Release(release)


@dataclass(frozen=True)
class Session:
    """One launch together with all that is known about it."""

    launch: Launch
    site: Site
    refused: tuple[Refused, ...] = ()
    defaults: Mapping[str, object] = field(default_factory=dict)
    """Canonical name → default at the release in force."""

    @property
    def start(self) -> Start | None:
        """The command of the launch without its launchers; None for one that is made in Python or YAML."""
        return self.launch.start

    @property
    def framework(self) -> str:
        """The name of its framework: `openrlhf`, `trl`."""
        return self.launch.program.partition(":")[0]

    @cached_property
    def offer(self) -> Offer | None:
        """What the script asks for or brings up; None for a launch that no script makes."""
        from rlhflint.launchers.machines.offer import offered

        launch = self.launch
        return offered(launch.script, launch.command) if launch.script and launch.command else None

    @cached_property
    def machines(self) -> Machines:
        """The machines there will be, as far as the user or the script says."""
        from rlhflint.machines import machines_of, offered_by_manifest

        launch, offer = self.launch, self.offer
        if (offer is None or not offer.groups) and self.site.path.endswith((".yaml", ".yml")):
            text = self.site.files.text(self.site.path)
            manifest = offered_by_manifest(launch.path, text, launch.span) if text is not None else None
            offer = manifest if manifest is not None and manifest.groups else offer
        return machines_of(self.site.cluster, offer)

    @cached_property
    def world(self) -> World:
        """The processes that the launchers of the command start."""
        from rlhflint.launchers.processes.counting import processes
        from rlhflint.launchers.processes.world import World

        if self.launch.start is None or self.launch.command is None:
            return World.unknown("", "no command says how it is launched")
        hosts = self.hosts(self.launch.start, self.launch.command)
        return processes(self.launch.start, self.launch.command, self.launch.script, hostfile=hosts)

    @property
    def placed_by_ray(self) -> bool:
        """Whether Ray puts the processes of its program on machines, whatever a launcher starts."""
        return False

    @property
    def trains(self) -> bool:
        """Whether its program trains or generates with models of a size that takes GPUs."""
        return True

    def on_several_machines(self) -> bool:
        """Whether it runs on more than one machine. Raises `Undetermined` where nothing says.

        Processes of a launcher are on as many machines as it is told; what Ray places may be on any of its cluster.
        """
        if self.placed_by_ray:
            return self.machines.nodes.need("cluster") > 1
        return self.world.nodes.need("machines") > 1

    def hosts(self, start: Start, command: Command) -> Mapping[str, int] | None:
        """Machine → GPUs of the file that `deepspeed --hostfile` names; None where none of the project's is read."""
        launcher = start.launcher
        named = launcher.value("hostfile") if launcher is not None and launcher.name == "deepspeed" else None
        path = self.site.find(named.text, command) if named is not None and named.known else None
        text = self.site.files.text(path) if path is not None else None
        if text is None:
            return None
        from rlhflint.launchers.processes.deepspeed import BadHostfile, read_hostfile

        try:
            return read_hostfile(text)
        except BadHostfile:
            return None

    @cached_property
    def release(self) -> Release:
        """The release of the framework that is in force: stated, inferred or assumed."""
        return Release(self.launch.versions[self.framework].value)

    def since(self, release: str) -> bool:
        """Whether the framework's release in force is `release` or newer."""
        return self.release >= _parsed(release)

    def version(self, package: str) -> Version:
        """The release of a package that is in force. Raises `Undetermined` where nothing says or implies it."""
        version = self.launch.versions.get(package)
        if version is None:
            raise Undetermined(package, f"nothing states the release of {package}")
        return version

    def stated(self, package: str) -> Release:
        """The release of a package if somebody wrote it down exactly. Raises `Undetermined` otherwise."""
        version = self.version(package)
        if not version.stated or version.specifier:
            raise Undetermined(package, f"nothing states one release of {package}")
        return Release(version.value)

    def companion(self, package: str) -> str:
        """The specifier that the framework's release in force has for a package; empty if it has none."""
        return ""

    def missing(self, package: str, brought_by: tuple[str, ...] = ()) -> str | None:
        """The file whose list of packages tells that one will not be there; None where that is not certain.

        `brought_by` are requirements that bring it along: `openrlhf[ring]`. A list without the launch's own framework
        is that of something else beside it, and one on this machine is none of a container or another machine.
        """
        from rlhflint.launchers.carried import ELSEWHERE

        if self.start is not None and any(one.name in ELSEWHERE for one in self.start.wrappers):
            return None
        listing = self.site.declared.missing(package, brought_by)
        return None if listing is None or self.framework not in listing.names else str(listing.place)

    def setting(self, canonical: str) -> Setting | None:
        """The setting in force as it was given, None if it was not."""
        return self.launch.given(canonical)

    def given(self, canonical: str) -> bool:
        """Whether a setting is given. Raises `Undetermined` where it may be given out of sight."""
        if self.launch.given(canonical) is not None:
            return True
        if self.launch.more:
            raise Undetermined(canonical, self.launch.more)
        return False

    def has(self, canonical: str) -> bool:
        """Whether the program has a setting at the release in force; True too where the typed model alone can say."""
        return True

    @property
    def newer(self) -> bool:
        """Whether the framework's release in force is newer than the catalog."""
        return False

    @property
    def newest(self) -> str:
        """The newest release of the framework that the catalog knows."""
        return str(self.release)

    def as_upstream(self, what: str) -> None:
        """Raise `Undetermined` about `what` where a fork of the program may have other ways to give it."""

    def file(self, path: str) -> str | None:
        """The text of a file of the project, by its path from the working directory or from the script's folder."""
        files = self.site.files
        return files.text(path) or files.text(os.path.join(os.path.dirname(self.site.path), path))

    def spelling(self, canonical: str) -> str:
        """How a setting is written at the release in force."""
        return canonical

    def environment(self, name: str) -> str | None:
        """An environment variable the program sees, as far as the file sets it; None if the file does not.

        Raises `Undetermined` where the file sets it to something unknown.
        """
        value = self.launch.environment.get(name)
        if value is None:
            return None
        if isinstance(value, Known):
            return str(value.value)
        raise Undetermined(name, value.because)
