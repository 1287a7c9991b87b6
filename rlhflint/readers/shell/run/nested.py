"""Scripts inside the words of commands: `bash -c "…"`, `ssh host "…"`, `sbatch --wrap "…"`, `bash <<EOF`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rlhflint.command import Command, Redirect
from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.run.mundane import MUNDANE
from rlhflint.readers.shell.state import ARGUMENTS, DIALECT, NAME, Arguments, State
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Piece, Traced

SHELLS = frozenset({"bash", "sh", "dash", "zsh", "ksh", "ash"})
_VALUED = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})
_SSH_VALUED = frozenset("-" + letter for letter in "BbcDEeFIiJLlmOoPpQRSWw")
_ELSEWHERE = frozenset({"ssh", "docker", "podman", "nerdctl", "kubectl", "pdsh", "clush", "gcloud"})
"""Programs that run a command in an environment of its own."""
_ARGUMENT_OF_C = frozenset({"su", "runuser", "flock", "script", "sg"})
_LAST_WORD = frozenset({"tmux", "pdsh", "clush"})
_SCRIPT_NAME = expression(r"\.(?:sh|bash|slurm|sbatch)$")
_MOST_WORDS = 2_000


@dataclass(frozen=True, slots=True)
class NestedScript:
    """A text that a shell will read. `inherits`: it sees what the script exported and where it is."""

    text: Traced
    arguments: tuple[Traced, ...] | None = ()
    """The positional parameters it gets; None where they come from elsewhere."""
    inherits: bool = True
    name: Traced | None = None
    """What `$0` is."""
    shell: str = ""
    """The program that reads it, where that is written."""


def scripts_of(command: Command, piped: Traced | None) -> list[NestedScript]:
    """The scripts that a command hands to a shell; `piped` is what the command before a pipe prints."""
    words = command.words[:_MOST_WORDS]
    name = _program(words[0])
    given = standard_input(command.redirects)
    given = given if given is not None else piped
    if given is not None and (written := _written(name, words, command.redirects, given)) is not None:
        return [written]
    if name in MUNDANE:
        return []
    inherits = name not in _ELSEWHERE
    for at, word in enumerate(words):
        if _program(word) in SHELLS and (at == 0 or not word.text.startswith("-")):
            found = _shell(words, at, given, inherits=inherits)
            if found is not None:
                return [found]
    match name:
        case "ssh":
            return _ssh(words, given)
        case "sbatch":
            return _sbatch(words, given)
        case "gcloud":
            return [
                NestedScript(word[10 : len(word)], (), False) for word in words if word.text.startswith("--command=")
            ]
        case "ray" if len(words) > 3 and words[1].text == "exec":
            return [NestedScript(words[3], (), inherits=False)]
    if name in _ARGUMENT_OF_C:
        places = [at for at, word in enumerate(words[:-1]) if word.text in ("-c", "--command")]
        return [NestedScript(words[at + 1]) for at in places[:1]]
    if name in _LAST_WORD and len(words) > 2:
        texts = [word for word in words[1:] if re.search(r"\s", word.text)]
        return [NestedScript(text, (), inherits=False) for text in texts[-1:]]
    return []


def _program(word: Traced) -> str:
    return word.text[-200:].rpartition("/")[2] if HOLE not in word.text else ""


def standard_input(redirects: Sequence[Redirect]) -> Traced | None:
    """The text a command reads, where it stands in the script."""
    for redirect in reversed(redirects):
        if redirect.operator in ("<<", "<<-"):
            return redirect.target
        if redirect.operator == "<<<":
            return redirect.target + Traced.made("\n", None)
    return None


def without_tabs(text: Traced) -> Traced:
    """The body of `<<-` without the tabs that its lines begin with."""
    pieces: list[Piece] = []
    place = 0
    for found in re.finditer(r"^\t+", text.text, re.MULTILINE):
        pieces.extend(text[place : found.start()].pieces)
        place = found.end()
    return Traced([*pieces, *text[place : len(text)].pieces])


def _written(name: str, words: Sequence[Traced], redirects: Sequence[Redirect], text: Traced) -> NestedScript | None:
    """A script that is written to a file whose name says so."""
    if name == "cat" and len(words) == 1:
        files = [redirect.target for redirect in redirects if redirect.operator in (">", ">|", ">>")]
    elif name == "tee":
        files = [word for word in words[1:] if not word.text.startswith("-")]
    else:
        return None
    is_script = any(_SCRIPT_NAME.search(file.text[-64:]) for file in files)
    return NestedScript(text, None, inherits=False) if is_script else None


def _shell(words: Sequence[Traced], at: int, given: Traced | None, *, inherits: bool) -> NestedScript | None:
    """What a shell at `words[at]` reads: the word behind `-c`, or its input."""
    code = reads_input = False
    shell = words[at]
    at += 1
    while at < len(words) and words[at].text[:1] in ("-", "+") and len(words[at].text) > 1:
        text = words[at].text
        at += 1
        if text == "--":
            break
        if text in _VALUED:
            at += 1
        elif not text.startswith("--"):
            code = code or "c" in text[:20]
            reads_input = reads_input or text == "-s"
            at += text[-1] in "oO" and not code
    if code:
        if at >= len(words):
            return None
        name = words[at + 1] if at + 1 < len(words) else shell
        return NestedScript(words[at], tuple(words[at + 2 :]), inherits, name, _program(shell))
    if given is not None and (reads_input or at >= len(words) or words[at].text in ("-", "/dev/stdin")):
        return NestedScript(given, tuple(words[at:]), inherits, shell, _program(shell))
    return None


def _ssh(words: Sequence[Traced], given: Traced | None) -> list[NestedScript]:
    at = 1
    while at < len(words) and words[at].text.startswith("-"):
        at += 2 if words[at].text in _SSH_VALUED else 1
    rest = words[at + 1 :]
    if rest:
        return [NestedScript(joined(rest), (), inherits=False)]
    return [NestedScript(given, (), inherits=False)] if given is not None else []


def _sbatch(words: Sequence[Traced], given: Traced | None) -> list[NestedScript]:
    for at, word in enumerate(words):
        if word.text.startswith("--wrap="):
            return [NestedScript(word[len("--wrap=") : len(word)])]
        if word.text == "--wrap" and at + 1 < len(words):
            return [NestedScript(words[at + 1])]
    return [NestedScript(given, None)] if given is not None else []


def joined(words: Sequence[Traced]) -> Traced:
    """Words as one text, a blank between two, as `eval` and `ssh` join them."""
    pieces: list[Piece] = []
    for index, word in enumerate(words):
        pieces += [Piece(" ")] if index else []
        pieces += word.pieces
    return Traced(pieces)


def beginning(state: State, script: NestedScript, environment: Mapping[str, Traced]) -> State:
    """The state in which a nested script begins."""
    inner = State()
    inner.answers, inner.control, inner.rounds = state.answers, state.control, state.rounds
    inner.reached, inner.partial = state.reached, state.partial
    if script.inherits:
        inner.inherit(state)
        for name, value in environment.items():
            inner.assign(name, value, exported=True)
    inner.values[NAME] = script.name or Traced.hole("$0 is the name of a shell")
    if script.shell == "zsh":
        inner.values[DIALECT] = script.shell
    if script.arguments is None:
        inner.values[ARGUMENTS] = Arguments((Traced.hole(unknown.ARGUMENTS, many=True),))
    else:
        inner.values[ARGUMENTS] = Arguments(script.arguments)
    return inner
