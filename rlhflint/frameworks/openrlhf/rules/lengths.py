"""Lengths of prompt, answer and both together, in tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put, remove
from rlhflint.frameworks.openrlhf.training import sees_images
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, FIRST_STEP, SILENT, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("OR309", "completion-fills-context", severity=ERROR, stage=FIRST_STEP, programs=PPO, fix="unsafe")
def completion_fills_context(launch: TrainPPORay) -> Iterator[Draft]:
    """The length of prompt and answer together has to leave room for a prompt.

    What happens: since 0.9.8, prompts are cut to what the answer leaves. Where it leaves nothing, the prompt goes to
    vLLM whole, which rejects the request, or is cut to a useless rest. Before, a total below prompt and answer length
    makes vLLM's context too short for them, and answers are cut short without a message.

    Why: utils/agent.py@0.11.2 keeps the last `data.max_len` − `rollout.max_new_tokens` tokens of a prompt;
    cli/train_ppo_ray.py@0.9.7 takes `--max_len` for vLLM in place of the sum of the two others.

    Example:
        --data.max_len 4096 --rollout.max_new_tokens 4096

    Use instead:
        --data.max_len 6144 --rollout.max_new_tokens 4096
    """
    session, spelt = launch.session, launch.session.spelling
    if not session.since("0.9.8"):
        yield from _short_total(launch)
        return
    answer = launch.rollout.max_new_tokens
    if answer is None or answer < launch.data.max_len or sees_images(launch):
        return
    whole = spelt("data.max_len")
    yield launch.finding(
        "rollout.max_new_tokens",
        "data.max_len",
        message=(
            f"{spelt('rollout.max_new_tokens')} {answer} leaves nothing of {whole} {launch.data.max_len} for the "
            "prompt: the first rollout fails or sees no usable prompt"
        ),
        help=f"{whole} counts prompt and answer together: raise it, or lower {spelt('rollout.max_new_tokens')}",
        proposal=Proposal(
            f"Remove {spelt('rollout.max_new_tokens')}", UNSAFE, remove(launch, "rollout.max_new_tokens")
        ),
    )


def _short_total(launch: TrainPPORay) -> Iterator[Draft]:
    whole = launch.max_len
    if not whole or whole >= launch.prompt_max_len + launch.generate_max_len:
        return
    spelt, needed = launch.session.spelling, launch.prompt_max_len + launch.generate_max_len
    yield launch.finding(
        "max_len",
        "prompt_max_len",
        "generate_max_len",
        message=(
            f"{spelt('max_len')} {whole} is less than {spelt('prompt_max_len')} {launch.prompt_max_len} + "
            f"{spelt('generate_max_len')} {launch.generate_max_len}: vLLM cuts answers short"
        ),
        help=f"write {needed}, or leave {spelt('max_len')} out",
        severity=WARNING,
        stage=SILENT,
        proposal=Proposal(f"Write {spelt('max_len')} {needed}", UNSAFE, put(launch, "max_len", needed)),
    )


@rule(
    "OR314",
    "overlong-buffer-too-long",
    severity=ERROR,
    stage=FIRST_STEP,
    programs=PPO,
    applies=">=0.8.7",
    fix="unsafe",
)
def overlong_buffer_too_long(launch: TrainPPORay) -> Iterator[Draft]:
    """`reward.overlong_buffer_len` has to be no longer than an answer may be.

    What happens: an assertion ends the run at the first training step, after a whole rollout.

    Why: the penalty begins that many tokens before the longest answer (trainer/ppo_utils/length_penalty.py@0.11.2,
    experience_maker.py@0.8.7). The longest answer is `rollout.max_new_tokens`, or `data.max_len` where that is not
    given; before 0.9.8 it is `--generate_max_len`.

    Example:
        --reward.overlong_buffer_len 8192 --rollout.max_new_tokens 4096 --data.max_len 6144

    Use instead:
        --reward.overlong_buffer_len 1024 --rollout.max_new_tokens 4096 --data.max_len 6144
    """
    buffer = launch.reward.overlong_buffer_len
    if buffer is None:
        return
    if launch.session.since("0.9.8"):
        longest = launch.rollout.max_new_tokens or launch.data.max_len
        bound = "rollout.max_new_tokens" if launch.rollout.max_new_tokens else "data.max_len"
    else:
        longest, bound = launch.generate_max_len, "generate_max_len"
    if buffer <= longest:
        return
    spelt = launch.session.spelling
    name, shorter = spelt("reward.overlong_buffer_len"), max(longest // 4, 1)
    yield launch.finding(
        "reward.overlong_buffer_len",
        bound,
        message=(
            f"{name} {buffer:g} is longer than the longest answer, {spelt(bound)} {longest}: an assertion ends the run "
            "at the first training step"
        ),
        help=f"the penalty sets in so many tokens before the longest answer: {longest} at most, a quarter is usual",
        proposal=Proposal(f"Write {name} {shorter}", UNSAFE, put(launch, "reward.overlong_buffer_len", shorter)),
    )


@rule(
    "OR315",
    "vision-prompt-budget",
    severity=ERROR,
    stage=FIRST_STEP,
    programs=PPO,
    applies=">=0.10.0",
)
def vision_prompt_budget(launch: TrainPPORay) -> Iterator[Draft]:
    """With images the answer has to leave room for the whole prompt.

    What happens: a ValueError in the first rollout ("VLM prompt length exceeds").

    Why: a prompt with images is never cut, because each image stands for a number of tokens in it; a prompt longer
    than `data.max_len` − `rollout.max_new_tokens` is refused (utils/agent.py@0.11.2). What is certain from the flags
    alone is that nothing is left for a prompt at all.

    Example:
        --data.max_images_per_prompt 2 --data.max_len 4096 --rollout.max_new_tokens 4096

    Use instead:
        --data.max_images_per_prompt 2 --data.max_len 12288 --rollout.max_new_tokens 4096
    """
    answer = launch.rollout.max_new_tokens
    if answer is None or not sees_images(launch) or answer < launch.data.max_len:
        return
    spelt = launch.session.spelling
    yield launch.finding(
        "data.max_len",
        "rollout.max_new_tokens",
        "data.max_images_per_prompt",
        message=(
            f"{spelt('data.max_len')} {launch.data.max_len} − {spelt('rollout.max_new_tokens')} {answer} leaves no "
            "token for a prompt, and prompts with images are not cut: the first rollout ends with a ValueError"
        ),
        help=f"raise {spelt('data.max_len')}: an image alone takes hundreds of tokens",
    )
