"""What the place where TRL runs has to give: GPUs that know bfloat16, and a variable that silences warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.frameworks.trl.catalog.imports import Shim, class_at
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.releases import exact_release
from rlhflint.frameworks.trl.session import details_of
from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.set_variables import is_set, place_of, removal
from rlhflint.proposal import SAFE
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.call import Module
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.model import ProgramModel
    from rlhflint.scene import Scene

_SILENCE = "TRL_EXPERIMENTAL_SILENCE"
_WITHOUT_BF16 = expression(r"(?:nvidia[-_ ]|tesla[-_ ])*(?:t4|v100|p100|p40|k80|m60|(?:[gr]tx)?[-_ ]?20[678]0)\b.*")
"""GPUs before Ampere, by the names that clusters give them."""
_SILENCED = ("rollout_func", "environment_factory", "tools")
"""Keywords of trainers whose warnings the variable silences too."""


@rule("VE101", "env-var-unread", severity=WARNING, stage=SILENT, programs=EVERY, fix="safe")
def env_var_unread(launch: TrainerModel) -> Iterator[Draft]:
    """NCCL_TIMEOUT changes nothing: `ddp_timeout` does.

    What happens: the time-out stays as it is.

    Why: nothing reads NCCL_TIMEOUT. The time-out of the process group is ddp_timeout of TrainingArguments, in seconds
    (transformers/training_args.py@4.56.2).

    Example:
        # trl 1.9.0
        --- run.sh
        export NCCL_TIMEOUT=3600
        trl sft --model_name_or_path m --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --ddp_timeout 3600
    """
    name = "NCCL_TIMEOUT"
    if is_set(launch, name):
        yield launch.finding(
            at=place_of(launch, name),
            message=f"nothing reads {name}: the time-out stays as it is",
            help="write ddp_timeout (seconds) into the configuration",
            proposal=removal(launch, name, SAFE),
        )


@rule("VE219", "gpu-without-bf16", severity=WARNING, stage=STARTUP, programs=EVERY, applies=">=0.19.0", fix="safe")
def gpu_without_bf16(launch: TrainerModel) -> Iterator[Draft]:
    """bfloat16 wants a GPU that has it.

    What happens: on GPUs before Ampere "Your setup doesn't support bf16/gpu", or, with a torch that emulates it, a slow
    training. Without any GPU the first of them in every case.

    Why: every configuration of TRL has bf16 on unless fp16 is, since 0.19; transformers asks torch whether the device
    supports it (trainer/sft_config.py@0.19.0, transformers/training_args.py@4.56.2).

    Example:
        # trl 1.9.0
        --- run.sh
        #SBATCH --gres=gpu:v100:1
        trl sft --model_name_or_path m --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        #SBATCH --gres=gpu:v100:1
        trl sft --model_name_or_path m --dataset_name d --bf16 false --fp16
    """
    machines = launch.session.machines
    none = machines.gpus.number == 0
    if not none and not _WITHOUT_BF16.fullmatch(machines.gpu):
        return
    if "bf16" not in (details_of(launch).fields or {}) or not launch.bf16 or launch.use_cpu:
        return
    what = "there is no GPU" if none else f"a {machines.gpu.upper()} has none of its own"
    default = "" if launch.session.setting("bf16") is not None else ", which is the default,"
    yield launch.finding(
        "bf16",
        message=f"bf16{default} wants a GPU with bfloat16, and {what} ({machines.what}): "
        + ("transformers refuses it" if none else "transformers refuses it, or torch emulates it slowly"),
        help="write use_cpu=True" if none else "write bf16=False, and fp16=True where half precision is wanted",
        severity=ERROR if none else WARNING,
        proposal=None if none else put(launch, "bf16", value=False, applicability=SAFE),
    )


@rule("VE108", "experimental-silence-without-effect", severity=ADVICE, stage=SILENT, programs="module")
def silence_without_effect(scene: Scene) -> Iterator[Draft]:
    """TRL_EXPERIMENTAL_SILENCE silences the warning of trl.experimental alone.

    What happens: the warning that was meant comes all the same.

    Why: names that moved to trl.experimental warn in 0.26 to 0.28 with a FutureWarning of their own, which the variable
    does not touch (trl/trainer/ppo_trainer.py@0.26.0, trl/experimental/__init__.py@0.26.0).

    Example:
        # trl 0.27.0, transformers 4.56.2
        import os

        os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
        from trl import PPOTrainer

    Use instead:
        # trl 0.27.0, transformers 4.56.2
        import os

        os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
        from trl.experimental.ppo import PPOTrainer
    """
    module = scene.document.module
    given = next((one for one in module.environment if one.name == _SILENCE), None) if module is not None else None
    if module is None or given is None:
        return
    stated = exact_release(scene.site, "0.26.0")
    if stated is None:
        return
    release = releases().place(stated).release
    moved = [one for one in module.imports if isinstance(class_at(one.path, release), Shim)]
    if any(one.path.startswith("trl.experimental") for one in module.imports) or _silenced(module):
        return
    names = ", ".join(one.path.rpartition(".")[2] for one in moved)
    yield scene.finding(
        given.span,
        f"{_SILENCE} does not silence the warning of {names} in TRL {stated}: it is another one"
        if moved
        else f"{_SILENCE} has no effect: nothing here comes from trl.experimental",
        help="import from trl.experimental" if moved else "remove it",
    )


def _silenced(module: Module) -> bool:
    """Whether a trainer is given something whose warning the variable silences, or a star import may bring it."""
    keywords = any(argument.name in _SILENCED for call in module.calls for argument in call.arguments)
    return keywords or any(one.path.endswith("*") for one in module.imports)


@rule(
    "VE108",
    "experimental-silence-without-effect",
    severity=ADVICE,
    stage=SILENT,
    programs=EVERY,
    applies=">=0.26.0",
)
def silence_of_a_script(launch: ProgramModel) -> Iterator[Draft]:
    """TRL's own scripts have nothing that TRL_EXPERIMENTAL_SILENCE would silence.

    What happens: nothing.

    Why: the variable is read where trl.experimental is imported, which the scripts do not
    (trl/experimental/__init__.py@0.26.0).

    Example:
        # trl 1.9.0
        --- run.sh
        export TRL_EXPERIMENTAL_SILENCE=1
        trl sft --model_name_or_path m --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d
    """
    session = launch.session.launch
    if details_of(launch).by not in ("trl", "script") or session.start is None or session.command is None:
        return
    if launch.session.setting("tools") is not None:
        return
    value = environment_of(session.start, session.command, session.script).value(_SILENCE)
    if value is not None:
        yield launch.finding(
            at=value.span,
            message=f"{_SILENCE} has no effect: the script of TRL {launch.session.release} imports nothing from "
            "trl.experimental",
            help="remove it",
        )
