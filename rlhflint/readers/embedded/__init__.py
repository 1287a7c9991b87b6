"""The reader of shell code inside other files: YAML, Dockerfiles, Makefiles, Markdown."""

from rlhflint.readers.embedded.scripts import embedded_scripts

__all__ = ["embedded_scripts"]
