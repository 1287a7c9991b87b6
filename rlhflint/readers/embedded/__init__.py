"""The reader of shell code inside other files: YAML, Dockerfiles, Makefiles, Markdown."""

from rlhflint.readers.embedded.scripts import MOST_CHARACTERS, embedded_scripts

__all__ = ["MOST_CHARACTERS", "embedded_scripts"]
