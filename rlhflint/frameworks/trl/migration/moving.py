"""A TRL launch moved from the releases in force to other ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint.call import Argument, Origin
from rlhflint.frameworks.trl.catalog.changes import removal
from rlhflint.frameworks.trl.catalog.over_releases import history
from rlhflint.frameworks.trl.catalog.parser import reading_of
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.migration.companions import companions
from rlhflint.frameworks.trl.migration.conversion import conversion, creatable, creation
from rlhflint.frameworks.trl.migration.ends import Ends, ends_of
from rlhflint.frameworks.trl.migration.loading import loaded_with
from rlhflint.frameworks.trl.migration.members import as_text, not_there
from rlhflint.frameworks.trl.migration.names import Lead, advice, ignored, lead, owners_of
from rlhflint.frameworks.trl.migration.notes import Notes
from rlhflint.frameworks.trl.migration.relied import Relied, unseen
from rlhflint.frameworks.trl.migration.rloo import counted, epochs
from rlhflint.frameworks.trl.migration.trainer import ended, options_of_configuration, stranded, trainer_changes
from rlhflint.frameworks.trl.migration.values import Lost, instead_of, of_same_name, spelled, typed, with_name
from rlhflint.frameworks.trl.session import details_in
from rlhflint.frameworks.trl.strays import accelerate_option
from rlhflint.migration import Migration, Targets
from rlhflint.proposal import SAFE, UNSAFE, Change, Move, Proposal, Remove, Rename, Replace, SetValue
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.finding import Finding
    from rlhflint.frameworks.trl.catalog.changes import Removal
    from rlhflint.launch import Launch, Setting


def migration(launch: Launch, targets: Targets) -> Migration:
    """What a launch takes to get to the releases asked for; nothing where they do not have its classes."""
    ends = ends_of(launch, targets)
    return Migration() if ends is None else _Move(launch, ends, targets).migration()


class _Move:
    """One launch on its way."""

    def __init__(self, launch: Launch, ends: Ends, targets: Targets) -> None:
        self.launch = launch
        self.ends = ends
        self.targets = targets
        self.details = details_in(launch)
        self.owners = owners_of(self.details, ends.config)
        self.notes = Notes(launch, ends)
        self.proposals: list[Proposal] = []
        self.written: set[str] = set()
        """The options that are given in the end, by the names they have there."""
        self.converts = False
        self.creates = False
        """Whether the trainer gets a configuration, and its options then go there."""

    def migration(self) -> Migration:
        """The proposals, and what there is to say besides."""
        for setting in self._options():
            self._option(setting)
        self._trainer()
        for title, change in companions(self.launch, self.ends):
            self._propose(title, (change,))
        said: list[Finding] = list(self.notes.said)
        if self.ends.later:
            said += self.notes.meanings()
            at, told = epochs(self.launch, self.ends)
            said += [self.notes.counted(at, told)] if told else []
        known = self.converts or not self.ends.converted
        options: list[tuple[str, object]] = []
        if known and self.ends.later and self.targets.defaults and not unseen(self.launch) and not self._moved():
            relied = Relied(self.launch, self.ends, self.targets, self.written)
            self.proposals += relied.written_out(self.proposals)
            said += relied.findings(self.notes)
            options = relied.in_new_call
        if self.creates or options:
            self._propose(f"Give a {_class(self.ends.config)}", creation(self.launch, self.ends, options))
        return Migration(tuple(self.proposals), tuple(said))

    def _trainer(self) -> None:
        """The arguments of the trainer; what goes to its configuration makes that one of the trainer's own class."""
        made = conversion(self.launch, self.ends) if self.ends.converted else ()
        moves: tuple[Change, ...] = ()
        for changed in trainer_changes(self.launch, self.ends):
            moved = {change.name for change in changed.changes if isinstance(change, Move)}
            if moved and self.ends.converted and not made:
                continue
            self.written |= moved
            if moved and self.ends.converted:
                moves += changed.changes
            else:
                self._propose(changed.title, changed.changes)
        self.converts = bool(moves)
        if moves:
            self._propose(f"Make it a {_class(self.ends.config)}", (*made, *moves))
        for span, said in stranded(self.launch, self.ends):
            self.notes.stranded(span, said)
        for setting, found in ended(self.launch, self.ends):
            if self._is_of_trl(setting.name):
                self._ended(setting, found.removal)
        if creatable(self.launch, self.ends):
            going = options_of_configuration(self.launch, self.ends)
            self.written |= going
            self.creates = bool(going)

    def _options(self) -> Iterator[Setting]:
        """The settings that are options of the configuration, and not arguments of the trainer."""
        call = self.details.trainer_call
        trainers = {id(argument) for argument in call.arguments} if call is not None else set()
        for setting in self.launch.settings:
            if id(setting.origin) not in trainers:
                yield setting

    def _option(self, setting: Setting) -> None:
        """What becomes of one option."""
        name = _bare(setting)
        found = lead(name, self.owners, self.ends.accepted, self.ends.to)
        if found.name == name:
            self.written.add(name)
            self._going(setting, name)
            same = of_same_name(self.launch, setting, name, self.ends) or as_text(setting, self.ends)
            held = loaded_with(setting, name, self.ends)
            if held:
                self._propose(f"Write dtype in {name}", held)
            if (said := not_there(setting, self.ends)) and name in self.ends.fields:
                self.notes.lost(setting, said)
            if same is not None:
                self._propose(f"Set {name} to {same.value!r}", (same,))
            elif self._needs_value(setting, name):
                self._propose(f"Write {setting.name} true", (SetValue(setting, "true"),))
        elif found.name:
            self._renamed(setting, name, found)
        elif self._is_of_trl(name):
            self._ended(setting, found.removal)

    def _going(self, setting: Setting, name: str) -> None:
        """Say of an option that is still taken and does nothing any more."""
        gone = next((one for owner in self.owners if (one := removal(owner, name)) is not None), None)
        if gone is None or not gone.ignored or ignored(gone, self.ends.since[0]) or not gone.advice:
            return
        if releases().position(gone.deprecated) <= releases().position(self.ends.to[0]):
            self.notes.lost(setting, f"{name} does nothing from TRL {gone.deprecated} on: {advice(gone)}")

    def _needs_value(self, setting: Setting, name: str) -> bool:
        """Whether a flag stands alone that needs a value in the end, since it can be true, false or unset there."""
        field = self.ends.fields.get(name)
        if setting.origin is not None or setting.text or field is None or "bool" not in field.type:
            return False
        return not reading_of(field, none_words=True).bare

    def _renamed(self, setting: Setting, name: str, found: Lead) -> None:
        counts = counted(self.launch, setting, name, self.ends)
        if counts is not None:
            self.written.add(found.name)
            if counts.lost:
                self.notes.lost(setting, f"{name} became {found.name}; not done: {counts.lost}")
            else:
                self._propose(f"Write {spelled(setting, found.name)}", counts.changes)
            return
        valued = found.valued
        if valued is None:
            self._propose(f"Write {spelled(setting, found.name)}", (Rename(setting, (spelled(setting, found.name),)),))
            self.written.add(found.name)
            return
        changes = with_name(self.launch, setting, valued.old, found.name)
        if isinstance(changes, Lost):
            if name in self.ends.accepted:  # else a rule says at the end what became of it
                self.notes.lost(
                    setting, f"{name} became {found.name}: {valued.value}; not done, since {changes.because}"
                )
            self.written.add(found.name)
            return
        self.written |= {one.lstrip("-") for change in changes for one in _names(change)}
        names = ", ".join(one for change in changes for one in _names(change))
        self._propose(f"Write {names}" if names else f"Remove {name}", changes)

    def _ended(self, setting: Setting, gone: Removal | None) -> None:
        """An option that nothing stands for: it goes where it did nothing, or where that is allowed."""
        if isinstance(setting.origin, Argument) and setting.origin.origin is Origin.ATTRIBUTE:
            return
        name, value = _bare(setting), typed(self.launch, setting)
        field = self.details.fields.get(name) if self.details.fields is not None else None
        default = field.default if field is not None else None
        idle = isinstance(value, Known) and value.value in (None, False) and value.value == default
        call = self.details.trainer_call
        of_trainer = call is not None and any(setting.origin is one for one in call.arguments)
        part = () if idle or of_trainer else instead_of(self.launch, setting, name, self.ends.accepted)
        if part:
            self.written |= {one.lstrip("-") for one in _names(part[0])}
            self._propose(f"Write {', '.join(_names(part[0]))} for {name}", part)
            return
        dead = idle or (gone is not None and bool(gone.drop)) or ignored(gone, self.ends.since[0])
        if not dead and not self.targets.unsafe:
            if self.details.by == "trl" and accelerate_option(name) is not None:  # no rule speaks of it then
                self.notes.lost(setting, f"{name} is handed to `accelerate launch` there: {advice(gone)}")
            return
        notes: tuple[Finding, ...] = ()
        if not dead:
            notes = (self.notes.gone(setting, f"{name} is taken out, and what it did is lost: {advice(gone)}"),)
        elif not (idle or value == Known(default) or ignored(gone, self.ends.since[0])):
            notes = (self.notes.gone(setting, f"{name} is taken out: {advice(gone)}", mild=True),)
        self._propose(f"Remove {name}", (Remove(setting),), unsafe=not dead, notes=notes)

    def _is_of_trl(self, name: str) -> bool:
        """Whether some release of TRL or transformers has an option of this name."""
        if self.details.by == "own" and name in self.ends.accepted:
            return False
        return name in (self.details.fields or {}) or any(history(owner, name) for owner in self.owners)

    def _moved(self) -> bool:
        """Whether the launch was moved before, and only the statement of the release is the old one.

        What it relied on then can no longer be told.
        """
        before = self.details.fields if self.details.fields is not None else ()
        return any(
            name in self.ends.accepted and name not in before for setting in self._options() if (name := _bare(setting))
        )

    def _propose(
        self, title: str, changes: tuple[Change, ...], *, unsafe: bool = False, notes: tuple[Finding, ...] = ()
    ) -> None:
        self.proposals.append(Proposal(title, UNSAFE if unsafe else SAFE, changes, notes))


def _class(key: str) -> str:
    """The name of a class, of its key."""
    return key.rpartition(":")[2]


def _bare(setting: Setting) -> str:
    """The name of a setting without dashes."""
    return setting.name if setting.origin is not None else setting.name.lstrip("-").replace("-", "_")


def _names(change: Change) -> Sequence[str]:
    """The names that a change writes."""
    match change:
        case Rename(_, names):
            return names
        case Replace(_, by):
            return [name for name, _ in by]
    return ()
