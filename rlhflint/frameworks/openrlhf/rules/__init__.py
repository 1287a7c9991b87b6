"""The rules of OpenRLHF, one topic a module."""
