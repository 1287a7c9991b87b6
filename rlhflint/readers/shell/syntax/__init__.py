"""Shell texts cut into words and statements. Nothing here knows what a word will become."""
