"""Checkpoints and the final model: that there will be some, and that they can be written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.model_facts import model_facts
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import DPO, ENDED, KD, KTO, PRM, SFT, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, LATE, SILENT, WARNING, Draft, rule
from rlhflint.value import Undetermined, all_hold, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_dpo import TrainDPO
    from rlhflint.frameworks.openrlhf.models.train_kd import TrainKD
    from rlhflint.frameworks.openrlhf.models.train_kto import TrainKTO
    from rlhflint.frameworks.openrlhf.models.train_prm import TrainPRM
    from rlhflint.frameworks.openrlhf.models.train_sft import TrainSFT
    from rlhflint.frameworks.openrlhf.training import Ended, Living

_EVERY = 100
"""Steps between checkpoints that a fix proposes."""


@rule(
    "OR248",
    "lora-zero3-tied-embeddings",
    severity=ERROR,
    stage=LATE,
    programs=(SFT, DPO, KTO, PRM, KD),
    applies="<0.11.1",
)
def lora_zero3_tied_embeddings(launch: TrainSFT | TrainDPO | TrainKTO | TrainPRM | TrainKD) -> Iterator[Draft]:
    """Up to 0.11.0 an adapter trained in ZeRO stage 3 cannot be saved if its model ties its embeddings.

    What happens: training runs to the end, and then an assertion about mismatched keys stops the save.

    Why: the state that is gathered lacks the output layer, which is the embedding; the test allows for that under the
    plain name only, and an adapter puts a prefix before it (utils/deepspeed/deepspeed.py@0.11.0, put right in 0.11.1;
    OpenRLHF#747).

    Example:
        # train_sft
        --ds.lora.rank 16 --ds.zero_stage 3 --model.model_name_or_path Qwen/Qwen2.5-0.5B

    Use instead:
        # train_sft
        --ds.lora.rank 16 --ds.zero_stage 2 --model.model_name_or_path Qwen/Qwen2.5-0.5B
    """
    if not all_hold(lambda: launch.ds.lora.rank > 0, lambda: launch.ds.zero_stage == 3):
        return
    session, name = launch.session, launch.model.model_name_or_path
    known = model_facts(name, session.file) if name else None
    if known is None or not known.certain or known.tie_embeddings is None:
        raise Undetermined("model.model_name_or_path", f"nothing is known for certain of the model {name!r}")
    if known.tie_embeddings:
        spelt = session.spelling
        yield launch.finding(
            "ds.lora.rank",
            "ds.zero_stage",
            "model.model_name_or_path",
            message=f"{spelt('ds.lora.rank')} with {spelt('ds.zero_stage')} 3: the adapter of {name}, which ties its "
            f"embeddings (by {known.source}), cannot be saved at OpenRLHF {session.release}; training is lost at "
            "its end",
            help=f"write {spelt('ds.zero_stage')} 2, or use OpenRLHF 0.11.1 or newer",
        )


@rule(
    "OR253",
    "nothing-is-saved",
    severity=WARNING,
    stage=LATE,
    programs=(*TRAINING, *ENDED),
    fix="unsafe",
)
def nothing_is_saved(launch: Living | Ended) -> Iterator[Draft]:
    """Checkpoints need a number of steps and a format.

    What happens: only the final model is written, so that a run that breaks off starts again from the beginning. With
    steps but neither format this is a warning. Without steps it is advice, where options about checkpoints show that
    some are wanted.

    Why: −1 steps, the default, means no checkpoint in every program; `ckpt.disable_ds` takes away the one format, and
    the other is written with `ckpt.save_hf` only (trainer/sft_trainer.py@0.11.2, trainer/ray/ppo_actor.py@0.11.2).
    PPO with evaluation also saves at every best result since 0.9.9, unless `ckpt.best_metric_key` is none.

    Example:
        --ckpt.save_steps 50 --ckpt.disable_ds

    Use instead:
        --ckpt.save_steps 50 --ckpt.disable_ds --ckpt.save_hf
    """
    ckpt, spelt = launch.ckpt, launch.session.spelling
    if ckpt.save_steps > 0:
        if ckpt.disable_ds and not ckpt.save_hf:
            yield launch.finding(
                "ckpt.disable_ds",
                "ckpt.save_steps",
                "ckpt.save_hf",
                message=f"{spelt('ckpt.save_steps')} {ckpt.save_steps} writes nothing: {spelt('ckpt.disable_ds')} "
                f"turns DeepSpeed's checkpoints off, and {spelt('ckpt.save_hf')} is not given",
                help=f"add {spelt('ckpt.save_hf')}, or remove {spelt('ckpt.disable_ds')} to be able to resume",
                proposal=Proposal(f"Add {spelt('ckpt.save_hf')}", UNSAFE, put(launch, "ckpt.save_hf", True)),
            )
        return
    if ckpt.save_steps != -1:
        return
    wanted = [name for name in ("load_enable", "save_hf", "disable_ds") if getattr(ckpt, name)]
    if wanted and not _saves_best(launch):
        names = " and ".join(spelt(f"ckpt.{name}") for name in wanted)
        steps = spelt("ckpt.save_steps")
        default = " by default" if launch.session.setting("ckpt.save_steps") is None else ""
        yield launch.finding(
            *(f"ckpt.{name}" for name in wanted),
            "ckpt.save_steps",
            message=f"{names} without {steps}: it is −1{default}, so this run writes no checkpoint, only the final "
            f"model to {spelt('ckpt.output_dir')}" + (", and cannot be resumed" if "load_enable" in wanted else ""),
            help=f"write {steps} {_EVERY}, say",
            severity=ADVICE,
            proposal=_saved_now_and_then(launch),
        )


def _saved_now_and_then(launch: Living | Ended) -> Proposal:
    """Checkpoints every so many steps; models as well where DeepSpeed's checkpoints are off."""
    ckpt, spelt = launch.ckpt, launch.session.spelling
    changes = put(launch, "ckpt.save_steps", _EVERY)
    title = f"Write {spelt('ckpt.save_steps')} {_EVERY}"
    if ckpt.disable_ds and not ckpt.save_hf:
        changes += put(launch, "ckpt.save_hf", True)
        title += f" and {spelt('ckpt.save_hf')}"
    return Proposal(title, UNSAFE, changes)


def _saves_best(launch: Living | Ended) -> bool:
    """Whether checkpoints are, or may be, written at the best evaluations."""
    if not is_ppo(launch) or not launch.session.since("0.9.9"):
        return False
    evaluates = if_known(lambda: filled(launch, "eval.dataset") and launch.eval.steps != -1)
    return evaluates is not False and launch.ckpt.best_metric_key != "none"


@rule(
    "OR254",
    "universal-checkpoint-without-load",
    severity=ADVICE,
    stage=SILENT,
    programs=TRAINING,
    applies=">=0.6.4",
)
def universal_checkpoint_without_load(launch: Living) -> Iterator[Draft]:
    """`ds.use_universal_ckpt` matters when a checkpoint is loaded.

    What happens: without `ckpt.load_enable` it changes nothing, neither what is saved nor how much memory that takes.

    Why: DeepSpeed reads the switch when it loads; the checkpoint has to be converted first, with the script
    examples/scripts/ckpt_ds_zero_to_universal.sh (utils/deepspeed/deepspeed.py@0.6.4, @0.11.2).

    Example:
        --ds.use_universal_ckpt

    Use instead:
        --ds.use_universal_ckpt --ckpt.load_enable --ckpt.save_steps 100
    """
    if all_hold(lambda: launch.ds.use_universal_ckpt, lambda: not launch.ckpt.load_enable):
        spelt = launch.session.spelling
        yield launch.finding(
            "ds.use_universal_ckpt",
            "ckpt.load_enable",
            message=f"{spelt('ds.use_universal_ckpt')} has no effect without {spelt('ckpt.load_enable')}: it counts "
            "when a checkpoint is loaded",
            help=f"add {spelt('ckpt.load_enable')} to resume from a converted checkpoint, or leave it out",
        )
