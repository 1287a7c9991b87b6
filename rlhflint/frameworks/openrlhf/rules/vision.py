"""Prompts with images: what they exclude."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import remove
from rlhflint.frameworks.openrlhf.training import sees_images
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, FIRST_STEP, PARSE, STARTUP, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_IMAGES = "data.max_images_per_prompt"


@rule("OR224", "vision-with-critic", severity=ERROR, stage=PARSE, programs=PPO, applies=">=0.10.0")
def vision_with_critic(launch: TrainPPORay) -> Iterator[Draft]:
    """Prompts with images need an estimator without a critic.

    What happens: an assertion ends the launch while its arguments are checked.

    Why: no value model for images is written; the default estimator, gae, has one
    (cli/train_ppo_ray.py@0.10.0, @0.11.2).

    Example:
        --data.max_images_per_prompt 1 --algo.advantage.estimator gae

    Use instead:
        --data.max_images_per_prompt 1 --algo.advantage.estimator reinforce_baseline
    """
    if all_hold(lambda: sees_images(launch), lambda: roles.has_critic(launch)):
        spelt = launch.session.spelling
        yield launch.finding(
            "algo.advantage.estimator",
            _IMAGES,
            message=f"OpenRLHF {launch.session.release} refuses {spelt(_IMAGES)} with the critic of estimator gae: an "
            "assertion ends the launch",
            help=f"write {spelt('algo.advantage.estimator')} reinforce_baseline, rloo or group_norm, with several "
            "samples of a prompt",
        )


@rule("OR225", "vision-with-packing", severity=ERROR, stage=PARSE, programs=PPO, applies=">=0.10.0")
def vision_with_packing(launch: TrainPPORay) -> Iterator[Draft]:
    """Prompts with images cannot be packed, so neither ring attention nor dynamic batches go with them.

    What happens: with `ds.packing_samples` an assertion ends the launch while its arguments are checked. Where ring
    attention or dynamic batches turn packing on, the assertion has passed by then, and training goes wrong at the
    first step.

    Why: packing takes away the dimension by which image tokens find their images, and the positions a model for
    images computes itself (cli/train_ppo_ray.py@0.10.0, @0.11.2).

    Example:
        --data.max_images_per_prompt 1 --ds.packing_samples

    Use instead:
        --data.max_images_per_prompt 1
    """
    if not sees_images(launch):
        return
    spelt, release = launch.session.spelling, launch.session.release
    if launch.ds.packing_samples:
        yield launch.finding(
            "ds.packing_samples",
            _IMAGES,
            message=f"OpenRLHF {release} refuses {spelt('ds.packing_samples')} with {spelt(_IMAGES)}: an assertion "
            "ends the launch",
            help=f"remove {spelt('ds.packing_samples')}, and with it ring attention and dynamic batches",
        )
        return
    causes = ["train.dynamic_batch_enable"] if launch.train.dynamic_batch_enable else []
    causes += ["ds.ring_attn_size"] if launch.ds.ring_attn_size > 1 else []
    if causes:
        names = " and ".join(map(spelt, causes))
        yield launch.finding(
            *causes,
            _IMAGES,
            message=f"{names} {'turn' if len(causes) > 1 else 'turns'} packing on, which OpenRLHF {release} does not "
            f"support with {spelt(_IMAGES)}; its test for that runs before",
            help=f"remove {names}",
            stage=FIRST_STEP,
        )


@rule(
    "OR226",
    "vision-with-liger",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.10.0",
    fix="unsafe",
)
def vision_with_liger(launch: TrainPPORay) -> Iterator[Draft]:
    """Models for images cannot use Liger kernels.

    What happens: a ValueError where the actor is built, after GPUs were taken and vLLM was started.

    Why: the kernels are for models of text alone (models/actor.py@0.10.0, @0.11.2).

    Example:
        --data.max_images_per_prompt 1 --ds.use_liger_kernel

    Use instead:
        --data.max_images_per_prompt 1
    """
    if all_hold(lambda: launch.ds.use_liger_kernel, lambda: sees_images(launch)):
        spelt = launch.session.spelling
        liger = spelt("ds.use_liger_kernel")
        yield launch.finding(
            "ds.use_liger_kernel",
            _IMAGES,
            message=f"{liger} with {spelt(_IMAGES)}: OpenRLHF {launch.session.release} ends with a ValueError where a "
            "model for images is built",
            help=f"remove {liger}",
            proposal=Proposal(f"Remove {liger}", UNSAFE, remove(launch, "ds.use_liger_kernel")),
        )
