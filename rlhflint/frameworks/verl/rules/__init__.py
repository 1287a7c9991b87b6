"""The rules of verl, by topic."""
