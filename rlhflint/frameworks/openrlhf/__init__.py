"""OpenRLHF: programs of `openrlhf.cli`, launched by shell commands."""
