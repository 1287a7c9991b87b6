"""Tokens that options name, and tokens that a chat template adds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import adapted, makers, model_name, name_of, shipped
from rlhflint.frameworks.trl.programs import DPO, REWARD, SFT
from rlhflint.frameworks.trl.session import Present, details_of
from rlhflint.frameworks.trl.vocabulary import has_token, without_unknown_token
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, Draft, rule
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.reward import RewardModel
    from rlhflint.frameworks.trl.models.sft import SFTModel

_OPTIONS = ("eos_token", "pad_token")
_CHANGES = ("add_tokens", "add_special_tokens", "setup_chat_format", "clone_chat_template")


@rule(
    "TR121",
    "token-not-in-vocabulary",
    severity=ERROR,
    stage=STARTUP,
    programs=(SFT, REWARD, DPO),
    applies=">=0.17.0",
)
def token_not_in_vocabulary(launch: SFTModel | RewardModel | DPOModel) -> Iterator[Draft]:
    """A token that is named has to be in the vocabulary of the tokenizer.

    What happens: ValueError "The specified `eos_token` … is not found in the vocabulary" when the trainer is built.

    Why: the token gets no id otherwise (trainer/sft_trainer.py@0.17.0, @1.1.0). Up to 1.0 it is noticed only where the
    tokenizer has no token for unknown words; otherwise that one is taken. Said only where the vocabulary is known: by
    the `tokenizer.json` of a folder of the project, or by the family of a well-known model.

    Example:
        # trl 1.9.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", eos_token="<|im_end|>")
        trainer = SFTTrainer("meta-llama/Llama-3.1-8B", args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", eos_token="<|eot_id|>")
        trainer = SFTTrainer("meta-llama/Llama-3.1-8B", args, train_dataset=None)
    """
    fields = details_of(launch).fields
    options = [name for name in _OPTIONS if fields is not None and name in fields]
    given = {name: getattr(launch, name) for name in options if launch.session.given(name)}
    named = {name: token for name, token in given.items() if token is not None}
    if not named:
        return
    tokenizer = _tokenizer(launch)
    read = launch.session.file
    for name, token in named.items():
        if has_token(tokenizer, token, read) is False:
            if not launch.session.since("1.1.0") and not without_unknown_token(tokenizer, read):
                continue
            yield launch.finding(
                name,
                "model_name_or_path" if shipped(launch) else "model",
                message=f"the tokenizer of {tokenizer} has no token {token}, and TRL {launch.session.release} refuses "
                f"it as {name}",
                help=f"name a token of the tokenizer, or leave {name} out",
            )


def _tokenizer(launch: SFTModel | RewardModel | DPOModel) -> str:
    """The name or path the tokenizer is loaded from. Raises `Undetermined` where it is not known, or may be changed."""
    name = model_name(launch)
    if not shipped(launch):
        text = launch.session.file(launch.session.launch.path) or ""
        if any(change in text for change in _CHANGES):
            raise Undetermined("processing_class", "the script may add tokens")
        given = launch.processing_class
        if given is not None:
            name = name_of(given) if makers(given) else None
    if name is None:
        raise Undetermined("processing_class", "where the tokenizer is loaded from is not known")
    return name


@rule("TR256", "new-tokens-not-saved", severity=ADVICE, stage=SILENT, programs=SFT, applies=">=0.20.0")
def new_tokens_not_saved(launch: SFTModel) -> Iterator[Draft]:
    """An adapter that learns a template with new tokens saves their embeddings too.

    What happens: where the template adds tokens, their embeddings are trained or not, and never saved: the adapter is
    of no use after loading. Upstream warns.

    Why: the rows of embed_tokens and lm_head belong to the base model unless modules_to_save names them
    (trainer/sft_trainer.py@0.20.0).

    Example:
        # trl 1.9.0
        from peft import LoraConfig
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", chat_template_path="org/chat-model")
        trainer = SFTTrainer("m", args, train_dataset=None, peft_config=LoraConfig(r=16))

    Use instead:
        # trl 1.9.0
        from peft import LoraConfig
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", chat_template_path="org/chat-model")
        lora = LoraConfig(r=16, modules_to_save=["lm_head", "embed_tokens"])
        trainer = SFTTrainer("m", args, train_dataset=None, peft_config=lora)
    """
    path = launch.chat_template_path
    if path is None or path.endswith((".jinja", ".j2")) or not adapted(launch):
        return
    if shipped(launch):
        saved = bool(launch.lora_modules_to_save)
    else:
        argument = launch.peft_config.argument if isinstance(launch.peft_config, Present) else None
        if argument is None or argument.made is None or argument.made.call.more:
            raise Undetermined("modules_to_save", "the adapter is not known")
        saved = any(one.name == "modules_to_save" and one.value != Known(None) for one in argument.made.call.arguments)
    if not saved:
        yield launch.finding(
            "chat_template_path",
            "lora_modules_to_save" if shipped(launch) else "peft_config",
            message=f"where the template of {path} has tokens that the model lacks, their embeddings are not saved "
            "with the adapter",
            help='put modules_to_save=["lm_head", "embed_tokens"] into the adapter\'s configuration',
        )
