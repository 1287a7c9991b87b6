"""Options of vLLM: which are read in its mode, and what the engine needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import facts_of, model_name
from rlhflint.frameworks.trl.programs import GENERATING, GOLD, GRPO, ONLINE_DPO, RLOO, WITH_VLLM
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.vllm import COLOCATE, DEVICE, OF_SERVER, SERVER, mode
from rlhflint.rule import ADVICE, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.online_dpo import OnlineDPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel

TP, SHARE, LENGTH = "vllm_tensor_parallel_size", "vllm_gpu_memory_utilization", "vllm_max_model_length"
_OF_COLOCATE = (SHARE, TP, "vllm_enable_sleep_mode", LENGTH)
_LARGE_SHARE = 0.6
_LONG = 32768
"""Tokens of a context from which on its cache hardly fits into the share of a colocated engine."""


@rule(
    "TR255",
    "vllm-option-of-other-mode",
    severity=WARNING,
    stage=SILENT,
    programs=(*WITH_VLLM, GOLD),
    applies=">=0.18.0",
    fix="unsafe",
)
def vllm_option_of_other_mode(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> Iterator[Draft]:
    """Options of vLLM are read in the mode they belong to.

    What happens: the option has no effect, and nothing says so.

    Why: in server mode memory, parallelism and context are options of `trl vllm-serve`; in colocate mode no server is
    contacted; without use_vllm nothing of vLLM is read (trainer/grpo_trainer.py@0.18.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server", vllm_gpu_memory_utilization=0.5)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_gpu_memory_utilization=0.5)
    """
    given = [
        name
        for setting in launch.session.launch.settings
        for name in setting.canonical
        if name.startswith("vllm_") and name in (details_of(launch).fields or {})
    ]
    if not given:
        return
    where = mode(launch)
    release = launch.session.release
    if where is None:
        names = list(dict.fromkeys(given))
        yield launch.finding(
            *names,
            "use_vllm",
            message=f"{', '.join(names)} without use_vllm: TRL {release} reads nothing of vLLM then",
            help="set use_vllm=True, or leave them out",
            proposal=put(launch, "use_vllm", True),
        )
        return
    others = _OF_COLOCATE if where == SERVER else OF_SERVER if where == COLOCATE else ()
    for name in dict.fromkeys(given):
        if name in others:
            instead = "it is an option of the server" if where == SERVER else "no server is contacted"
            yield launch.finding(
                name,
                "vllm_mode",
                message=f'{name} has no effect with vllm_mode "{where}" at TRL {release}: {instead}',
                help=f"give {name.removeprefix('vllm_')} to `trl vllm-serve`"
                if where == SERVER
                else 'set vllm_mode="server" to use one',
                proposal=remove(launch, name),
            )


@rule(
    "TR501",
    "colocated-vllm-share",
    severity=ADVICE,
    stage=STARTUP,
    programs=(GRPO, RLOO, ONLINE_DPO),
    applies=">=0.14.0",
    fix="unsafe",
)
def colocated_vllm_share(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> Iterator[Draft]:
    """An engine that shares a GPU with training leaves room for it.

    What happens: CUDA runs out of memory at the start: the model is loaded first, and vLLM needs its share of the
    whole card to be free.

    Why: vllm_gpu_memory_utilization counts total memory; 0.3 is the default since 0.18
    (trainer/grpo_config.py@0.18.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(
            output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_gpu_memory_utilization=0.9
        )

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(
            output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_gpu_memory_utilization=0.3
        )
    """
    where = mode(launch)
    if where == DEVICE:
        if not _shares_a_gpu(launch):
            return
    elif where != COLOCATE:
        return
    share = launch.vllm_gpu_memory_utilization
    if share is not None and share > _LARGE_SHARE:
        given = "" if launch.given(SHARE) else " (the default)"
        yield launch.finding(
            SHARE,
            "use_vllm",
            message=f"{SHARE} {share}{given} on a GPU that trains too: the model is loaded first, and vLLM then needs "
            f"{share:.0%} of the whole card to be free",
            help="0.3 is the default from 0.18 on",
            proposal=put(launch, SHARE, 0.3),
        )


def _shares_a_gpu(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> bool:
    """Whether the engine of 0.14 and 0.15 runs on a GPU that a training process has."""
    device = getattr(launch, "vllm_device", None)
    count = launch.session.world.total.need("the number of processes")
    if device is None or device == "auto":
        seen = launch.session.world.devices
        return seen is not None and seen.number == 1
    name, _, index = str(device).partition(":")
    return name == "cuda" and index.isdigit() and int(index) < count


@rule(
    "TR507",
    "vllm-context-unbounded",
    severity=ADVICE,
    stage=STARTUP,
    programs=GENERATING,
    applies=">=0.26.0",
    fix="unsafe",
)
def vllm_context_unbounded(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """The context of a colocated engine is bounded by what prompts and answers need.

    What happens: vLLM refuses to start: the cache of one request of the model's full context does not fit into its
    share of the card.

    Why: without vllm_max_model_length the engine takes the model's own context (trainer/grpo_config.py@0.26.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate")
        trainer = GRPOTrainer("meta-llama/Llama-3.1-8B-Instruct", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_max_model_length=4096)
        trainer = GRPOTrainer("meta-llama/Llama-3.1-8B-Instruct", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE or launch.vllm_max_model_length is not None:
        return
    known = facts_of(launch)
    if known.max_positions is not None and known.max_positions > _LONG:
        answer = launch.max_completion_length
        yield launch.finding(
            LENGTH,
            "use_vllm",
            message=f"{model_name(launch)} has a context of {known.max_positions} tokens, and the cache of one such "
            "request has to fit into vLLM's share of the card",
            help=f"bound it by {LENGTH}: the longest prompt and "
            + (f"{answer} tokens of answer" if answer else "answer"),
        )
