"""The Python reader: modules and the cells of notebooks, followed without running them."""

from rlhflint.readers.python.module import read_cells, read_module

__all__ = ["read_cells", "read_module"]
