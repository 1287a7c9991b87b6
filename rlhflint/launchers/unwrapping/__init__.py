"""From a command to what it starts: launchers, interpreters and wrappers taken off one by one."""
