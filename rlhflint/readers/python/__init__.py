"""The Python reader: modules and the cells of notebooks, followed without running them.

How it goes, module by module of this package:

    source           the text is parsed; each node knows its characters in the file
    relevance        which parts have to do with what the framework watches
    statements       statements are followed in order: assignments here, `branches`, `loops`, `imports`, `definitions`
    expressions      what an expression gives: `displays`, `texts`, `operations`, `comparisons`, `attributes`, `calling`
    following        functions of the file, with what they are given
    expectations     what a test expects to fail, or puts something else in the place of
    library          functions of Python that settings pass through: `builtin_functions`, `container_methods`
    values           what is known of a value; `store` holds it, `conditions` say on which ways
    recording        a watched call is written down with all it was given
    ways             written calls are split into the ways through the module, and given out

`run` is what they share while one module is followed.
"""

from rlhflint.readers.python.module import read_cells, read_module

__all__ = ["read_cells", "read_module"]
