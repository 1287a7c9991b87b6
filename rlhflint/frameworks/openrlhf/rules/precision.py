"""What works in bfloat16 only: models in 4 bits, tensor parallelism."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import ENDED, KD, PRM, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import bf16_setting, is_bf16, written
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ERROR, STARTUP, WARNING, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_kd import TrainKD
    from rlhflint.frameworks.openrlhf.models.train_prm import TrainPRM
    from rlhflint.frameworks.openrlhf.training import Ended, Living


@rule(
    "OR242",
    "four-bit-needs-bf16",
    severity=ERROR,
    stage=STARTUP,
    programs=(*TRAINING, *ENDED),
    fix="unsafe",
)
def four_bit_needs_bf16(launch: Living | Ended) -> Iterator[Draft]:
    """Models in 4 bits are loaded for computing in bfloat16 only, and do not go with ZeRO stage 3.

    What happens: without bfloat16 an assertion where the model is loaded. With stage 3 nothing is tested, and
    bitsandbytes or DeepSpeed fail when the model is loaded or moved.

    Why: models/actor.py@0.4.1 and later assert the dtype. For stage 3: OpenRLHF#295, #1150. Up to 0.9.1.post1
    bfloat16 is off unless `--bf16` is given.

    Example:
        # train_sft, openrlhf 0.11.2
        --ds.load_in_4bit --ds.param_dtype fp16

    Use instead:
        # train_sft, openrlhf 0.11.2
        --ds.load_in_4bit --ds.param_dtype bf16
    """
    if not launch.ds.load_in_4bit:
        return
    spelt, session = launch.session.spelling, launch.session
    four_bit, wanted = spelt("ds.load_in_4bit"), written(launch, bf16_setting(launch))
    if not is_bf16(launch):
        yield launch.finding(
            "ds.load_in_4bit",
            "ds.param_dtype",
            message=f"{four_bit} without {wanted} ends with an assertion of OpenRLHF {session.release} when the "
            "model is loaded",
            help=f"write {wanted}",
            proposal=Proposal(f"Write {wanted}", UNSAFE, put(launch, *bf16_setting(launch))),
        )
    if launch.ds.zero_stage == 3:
        yield launch.finding(
            "ds.load_in_4bit",
            "ds.zero_stage",
            message=f"{four_bit} with {spelt('ds.zero_stage')} 3 is not tested by OpenRLHF and reported to fail in "
            "bitsandbytes or DeepSpeed",
            help=f"write {spelt('ds.zero_stage')} 2, or load the model in bfloat16",
            severity=WARNING,
            proposal=Proposal(f"Write {spelt('ds.zero_stage')} 2", UNSAFE, put(launch, "ds.zero_stage", 2)),
        )


@rule(
    "OR243",
    "tensor-parallel-needs-bf16",
    severity=ERROR,
    stage=STARTUP,
    programs=(*TRAINING, PRM, KD),
    applies=">=0.7.4",
    fix="safe",
)
def tensor_parallel_needs_bf16(launch: Living | TrainPRM | TrainKD) -> Iterator[Draft]:
    """DeepSpeed's tensor parallelism needs bfloat16.

    What happens: an assertion when the launch starts, before models are loaded.

    Why: utils/deepspeed/deepspeed.py@0.7.4, @0.11.2. Up to 0.9.1.post1 bfloat16 is off unless `--bf16` is given.

    Example:
        --ds.tensor_parallel_size 2 --ds.param_dtype fp16

    Use instead:
        --ds.tensor_parallel_size 2 --ds.param_dtype bf16
    """
    if all_hold(lambda: launch.ds.tensor_parallel_size > 1, lambda: not is_bf16(launch)):
        session, wanted = launch.session, written(launch, bf16_setting(launch))
        yield launch.finding(
            "ds.tensor_parallel_size",
            "ds.param_dtype",
            message=f"{session.spelling('ds.tensor_parallel_size')} {launch.ds.tensor_parallel_size} without {wanted}: "
            f"an assertion ends the launch at OpenRLHF {session.release}",
            help=f"write {wanted}",
            proposal=Proposal(f"Write {wanted}", SAFE, put(launch, *bf16_setting(launch))),
        )
