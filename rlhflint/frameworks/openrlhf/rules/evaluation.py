"""Evaluation during PPO: what it needs, and that it happens at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_EVERY = 10
"""Steps between evaluations that a fix proposes."""


@rule("OR219", "eval-without-remote-reward", severity=ERROR, stage=PARSE, programs=PPO, applies=">=0.7.0")
def eval_without_remote_reward(launch: TrainPPORay) -> Iterator[Draft]:
    """`eval.dataset` needs a remote reward or an agent.

    What happens: an assertion ends the launch while its arguments are checked.

    Why: evaluation asks for rewards right after generation, which a reward model cannot give
    (cli/train_ppo_ray.py@0.7.0, @0.11.2). An agent counts from 0.8.0 on.

    Example:
        # train_ppo_ray, without reward.remote_url
        --eval.dataset data/held-out.jsonl --eval.steps 10 --reward.model_name_or_path models/reward

    Use instead:
        --eval.dataset data/held-out.jsonl --eval.steps 10 --reward.remote_url http://localhost:5000/get_reward
    """
    if not all_hold(lambda: filled(launch, "eval.dataset"), lambda: not roles.has_remote_reward(launch)):
        return
    session, spelt = launch.session, launch.session.spelling
    agent = f" or {spelt('train.agent_func_path')}" if session.since("0.8.0") else ""
    yield launch.finding(
        "eval.dataset",
        "reward.remote_url",
        *(("train.agent_func_path",) if agent else ()),
        message=f"OpenRLHF {session.release} refuses {spelt('eval.dataset')} without {spelt('reward.remote_url')}"
        f"{agent}: an assertion ends the launch",
        help=f"leave {spelt('eval.dataset')} out, or put the reward model behind a server (serve_rm) or a function",
    )


@rule(
    "OR220",
    "eval-never-runs",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.8.1",
    fix="unsafe",
)
def eval_never_runs(launch: TrainPPORay) -> Iterator[Draft]:
    """`eval.dataset` is used only with a number of `eval.steps`.

    What happens: the data are loaded, and no evaluation ever takes place.

    Why: −1, the default, means never in PPO since 0.8.1; in 0.7.0 to 0.8.0 it meant once an episode, and for
    train_sft, train_rm and train_dpo it still means once an epoch (trainer/ppo_trainer.py@0.8.0, @0.8.1, @0.11.2).

    Example:
        --eval.dataset data/held-out.jsonl

    Use instead:
        --eval.dataset data/held-out.jsonl --eval.steps 10
    """
    if all_hold(lambda: filled(launch, "eval.dataset"), lambda: launch.eval.steps == -1):
        spelt = launch.session.spelling
        steps = spelt("eval.steps")
        missing = launch.session.setting("eval.steps") is None
        yield launch.finding(
            "eval.dataset",
            "eval.steps",
            message=f"{spelt('eval.dataset')} is never used: {steps} is −1{' by default' if missing else ''}, which "
            f"means no evaluation at OpenRLHF {launch.session.release}",
            help=f"write {steps} {_EVERY}, say: every {_EVERY} steps",
            proposal=Proposal(f"Write {steps} {_EVERY}", UNSAFE, put(launch, "eval.steps", _EVERY)),
        )
