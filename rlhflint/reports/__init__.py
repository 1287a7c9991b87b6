"""Findings put into words and data. A report prints what it is given and computes nothing."""
