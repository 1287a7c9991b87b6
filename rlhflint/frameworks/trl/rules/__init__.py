"""The rules of TRL, one topic a module."""
