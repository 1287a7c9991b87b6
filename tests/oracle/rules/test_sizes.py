"""Sizes of groups and batches that upstream asserts: refused and repaired at both ends of the range, and outside it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rlhflint.finding import Severity
from tests.sample import sampled

from .both import CATALOG, Launch, holds

ESTIMATOR = ("algo.advantage.estimator",)
TOGETHER = ("train.colocate_actor_ref",)


@dataclass(frozen=True)
class Asserted:
    """A launch that the releases of `spans` refuse, each span with both its ends, and its repair."""

    code: str
    wrong: Launch
    right: Launch
    spans: tuple[tuple[str, str], ...]

    @property
    def ends(self) -> list[str]:
        """The releases at the ends of the spans, and their neighbours outside."""
        releases = CATALOG.releases
        found: list[str | None] = []
        for since, until in self.spans:
            first, last = since or releases.oldest, until or releases.newest
            found += [releases.before(first), first, last, releases.after(last)]
        return [release for release in dict.fromkeys(found) if release is not None]


def ppo(flags: str, *without: str) -> Launch:
    return Launch(flags, without=without)


FOUR = "--actor.num_gpus_per_node 4 --vllm.num_engines 4 --vllm.tensor_parallel_size 1"
PIECES = "--rollout.batch_size 8 --rollout.n_samples_per_prompt 2 --train.batch_size 16"

CASES = {
    "fewer pieces than actors": Asserted(
        "OR304",
        ppo(f"{PIECES} --rollout.micro_batch_size 4"),
        ppo(f"{PIECES} --rollout.micro_batch_size 2"),
        (("0.7.2", ""),),
    ),
    "pieces for tensor parallel actors, which are counted too often": Asserted(
        "OR304",
        ppo(f"{PIECES} --rollout.micro_batch_size 4 --ds.tensor_parallel_size 2"),
        ppo(f"{PIECES} --rollout.micro_batch_size 2 --ds.tensor_parallel_size 2"),
        (("0.7.4", "0.8.0.post1"),),
    ),
    "prompts that do not spread over the actors": Asserted(
        "OR310", ppo("--rollout.batch_size 100"), ppo("--rollout.batch_size 104"), (("0.5.5.post1", "0.7.0.post1"),)
    ),
    "three engines": Asserted(
        "OR311", ppo("--vllm.num_engines 3"), ppo("--vllm.num_engines 4"), (("0.5.5.post1", "0.7.0.post1"),)
    ),
    "more engines than actors": Asserted(
        "OR311",
        ppo("--vllm.num_engines 16"),
        ppo("--vllm.num_engines 8"),
        (("0.4.6", "0.5.0"), ("0.5.5.post1", "0.5.9.post1")),
    ),
    "a critic larger than the actor": Asserted(
        "OR312",
        ppo(f"{FOUR} --ref.num_gpus_per_node 4 --critic.num_gpus_per_node 8", *ESTIMATOR),
        ppo(f"{FOUR} --ref.num_gpus_per_node 4 --critic.num_gpus_per_node 4", *ESTIMATOR),
        (("", "0.7.0.post1"),),
    ),
    "six actors": Asserted(
        "OR313",
        ppo(
            "--actor.num_gpus_per_node 6 --ref.num_gpus_per_node 6 --critic.num_gpus_per_node 2 --vllm.num_engines 2"
            " --rollout.batch_size 96",
            *ESTIMATOR,
        ),
        ppo(
            "--actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 --critic.num_gpus_per_node 2 --vllm.num_engines 2"
            " --rollout.batch_size 96",
            *ESTIMATOR,
        ),
        (("", "0.5.5"),),
    ),
    "a reference of another size": Asserted(
        "OR402",
        ppo(f"{FOUR} --ref.num_gpus_per_node 8 --critic.num_gpus_per_node 4"),
        ppo(f"{FOUR} --ref.num_gpus_per_node 4 --critic.num_gpus_per_node 4"),
        (("", ""),),
    ),
    "a reference that is not built, of another size": Asserted(
        "OR402",
        ppo(f"{FOUR} --ref.num_gpus_per_node 8 --critic.num_gpus_per_node 4 --algo.kl.init_coef 0"),
        ppo(f"{FOUR} --ref.num_gpus_per_node 4 --critic.num_gpus_per_node 4 --algo.kl.init_coef 0"),
        (("", "0.6.0.post3"),),
    ),
    "a reward model that is not built, of another size": Asserted(
        "OR402",
        ppo("--train.colocate_critic_reward --critic.num_gpus_per_node 4", *ESTIMATOR),
        ppo("--train.colocate_critic_reward --critic.num_gpus_per_node 8", *ESTIMATOR),
        (("", ""),),
    ),
    "engines that leave shared GPUs": Asserted(
        "OR403",
        ppo("--train.colocate_all --vllm.num_engines 4 --vllm.tensor_parallel_size 1"),
        ppo("--train.colocate_all --vllm.num_engines 4 --vllm.tensor_parallel_size 2"),
        (("0.5.9", ""),),
    ),
}


ASKED = [
    (name, release)
    for name, case in CASES.items()
    for release in sampled(case.ends, list(CATALOG.releases))
    if case.wrong.understood(release) and case.right.understood(release)
]
"""Each case at the releases that have all of its flags."""


def test_every_case_is_asked_somewhere():
    assert {name for name, _ in ASKED} == set(CASES)


@pytest.mark.parametrize(("name", "release"), ASKED)
def test_upstream_and_linter_refuse_the_same_sizes(name, release, released_wheel, tmp_path):
    case = CASES[name]
    wheel = released_wheel("openrlhf", release)
    refused = any(holds(release, *span) for span in case.spans)
    wrong, right = (one.upstream(wheel, release, train_body=True) for one in (case.wrong, case.right))
    assert wrong.accepted != refused, f"upstream: {wrong.outcome} {wrong.message}"
    assert right.accepted, f"upstream on the repaired launch: {right.outcome} {right.message}"
    found = _errors(case.wrong, release, case.code, tmp_path / "wrong")
    assert bool(found) == refused, [finding.message for finding in found]
    assert not _errors(case.right, release, case.code, tmp_path / "right")


def _errors(launch, release, code, folder):
    folder.mkdir()
    return [one for one in launch.findings(release, code, folder) if one.severity is Severity.ERROR]
