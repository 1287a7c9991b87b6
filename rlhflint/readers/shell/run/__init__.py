"""Statements gone through one by one, as a shell would run them; nothing is run."""
