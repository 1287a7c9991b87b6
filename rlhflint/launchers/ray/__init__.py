"""Ray's own command lines: `ray job submit` with its runtime environment, `ray start` and `ray stop`."""
