"""The catalog says of every class what the imported class says of itself."""

from __future__ import annotations

import json

from rlhflint.catalog.fields import Missing
from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.imports import ClassRef, Deleted, Moved, NotYet, Unknown, class_at
from rlhflint.frameworks.trl.catalog.lookup import config_fields, trainer_parameters
from rlhflint.frameworks.trl.catalog.store import releases
from tests.oracle.trl_environments import environment_of


def not_installed(path, answer):
    """It needs a package that the environment has not: diffusers, and what its module imports at the top."""
    return "DDPO" in path or answer["type"] in ("ImportError", "RuntimeError", "ModuleNotFoundError")


def homes(release, suffixes):
    """The public paths of the classes of a release whose name has one of the endings."""
    found = {}
    for name, rows in store.homes().items():
        row = releases().row_at(rows, release)
        if row is not None and name.endswith(suffixes):
            match class_at(row["at"], release):
                case ClassRef(key=key):
                    found[row["at"]] = key
    return found


def test_fields_names_defaults_and_choices_are_those_of_dataclasses(release, answers):
    classes = homes(release, ("Config", "Arguments"))
    assert len(classes) > 8
    differing = {}
    compared = 0
    for (path, key), answer in zip(classes.items(), answers([{"fields": path} for path in classes]), strict=True):
        if not answer["ok"]:
            assert not_installed(path, answer), (path, answer)
            continue
        compared += 1
        ours = config_fields(key, release, environment_of(release).transformers)
        assert ours.complete
        upstream = {row["name"]: row for row in answer["fields"] if row["init"]}
        if set(ours) != set(upstream):
            differing[path] = set(ours) ^ set(upstream)
        for name in ours.keys() & upstream.keys():
            default, row = ours[name].default, upstream[name]
            if (default is Missing.REQUIRED) != row["required"]:
                differing[f"{path}.{name}"] = "required"
            elif not isinstance(default, Missing) and json.dumps(default) != json.dumps(row["default"]):
                differing[f"{path}.{name}"] = (default, row["default"])
            if ours[name].choices is not None and list(ours[name].choices) != row["choices"]:
                differing[f"{path}.{name}"] = (ours[name].choices, row["choices"])
    assert not differing
    assert compared > 6


def test_parameters_of_trainers_are_those_of_their_constructors(release, answers):
    trainers = homes(release, "Trainer")
    differing = {}
    compared = 0
    asked = answers([{"parameters": path} for path in trainers])
    for (path, key), answer in zip(trainers.items(), asked, strict=True):
        if not answer["ok"]:
            assert not_installed(path, answer), (path, answer)
            continue
        ours = trainer_parameters(key, release)
        if ours.unseen:
            assert ours.unseen.startswith("transformers:"), path
            continue
        compared += 1
        upstream = {
            row["name"]: (row["kind"] == "KEYWORD_ONLY", row["required"])
            for row in answer["parameters"]
            if not row["kind"].startswith("VAR")
        }
        said = {name: (one.position is None, one.required) for name, one in ours.items()}
        if list(said.items()) != list(upstream.items()):
            differing[path] = (said, upstream)
    assert not differing
    assert compared > 3


def test_names_that_the_catalog_has_can_be_imported_and_others_cannot(release, answers):
    tables = {
        **store.names_table("trl"),
        **{f: t for f, t in store.names_table("trl.trainer").items() if f == "trl.trainer"},
    }
    paths = [f"{module}.{name}" for module, names in tables.items() for name in names if name]
    [answer] = answers([{"imports": paths}])
    wrong = {}
    for path in paths:
        ours = not isinstance(class_at(path, release), Moved | Deleted | NotYet | Unknown)
        theirs = answer["importable"][path]
        if ours is not theirs and isinstance(theirs, bool) and "DDPO" not in path:
            wrong[path] = (ours, theirs)
    assert not wrong
