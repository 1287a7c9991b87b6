"""Comments that let findings through: found in any kind of file, held against the findings, and checked themselves."""
