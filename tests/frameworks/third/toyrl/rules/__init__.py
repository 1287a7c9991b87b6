"""The rules of toyrl, by topic."""
