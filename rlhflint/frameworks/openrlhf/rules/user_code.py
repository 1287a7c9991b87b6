"""Reward functions and agents: files of the user that the program loads when training has begun."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO, PPO_WITHOUT_RAY
from rlhflint.python_syntax import syntax_tree
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo import TrainPPO
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_REWARD, _AGENT = "reward.remote_url", "train.agent_func_path"


@rule(
    "OR117",
    "reward-source-unclear",
    severity=WARNING,
    stage=SILENT,
    programs=(PPO, PPO_WITHOUT_RAY),
    applies=">=0.4.0.post2",
)
def reward_source_unclear(launch: TrainPPORay | TrainPPO) -> Iterator[Draft]:
    """A remote reward is a URL, or a Python file whose name ends in `.py`.

    What happens: anything else is taken for a URL and requests to it fail; the failures are only logged, and the
    samples keep no reward.

    Why: only a path that ends in `.py` is loaded as a reward function (utils/agent.py@0.11.2). train_ppo never could
    load one.

    Example:
        --reward.remote_url reward_func

    Use instead:
        --reward.remote_url reward_func.py
    """
    if not launch.given(_REWARD):
        return
    url = launch.reward.remote_url or ""
    name = launch.session.spelling(_REWARD)
    ray = launch.session.launch.program == PPO
    for one in url.split(","):
        if one.startswith(("http://", "https://")) or (ray and one.endswith(".py")) or not one:
            continue
        if ray:
            meant = "a reward function has to be a file that ends in .py, a reward model has an option of its own"
            said = f"{name} {one!r} is neither a URL nor a Python file: requests to it fail, and that is only logged"
        else:
            meant = "use train_ppo_ray for reward functions, or give the URL of a server"
            said = f"{name} {one!r} is no URL, and train_ppo takes nothing else: requests to it fail"
        yield launch.finding(_REWARD, message=said, help=meant)


@rule("OR118", "agent-file", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.8.0")
def agent_file(launch: TrainPPORay) -> Iterator[Draft]:
    """The file of an agent has to be a Python file with the class that upstream looks for.

    What happens: an assertion or an AttributeError ends the engines while they start; their GPUs are taken by then.

    Why: the vLLM actor loads the file and takes its class AgentExecutor, since 0.8.7; the name has to end in `.py`
    (trainer/ray/vllm_engine.py@0.8.7, @0.11.2).

    Example:
        --train.agent_func_path agents/math

    Use instead:
        --train.agent_func_path agents/math.py
    """
    path = launch.train.agent_func_path
    if not path:
        return
    name = launch.session.spelling(_AGENT)
    if not path.endswith(".py"):
        yield launch.finding(_AGENT, message=f"{name} {path!r} does not end in .py: an assertion ends the engines")
        return
    text = launch.session.file(path)
    if text is None or not launch.session.since("0.8.7"):
        return
    try:
        tree = syntax_tree(text)
    except (SyntaxError, ValueError):
        yield launch.finding(_AGENT, message=f"{name}: {path} is no valid Python, and the engines cannot load it")
        return
    if not _defines(tree, "AgentExecutor"):
        yield launch.finding(
            _AGENT,
            message=f"{name}: {path} has no class AgentExecutor, which OpenRLHF {launch.session.release} looks for",
            help="name the class AgentExecutor",
        )


def _defines(tree: ast.Module, name: str) -> bool:
    """Whether a module has a top-level name, also by import or assignment; true where that cannot be told."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name) in (name, "*"):
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
    return False
