"""What words become: parameters, substitutions, arithmetic, patterns, tests."""
