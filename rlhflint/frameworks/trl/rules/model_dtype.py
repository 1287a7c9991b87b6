"""The type a model is loaded in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl import memory
from rlhflint.frameworks.trl.dtype_keys import NEW, OLD, old_keys
from rlhflint.frameworks.trl.policy import load_option, model_name, shipped
from rlhflint.frameworks.trl.programs import EVERY
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.session import details_of
from rlhflint.proposal import UNSAFE, Proposal, Rewrite
from rlhflint.rule import ADVICE, STARTUP, WARNING, Draft, rule
from rlhflint.value import if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel

_SMALL = 1e9
"""Parameters below which the type a model is loaded in hardly matters."""


@rule("TR503", "float32-load", severity=ADVICE, stage=STARTUP, programs=EVERY, applies=">=0.27.0", fix="unsafe")
def float32_load(launch: TrainerModel) -> Iterator[Draft]:
    """A model that is given by its name is loaded in the type that is written.

    What happens: it is loaded in float32, twice the size of bfloat16, and training takes 16 bytes for each parameter.

    Why: float32 is the default of a model given by name from 0.27 on, also where model_init_kwargs has `torch_dtype`,
    the name before; bf16=True is the type of the computation only (trainer/utils.py@0.27.0,
    trainer/model_config.py@0.27.0).

    Example:
        # trl 1.9.0
        from trl import SFTConfig, SFTTrainer

        trainer = SFTTrainer("Qwen/Qwen2.5-7B", SFTConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 1.9.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", model_init_kwargs={"dtype": "bfloat16"})
        trainer = SFTTrainer("Qwen/Qwen2.5-7B", args, train_dataset=None)
    """
    if "model_init_kwargs" not in type(launch).model_fields or not details_of(launch).config:
        return
    setting = "dtype" if shipped(launch) else "model_init_kwargs"
    yield from _not_read(launch)
    if not _untyped(launch):
        return
    known = if_known(lambda: memory.facts(launch))
    if known is not None and (known.params or 0) < _SMALL:
        return
    name = model_name(launch) or "the model"
    yield launch.finding(
        setting,
        "model_name_or_path" if shipped(launch) else "model",
        message=f"{name} is loaded in float32 at TRL {launch.session.release}, where no dtype is given",
        help="write dtype: bfloat16"
        if shipped(launch)
        else 'write model_init_kwargs={"dtype": "bfloat16"}; with full tuning of a small model float32 is more exact',
        proposal=put(launch, "dtype", "bfloat16") if shipped(launch) else None,
    )


def _not_read(launch: TrainerModel) -> Iterator[Draft]:
    """A type under the name that it had before."""
    given = launch.session.setting("model_init_kwargs")
    if shipped(launch) or given is None or not isinstance(launch.model, str):
        return
    for span in old_keys(given)[:1]:
        yield launch.finding(
            "model_init_kwargs",
            at=span,
            message=f"{OLD} is not looked at by TRL {launch.session.release}, which loads {launch.model} in float32",
            help=f"write {NEW}",
            severity=WARNING,
            proposal=Proposal(f"Write {NEW}", UNSAFE, (Rewrite(span, NEW),)),
        )


def _untyped(launch: TrainerModel) -> bool:
    """Whether the model is loaded by its name and nothing says in which type."""
    if shipped(launch):
        return not (launch.given("dtype") or launch.load_in_4bit or launch.load_in_8bit)
    if not isinstance(launch.model, str):
        return False
    return load_option(launch, "dtype") is None and load_option(launch, "quantization_config") is None
