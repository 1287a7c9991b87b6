"""TRL's programs, and groups of them that rules look at."""

from __future__ import annotations

SFT, DPO, GRPO, RLOO, KTO = "trl:sft", "trl:dpo", "trl:grpo", "trl:rloo", "trl:kto"
REWARD, PPO, ONLINE_DPO = "trl:reward", "trl:ppo", "trl:online_dpo"
ORPO, CPO, BCO, GKD, PRM = "trl:orpo", "trl:cpo", "trl:bco", "trl:gkd", "trl:prm"
DISTILLATION, GOLD = "trl:distillation", "trl:gold"
VLLM_SERVE = "trl:vllm_serve"
EVERY = "trl:*"
GENERATING = (GRPO, RLOO)
"""Trainers that sample groups of answers."""
GROUPED = (*GENERATING, "trl:gfpo", "trl:papo", "trl:dppo", "trl:gmpo", "trl:grpo_with_replay_buffer")
"""Those, and the experimental ones whose configurations are derived from GRPO's and check the same sizes."""
WITH_VLLM = (GRPO, RLOO, ONLINE_DPO, DISTILLATION)
"""Trainers that can generate with vLLM."""
