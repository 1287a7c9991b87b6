"""For which GPUs something is compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.launchers.set_variables import place_of
from rlhflint.model import ProgramModel
from rlhflint.rule import ADVICE, SILENT, Draft, rule


@rule("VE106", "build-time-env", severity=ADVICE, stage=SILENT, programs="*")
def build_time_env(launch: ProgramModel) -> Iterator[Draft]:
    """TORCH_CUDA_ARCH_LIST is read where something is compiled, and has to name the GPUs it is compiled for.

    What happens: nothing, but for kernels that DeepSpeed compiles on their first use. Where the script installs
    something and the list leaves out the GPUs that are there, what is compiled does not run on them.

    Why: a finished wheel is not compiled again at launch, and a kernel runs on the architectures that it was compiled
    for, or on newer ones if it was kept as PTX (torch/utils/cpp_extension.py).

    Example:
        # openrlhf 0.11.2
        --- train.sh
        export TORCH_CUDA_ARCH_LIST="8.0;9.0"
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4

    Use instead:
        # openrlhf 0.11.2
        --- train.sh
        python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path m --vllm.num_engines 4
    """
    script = launch.session.launch.script
    if "TORCH_CUDA_ARCH_LIST" not in launch.session.launch.environment or script is None:
        return
    installs = any(
        word.text in ("install", "sync", "build") for command in script.commands for word in command.words[1:4]
    )
    if not installs:
        yield launch.finding(
            at=place_of(launch, "TORCH_CUDA_ARCH_LIST"),
            message="TORCH_CUDA_ARCH_LIST is read by compilations only, and this script installs nothing; what it can "
            "still affect are kernels that DeepSpeed compiles on first use",
            help="set it where flash-attn and DeepSpeed are installed",
        )
        return
    gpu, value = launch.session.machines.gpu, launch.session.environment("TORCH_CUDA_ARCH_LIST") or ""
    own = next((number for name, number in _ARCHITECTURES.items() if name in gpu), None)
    if own is not None and re.match(r"\d", value) and "PTX" not in value and own not in re.split(r"[; ]+", value):
        yield launch.finding(
            at=place_of(launch, "TORCH_CUDA_ARCH_LIST"),
            message=f"TORCH_CUDA_ARCH_LIST={value} leaves out {own}, the architecture of {gpu.upper()}: what is "
            "compiled here does not run on it",
            help=f"add {own}",
        )


_ARCHITECTURES = {
    **dict.fromkeys(("h100", "h200", "h800", "h20", "gh200"), "9.0"),
    "a100": "8.0",
    "a800": "8.0",
    **dict.fromkeys(("4090", "l40", "l4"), "8.9"),
    **dict.fromkeys(("a10", "a40", "a6000", "3090"), "8.6"),
    "v100": "7.0",
    "t4": "7.5",
    "b200": "10.0",
}
"""Part of a GPU's name → its compute capability, longer names before those they contain."""
