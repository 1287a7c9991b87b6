"""TRL: its programs, their typed settings and the rules over them."""
