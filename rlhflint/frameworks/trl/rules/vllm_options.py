"""Options of vLLM: which are read in its mode, and what the engine needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.model_facts import model_facts
from rlhflint.frameworks.trl.batches import divisors
from rlhflint.frameworks.trl.policy import model_name
from rlhflint.frameworks.trl.programs import GENERATING, GOLD, GRPO, ONLINE_DPO, RLOO, VLLM_SERVE, WITH_VLLM
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.vllm import COLOCATE, DEVICE, SERVER, mode
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.catalog.model_facts import ModelFacts
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.online_dpo import OnlineDPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel
    from rlhflint.frameworks.trl.models.vllm_serve import VllmServeModel

TP, SHARE, LENGTH = "vllm_tensor_parallel_size", "vllm_gpu_memory_utilization", "vllm_max_model_length"
_OF_COLOCATE = (SHARE, TP, "vllm_enable_sleep_mode", LENGTH)
_OF_SERVER = ("vllm_server_host", "vllm_server_port", "vllm_server_base_url", "vllm_server_timeout")
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
    others = _OF_COLOCATE if where == SERVER else _OF_SERVER if where == COLOCATE else ()
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
    "TR306",
    "colocate-tp-does-not-divide",
    severity=ERROR,
    stage=STARTUP,
    programs=(GRPO, RLOO, ONLINE_DPO),
    applies=">=0.18.0",
)
def colocate_tp_does_not_divide(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> Iterator[Draft]:
    """Engines in the training processes take whole groups of them.

    What happens: ValueError "vllm_tensor_parallel_size … must divide world size … evenly" when the trainer is built.

    Why: each engine is made of vllm_tensor_parallel_size processes (trainer/grpo_trainer.py@0.18.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 6 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 8 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE:
        return
    size = launch.vllm_tensor_parallel_size
    if size <= 1:
        return
    count = launch.session.world.total.need("the number of processes")
    if count % size:
        works = ", ".join(map(str, (1, *divisors(count))))
        yield launch.finding(
            TP,
            message=f"{TP} {size} does not divide the {count} processes: TRL {launch.session.release} refuses that",
            help=f"{works} divide {count}",
        )


@rule(
    "TR404",
    "tp-group-spans-nodes",
    severity=ADVICE,
    stage=FIRST_STEP,
    programs=(GRPO, RLOO, ONLINE_DPO),
    applies=">=0.18.0",
)
def tp_group_spans_nodes(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> Iterator[Draft]:
    """The processes of one engine are on one machine.

    What happens: every token goes over the network between machines: generation is slow, or fails.

    Why: engines take processes in their order, vllm_tensor_parallel_size at a time (trainer/grpo_trainer.py@0.18.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 12 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 16 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate", vllm_tensor_parallel_size=4)
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE:
        return
    size, world = launch.vllm_tensor_parallel_size, launch.session.world
    if size <= 1 or world.nodes.need("the number of machines") <= 1:
        return
    each, count = world.per_node.need("processes of a machine"), world.total.need("the number of processes")
    if count % size == 0 and each % size:
        yield launch.finding(
            TP,
            message=f"{TP} {size} does not divide the {each} processes of a machine: one engine spans two machines",
            help=f"use a divisor of {each}",
        )


@rule("TR407", "engine-per-process", severity=ADVICE, stage=STARTUP, programs=GENERATING, applies=">=0.18.0")
def engine_per_process(launch: GRPOModel | RLOOModel) -> Iterator[Draft]:
    """On several machines a server of vLLM starts faster than an engine in every process.

    What happens: every GPU loads and warms up an engine of its own, which takes minutes on shared storage.

    Why: colocate mode, the default from 1.0 on, makes one engine for vllm_tensor_parallel_size processes
    (trainer/grpo_trainer.py@0.18.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 16 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="colocate")
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 16 --num_machines 2 grpo.py
        --- grpo.py
        from trl import GRPOConfig, GRPOTrainer

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server")
        trainer = GRPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    if mode(launch) != COLOCATE or launch.vllm_tensor_parallel_size != 1:
        return
    world = launch.session.world
    machines = world.nodes.need("the number of machines")
    if machines > 1:
        count = world.total.number
        yield launch.finding(
            "vllm_mode",
            TP,
            message=f"{count or 'all'} processes on {machines} machines start an engine of vLLM each",
            help='vllm_mode="server" shares one; a larger vllm_tensor_parallel_size makes fewer',
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


def facts_of(launch: GRPOModel | RLOOModel | OnlineDPOModel) -> ModelFacts:
    """What is known of the trained model. Raises `Undetermined` where it is not."""
    return facts_of_name(launch, model_name(launch))


def facts_of_name(launch: GRPOModel | RLOOModel | OnlineDPOModel | VllmServeModel, name: str | None) -> ModelFacts:
    """What is known of a model by its name. Raises `Undetermined` where nothing is."""
    known = model_facts(name, launch.session.file) if name is not None else None
    if known is None:
        raise Undetermined("model", "its shape is not known")
    return known


@rule(
    "TR409",
    "vllm-tp-does-not-divide-heads",
    severity=ERROR,
    stage=STARTUP,
    programs=(GRPO, RLOO, ONLINE_DPO, VLLM_SERVE),
    applies=">=0.16.0",
    fix="unsafe",
)
def vllm_tp_does_not_divide_heads(launch: GRPOModel | RLOOModel | OnlineDPOModel | VllmServeModel) -> Iterator[Draft]:
    """vLLM divides the attention heads of a model evenly.

    What happens: the engine refuses to start ("Total number of attention heads … must be divisible by tensor parallel
    size").

    Why: vLLM verifies it when it reads the model's configuration. The heads are known from a `config.json` in the
    project or from the table of models.

    Example:
        # trl 1.0.0
        --- serve.sh
        trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --tensor_parallel_size 8

    Use instead:
        # trl 1.0.0
        --- serve.sh
        trl vllm-serve --model Qwen/Qwen2.5-7B-Instruct --tensor_parallel_size 4
    """
    if launch.session.launch.program == VLLM_SERVE:
        setting = "tensor_parallel_size"
        name: str | None = getattr(launch, "model", None)
    else:
        if mode(launch) != COLOCATE:
            return
        setting = TP
        name = None
    size = getattr(launch, setting)
    if size <= 1:
        return
    name = name or model_name(launch)  # type: ignore[arg-type]
    known = facts_of_name(launch, name)
    if known.heads is not None and known.certain and known.heads % size:
        works = [one for one in divisors(known.heads) if one < size]
        yield launch.finding(
            setting,
            message=f"{setting} {size} does not divide the {known.heads} attention heads of {name}: vLLM refuses it",
            help=f"divisors of {known.heads} work: {', '.join(map(str, works)) or '1'}",
            proposal=put(launch, setting, works[-1]) if works else None,
        )
