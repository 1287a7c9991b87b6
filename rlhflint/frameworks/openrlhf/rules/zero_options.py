"""Options of DeepSpeed that count for one ZeRO stage only, or for some of the engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import DPO, ENDED, KD, KTO, PPO, TRAINING
from rlhflint.frameworks.openrlhf.proposals import remove
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_dpo import TrainDPO
    from rlhflint.frameworks.openrlhf.models.train_kd import TrainKD
    from rlhflint.frameworks.openrlhf.models.train_kto import TrainKTO
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Ended, Living

_TYPES = frozenset(
    [
        *("fp16", "float16", "half", "torch.float16", "fp32", "float32", "float", "torch.float32"),
        *("bf16", "bfloat16", "torch.bfloat16", "int8", "torch.int8"),
    ]
)
"""The names of types in DeepSpeed."""


@rule(
    "OR246",
    "zero-option-without-stage3",
    severity=ADVICE,
    stage=SILENT,
    programs=(*TRAINING, *ENDED),
    fix="unsafe",
)
def zero_option_without_stage3(launch: Living | Ended) -> Iterator[Draft]:
    """`ds.zpg` counts in ZeRO stage 3 only, `ds.overlap_comm` in stages 1 to 3; `ds.grad_accum_dtype` names a type.

    What happens: the size of the groups that hold a second copy of the partitions, or the wish to send gradients while
    others are computed, is passed on and not used. A type that DeepSpeed does not know is an error: a ValueError ends
    the launch once the model is loaded.

    Why: nothing tests it (utils/deepspeed/deepspeed_utils.py@0.11.2). Stages below 3 do not partition parameters, and
    DeepSpeed reads overlap_comm where it makes a ZeRO optimizer (_configure_zero_optimizer in runtime/engine.py
    @0.19.8), which stage 0 does not have. The default stage is 2. Types are those of DtypeEnum (runtime/config.py
    @0.13.5, @0.19.8).

    Example:
        --ds.zpg 8 --ds.zero_stage 2

    Use instead:
        --ds.zpg 8 --ds.zero_stage 3
    """
    spelt = launch.session.spelling
    stage = spelt("ds.zero_stage")
    if all_hold(lambda: launch.ds.zpg > 1, lambda: launch.ds.zero_stage != 3):
        zpg = spelt("ds.zpg")
        yield launch.finding(
            "ds.zpg",
            "ds.zero_stage",
            message=f"{zpg} {launch.ds.zpg} is not used: parameters are partitioned in {stage} 3 only, not in "
            f"{launch.ds.zero_stage}",
            help=f"remove {zpg}, or write {stage} 3",
            proposal=Proposal(f"Remove {zpg}", UNSAFE, remove(launch, "ds.zpg")),
        )
    if all_hold(lambda: launch.ds.overlap_comm, lambda: launch.ds.zero_stage == 0):
        overlap = spelt("ds.overlap_comm")
        yield launch.finding(
            "ds.overlap_comm",
            "ds.zero_stage",
            message=f"{overlap} is not used: in {stage} 0 there is no ZeRO optimizer that could overlap communication",
            help=f"remove {overlap}, or write {stage} 1 or more",
            proposal=Proposal(f"Remove {overlap}", UNSAFE, remove(launch, "ds.overlap_comm")),
        )
    dtype = launch.ds.grad_accum_dtype
    if dtype is not None and dtype not in _TYPES:
        name = spelt("ds.grad_accum_dtype")
        yield launch.finding(
            "ds.grad_accum_dtype",
            message=f"{name} {dtype} is no type that DeepSpeed knows: a ValueError ends the launch once the model is "
            "loaded",
            help=f"write {name} fp32, bf16 or fp16",
            severity=ERROR,
            stage=STARTUP,
        )


@rule(
    "OR251",
    "deepcompile-partly",
    severity=ADVICE,
    stage=SILENT,
    programs=(PPO, DPO, KTO, KD),
    applies=">=0.7.1.post2",
    on=False,
)
def deepcompile_partly(launch: TrainPPORay | TrainDPO | TrainKTO | TrainKD) -> Iterator[Draft]:
    """`ds.deepcompile` compiles the models that are trained, not those that only compute.

    What happens: reference, reward and teacher models run uncompiled, without a word.

    Why: DeepSpeed's compilation had no mode for inference, so it is forced off there
    (utils/deepspeed/deepspeed_utils.py@0.7.1.post2, @0.11.2).

    Example:
        --ds.deepcompile

    Use instead:
        --ds.zero_stage 3
    """
    if not launch.ds.deepcompile:
        return
    if is_ppo(launch):
        named = {"ref": "reference", "reward": "reward"}
        models = [named[role.name] for role in roles.roles(launch) if role.name in named]
    else:
        models = ["teacher" if launch.session.launch.program == KD else "reference"]
    if models:
        yield launch.finding(
            "ds.deepcompile",
            message=f"{launch.session.spelling('ds.deepcompile')} is off for the {' and the '.join(models)} model at "
            f"OpenRLHF {launch.session.release}",
            help="nothing has to be done; expect a gain in training only",
        )
