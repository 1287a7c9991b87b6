"""Batch sizes that OR307 proposes for few samples work: no rule of batches has anything to say of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rlhflint.fixing.fixer import Fixer
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind
from rlhflint.result import FileResult

from .launches import script
from .running import checker

RELEASES = ("0.5.7", "0.6.4", "0.7.0.post1", "0.8.3", "0.9.5", "0.11.2")
SIZES = {
    "data.max_samples": (2, 8, 16, 50, 100),
    "rollout.n_samples_per_prompt": (2, 4, 16),
    "rollout.micro_batch_size": (1, 4, 8),
    "train.micro_batch_size": (1, 2, 4),
    "actor.num_gpus_per_node": (2, 4, 8),
    "ds.ring_attn_size": (1, 2),
}


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(RELEASES), st.fixed_dictionaries({name: st.sampled_from(sizes) for name, sizes in SIZES.items()})
)
def test_a_dry_run_that_is_proposed_works(release: str, sizes: dict[str, int]) -> None:
    flags = " ".join(f"--{name} {size}" for name, size in sizes.items())
    text = script("train_ppo_ray", release, f"--ds.packing_samples {flags}", ("train.colocate_actor_ref",))
    facts = {"openrlhf": release}
    before = checker(facts, "OR3").check_text(text, "train.sh")
    if not any(finding.code == "OR307" and finding.fix is not None for finding in before.findings):
        return
    outcome = Fixer(checker(facts, "OR307"), unsafe=True).fix_text(Candidate("train.sh", FileKind.SHELL), text)
    after = checker(facts, "OR3").check_text(outcome.text, "train.sh")
    assert codes(after) <= codes(before) - {"OR307"}, outcome.text


def codes(result: FileResult) -> set[str]:
    return {finding.code for finding in result.findings}
