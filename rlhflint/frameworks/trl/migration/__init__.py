"""Launches of TRL moved to other releases of TRL and transformers."""

from rlhflint.frameworks.trl.migration.moving import migration

__all__ = ["migration"]
