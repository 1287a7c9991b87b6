"""Packages beside TRL: releases that break it, that it warns of, and that single features need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet
from packaging.version import Version as Release

from rlhflint.frameworks.trl.catalog.store import requirement
from rlhflint.frameworks.trl.policy import shipped
from rlhflint.frameworks.trl.programs import EVERY, GRPO
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.sharding import under_zero3
from rlhflint.rule import ERROR, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.model import ProgramModel

_WINDOWS = (
    ("1.16.0", "0.22.0", "0.31.0"),
    ("1.15.0", "0.21.0", "0.31.0"),
    ("1.14.0", "0.20.0", "0.30.0"),
    ("1.13.0", "0.19.1", "0.28.0"),
    ("1.11.0", "0.19.0", "0.27.1"),
    ("1.10.0", "0.17.0", "0.26.0"),
    ("1.9.0", "0.17.0", "0.25.1"),
    ("1.8.0", "0.16.0", "0.23.0"),
    ("1.7.0", "0.14.0", "0.23.0"),
    ("1.6.0", "0.12.0", "0.19.0"),
    ("1.3.0", "0.12.0", "0.18.0"),
    ("1.2.0", "0.11.0", "0.18.0"),
    ("1.1.0", "0.11.0", "0.17.1"),
    ("1.0.0", "0.10.2", "0.17.1"),
    ("0.27.0", "0.10.2", "0.12.0"),
    ("0.26.0", "0.10.2", "0.11.2"),
    ("0.24.0", "0.10.2", "0.10.2"),
)
"""First release of TRL, and the oldest and newest vLLM it does not warn of (trl/import_utils.py of each release)."""
_FLOORS = ("transformers", "accelerate", "python")
_QLORA_ZERO3 = {
    "bitsandbytes": ">=0.43.3",
    "accelerate": ">=1.0.1",
    "transformers": ">4.44.2",
    "trl": ">0.11.4",
    "peft": ">0.13.0",
}
"""What PEFT's documentation asks for QLoRA with ZeRO-3."""


@rule("VE214", "trl-with-transformers-5", severity=ERROR, stage=STARTUP, programs=EVERY, applies="<0.29.0")
def trl_with_transformers_5(launch: ProgramModel) -> Iterator[Draft]:
    """TRL before 0.29 does not work with transformers 5.

    What happens: pip installs the pair without a word; the import of trainers fails.

    Why: TRL's own pin has no upper bound, and what it imports from transformers is gone or probes differently there
    (trl/trainer/dpo_trainer.py@0.22.2, trl/import_utils.py@0.28.0, transformers 5.0.0).

    Example:
        # trl 0.24.0, transformers 5.23.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out")

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import DPOConfig

        args = DPOConfig(output_dir="out")
    """
    transformers = launch.session.stated("transformers")
    if transformers >= Release("5.0.0"):
        launch.session.stated("trl")
        yield launch.finding(
            message=f"TRL {launch.session.release} cannot be used with transformers {transformers}, which "
            f"{launch.session.version('transformers').source} states: imports of its trainers fail",
            help="use TRL 0.29 or newer, or transformers 4.57",
        )


@rule("VE215", "trl-vllm-window", severity=WARNING, stage=STARTUP, programs=EVERY, applies=">=0.24.0")
def trl_vllm_window(launch: TrainerModel) -> Iterator[Draft]:
    """vLLM has to be one of the releases that TRL supports.

    What happens: a warning at the import of TRL, and failures wherever vLLM's inner parts have changed.

    Why: TRL looks at the release of vLLM when it is imported (trl/import_utils.py@1.9.0).

    Example:
        # trl 1.9.0, vllm 0.10.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate")

    Use instead:
        # trl 1.9.0, vllm 0.20.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate")
    """
    if "use_vllm" not in (details_of(launch).fields or {}) or not launch.held("use_vllm"):
        return
    vllm = launch.session.stated("vllm")
    launch.session.stated("trl")
    since = launch.session.since
    oldest, newest = next((low, high) for first, low, high in _WINDOWS if since(first))
    if not Release(oldest) <= Release(vllm.base_version) <= Release(newest):
        span = oldest if oldest == newest else f"{oldest} to {newest}"
        yield launch.finding(
            "use_vllm",
            message=f"TRL {launch.session.release} supports vLLM {span}, and {vllm} is stated "
            f"({launch.session.version('vllm').source})",
            help=f"use vLLM {span}, or another release of TRL",
        )


@rule("VE216", "feature-needs-transformers", severity=ERROR, stage=STARTUP, programs=GRPO, applies=">=0.26.0")
def feature_needs_transformers(launch: TrainerModel) -> Iterator[Draft]:
    """Some features want a newer transformers than TRL itself.

    What happens: ImportError when the trainer is built.

    Why: the trainer of GRPO tests for transformers 5.0 with tools, 5.2 with environment_factory and 5.8 with
    use_transformers_continuous_batching (trainer/grpo_trainer.py@0.26.0, @0.29.0, @1.7.0).

    Example:
        # trl 1.9.0, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_transformers_continuous_batching=True)

    Use instead:
        # trl 1.9.0, transformers 5.8.1
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_transformers_continuous_batching=True)
    """
    for name, since, least in (
        ("tools", "0.26.0", "5.0"),
        ("environment_factory", "0.29.0", "5.2"),
        ("use_transformers_continuous_batching", "1.7.0", "5.8"),
    ):
        if launch.session.setting(name) is None or not launch.session.since(since) or not _on(launch, name):
            continue
        transformers = launch.session.stated("transformers")
        if Release(transformers.base_version) < Release(least):
            yield launch.finding(
                name,
                message=f"{name} needs transformers {least} or newer with TRL {launch.session.release}, and "
                f"{transformers} is stated ({launch.session.version('transformers').source}): the trainer raises "
                "ImportError",
                help=f"use transformers {least} or newer",
            )


def _on(launch: TrainerModel, name: str) -> bool:
    """Whether something other than None, false or an empty list is given."""
    setting = launch.session.setting(name)
    if setting is not None and not isinstance(setting.value, Known):
        return bool(getattr(setting.origin, "items", ())) or getattr(setting.origin, "named", None) is not None
    return bool(getattr(launch, name))


@rule("VE217", "qlora-zero3-floors", severity=WARNING, stage=STARTUP, programs=EVERY)
def qlora_zero3_floors(launch: TrainerModel) -> Iterator[Draft]:
    """QLoRA under ZeRO-3 wants five packages to be new enough.

    What happens: errors while the quantised model is sharded or saved.

    Why: PEFT's documentation of DeepSpeed names bitsandbytes 0.43.3, accelerate 1.0.1, transformers above 4.44.2, TRL
    above 0.11.4 and PEFT above 0.13.0.

    Example:
        # trl 1.9.0, peft 0.12.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --use_peft --load_in_4bit --accelerate_config zero3

    Use instead:
        # trl 1.9.0, peft 0.15.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --use_peft --load_in_4bit --accelerate_config zero3
    """
    if not shipped(launch) or not {"load_in_4bit", "use_peft"} <= set(details_of(launch).fields or ()):
        return
    if not launch.load_in_4bit or not launch.use_peft or not under_zero3(launch):
        return
    for package, floor in _QLORA_ZERO3.items():
        release = _stated(launch, package)
        if release is not None and not SpecifierSet(floor).contains(release, prereleases=True):
            yield launch.finding(
                "load_in_4bit",
                message=f"4-bit models under ZeRO-3 need {package} {floor}, and {release} is stated "
                f"({launch.session.version(package).source})",
                help="they also need " + ", ".join(f"{one} {least}" for one, least in _QLORA_ZERO3.items()),
            )


@rule("VE218", "trl-floors", severity=ERROR, stage=STARTUP, programs=EVERY)
def trl_floors(launch: ProgramModel) -> Iterator[Draft]:
    """transformers, accelerate and Python have to be as new as the release of TRL asks.

    What happens: pip refuses the pair; where the check was got round, imports fail.

    Why: the metadata of each release: transformers 4.56.2 from TRL 0.27 on, Python 3.11 and accelerate 1.10.1 from 1.16
    on (pyproject.toml@0.27.0, @1.16.0).

    Example:
        # trl 1.9.0, transformers 4.51.3
        from trl import SFTConfig

        args = SFTConfig(output_dir="out")

    Use instead:
        # trl 1.9.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out")
    """
    if all(_stated(launch, package) is None for package in _FLOORS) or _stated(launch, "trl") is None:
        return
    for package in _FLOORS:
        wanted, release = requirement(package, details_of(launch).trl), _stated(launch, package)
        if wanted and release is not None and not SpecifierSet(wanted).contains(_full(release, package)):
            yield launch.finding(
                message=f"TRL {launch.session.release} asks for {package}{wanted}, and {release} is stated "
                f"({launch.session.version(package).source})",
                help=f"use {package}{wanted}",
            )


def _full(release: Release, package: str) -> Release:
    """A release of Python by its minor number alone counts as its newest patch."""
    return Release(f"{release}.99") if package == "python" and len(release.release) < 3 else release


def _stated(launch: ProgramModel, package: str) -> Release | None:
    """A release that somebody wrote down exactly; None where nobody did."""
    try:
        return launch.session.stated(package)
    except Undetermined:
        return None
