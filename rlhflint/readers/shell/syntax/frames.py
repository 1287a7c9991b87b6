"""What is open at a place of a script: `if`, loops, `case`, groups; and what the shell refuses there."""

from __future__ import annotations

from rlhflint.records import dataclass

KEYWORDS = frozenset({"if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done"}) | {
    *("case", "esac", "function", "{", "}", "!", "time", "coproc", "[["),
}

_STEPS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "then": ("if", ("condition",), "body"),
    "elif": ("if", ("body",), "condition"),
    "else": ("if", ("body",), "rest"),
    "do": ("loop", ("condition", "words"), "body"),
}
_CLOSERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "fi": ("if", ("body", "rest")),
    "done": ("loop", ("body",)),
    "esac": ("case", ("patterns", "body", "word")),
    "}": ("{", ("body",)),
    ")": ("(", ("body",)),
}
_OPENERS = {
    "if": "if",
    "while": "loop",
    "until": "loop",
    "for": "loop",
    "select": "loop",
    "case": "case",
    "{": "{",
    "(": "(",
}
_COMPLETIONS = {"if": "fi", "loop": "done", "case": "esac", "{": "}", "(": ")"}
_EARLY_COMPLETIONS = {
    ("if", "condition"): "x; then x; fi",
    ("loop", "condition"): "x; do x; done",
    ("loop", "words"): "x in x; do x; done",
    ("case", "word"): "x in esac",
}
_FIRST_STAGE = {"for": "words", "select": "words", "case": "word", "{": "body", "(": "body"}


@dataclass(slots=True)
class Frame:
    """Something that is open since the keyword at `start`."""

    kind: str
    stage: str
    word: str
    start: int

    @property
    def closing(self) -> str:
        """The keyword that closes it."""
        return _COMPLETIONS[self.kind]

    @property
    def completion(self) -> str:
        """What has to follow so that it is complete."""
        return _EARLY_COMPLETIONS.get((self.kind, self.stage)) or self.closing


class Frames:
    """The stack of what is open."""

    def __init__(self) -> None:
        self.open: list[Frame] = []
        self.empty = False
        """No command stands since the last keyword that commands have to follow."""

    @property
    def top(self) -> Frame | None:
        """What was opened last."""
        return self.open[-1] if self.open else None

    @property
    def takes_braces(self) -> bool:
        """Whether a loop has its head and nothing else yet, so that `do` or `{` comes next."""
        return self.top is not None and self.top.kind == "loop" and self.top.stage == "words"

    def brace(self) -> None:
        """The body of the loop opened last stands in braces."""
        self.open[-1].kind, self.open[-1].stage = "{", "body"
        self.empty = True

    def closes(self, word: str) -> bool:
        """Whether the keyword fits what is open."""
        top = self.top
        if top is None:
            return False
        kind, stages, *_ = _STEPS.get(word) or _CLOSERS.get(word) or ("", ())
        return top.kind == kind and top.stage in stages

    def take(self, word: str, start: int) -> str | None:
        """Follow a keyword or bracket; gives what is wrong with it, in words, if the shell refuses it there."""
        if word in _OPENERS:
            self.open.append(Frame(_OPENERS[word], _FIRST_STAGE.get(word, "condition"), word, start))
            self.empty = True
            return None
        if not self.closes(word):
            return self._misplaced(word)
        top = self.open[-1]
        missing = self.empty and word != "esac" and top.stage != "words"
        wrong = f"a command is missing before `{word}`" if missing else None
        if word in _STEPS:
            top.stage = _STEPS[word][2]
            self.empty = True
        else:
            self.open.pop()
            self.empty = False
        return wrong

    def _misplaced(self, word: str) -> str:
        top = self.top
        if word in _STEPS:
            return f"`{word}` has no `{'if' if _STEPS[word][0] == 'if' else 'for` or `while'}` before it"
        if top is not None and any(frame.closing == word for frame in self.open):
            return f"`{word}` comes before the `{top.closing}` that closes `{top.word}`"
        opener = {"fi": "if", "done": "for` or `while", "esac": "case", "}": "{", ")": "("}[word]
        return f"`{word}` has no `{opener}` before it"
