"""Configurations of older releases moved to the newest one: built there, with the values they had.

The campaign over made-up configurations is `python -m tools.same_trl_launch`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rlhflint.frameworks.trl.catalog.store import releases

from .same_trl_launch import compared, environment_for

GIVEN = {
    "0.14.0": [
        "SFTConfig(output_dir='out')",
        "SFTConfig(output_dir='out', max_seq_length=512, packing=True, evaluation_strategy='steps', warmup_ratio=0.1)",
        "DPOConfig(output_dir='out', beta=0.2, rpo_alpha=0.5, dispatch_batches=True)",
        "GRPOConfig(output_dir='out', num_generations=4)",
        "RewardConfig(output_dir='out', adafactor=True)",
    ],
    "0.17.0": [
        "GRPOConfig(output_dir='out', vllm_gpu_memory_utilization=0.5, loss_type='bnpo')",
        "KTOConfig(output_dir='out', desirable_weight=1.5, group_by_length=True)",
        "CPOConfig(output_dir='out', loss_type='simpo', cpo_alpha=0.0)",
    ],
    "0.19.1": ["SFTConfig(output_dir='out', max_seq_length=256, packing=True, packing_strategy='ffd')"],
    "0.22.2": [
        "DPOConfig(output_dir='out', loss_type=['sigmoid', 'bco_pair'], loss_weights=[1.0, 0.5])",
        "RLOOConfig(output_dir='out', rloo_k=4, kl_coef=0.1, response_length=64)",
        "ORPOConfig(output_dir='out', beta=0.2)",
    ],
    "0.26.2": [
        "GRPOConfig(output_dir='out', max_prompt_length=None, scale_rewards=False, use_transformers_paged=True)"
    ],
    "0.28.0": ["DPOConfig(output_dir='out', loss_type='aot_pair')", "OnlineDPOConfig(output_dir='out')"],
    "1.0.0": ["GRPOConfig(output_dir='out', vllm_importance_sampling_cap=2.0)", "KTOConfig(output_dir='out')"],
    "1.13.0": ["SFTConfig(output_dir='out', loss_type='chunked_nll')", "DPOConfig(output_dir='out', beta=0.5)"],
}


@pytest.mark.parametrize("release", GIVEN)
def test_a_moved_configuration_is_the_same(release: str, released_wheel: Callable[[str, str], Path]) -> None:
    newest = releases().newest
    if not all(environment_for(one).python.exists() for one in (release, newest)):
        pytest.skip("no environment: python -m tests.oracle.trl_environments")
    texts = [f"from trl import {one.partition('(')[0]}\n\nargs = {one}\n" for one in GIVEN[release]]
    found = list(compared(texts, release, newest, released_wheel))
    assert [one.before for one in found] == texts
    for one in found:
        assert not one.refusal, (one.refusal, one.after)
        assert not one.different, one.after
