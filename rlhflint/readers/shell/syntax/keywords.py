"""Keywords, operators and brackets: how they lead from one place of the grammar to another."""

from __future__ import annotations

from rlhflint.readers.shell.syntax.expects import BEHIND_KEYWORD, Expects, begins_body, otherwise
from rlhflint.readers.shell.syntax.grammar import END_EXPECTED, Grammar
from rlhflint.readers.shell.syntax.lexing import EXTENDED

_OPENING = frozenset({"if", "while", "until", "for", "select", "case", "function", "{", "time", "coproc", "!"})
_LOOP_HEADS = (Expects.LOOP_IN, Expects.LOOP_WORD, Expects.LOOP_BODY)
_QUOTE = "if it belongs to a word, write the word in quotes"


def keyword(grammar: Grammar, word: str, start: int, end: int) -> None:
    """A keyword other than `[[`."""
    if word == "in":
        grammar.skeleton.put(start, end, b"in")
        _stage(grammar, "words" if grammar.expects is Expects.LOOP_IN else "patterns")
        grammar.expects = Expects.LOOP_WORD if grammar.expects is Expects.LOOP_IN else Expects.PATTERN
        return
    if grammar.expects is Expects.SEPARATOR and word in _OPENING:
        grammar.skeleton.problem("syntax", start, end, END_EXPECTED)
    elif grammar.expects is Expects.FUNCTION_BODY and not begins_body(word):
        grammar.misplaced(start, end)
    if word in ("time", "coproc", "!"):
        _prefix(grammar, word, start, end)
    elif word == "{" and grammar.frames.takes_braces:
        grammar.skeleton.loop_in_braces(grammar.frames.open[-1].start, start)
        grammar.frames.brace()
        grammar.expects = Expects.COMMAND
    elif word == "function":
        grammar.demand_do(start)
        grammar.began = start
        grammar.expects = Expects.FUNCTION_NAME
    else:
        _compound(grammar, word, start, end)


def operate(grammar: Grammar, operator: str, start: int, end: int) -> None:
    """An operator or bracket that is not part of a word."""
    match operator:
        case "(":
            _open(grammar, start, end)
        case ")":
            _close(grammar, start, end)
        case "|" if grammar.expects is Expects.PATTERN_END:
            grammar.skeleton.put(start, end, b"|")
            grammar.expects = Expects.PATTERN_WORD
        case ";" if grammar.awaited.prefixed or grammar.expects in _LOOP_HEADS:
            grammar.skeleton.put(start, end, b";")
            grammar.expects = Expects.COMMAND
            grammar.frames.empty = grammar.frames.empty and not grammar.awaited.prefixed
            grammar.awaited.met()
        case _ if otherwise(grammar.expects) is not None:
            grammar.misplaced(start, end)
        case ";;" | ";&" | ";;&":
            _case_end(grammar, operator, start, end)
        case _ if grammar.expects is Expects.COMMAND:
            grammar.skeleton.problem("syntax", start, end, f"`{operator}` has no command before it", hint=_QUOTE)
        case _:
            grammar.skeleton.put(start, end, b"| " if operator == "|&" else operator.encode())
            if operator in ("&&", "||", "|", "|&"):
                grammar.awaited.behind(start, end)
            grammar.expects = Expects.COMMAND


def _prefix(grammar: Grammar, word: str, start: int, end: int) -> None:
    if word == "!":
        grammar.skeleton.result.negations.append(start)
    grammar.awaited.behind(start, end, prefixed=word != "coproc")
    grammar.expects = Expects.COMMAND


def _compound(grammar: Grammar, word: str, start: int, end: int) -> None:
    """A keyword that opens, goes on with, or closes something."""
    if word in _OPENING:
        grammar.demand_do(start)
        grammar.begin_body(start)
        grammar.awaited.met()
    else:
        grammar.awaited.demand(function=grammar.expects is Expects.FUNCTION_BODY)
    separated = grammar.expects in (Expects.LOOP_IN, Expects.LOOP_BODY)
    if separated or (grammar.expects is Expects.SEPARATOR and grammar.skeleton.is_blank(start - 1)):
        # The parser wants a separator where the shell does not need one: `(a) then`, `fi fi`, `for x do`.
        grammar.skeleton.put(start - 1, start, b";")
    if _take(grammar, word, start, end):
        grammar.skeleton.put(start, end, word.encode())
    grammar.expects = BEHIND_KEYWORD.get(word, Expects.COMMAND)


def _open(grammar: Grammar, start: int, end: int) -> None:
    if grammar.expects is Expects.PATTERN:
        grammar.skeleton.put(start, end, b"(")
        grammar.expects = Expects.PATTERN_WORD
    elif grammar.expects in (Expects.COMMAND, Expects.FUNCTION_BODY):
        grammar.demand_do(start)
        grammar.begin_body(start)
        grammar.skeleton.put(start, end, b"(")
        grammar.frames.take("(", start)
        grammar.awaited.met()
        grammar.expects = Expects.COMMAND
    else:
        message = "the shell refuses a bracket here unless it is quoted"
        pattern = start > grammar.skeleton.start and grammar.skeleton.source.text[start - 1] in EXTENDED
        hint = f"{_QUOTE}; a pattern needs `shopt -s extglob` on a line before" if pattern else _QUOTE
        grammar.skeleton.problem("syntax", start, end, message, hint=hint)
        grammar.skeleton.put(start, end, b"x")
        grammar.refused += 1


def _close(grammar: Grammar, start: int, end: int) -> None:
    if grammar.expects in (Expects.PATTERN, Expects.PATTERN_WORD):
        grammar.misplaced(start, end)
        grammar.expects = Expects.PATTERN_END
    if grammar.expects is Expects.PATTERN_END:
        grammar.skeleton.put(start, end, b")")
        _stage(grammar, "body")
        grammar.expects = Expects.COMMAND
        return
    if grammar.refused:
        grammar.refused -= 1
        grammar.skeleton.put(start, end, b"x")
        return
    grammar.awaited.demand()
    if _take(grammar, ")", start, end):
        grammar.skeleton.put(start, end, b")")
    grammar.expects = Expects.SEPARATOR


def _case_end(grammar: Grammar, operator: str, start: int, end: int) -> None:
    grammar.awaited.demand()
    top = grammar.frames.top
    if top is None or top.kind != "case":
        grammar.skeleton.problem("syntax", start, end, f"`{operator}` stands outside `case`")
        grammar.expects = Expects.COMMAND
        return
    grammar.skeleton.put(start, start + 2, b";;")
    _stage(grammar, "patterns")
    grammar.expects = Expects.PATTERN


def _take(grammar: Grammar, word: str, start: int, end: int) -> bool:
    """Follow a keyword; whether it belongs into the skeleton."""
    wrong = grammar.frames.take(word, start)
    if wrong is not None:
        grammar.skeleton.problem("syntax", start, end, wrong, hint=_QUOTE if word == ")" else "")
    return wrong is None or "missing" in wrong


def _stage(grammar: Grammar, stage: str) -> None:
    if grammar.frames.top is not None:
        grammar.frames.top.stage = stage
