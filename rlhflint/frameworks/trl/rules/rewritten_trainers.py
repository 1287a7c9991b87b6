"""Trainers and options that became something else under a name that stayed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import removal, renames
from rlhflint.frameworks.trl.programs import RLOO
from rlhflint.frameworks.trl.releases import exact_release
from rlhflint.frameworks.trl.session import details_of
from rlhflint.proposal import SAFE, Proposal, Remove, Rename
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.rloo import RLOOModel
    from rlhflint.scene import Scene

_REWRITTEN = "0.22.0"
_OLD_PPO_METHODS = ("step", "log_stats")


@rule(
    "TR608",
    "rloo-rewritten",
    severity=WARNING,
    stage=SILENT,
    programs=RLOO,
    applies=">=0.22.0,<0.25.0",
    fix="safe",
)
def rloo_rewritten(launch: RLOOModel) -> Iterator[Draft]:
    """Options of the RLOO before 0.22 have other names in the one since, or none.

    What happens: 0.22 to 0.24 map them with a warning, or ignore them with one; 0.25 refuses them.

    Why: RLOO was written anew in 0.22 after the model of GRPO (trainer/rloo_config.py@0.22.2, @0.25.0).

    Example:
        # trl 0.22.2, transformers 4.56.2
        from trl import RLOOConfig

        args = RLOOConfig(output_dir="out", rloo_k=4)

    Use instead:
        # trl 0.22.2, transformers 4.56.2
        from trl import RLOOConfig

        args = RLOOConfig(output_dir="out", num_generations=4)
    """
    config = details_of(launch).config
    dashes = "--" if details_of(launch).form == "command" else ""
    for setting in launch.session.launch.settings:
        name = setting.name.lstrip("-").replace("-", "_")
        rename = next((one for one in renames(config) if one.old == name and one.deprecated == _REWRITTEN), None)
        gone = removal(config, name)
        if rename is not None:
            prefix = dashes if setting.name.startswith("-") else ""
            same = rename.kind == "same"
            yield launch.finding(
                *setting.canonical,
                at=setting.name_span,
                message=f"{name} is of the RLOO before 0.22: TRL {launch.session.release} takes it for {rename.new} "
                "with a warning, and 0.25 refuses it",
                help=f"write {rename.new}" + ("" if same else f": {rename.value}"),
                proposal=Proposal(f"Write {rename.new}", SAFE, (Rename(setting, (prefix + rename.new,)),))
                if same
                else None,
            )
        elif gone is not None and gone.ignored and gone.deprecated == _REWRITTEN:
            yield launch.finding(
                *setting.canonical,
                at=setting.name_span,
                message=f"{name} is of the RLOO before 0.22: TRL {launch.session.release} ignores it, 0.25 refuses it",
                help=f"leave it out: {gone.drop}" if gone.drop else "leave it out",
                proposal=Proposal(f"Remove {name}", SAFE, (Remove(setting),)),
            )


@rule("TR609", "ppo-other-class", severity=ERROR, stage=STARTUP, programs="module")
def ppo_other_class(scene: Scene) -> Iterator[Draft]:
    """The PPOTrainer since 0.12 is another class than the one with step().

    What happens: TypeError or AttributeError, when the trainer is built or its method is called.

    Why: PPOv2Trainer took the name PPOTrainer in 0.12; it trains by itself with train() and has neither step() nor
    log_stats() (trainer/ppo_trainer.py@0.11.4, @0.12.0).

    Example:
        # trl 0.19.1, transformers 4.56.2
        from trl import PPOConfig, PPOTrainer

        trainer = PPOTrainer(config, model, ref_model, tokenizer)
        trainer.step(queries, responses, rewards)

    Use instead:
        # trl 0.19.1, transformers 4.56.2
        from trl import PPOConfig, PPOTrainer

        trainer = PPOTrainer(
            args=PPOConfig(output_dir="out"), processing_class=tokenizer, model=model, ref_model=ref_model,
            reward_model=reward_model, value_model=value_model, train_dataset=dataset,
        )
        trainer.train()
    """
    module = scene.document.module
    calls = module.calls if module is not None else ()
    old = [call for call in calls if _is_old_ppo(call.target) and not call.guards]
    if not old:
        return
    release = exact_release(scene.site, "0.12.0")
    if release is None:
        return
    told: set[int] = set()
    for call in old:
        if call.span.start not in told:
            told.add(call.span.start)
            yield scene.finding(
                call.name_span,
                f"PPOTrainer of TRL {release} has no {call.target.rpartition('.')[2]}(): it is another class "
                "than the PPOTrainer up to 0.11, and trains by itself with train()",
                help="use TRL 0.11.4, or write the loop anew with GRPOTrainer or RLOOTrainer",
            )


def _is_old_ppo(target: str) -> bool:
    path, _, method = target.rpartition(".")
    return path.startswith("trl.") and path.endswith("PPOTrainer") and method in _OLD_PPO_METHODS


@rule("TR614", "trust-remote-code-moved", severity=ERROR, stage=STARTUP, programs="module")
def trust_remote_code_moved(scene: Scene) -> Iterator[Draft]:
    """trust_remote_code is an option of the trainer's configuration since 1.7, not of ModelConfig.

    What happens: "got an unexpected keyword argument", when the script is run.

    Why: it moved to the base of all configurations; on command lines and in YAML files nothing changed
    (trainer/model_config.py@1.6.0, trainer/base_config.py@1.7.0).

    Example:
        # trl 1.7.0
        from trl import ModelConfig

        model_args = ModelConfig(model_name_or_path="m", trust_remote_code=True)

    Use instead:
        # trl 1.7.0
        from trl import ModelConfig, SFTConfig

        model_args = ModelConfig(model_name_or_path="m")
        args = SFTConfig(output_dir="out", trust_remote_code=True)
    """
    module = scene.document.module
    for call in module.calls if module is not None else ():
        given = next((one for one in call.arguments if one.name == "trust_remote_code"), None)
        if given is None or call.guards or call.target.rpartition(".")[2] != "ModelConfig" or call.subclass:
            continue
        release = exact_release(scene.site, "1.7.0")
        if release is not None:
            yield scene.finding(
                given.name_span or given.span,
                f"ModelConfig of TRL {release} takes no trust_remote_code: it moved to the configuration of the "
                "trainer in 1.7",
                help="give it to SFTConfig, DPOConfig or the like",
            )
