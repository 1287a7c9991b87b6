"""Rules about launchers, shells and schedulers, whichever framework's program they start."""
