"""Upstream itself, asked what it makes of a launch."""
