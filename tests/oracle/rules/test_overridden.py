"""Combinations that upstream changes or remarks on: the linter says what is changed, and at the same releases."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from .both import CATALOG, RELEASES, Launch, holds

Span = tuple[str, str]
"""Two releases, both included; an empty one leaves that side open."""


@dataclass(frozen=True)
class Overridden:
    """A launch that upstream accepts after changing a setting, or printing something.

    `changed` is the setting (canonical, or the name of an old one), what it was and what it becomes; `printed` a part
    of what is printed. Outside of `releases` neither happens. `besides`: releases in which the rule holds all the
    same, for another reason. `says` is in the finding.
    """

    code: str
    launch: Launch
    changed: tuple[str, object, object] | None = None
    printed: str = ""
    releases: tuple[Span, ...] = (("", ""),)
    besides: tuple[Span, ...] = ()
    says: str = ""
    body: bool = False
    """It happens in train(), not before it."""


LOCAL = "--reward.model_name_or_path r"
REMOTE = ("reward.remote_url",)
SWITCH = ("flash_attn",)
CHAT = ("data.apply_chat_template",)
RING = "--ds.ring_attn_size 2 --ds.packing_samples"
FA2 = "flash_attention_2"

CASES = {
    "asynchronous training with shared GPUs": Overridden(
        "OR203",
        Launch("--train.async_enable --train.colocate_all"),
        printed="only colocates DeepSpeed models",
        says="colocates only the DeepSpeed models",
    ),
    "eager attention under a ring in PPO": Overridden(
        "OR205",
        Launch("--ds.ring_attn_size 2 --ds.attn_implementation eager"),
        ("ds.attn_implementation", "eager", FA2),
        says="upstream replaces it by flash_attention_2",
    ),
    "upstream's own kernels under a ring in SFT": Overridden(
        "OR205",
        Launch(f"{RING} --ds.attn_implementation kernels-community/vllm-flash-attn3", "train_sft"),
        ("ds.attn_implementation", "kernels-community/vllm-flash-attn3", FA2),
        says="upstream replaces it by flash_attention_2",
    ),
    "flash attention 3 under a ring": Overridden(
        "OR205",
        Launch(f"{RING} --ds.attn_implementation flash_attention_3"),
        releases=(),
        besides=(("0.8.10", ""),),
        says="stays inside each piece",
    ),
    "no flash attention under a ring in PPO": Overridden(
        "OR205",
        Launch("--ds.ring_attn_size 2", without=SWITCH),
        ("flash_attn", False, True),
        releases=(("0.8.4", "0.8.9.post1"),),
        besides=(("0.6.0", "0.8.3"),),
    ),
    "no flash attention under a ring in DPO": Overridden(
        "OR205",
        Launch(RING, "train_dpo", SWITCH),
        ("flash_attn", False, True),
        releases=(("0.4.4", "0.8.9.post1"),),
        besides=(("0.4.3", "0.4.3"),),
    ),
    "a ring without packing in PPO": Overridden(
        "OR207",
        Launch("--ds.ring_attn_size 2"),
        ("ds.packing_samples", False, True),
        releases=(("0.8.4", ""),),
        besides=(("0.6.0", "0.8.3"),),
    ),
    "packing with another attention": Overridden(
        "OR208",
        Launch("--ds.packing_samples --ds.attn_implementation sdpa", "train_rm"),
        ("ds.attn_implementation", "sdpa", FA2),
        says="sdpa is replaced by flash_attention_2",
    ),
    "packing without the switch of flash attention": Overridden(
        "OR208",
        Launch(f"--ds.packing_samples {LOCAL}", without=(*SWITCH, *REMOTE)),
        ("flash_attn", False, True),
        releases=(("", "0.8.9.post1"),),
        says="turns --flash_attn on",
    ),
    "packing of SFT without that switch": Overridden(
        "OR208",
        Launch("--ds.packing_samples", "train_sft", SWITCH),
        ("flash_attn", False, True),
        releases=(("0.4.4", "0.8.9.post1"),),
        says="turns --flash_attn on",
    ),
    "packing with flash attention": Overridden(
        "OR208", Launch(f"--ds.packing_samples {LOCAL}", without=REMOTE), releases=()
    ),
    "dynamic batches without packing": Overridden(
        "OR210", Launch("--train.dynamic_batch_enable"), ("ds.packing_samples", False, True), says="is switched on"
    ),
    "dynamic batches without a cap for rollouts": Overridden(
        "OR210",
        Launch("--train.dynamic_batch_enable"),
        ("rollout.max_tokens_per_gpu", None, 16192),
        says="becomes 16192",
    ),
    "dynamic batches with another attention": Overridden(
        "OR210",
        Launch("--train.dynamic_batch_enable --ds.attn_implementation eager"),
        ("ds.attn_implementation", "eager", FA2),
        says="replaced by flash_attention_2",
    ),
    "sleeping engines with GPUs of their own": Overridden(
        "OR213", Launch("--vllm.enable_sleep"), ("vllm.enable_sleep", True, False), says="off"
    ),
    "sleeping engines on shared GPUs": Overridden(
        "OR213", Launch("--vllm.enable_sleep --train.colocate_all"), releases=()
    ),
    "KL as a loss by k1": Overridden(
        "OR228",
        Launch("--algo.kl.use_loss --algo.kl.estimator k1"),
        printed="Recommend setting k1 to 'k2' or 'k3'",
        body=True,
    ),
    "KL in the reward by k3": Overridden(
        "OR228", Launch("--algo.kl.estimator k3"), printed="Recommend setting k3 to 'k1'", body=True
    ),
    "KL as a loss by k1, unbiased": Overridden(
        "OR228", Launch("--algo.kl.use_loss --algo.kl.estimator k1 --algo.kl.unbiased_gradient"), releases=()
    ),
    "an agent beside a remote reward": Overridden(
        "OR230",
        Launch("--train.agent_func_path a.py --reward.remote_url u"),
        ("reward.remote_url", "u", ["agent"]),
        says="is not used",
    ),
    "a path of a critic that is not built": Overridden(
        "OR231",
        Launch("--critic.model_name_or_path c --algo.advantage.estimator reinforce"),
        ("critic.model_name_or_path", "c", None),
        says="reinforce has no critic",
    ),
    "a template without a place for the prompt": Overridden(
        "OR115",
        Launch("--data.input_template Question:", without=CHAT),
        ("data.input_template", "Question:", None),
        releases=(("0.4.1", ""),),
        says="drops the whole template",
    ),
    "a template with a place for the prompt": Overridden(
        "OR115", Launch("--data.input_template 'Question: {}'", without=CHAT), releases=()
    ),
    "a backslash and an n in a template": Overridden(
        "OR116",
        Launch(r"--data.input_template 'Question: {}\nAnswer: '", without=CHAT),
        printed="newline",
        releases=(("0.5.1", ""),),
        says="a backslash and an n",
    ),
    "most of the memory for engines that share GPUs": Overridden(
        "OR502",
        Launch("--train.colocate_all --vllm.gpu_memory_utilization 0.9"),
        ("vllm.gpu_memory_utilization", 0.9, 0.4),
        releases=(("0.5.8", "0.6.0"),),
        besides=(("0.6.0.post1", ""),),
        body=True,
    ),
    "prefix caching": Overridden(
        "OR250",
        Launch("--vllm.enable_prefix_caching"),
        ("vllm.enable_prefix_caching", True, False),
        releases=(("0.4.6", "0.5.6"),),
    ),
}


ASKED = [(name, release) for name, case in CASES.items() for release in RELEASES if case.launch.understood(release)]
"""Each case at the releases that have all of its flags."""


def test_every_case_is_asked_somewhere():
    assert {name for name, _ in ASKED} == set(CASES)


@pytest.mark.parametrize(("name", "release"), ASKED)
def test_the_linter_says_what_upstream_changes(name, release, released_wheel, tmp_path):
    case = CASES[name]
    verdict = case.launch.upstream(released_wheel("openrlhf", release), release, train_body=case.body)
    assert verdict.accepted, f"{verdict.outcome} {verdict.message}"
    expected = any(holds(release, *span) for span in case.releases)
    if case.changed is not None:
        setting, before, after = case.changed
        flag = CATALOG.program(case.launch.program).spelling(setting, release)
        dest = flag.lstrip("-") if flag else setting
        assert (verdict.changed.get(dest) == (before, after)) == expected, verdict.changed
    if case.printed:
        assert any(case.printed in line for line in verdict.printed) == expected, verdict.printed
    found = case.launch.findings(release, case.code, tmp_path, vllm="0.7.2")
    besides = any(holds(release, *span) for span in case.besides)
    assert bool(found) == (expected or besides), [finding.message for finding in found]
    assert not found or any(case.says in finding.message for finding in found), [one.message for one in found]
