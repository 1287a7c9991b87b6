"""Python taken apart and put together again by libcst: arguments and imports added, taken out and moved.

What differs then becomes edits, so that all other text stays as it is. Whoever needs none of this does not load libcst.
"""
