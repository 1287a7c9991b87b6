"""Words of a command line and values of a file, as the configuration holds them."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.parsed_values import of_words, of_yaml
from rlhflint.text import Traced
from rlhflint.value import Known

FIELDS = config_fields("trl:DPOConfig", "0.24.0", "4.56.2")


def word(text):
    return Traced.of_file("run.sh", text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"use_reentrant": false}', {"use_reentrant": False}),
        (
            '{"use_reentrant": "False", "steps": "3", "share": "0.5"}',
            {"use_reentrant": False, "steps": 3, "share": 0.5},
        ),
        ("{use_reentrant: false", "{use_reentrant: false"),
        ("no dictionary", "no dictionary"),
    ],
)
def test_text_of_a_dictionary_becomes_one_where_the_configuration_reads_it(text, value):
    field = FIELDS["gradient_checkpointing_kwargs"]
    given = of_words(field, (word(text),), none_words=False)
    assert given.convert(given.raw) == value
    given = of_yaml(field, Known(text), none_words=False)
    assert given.convert(given.raw) == value


def test_text_stays_text_for_an_option_that_takes_text():
    given = of_words(FIELDS["output_dir"], (word('{"a": 1}'),), none_words=False)
    assert given.convert(given.raw) == '{"a": 1}'
