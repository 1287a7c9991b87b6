"""TRL's programs, and groups of them that rules look at."""

from __future__ import annotations

SFT, DPO, GRPO, RLOO, KTO = "trl:sft", "trl:dpo", "trl:grpo", "trl:rloo", "trl:kto"
REWARD, PPO, ONLINE_DPO = "trl:reward", "trl:ppo", "trl:online_dpo"
ORPO, CPO, BCO, GKD, PRM = "trl:orpo", "trl:cpo", "trl:bco", "trl:gkd", "trl:prm"
DISTILLATION, GOLD = "trl:distillation", "trl:gold"
VLLM_SERVE = "trl:vllm_serve"
EVERY = "trl:*"
NASH_MD, XPO = "trl:nash_md", "trl:xpo"
GENERATING = (GRPO, RLOO)
"""Trainers that sample groups of answers."""
GROUPED = (*GENERATING, "trl:gfpo", "trl:papo", "trl:dppo", "trl:gmpo", "trl:grpo_with_replay_buffer")
"""Those, and the experimental ones whose configurations are derived from GRPO's and check the same."""
SIZED = (*GROUPED, "trl:minillm", "trl:sdpo", "trl:sdft")
"""Those, and the ones that check the same sizes of batches by themselves; a group of one is allowed there."""
WITH_VLLM = (GRPO, RLOO, ONLINE_DPO, DISTILLATION)
"""Trainers that can generate with vLLM."""
