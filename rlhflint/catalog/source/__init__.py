"""Upstream's source read statically: the parsers that its programs build, and the classes that its modules declare."""
