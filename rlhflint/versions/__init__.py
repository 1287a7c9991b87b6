"""Which releases of which packages are in force for a file, and who says so."""
