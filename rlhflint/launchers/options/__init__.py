"""Which options each launcher has, and how they are read from the words behind its name."""
