"""The packages whose releases matter, and what a specifier of releases (PEP 440) allows."""
