"""TRL: trainers configured in Python, notebooks and YAML, and started by commands."""
