"""What OpenRLHF runs on besides vLLM: DeepSpeed, transformers, Ray, flash-attn and packages of its extras."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet
from packaging.version import Version as Release

from rlhflint.frameworks.openrlhf.programs import EVERY, PPO, TRAINING
from rlhflint.model import ProgramModel
from rlhflint.rule import ADVICE, ERROR, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.training import Living

_PINNED = ("deepspeed", "transformers", "ray", "flash-attn")


@rule("VE204", "companion-not-the-pin", severity=ADVICE, stage=STARTUP, programs=EVERY)
def companion_not_the_pin(launch: ProgramModel) -> Iterator[Draft]:
    """DeepSpeed, transformers, Ray and flash-attn are best the releases that OpenRLHF pins.

    What happens: pip refuses the pair, or the run breaks where the packages disagree. transformers 5 with OpenRLHF up
    to 0.9.3, or 4 from 0.9.5 on, is a warning.

    Why: requirements.txt of each release pins them.

    Example:
        # openrlhf 0.9.5, transformers 4.57.6
        --ds.zero_stage 3

    Use instead:
        # openrlhf 0.9.5, transformers 5.3.0
        --ds.zero_stage 3
    """
    for package in _PINNED:
        specifier = launch.session.companion(package)
        version = launch.session.launch.versions.get(package)
        if not specifier.startswith("==") or version is None or not version.stated or version.specifier:
            continue
        if SpecifierSet(specifier).contains(version.value, prereleases=True):
            continue
        major = Release(version.value).major
        apart = package == "transformers" and major != Release(specifier.removeprefix("==")).major
        yield launch.finding(
            message=f"OpenRLHF {launch.session.release} pins {package} {specifier.removeprefix('==')}, and "
            f"{version.value} is stated ({version.source})",
            help=f"use {package}{specifier}",
            severity=WARNING if apart else ADVICE,
        )


@rule("VE209", "muon-needs-deepspeed", severity=ERROR, stage=STARTUP, programs=TRAINING, applies=">=0.10.2")
def muon_needs_deepspeed(launch: Living) -> Iterator[Draft]:
    """The optimizer Muon needs DeepSpeed 0.18.9 or newer.

    What happens: an assertion once the model is loaded.

    Why: utils/deepspeed/deepspeed.py@0.10.2 tests the installed DeepSpeed.

    Example:
        # train_sft, openrlhf 0.11.2, deepspeed 0.18.8
        --optim muon

    Use instead:
        # train_sft, openrlhf 0.11.2, deepspeed 0.19.6
        --optim muon
    """
    deepspeed = launch.session.stated("deepspeed")
    if deepspeed < Release("0.18.9"):
        for name in ("actor.optim", "critic.optim") if launch.program == PPO else ("optim",):
            if launch.held(name) == "muon":
                yield launch.finding(
                    name,
                    message=f"{launch.session.spelling(name)} muon needs DeepSpeed 0.18.9, and {deepspeed} is stated: "
                    "an assertion ends the launch once the model is loaded",
                    help="use DeepSpeed 0.18.9 or newer",
                )


@rule("VE210", "tensor-parallel-needs-deepspeed", severity=ERROR, stage=STARTUP, programs=TRAINING, applies=">=0.7.4")
def tensor_parallel_needs_deepspeed(launch: Living) -> Iterator[Draft]:
    """DeepSpeed's tensor parallelism needs DeepSpeed 0.16.4 or newer.

    What happens: an assertion while the strategy is set up.

    Why: utils/deepspeed/deepspeed.py@0.7.4 tests the installed DeepSpeed.

    Example:
        # train_sft, openrlhf 0.9.5, deepspeed 0.16.3
        --ds.tensor_parallel_size 2

    Use instead:
        # train_sft, openrlhf 0.9.5, deepspeed 0.18.7
        --ds.tensor_parallel_size 2
    """
    if launch.ds.tensor_parallel_size > 1 and launch.session.stated("deepspeed") < Release("0.16.4"):
        yield launch.finding(
            "ds.tensor_parallel_size",
            message=f"{launch.session.spelling('ds.tensor_parallel_size')} {launch.ds.tensor_parallel_size} needs "
            f"DeepSpeed 0.16.4, and {launch.session.stated('deepspeed')} is stated",
            help="use the DeepSpeed that this release pins",
        )


@rule("VE211", "ring-package", severity=ERROR, stage=STARTUP, programs=TRAINING, applies=">=0.4.3")
def ring_package(launch: Living) -> Iterator[Draft]:
    """Ring attention needs ring-flash-attn, which only the extra `ring` brings.

    What happens: an ImportError after the processes are up.

    Why: ring-flash-attn is in the extra `ring` alone (setup.py@0.7.0, @0.11.2); up to 0.1.8 it imports a name that
    transformers 5.5.4 moved, which OpenRLHF patches from 0.10.2 on.

    Example:
        --- requirements.txt
        openrlhf[vllm]==0.11.2
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d \\
           --ds.packing_samples --ds.ring_attn_size 2

    Use instead:
        --- requirements.txt
        openrlhf[vllm,ring]==0.11.2
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d \\
           --ds.packing_samples --ds.ring_attn_size 2
    """
    if launch.ds.ring_attn_size <= 1:
        return
    name = launch.session.spelling("ds.ring_attn_size")
    if (listing := launch.session.missing("ring-flash-attn", ("openrlhf[ring]",))) is not None:
        yield launch.finding(
            "ds.ring_attn_size",
            message=f"{name} {launch.ds.ring_attn_size} needs ring-flash-attn, which {listing} does not list: the "
            "import fails once the processes are up",
            help="install openrlhf[ring], or add ring-flash-attn",
        )
        return
    ring = launch.session.launch.versions.get("ring-flash-attn")
    old = ring is not None and not ring.specifier and Release(ring.value) <= Release("0.1.8")
    if old and not launch.session.since("0.10.2") and launch.session.stated("transformers") >= Release("5.5.4"):
        yield launch.finding(
            "ds.ring_attn_size",
            message="ring-flash-attn up to 0.1.8 cannot be imported with transformers 5.5.4 and newer, and OpenRLHF "
            f"{launch.session.release} does not patch it",
            help="use OpenRLHF 0.10.2 or newer, or an older transformers",
        )


@rule("VE212", "liger-missing", severity=ERROR, stage=STARTUP, programs=TRAINING, applies=">=0.6.2")
def liger_missing(launch: Living) -> Iterator[Draft]:
    """The Liger kernel needs liger-kernel, which only the extra `liger` brings.

    What happens: an ImportError when the model is loaded.

    Why: liger-kernel is in the extra `liger` alone (setup.py@0.7.0, @0.11.2).

    Example:
        --- requirements.txt
        openrlhf==0.11.2
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d \\
           --ds.use_liger_kernel

    Use instead:
        --- requirements.txt
        openrlhf[liger]==0.11.2
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d \\
           --ds.use_liger_kernel
    """
    if getattr(launch.ds, "use_liger_kernel", False):
        listing = launch.session.missing("liger-kernel", ("openrlhf[liger]",))
        if listing is not None:
            yield launch.finding(
                "ds.use_liger_kernel",
                message=f"{launch.session.spelling('ds.use_liger_kernel')} needs liger-kernel, which {listing} does "
                "not list: the import fails when the model is loaded",
                help="install openrlhf[liger], or add liger-kernel",
            )


@rule("VE213", "flash-attn-missing", severity=ERROR, stage=STARTUP, programs=TRAINING, applies=">=0.4.3")
def flash_attn_missing(launch: Living) -> Iterator[Draft]:
    """flash-attn has to be installed, whatever attention is asked for.

    What happens: an ImportError when the program starts.

    Why: it is imported at module level, and every program imports the packages that hold those modules
    (trainer/dpo_trainer.py@0.4.3, models/model.py@0.4.4, models/actor.py@0.6.0, models/ring_attn_utils.py@0.11.2).
    Reported where a lock file lists all packages and not this one.

    Example:
        --- pylock.toml
        lock-version = "1.0"
        created-by = "pip"
        [[packages]]
        name = "openrlhf"
        version = "0.11.2"
        [[packages]]
        name = "torch"
        version = "2.11.0"
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d

    Use instead:
        --- requirements.txt
        openrlhf==0.11.2
        --- train.sh
        deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d
    """
    listing = launch.session.missing("flash-attn", ("openrlhf",))
    if listing is not None:
        yield launch.finding(
            message=f"flash-attn is imported by {launch.program.partition(':')[2]} whatever attention is asked for, "
            f"and {listing} does not list it: the program cannot start",
            help="add flash-attn",
        )
