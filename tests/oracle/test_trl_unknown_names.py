"""What the overlay says of keys and flags that no class takes is what TRL does with them."""

from __future__ import annotations

from rlhflint.frameworks.trl.catalog.commands import subcommands
from rlhflint.frameworks.trl.catalog.unknown_names import unknown_name

GIVEN = ["--output_dir", "out", "--dataset_name", "d", "--use_cpu", "true", "--bf16", "false"]
KEY = "output_dir: out\ndataset_name: d\nuse_cpu: true\nbf16: false\nmax_lenght: 5\n"
FLAG = [*GIVEN, "--max_lenght", "5"]


def outcome(answer, config_given):
    """One word for what happened, as the overlay says it."""
    if answer["ok"]:
        return "ignored"
    if answer["stage"] == "command":
        if "--config" in answer["message"] and config_given:
            return "no-config"
        # The parser of `trl` itself fails by the same exit status; accelerate names itself in front of its message.
        return "accelerate" if answer["message"].startswith("2: Accelerate") else "refused"
    return "refused"


def words(release):
    return [word for word in ("sft", "dpo", "grpo", "reward") if word in subcommands(release)]


def test_scripts_of_the_user_and_of_trl(release, answers):
    cases, expected = [], []
    for word in words(release):
        call = subcommands(release)[word].arguments
        for by, keywords in (("own", {}), ("script", dict(call))):
            said = unknown_name(by, release, word)
            cases += [{"parser": word, "yaml": KEY, "call": keywords}, {"parser": word, "argv": FLAG, "call": keywords}]
            expected += [(word, by, "key", said.key), (word, by, "flag", said.flag)]
    found = [
        (*row[:3], outcome(answer, config_given=False)) for row, answer in zip(expected, answers(cases), strict=True)
    ]
    assert found == expected


def test_words_behind_trl(release, answers):
    """What `trl WORD` hands on goes through the script, whose parser has the last word."""
    named = words(release)
    cases = [case for word in named for case in ({"command": [word, *GIVEN], "yaml": KEY}, {"command": [word, *FLAG]})]
    started = answers(cases)
    scripts, places = [], []
    for index, answer in enumerate(started):
        word = named[index // 2]
        if answer["ok"]:
            call = dict(subcommands(release)[word].arguments)
            scripts.append({"parser": word, "argv": answer["values"]["arguments"], "call": call})
            places.append(index)
    for case in scripts:
        if "--config" in case["argv"]:  # the file the child wrote is gone by now
            at = case["argv"].index("--config")
            del case["argv"][at : at + 2]
            case["yaml"] = KEY
    for index, answer in zip(places, answers(scripts), strict=True):
        started[index] = answer
    found = {
        word: (outcome(started[2 * at], config_given=True), outcome(started[2 * at + 1], config_given=False))
        for at, word in enumerate(named)
    }
    expected = {word: ((said := unknown_name("trl", release, word)).key, said.flag) for word in named}
    assert found == expected
