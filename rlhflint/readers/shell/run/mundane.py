"""Commands that start nothing worth to look at."""

from __future__ import annotations

from rlhflint.command import Command
from rlhflint.readers.shell.syntax.tree import Simple

MUNDANE = frozenset(
    {
        *(
            "echo",
            "printf",
            "cat",
            "tee",
            "head",
            "tail",
            "grep",
            "sed",
            "awk",
            "tr",
            "cut",
            "sort",
            "uniq",
            "wc",
            "xargs",
        ),
        *(
            "ls",
            "mkdir",
            "rm",
            "cp",
            "mv",
            "ln",
            "touch",
            "chmod",
            "chown",
            "find",
            "tar",
            "unzip",
            "gzip",
            "rsync",
            "df",
        ),
        *("sleep", "wait", "date", "hostname", "uname", "whoami", "id", "which", "type", "nvidia-smi", "free", "du"),
        *(
            "kill",
            "pkill",
            "killall",
            "ulimit",
            "umask",
            "shopt",
            "alias",
            "unalias",
            "trap",
            "clear",
            "tput",
            "logger",
        ),
        *("exit", "return", "usage", "help", "print_usage", "show_help", "pwd", "true", "false", ":"),
        *("git", "curl", "wget", "lsof", "stat", "md5sum", "sha256sum", "basename", "dirname", "realpath", "readlink"),
    }
)
"""Their words are read, but ways on which they differ are not told apart."""


def is_notable(command: Command) -> bool:
    """Whether a command does more than look around and complain."""
    return command.words[0].text not in MUNDANE


def is_mundane(node: Simple) -> bool:
    """Whether a command is one of these, judged by how it is written, and neither writes a script nor a variable."""
    if not node.words or node.words[0].text not in MUNDANE or [word.text for word in node.words[1:2]] == ["-v"]:
        return False
    return not any(redirection.body for redirection in node.redirections)
