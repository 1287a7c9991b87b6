"""The project a file belongs to: its configuration, its files, its repository."""
