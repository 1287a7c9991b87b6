"""What trainers are handed besides their configuration: models, data, judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.datasets import streams
from rlhflint.frameworks.trl.policy import load_option, shipped
from rlhflint.frameworks.trl.programs import GRPO, ONLINE_DPO, REWARD, SFT
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.session import details_of
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.online_dpo import OnlineDPOModel
    from rlhflint.frameworks.trl.models.reward import RewardModel
    from rlhflint.frameworks.trl.models.sft import SFTModel

DATA = "train_dataset"


@rule(
    "TR231",
    "iterable-dataset",
    severity=ERROR,
    stage=STARTUP,
    programs=(GRPO, SFT),
    applies=">=0.17.0",
    fix="unsafe",
)
def iterable_dataset(launch: GRPOModel | SFTModel) -> Iterator[Draft]:
    """Data that is streamed is divided among the processes by each of them.

    What happens: GRPO refuses streamed data from 0.17 to 1.8 (NotImplementedError); from 1.9 on it refuses
    dispatch_batches=True for them, and training without data where max_steps is not given. SFT switches
    dispatch_batches off, with a warning.

    Why: with dispatch_batches the first process makes the batches and sends tensors, which prompts are not
    (trainer/grpo_trainer.py@0.17.0, @1.9.0, trainer/sft_trainer.py@0.27.0).

    Example:
        # trl 1.0.0
        from datasets import load_dataset
        from trl import GRPOConfig, GRPOTrainer

        data = load_dataset("d", split="train", streaming=True)
        trainer = GRPOTrainer("m", reward_funcs=len, args=GRPOConfig(output_dir="out"), train_dataset=data)

    Use instead:
        # trl 1.0.0
        from datasets import load_dataset
        from trl import GRPOConfig, GRPOTrainer

        data = load_dataset("d", split="train")
        trainer = GRPOTrainer("m", reward_funcs=len, args=GRPOConfig(output_dir="out"), train_dataset=data)
    """
    if _without_length(launch):
        yield launch.finding(
            "max_steps",
            "environment_factory",
            message=f"no train_dataset, and max_steps is {launch.max_steps}: TRL {launch.session.release} needs it to "
            "know how long to train",
            help="give max_steps",
        )
        return
    streamed = launch.dataset_streaming if shipped(launch) else streams(launch.train_dataset)
    setting = "dataset_streaming" if shipped(launch) else DATA
    if not streamed:
        return
    release, since = launch.session.release, launch.session.since
    if launch.session.launch.program == GRPO and not since("1.9.0"):
        yield launch.finding(
            setting,
            message=f"the data is streamed: GRPO of TRL {release} refuses that",
            help="load it without streaming, or use TRL 1.9 or later",
        )
        return
    options = launch.accelerator_config
    dispatched = options.get("dispatch_batches") if isinstance(options, Mapping) else None
    if dispatched and since("0.27.0"):
        refused = launch.session.launch.program == GRPO
        yield launch.finding(
            "accelerator_config",
            setting,
            message="dispatch_batches is True for data that is streamed: TRL "
            f"{release} {'refuses that' if refused else 'sets it to False, with a warning'}",
            help="set it to False",
            severity=ERROR if refused else WARNING,
            stage=STARTUP if refused else SILENT,
            proposal=put(launch, "accelerator_config", {**options, "dispatch_batches": False})
            if isinstance(options, Mapping) and details_of(launch).form == "python"
            else None,
        )


def _without_length(launch: GRPOModel | SFTModel) -> bool:
    """Whether environments of their own data are to train GRPO for no number of steps."""
    if launch.session.launch.program != GRPO or shipped(launch) or not launch.session.since("1.9.0"):
        return False
    environments = getattr(launch, "environment_factory", None)
    return environments is not None and launch.train_dataset is None and launch.max_steps <= 0


@rule("TR246", "reward-head", severity=ERROR, stage=STARTUP, programs=REWARD, applies=">=0.29.0")
def reward_head(launch: RewardModel) -> Iterator[Draft]:
    """A reward model has one output.

    What happens: ValueError when the trainer is built.

    Why: the reward is a number; a classifier with two labels has two (trainer/reward_trainer.py@0.29.0).

    Example:
        # trl 1.9.0
        from transformers import AutoModelForSequenceClassification
        from trl import RewardConfig, RewardTrainer

        model = AutoModelForSequenceClassification.from_pretrained("m", num_labels=2)
        trainer = RewardTrainer(model, RewardConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 1.9.0
        from transformers import AutoModelForSequenceClassification
        from trl import RewardConfig, RewardTrainer

        model = AutoModelForSequenceClassification.from_pretrained("m", num_labels=1)
        trainer = RewardTrainer(model, RewardConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch) or isinstance(launch.model, str):
        return
    labels = load_option(launch, "num_labels")
    if labels is not None and labels != 1:
        yield launch.finding(
            "model",
            message=f"the model is loaded with num_labels {labels}: TRL {launch.session.release} refuses a reward "
            "model with another number than 1",
            help="load it with num_labels=1",
        )


@rule("TR248", "online-dpo-reward-source", severity=ERROR, stage=STARTUP, programs=ONLINE_DPO, applies=">=0.23.0")
def online_dpo_reward_source(launch: OnlineDPOModel) -> Iterator[Draft]:
    """Online DPO has a judge or reward functions.

    What happens: ValueError where neither is given; with both, the reward functions are ignored with a warning.

    Why: one of them ranks the two answers (trainer/online_dpo_trainer.py@0.23.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import OnlineDPOConfig, OnlineDPOTrainer

        trainer = OnlineDPOTrainer("m", args=OnlineDPOConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import OnlineDPOConfig, OnlineDPOTrainer

        args = OnlineDPOConfig(output_dir="out")
        trainer = OnlineDPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    call = details_of(launch).trainer_call
    if call is None or call.more or launch.session.launch.more:
        return
    given = [name for name in ("judge", "reward_funcs") if _handed(launch, name)]
    release = launch.session.release
    if not given:
        yield launch.finding(
            "reward_funcs",
            "judge",
            at=call.name_span,
            message=f"neither judge nor reward_funcs: TRL {release} refuses that",
            help="pass reward_funcs",
        )
    elif len(given) == 2:
        yield launch.finding(
            *given,
            message=f"judge and reward_funcs are both given: TRL {release} ignores reward_funcs, with a warning",
            help="leave one of them out",
            severity=WARNING,
            stage=SILENT,
        )


def _handed(launch: OnlineDPOModel, name: str) -> bool:
    """Whether the trainer is given something, known or not."""
    setting = launch.session.setting(name)
    return setting is not None and setting.value != Known(None)
