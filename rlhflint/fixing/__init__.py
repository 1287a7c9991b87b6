"""Proposals turned into edits of files, and edits applied: nothing is written when in doubt."""
