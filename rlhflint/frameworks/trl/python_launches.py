"""Launches in Python: calls of configuration classes and trainers, joined where one is handed to the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint.call import Origin
from rlhflint.frameworks.trl.catalog.changes import handed_on
from rlhflint.frameworks.trl.catalog.imports import ClassRef, Shim, class_at
from rlhflint.frameworks.trl.catalog.lookup import Parameters, config_fields, trainer_parameters
from rlhflint.frameworks.trl.catalog.programs import config_key, key_at, program_of
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.python_pairs import ARGS, TRAINING_ARGUMENTS, Pair, names_of_args, pairs, uses_of
from rlhflint.frameworks.trl.python_values import setting_of, value_of
from rlhflint.frameworks.trl.releases import NAME, versions_for
from rlhflint.frameworks.trl.session import Details, Stray, newest_name
from rlhflint.frameworks.trl.strays import BESIDE
from rlhflint.launch import Launch, Setting
from rlhflint.value import Known, Value

if TYPE_CHECKING:
    from rlhflint.call import Argument, Call, Module
    from rlhflint.catalog.fields import Fields
    from rlhflint.given import Given
    from rlhflint.launch import Version
    from rlhflint.site import Site

_FIRST = "output_dir"
"""The first field of every configuration."""
_MOVED = "trust_remote_code"
"""An option of ModelConfig that went into the configurations: TR614 says it."""
_WATCHED = frozenset({"trl", "peft", "transformers", TRAINING_ARGUMENTS, "transformers.BitsAndBytesConfig"})
_WATCHED_BELOW = ("trl.", "peft.", "transformers.Auto", "datasets.load_dataset", "datasets.Dataset.from_")
"""Besides TRL itself what loads and adapts the models that trainers are given."""


def watched(path: str) -> bool:
    """Whether a dotted path is of interest to rules of TRL."""
    return path in _WATCHED or path.startswith(_WATCHED_BELOW)


def launches(module: Module, site: Site) -> Iterator[Launch]:
    """The launches of a module, one for each way through it."""
    joined = list(pairs(module))
    uses = [
        (call.target.rpartition(".")[2], argument.name)
        for pair in joined
        for call in (pair.config, pair.trainer)
        if call is not None
        for argument in (*call.arguments, *call.assigned)
        if argument.name
    ]
    if not joined:
        return
    versions = versions_for(uses, site, trl_paths(module))
    patched = any(one.path.partition(".")[0] == "unsloth" for one in module.imports)
    for at, pair in enumerate(joined):
        maker = _Maker(module, pair, versions, patched)
        if at == 0:
            maker.take_companions()
        launch = maker.launch()
        if launch is not None:
            yield launch


def trl_paths(module: Module) -> tuple[str, ...]:
    """The import paths of TRL in a module that do not hang on the release that is installed."""
    return tuple(one.path for one in module.imports if one.path.startswith("trl.") and not one.guards)


class _Maker:
    """Makes the launch of one pair."""

    def __init__(self, module: Module, pair: Pair, versions: dict[str, Version], patched: bool) -> None:
        self.module = module
        self.pair = pair
        self.versions = versions
        self.patched = patched
        self.trl = releases().place(versions[NAME].value).release
        self.transformers = transformers_releases().place(versions["transformers"].value).release
        self.settings: list[Setting] = []
        self.values: dict[str, Given | Value] = {}
        self.strays: list[Stray] = []
        self.companions: tuple[Call, ...] = ()

    def take_companions(self) -> None:
        """The names that classes beside the configuration do not have; their options are those of no launch here."""
        for call in self.module.calls:
            name = call.target.rpartition(".")[2]
            if call.guards or call.subclass or name not in BESIDE or not call.target.startswith("trl."):
                continue
            owner = self._class(call.target)
            fields = self._fields(owner)
            self.companions += (call,)
            for argument in call.arguments if fields is not None and fields.complete else ():
                if fields is not None and argument.name and argument.name not in (*fields, _MOVED):
                    setting = setting_of(argument, newest_name(owner, argument.name))
                    self.strays.append(Stray(setting, owner, trainer=False, fields=fields))

    def launch(self) -> Launch | None:
        """The launch; None where the class is none of a program's."""
        config, trainer = self.pair.config, self.pair.trainer
        main = trainer or config
        if main is None:
            return None
        program = program_of(main.target.rpartition(".")[2])
        if program is None:
            return None
        config_class = self._config_class(program)
        fields = self._fields(config_class)
        trainer_class = self._class(trainer.target) if trainer is not None else ""
        parameters = self._parameters(trainer_class)
        if config is not None:
            self._take(config.arguments, config_class, fields, config)
        self._take(self.pair.assigned, config_class, fields, config, assigned=True)
        if trainer is not None:
            self._take_trainer(trainer, trainer_class, parameters, fields)
        more = self.pair.more or (trainer.more if trainer is not None else "")
        if self.patched:
            more = more or "unsloth changes what TRL does"
        choices = tuple(dict.fromkeys([*(config.choices if config else ()), *(trainer.choices if trainer else ())]))
        return Launch(
            program=program,
            path=self.module.path,
            span=(config or main).name_span,
            settings=tuple(self.settings),
            versions=self.versions,
            choices=choices,
            more=more,
            values=self.values,
            refused=tuple(stray.setting for stray in self.strays),
            details=Details(
                form="python",
                trl=self.trl,
                transformers=self.transformers,
                config=config_class,
                trainer=trainer_class,
                fields=fields,
                parameters=parameters,
                strays=() if self.patched else tuple(self.strays),
                config_call=config,
                trainer_call=trainer,
                companions=self.companions,
                uses=uses_of(self.module, trainer),
                variables=self.module.environment,
                imports=self.module.imports,
            ),
        )

    def _config_class(self, program: str) -> str:
        config = self.pair.config
        if config is None:
            return config_key(program, self.trl) or ""
        if config.target == TRAINING_ARGUMENTS:
            return "transformers:TrainingArguments"
        return self._class(config.target)

    def _class(self, path: str) -> str:
        """The key of a class by its import path; by its name where the path does not lead there any more."""
        match class_at(path, self.trl):
            case ClassRef(key=key) | Shim(key=key):
                return key
        return key_at(path.rpartition(".")[2], self.trl) or ""

    def _fields(self, key: str) -> Fields | None:
        try:
            return config_fields(key, self.trl, self.transformers) if key else None
        except KeyError:
            return None

    def _parameters(self, key: str) -> Parameters | None:
        try:
            return trainer_parameters(key, self.trl) if key else None
        except KeyError:
            return None

    def _take(
        self,
        arguments: Sequence[Argument],
        owner: str,
        fields: Fields | None,
        call: Call | None,
        *,
        assigned: bool = False,
    ) -> None:
        """The settings of a configuration's arguments, or of attributes set on it."""
        own = {field.name for one in (call.subclass if call else ()) for field in one.fields}
        open_ = any(one.open_bases or one.forwards or one.init is not None for one in (call.subclass if call else ()))
        for argument in arguments:
            if argument.position == 0 and argument.origin is Origin.POSITION and not assigned:
                setting = setting_of(argument, _FIRST, _FIRST)
                self.settings.append(setting)
                self.values[_FIRST] = value_of(argument)
            if not argument.name or (argument.name in own and (fields is None or argument.name not in fields)):
                continue
            canonical = newest_name(owner or "", argument.name, None if fields is None else self.trl)
            known = fields is None or not fields.complete or argument.name in fields or open_
            if not known:
                canonical = newest_name(owner, argument.name)
            setting = setting_of(argument, canonical)
            self.settings.append(setting)
            if not known and not (assigned and argument.name.startswith("_")):
                self.strays.append(Stray(setting, owner, trainer=False))
            self.values[canonical] = value_of(argument)

    def _take_trainer(self, call: Call, owner: str, parameters: Parameters | None, fields: Fields | None) -> None:
        for argument in call.arguments:
            name = argument.name
            if not name and parameters is not None and argument.position is not None:
                parameter = parameters.at(argument.position)
                name = parameter.name if parameter is not None else ""
            if not name or name == ARGS:
                continue
            known = parameters is None or not parameters.complete or name in parameters or bool(call.subclass)
            known = known or self.trl in releases().within(handed_on(owner, name))
            canonical = newest_name(owner, name, self.trl if known else None)
            setting = setting_of(argument, canonical, name)
            if name in names_of_args(owner):  # the configuration under an old name, which is none of the settings
                self.strays += [] if known else [Stray(setting, owner, trainer=True)]
                continue
            self.settings.append(setting)
            if not known:
                self.strays.append(Stray(setting, owner, trainer=True))
            self.values.setdefault(canonical, value_of(argument))
        if not call.more and parameters is not None:
            for name in parameters:
                if fields is None or name not in fields:
                    self.values.setdefault(newest_name(owner, name, self.trl), Known(None))
