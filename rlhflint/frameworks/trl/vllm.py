"""How a trainer of TRL uses vLLM, by release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel

COLOCATE, SERVER, DEVICE = "colocate", "server", "device"
OF_SERVER = ("vllm_server_host", "vllm_server_port", "vllm_server_base_url", "vllm_server_timeout")
"""Options that are read in server mode alone."""


def mode(launch: ProgramModel) -> str | None:
    """Where vLLM runs: in the training processes, as a server, or on a GPU of its own; None where it is not used.

    0.14 and 0.15 put it on a device of the first process, 0.16 and 0.17 know the server alone; later vllm_mode says
    it, "server" by default up to 0.29.1 and "colocate" from 1.0 on (trainer/grpo_config.py@0.14.0, @0.16.0, @0.18.0,
    @1.0.0). Raises `Undetermined` where an option is not known.
    """
    options: Any = launch
    if not options.use_vllm:
        return None
    since = launch.session.since
    if not since("0.16.0"):
        return DEVICE
    if not since("0.18.0"):
        return SERVER
    return str(options.vllm_mode)
