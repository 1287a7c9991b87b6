"""`ray job submit` and its runtime environment."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from launchers.written import command, texts
from rlhflint.launchers import start_of
from rlhflint.launchers.ray.job import ray_job_of
from rlhflint.launchers.ray.traced_json import JsonFault, read_json_word
from rlhflint.text import HOLE, Span, Traced


def job(text):
    return ray_job_of(start_of(command(text)))


def submitted(environment):
    return job(f"ray job submit --runtime-env-json='{environment}' -- python t.py")


def test_no_job():
    assert job("python t.py") is None


def test_where_it_goes_and_what_it_carries():
    found = job("ray job submit --address=http://10.0.0.5:8265 --working-dir . -- python t.py")
    assert (found.address.text, found.scheme, found.host, found.port) == (
        "http://10.0.0.5:8265",
        "http",
        "10.0.0.5",
        8265,
    )
    assert (found.working_dir.text, found.local, found.more) == (".", False, "")


@pytest.mark.parametrize(
    ("address", "host", "port", "local"),
    [
        ("http://127.0.0.1:6379", "127.0.0.1", 6379, True),
        ("localhost:8265", "localhost", 8265, True),
        ("ray://head:10001", "head", 10001, False),
        ("http://$HEAD:8265", None, 8265, False),
        ("auto", "auto", None, False),
        ("$ADDRESS", None, None, False),
        ("http://[::1]:8265/", "[::1]", 8265, True),
    ],
)
def test_parts_of_an_address(address, host, port, local):
    found = job(f"ray job submit --address {address} -- python t.py")
    assert (found.host, found.port, found.local) == (host, port, local)


def test_the_runtime_environment_with_its_places():
    environment = '{"working_dir": "/w", "env_vars": {"A": "1", "B": "x"}, "excludes": ["/o"]}'
    text = f"ray job submit --runtime-env-json='{environment}' -- python t.py"
    found = job(text)
    assert found.working_dir.text == "/w"
    assert {name: entry.value.text for name, entry in found.env_vars.items()} == {"A": "1", "B": "x"}
    assert texts(found.excludes) == ["/o"]
    for part in (found.working_dir, found.env_vars["B"].name, found.env_vars["B"].value, *found.excludes):
        assert text[part.verbatim_span.start : part.verbatim_span.end] == part.text


def test_the_option_wins_over_the_working_dir_of_the_runtime_environment():
    text = """ray job submit --working-dir /a --runtime-env-json='{"working_dir":"/b"}' -- python t.py"""
    assert job(text).working_dir.text == "/a"


def test_a_file_instead():
    found = job("ray job submit --runtime-env env.yaml -- python t.py")
    assert not found.both
    assert found.more
    both = job("ray job submit --runtime-env env.yaml --runtime-env-json {} -- python t.py")
    assert both.both


def test_variables_inside_texts_and_in_place_of_values():
    carried = """{"working_dir":"'$D'/x","env_vars":'$VARS',"excludes":["a"]}"""
    text = f"ray job submit --runtime-env-json='{carried}' -- python t.py"
    found = job(text)
    assert found.working_dir.text == f"{HOLE}/x"
    assert found.env_vars == {}
    assert found.more == "$VARS comes from the environment"
    assert texts(found.excludes) == ["a"]


def test_a_value_that_is_not_known():
    text = """ray job submit --runtime-env-json='{"env_vars":{"A":"'$X'","B":'$Y'}}' -- python t.py"""
    found = job(text)
    assert found.env_vars["A"].value.because == "$X comes from the environment"
    assert found.env_vars["B"].value.because == "$Y comes from the environment"


def test_a_value_that_is_no_text():
    found = submitted('{"env_vars": {"A": 1}, "working_dir": null}')
    assert found.env_vars["A"].value is None
    assert found.working_dir is None


@pytest.mark.parametrize(
    ("environment", "place", "message"),
    [
        ('{"a": 1,}', "}", "a key without double quotes"),
        ("{a: 1}", "a", "a key without double quotes"),
        ('{"a" 1}', "1", "a colon is missing"),
        ('{"a": 1 "b": 2}', '"', "a comma is missing"),
        ('{"a": x}', "x", "no JSON value"),
        ('{"a": ', " ", "the text ends"),
        ('{"a": "b', '"', "an open quote"),
        ('{"a": "b\nc"}', "\n", "a line break"),
        ('{"a": "\\x"}', "\\", "a backslash"),
        ('{"a": "\\u12"}', "\\", "escape"),
        ("[1", "1", "an open bracket"),
        ("{}}", "}", "more text"),
        ('{"a": 1} \\\n', "\\", "more text"),
    ],
)
def test_texts_that_are_no_json(environment, place, message):
    with pytest.raises(JsonFault, match=message) as fault:
        read_json_word(Traced.of_file("run.sh", environment, 10))
    span = fault.value.word.span
    assert environment[span.start - 10 : span.end - 10] == place


def test_a_fault_is_kept_with_the_job():
    assert submitted('{"a": 1}').fault is None
    assert str(submitted('{"a"}').fault) == "a colon is missing behind a key"


def test_very_deep_nesting_is_not_known():
    assert read_json_word(Traced.of_file("run.sh", "[" * 100_000)).kind == "unknown"
    assert read_json_word(Traced.of_file("run.sh", '{"a":' * 100_000)).kind == "unknown"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('{"a": ~, "b": 1}', {"a": "unknown", "b": "number"}),
        ('{"a": ~5, "b": 1}', {"a": "unknown", "b": "number"}),
        ('{"a": 1~, "b": "x"}', {"a": "unknown", "b": "text"}),
        ('{"a": [1, ~], "b": true}', {"a": "array", "b": "literal"}),
        ('{~, "b": 1}', {"b": "number"}),
        ('{"a": "x~y"}', {"a": "text"}),
    ],
)
def test_parts_that_are_not_known_stay_apart(text, kinds):
    before, _, after = text.partition("~")
    first, last = (Traced.of_file("x", part) for part in (before, after))
    word = first + Traced.hole("$MORE is given outside") + last
    value = read_json_word(word)
    assert {name.text: member.kind for name, member in value.members} == kinds
    assert bool(value.more) is (len(kinds) == 1 and "b" in kinds)


@pytest.mark.parametrize("text", ["~", '{"a": 1}~', "[1]~", "~[1]", '~, "b": 1}'])
def test_a_text_that_may_be_anything(text):
    before, _, after = text.partition("~")
    first, last = (Traced.of_file("x", part) for part in (before, after))
    word = first + Traced.hole("$MORE is given outside") + last
    assert read_json_word(word).kind == "unknown"


def plain(value):
    """What `json.loads` gives, made of a reading."""
    match value.kind:
        case "object":
            return {name.text: plain(member) for name, member in value.members}
        case "array":
            return [plain(item) for item in value.items]
        case "text":
            return value.text.text
    return json.loads(value.written.text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(_JSON, st.booleans(), st.sampled_from([None, 1]))
def test_json_is_read_as_python_reads_it(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    if HOLE in text:
        return
    assert repr(plain(read_json_word(Traced.of_file("x", text)))) == repr(
        json.loads(text.encode("utf-8", "surrogatepass"))
    )


@settings(deadline=None)
@given(st.text(alphabet='{}[]:,"\\ntrue1.-e u0\n'))
def test_what_python_refuses_is_refused(text):
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(JsonFault):
            read_json_word(Traced.of_file("x", text))
    else:
        assert repr(plain(read_json_word(Traced.of_file("x", text)))) == repr(expected)


def test_escapes_point_at_their_characters():
    value = read_json_word(Traced.of_file("x", '"a\\u0041b"', 5))
    assert value.text.text == "aAb"
    assert value.text.span_of(1, 2) == Span("x", 7, 13)
