"""The mode of vLLM, whose default turned round at 1.0."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.allowed import allowed
from rlhflint.frameworks.trl.programs import GOLD, GRPO, ONLINE_DPO, RLOO
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.vllm import OF_SERVER
from rlhflint.launchers import start_of
from rlhflint.rule import ADVICE, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.launch import Launch

MODE = "vllm_mode"
_TURNED = "1.0.0"


@rule(
    "TR601",
    "vllm-mode-default-flipped",
    severity=WARNING,
    stage=STARTUP,
    programs=(GRPO, RLOO, ONLINE_DPO, GOLD),
    applies=">=0.18.0",
    fix="unsafe",
)
def vllm_mode_default_flipped(launch: GRPOModel) -> Iterator[Draft]:
    """Whether vLLM is a server or part of the training processes is best said, not left to the default.

    What happens: up to 0.29.1 training waits for a server on other GPUs; from 1.0 on every process starts an engine on
    its own GPU, and a server that runs is never contacted. Nothing is said either way.

    Why: the default of vllm_mode is "server" in 0.18 to 0.29.1 and "colocate" from 1.0 on
    (trainer/grpo_config.py@0.29.1, @1.0.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_server_host="10.0.0.12")

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", use_vllm=True, vllm_mode="server", vllm_server_host="10.0.0.12")
    """
    fields = details_of(launch).fields
    if fields is None or MODE not in fields or not launch.use_vllm or launch.given(MODE):
        return
    given = [name for name in OF_SERVER if launch.session.setting(name) is not None]
    evidence = [f"{name} is given" for name in given]
    if _starts_server(launch.session.launch):
        evidence.append("the script starts a server")
    release = launch.session.release
    span = allowed(launch.session.launch)
    both = bool(span) and any(_old(one) for one in span) and any(not _old(one) for one in span)
    if launch.session.since(_TURNED) or both:
        which = f"{span[0]} to {span[-1]} allow both" if both else f"with TRL {release} it is colocate"
        wanted = f" ({' and '.join(evidence)}, which speaks for the server)" if evidence else ""
        yield launch.finding(
            MODE,
            *given,
            "use_vllm",
            message=f"{MODE} is not given, and its default turned from server to colocate in TRL 1.0: {which}. In "
            "colocate every process starts an engine on its own GPU, and no server is contacted" + wanted,
            help=f'write {MODE}="server" for the meaning before 1.0, {MODE}="colocate" for the one since',
            proposal=put(launch, MODE, "server") if evidence else None,
        )
    else:
        yield launch.finding(
            MODE,
            *given,
            "use_vllm",
            message=f"{MODE} is not given: with TRL {release} that is server, from TRL 1.0 on it is colocate",
            help=f'write {MODE}="server", so that it stays',
            severity=ADVICE,
            proposal=put(launch, MODE, "server"),
        )


def _old(release: str) -> bool:
    return release.startswith("0.")


def _starts_server(launch: Launch) -> bool:
    """Whether the script of a launch starts a server of vLLM: `trl vllm-serve` or `vllm serve`."""
    for command in launch.script.commands if launch.script is not None else ():
        start = start_of(command)
        if start is None or start.kind != "program" or not start.arguments:
            continue
        if (os.path.basename(start.target.text), start.arguments[0].text) in (("trl", "vllm-serve"), ("vllm", "serve")):
            return True
    return False
