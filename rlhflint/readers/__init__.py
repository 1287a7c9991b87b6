"""Readers: what files say, with the characters that say it. A reader knows no framework and no rule."""
