"""Words of a command line and values of a file become what TRL's own parser makes of them."""

from __future__ import annotations

import json

import pytest

from rlhflint.frameworks.trl.catalog.commands import command_fields, parser_traits, subcommands
from rlhflint.frameworks.trl.catalog.parser import convert_words, convert_yaml, options_of, reading_of
from tests.oracle.trl import ask
from tests.oracle.trl_environments import environment_of

RELEASES = ("0.15.2", "0.24.0", "0.29.1", "1.0.0", "1.6.0", "1.16.0")
WORDS = [["1"], ["1e-6"], ["0.5"], ["true"], ["No"], ["None"], ["null"], ["word"], ["-3"], [], ["1", "2"], ['{"a": 1}']]
VALUES = [1, 0.5, True, None, "1", "1e-6", "yes", "word", "None", [1, 2], ["a"], {"a": 1}, ""]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("word", ["sft", "grpo"])
def test_every_field_of_a_script(released_wheel, release, word):
    environment = environment_of(release)
    if not environment.python.exists():
        pytest.skip("no environment: python -m tests.oracle.trl_environments")
    command = subcommands(release)[word]
    fields = command_fields(command.classes, release, environment.transformers)
    hyphens, none_words = parser_traits(release, environment.transformers)
    options = options_of(fields, hyphens=hyphens, none_words=none_words)
    case = {"convert": word, "fields": list(fields), "words": WORDS, "values": VALUES}
    [answer] = ask(environment.python, released_wheel("trl", release), [case])
    assert answer["ok"], answer

    def ours(convert, name, given):
        reading = reading_of(fields[name], none_words=none_words)
        if reading.kind in ("other", "choice") and not reading.choices:
            return None
        try:
            return ["value", convert(fields[name], given, none_words=none_words)]
        except ValueError:
            return ["refused"]

    differing = {}
    for said, theirs in answer["words"].items():
        name, *words = json.loads(said)
        option = options[f"--{name}"]
        fits = len(words) == 1 or (not words and option.nargs == "?") or (len(words) > 1 and option.nargs == "+")
        expected = ours(convert_words, name, words) if fits else ["refused"]
        if expected is not None and json.dumps(expected) != json.dumps(
            theirs[:2] if theirs[0] == "value" else theirs[:1]
        ):
            differing[said] = (expected, theirs)
    for said, theirs in answer["yaml"].items():
        name, value = json.loads(said)
        expected = ours(convert_yaml, name, value)
        if expected is not None and json.dumps(expected) != json.dumps(
            theirs[:2] if theirs[0] == "value" else theirs[:1]
        ):
            differing[said] = (expected, theirs)
    assert not differing
