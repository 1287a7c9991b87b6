"""The notebook reader: code cells with the place of every character, and what their magics do."""

from rlhflint.readers.notebook.document import Cell, Notebook, read_notebook
from rlhflint.readers.notebook.magics import Requirement, WrittenFile

__all__ = ["Cell", "Notebook", "Requirement", "WrittenFile", "read_notebook"]
