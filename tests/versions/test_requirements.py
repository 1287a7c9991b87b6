"""Single requirements, and the ranges they state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from rlhflint.packages.names import PACKAGES, may_name_one, normalised
from rlhflint.packages.ranges import (
    BadSpecifier,
    allows,
    exact,
    hull,
    nearest_bound,
    newest_inside,
    specifier_of,
)
from rlhflint.text import HOLE
from rlhflint.versions.pep508 import BadRequirement, may_hold, wish_of
from rlhflint.versions.poetry import specifier_of_conda, specifier_of_poetry


@pytest.mark.parametrize(
    ("text", "name", "specifier", "pinned", "extras"),
    [
        ("openrlhf==0.9.3", "openrlhf", "==0.9.3", "0.9.3", ""),
        ("OpenRLHF[vllm, ring] == 0.5.4", "openrlhf", "==0.5.4", "0.5.4", "vllm ring"),
        ("flash_attn==2.7.4.post1", "flash-attn", "==2.7.4.post1", "2.7.4.post1", ""),
        ("Flash.Attn", "flash-attn", "", None, ""),
        ("torch==2.5.1+cu124", "torch", "==2.5.1", "2.5.1", ""),
        ("trl (>=0.20,<0.25)", "trl", "<0.25,>=0.20", None, ""),
        ("trl~=0.24.0", "trl", "~=0.24.0", None, ""),
        ("trl==0.24.*", "trl", "==0.24.*", None, ""),
        ("trl===0.24.0", "trl", "==0.24.0", "0.24.0", ""),
        ("trl==v0.24.0,!=0.25", "trl", "==0.24.0", "0.24.0", ""),
        ("trl @ git+https://host/huggingface/trl.git@v0.24.0", "trl", "==0.24.0", "0.24.0", ""),
        ("trl[vllm] @ git+ssh://git@host/huggingface/trl@main ; python_version > '3'", "trl", "", None, "vllm"),
        ("trl@git+https://host/trl@e751a16d0f7f5b4a9f1b2c3d4e5f60718293a4b5", "trl", "", None, ""),
        ("git+https://host/OpenRLHF/OpenRLHF.git@v0.9.3", "openrlhf", "==0.9.3", "0.9.3", ""),
        ("git+https://host/OpenRLHF/OpenRLHF@feature/v1.0/x", "openrlhf", "", None, ""),
        ("git+https://host/fork.git@v0.9.3#egg=openrlhf[ring]", "openrlhf", "==0.9.3", "0.9.3", "ring"),
        (
            "https://host/d/v2.7.4/flash_attn-2.7.4+cu12torch2.6-cp311-cp311-linux_x86_64.whl",
            "flash-attn",
            "==2.7.4",
            "2.7.4",
            "",
        ),
        ("./wheels/vllm-0.8.5.post1-cp38-abi3-manylinux1_x86_64.whl", "vllm", "==0.8.5.post1", "0.8.5.post1", ""),
        ("vllm @ https://host/vllm-0.8.5%2Bcu118-cp38-abi3-linux_x86_64.whl", "vllm", "==0.8.5", "0.8.5", ""),
        ("https://host/trl-0.9.6.tar.gz", "trl", "==0.9.6", "0.9.6", ""),
        ("https://host/huggingface/trl/archive/main.zip#egg=trl", "trl", "", None, ""),
        ("vllm==0.8.5; sys_platform == 'linux'", "vllm", "==0.8.5", "0.8.5", ""),
        ("vllm==0.8.5; not a marker", "vllm", "==0.8.5", "0.8.5", ""),
        ("vllm==0.8.5; platform_release == 'x'", "vllm", "==0.8.5", "0.8.5", ""),
        ("trl=={{ version }}", "trl", "", None, ""),
        ("trl==${TRL}", "trl", "", None, ""),
        (f"trl=={HOLE}", "trl", "", None, ""),
    ],
)
def test_a_requirement_says(text, name, specifier, pinned, extras):
    wish = wish_of(text)
    assert wish is not None
    assert (wish.name, wish.specifier, wish.exact, wish.extras) == (name, specifier, pinned, frozenset(extras.split()))


@pytest.mark.parametrize(
    "text",
    [
        "numpy==1.26",
        "trl-extras==1.0",
        "vllm==0.8.5; sys_platform == 'darwin'",
        "vllm==0.8.5; python_version < '3.0'",
        "vllm==0.8.5; extra == 'gpu'",
        "",
        "==",
        "https://host/",
        "git+https://host",
        "-",
        "file:///home/x/build",
    ],
)
def test_a_requirement_that_is_about_no_tracked_package_or_never_holds(text):
    assert wish_of(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trl=0.24.0", "trl: '=0.24.0' is no version"),
        ("trl==new", "trl: 'new' is no version"),
        ("trl 0.24.0", "trl: '0.24.0' is no specifier"),
        ("trl>=", "trl: '>=' is no version"),
        ("trl=>0.24", "trl: '=>0.24' is no version"),
    ],
)
def test_a_requirement_that_pip_refuses_is_told(text, message):
    with pytest.raises(BadRequirement) as error:
        wish_of(text)
    assert str(error.value) == message


@given(st.text(max_size=80), st.sampled_from(["", "trl", "trl==", "git+https://", "trl @ ", "vllm[", "torch; "]))
def test_any_text_is_answered_or_refused(text, start):
    try:
        wish = wish_of(start + text)
    except BadRequirement:
        return
    assert wish is None or wish.name in PACKAGES


@given(st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,3}){0,3}(\.post[0-9]{1,2})?", fullmatch=True), st.sampled_from(PACKAGES))
def test_a_pin_of_any_release_is_that_release(release, name):
    wish = wish_of(f"{name}=={release}")
    assert wish is not None
    assert wish.exact is not None
    assert Version(wish.exact) == Version(release)


# Ranges

NUMBERS = st.integers(0, 4)
RELEASES = st.builds(
    lambda release, post: ".".join(map(str, release)) + post,
    st.lists(NUMBERS, min_size=1, max_size=3),
    st.sampled_from(["", "", "", ".post0", ".post1"]),
)
CLAUSES = st.one_of(
    st.builds("{}{}".format, st.sampled_from(["==", ">=", "<=", ">", "<", "!="]), RELEASES),
    st.builds("{}{}.*".format, st.sampled_from(["==", "!="]), st.builds("{}.{}".format, NUMBERS, NUMBERS)),
    st.builds("~={}.{}".format, NUMBERS, NUMBERS),
    st.builds("~={}.{}.{}".format, NUMBERS, NUMBERS, NUMBERS),
)
SPECIFIERS = st.lists(CLAUSES, max_size=3).map(",".join)


@given(st.lists(SPECIFIERS, min_size=1, max_size=3), RELEASES)
def test_the_hull_holds_all_that_any_of_its_parts_allows(specifiers, release):
    if any(SpecifierSet(specifier).contains(release) for specifier in specifiers):
        assert allows(hull(specifiers), release)


@pytest.mark.parametrize(
    ("specifiers", "expected"),
    [
        (["==0.8.2", ">0.8.2"], ">=0.8.2"),
        (["==0.8.2", "==0.9.0"], ">=0.8.2,<=0.9.0"),
        (["==0.24.*", "~=0.20.1"], ">=0.20.1,<0.25"),
        (["<0.9", "==0.8"], "<0.9"),
        (["===0.8", "<=0.9"], "<=0.9"),
        (["===anything"], ""),
        (["===anything", "==0.8"], ""),
        ([">0.8", "<=0.9,>0.8"], ">0.8"),
        (["!=0.8"], ""),
        (["==0.8.*", "==0.9.*"], ">=0.8,<0.10"),
        (["~=0.8.1,<0.8.3"], ">=0.8.1,<0.8.3"),
        (["", "==0.8"], ""),
        ([], ""),
    ],
)
def test_hulls(specifiers, expected):
    assert hull(specifiers) == expected


def test_a_bare_version_is_a_pin():
    assert (specifier_of("0.9.3"), specifier_of(" V0.9 "), specifier_of("0.9.*")) == ("==0.9.3", "==V0.9", "==0.9.*")
    assert exact(specifier_of("V0.9")) == "0.9"


@pytest.mark.parametrize("text", ["new", ">", "0.9 or so", "1" * 5000, "=" * 2000])
def test_texts_that_are_neither_version_nor_specifier(text):
    with pytest.raises(BadSpecifier):
        specifier_of(text)


@pytest.mark.parametrize(
    "text",
    [">=0.9,<0.8", ">=0.9,<0.9", "==1.0,==2.0", "==1.0,!=1.0", "~=0.9,<0.8", "==0.9.*,>=0.10", "==1.0,<1.0"],
)
def test_a_range_with_nothing_inside_is_told(text):
    with pytest.raises(BadSpecifier, match="no version is inside"):
        specifier_of(text)


OPERATORS = st.sampled_from(["==", "!=", ">=", "<=", ">", "<", "~="])


@given(
    st.lists(st.tuples(OPERATORS, RELEASES.filter(lambda one: one.partition(".post")[0].count("."))), max_size=3),
    st.sampled_from(["", "+cu1", "rc1", ".post1", ".dev1"]),
    RELEASES,
)
def test_a_range_that_some_version_is_inside_is_not_said_to_be_empty(parts, ending, release):
    text = ",".join(f"{operator}{version}" for operator, version in parts)
    version = release if any(word in release for word in ("rc", "post", "dev")) else release + ending
    if SpecifierSet(text).contains(version, prereleases=True):
        assert allows(specifier_of(text), version)


def test_a_local_version_is_one_of_its_release():
    assert specifier_of("==1.0+cu1") == "==1.0+cu1"
    assert specifier_of("==1.0,==1.0+cu1") == "==1.0,==1.0+cu1"
    assert specifier_of("===1.0") == "===1.0"


def test_the_newest_release_inside_a_range():
    releases = ["0.8.0", "0.9.0rc1", "0.9.0", "0.9.1", "1.0.0rc1"]
    assert newest_inside(">=0.8", releases) == "0.9.1"
    assert newest_inside("<0.9", releases) == "0.8.0"
    assert newest_inside(">=1.0.0rc1", releases) == "1.0.0rc1"
    assert newest_inside(">2", releases) is None
    assert [nearest_bound(text) for text in (">=1.2,<2", "<2", "!=1", "")] == ["1.2", "2", None, None]


# Other spellings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("^1.2.3", ">=1.2.3,<2"),
        ("^0.24.1", ">=0.24.1,<0.25"),
        ("^0.0.3", ">=0.0.3,<0.0.4"),
        ("^0.0", ">=0.0,<0.1"),
        ("^0", ">=0,<1"),
        ("~1.2.3", ">=1.2.3,<1.3"),
        ("~1.2", ">=1.2,<1.3"),
        ("~1", ">=1,<2"),
        ("~=1.2", "~=1.2"),
        ("0.24.0", "==0.24.0"),
        ("=0.24.0", "==0.24.0"),
        ("0.24.*", "==0.24.*"),
        (">=0.2, <0.3", ">=0.2,<0.3"),
        (">=0.2 <0.3", ">=0.2,<0.3"),
        ("*", ""),
        ("^0.24 || 0.26.1", ">=0.24,<=0.26.1"),
    ],
)
def test_constraints_of_poetry(text, expected):
    assert specifier_of_poetry(text) == expected


@given(st.text("^~<>=!*|,. 0123456789ab", max_size=30))
def test_any_constraint_is_put_into_some_text(text):
    assert isinstance(specifier_of_poetry(text), str)
    assert isinstance(specifier_of_conda(text), str)


@given(st.lists(NUMBERS, min_size=1, max_size=3), RELEASES.filter(lambda release: "post" not in release))
def test_a_caret_allows_what_keeps_the_first_number_that_is_not_zero(numbers, release):
    allowed = allows(specifier_of(",".join([specifier_of_poetry("^" + ".".join(map(str, numbers)))])), release)
    padded = [*map(int, release.split(".")), 0, 0, 0][:3]
    lead = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
    same = padded[: lead + 1] == numbers[: lead + 1]
    assert allowed is (same and padded >= [*numbers, 0, 0, 0][:3])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=0.24", "==0.24.*"),
        ("=0.24.0", "==0.24.0"),
        ("=0.24.*", "==0.24.*"),
        ("==0.24.0", "==0.24.0"),
        ("0.24.0", "==0.24.0"),
        ("0.24.*", "==0.24.*"),
        (">=0.2,<0.3", ">=0.2,<0.3"),
        ("*", ""),
        ("", ""),
        ("0.1|0.2", ""),
    ],
)
def test_versions_of_conda(text, expected):
    assert specifier_of_conda(text) == expected


@given(st.sampled_from([name for name in PACKAGES if name != "python"]), st.sampled_from("-_."))
def test_a_file_that_names_a_package_in_any_spelling_is_noticed(name, separator):
    spelled = name.replace("-", separator).upper()
    assert normalised(spelled) == name
    assert may_name_one(f"x {spelled} y".encode())
    assert not may_name_one(b"python numpy scipy array")


@pytest.mark.parametrize("marker", ["''>''", "''<''", "'b' == 'b'"])
def test_a_marker_that_compares_nothing_may_hold(marker):
    assert may_hold(marker)
