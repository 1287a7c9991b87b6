"""The statements of a shell text, from the parse tree of its skeleton."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rlhflint.command import Problem
from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.places import Places
from rlhflint.readers.shell.syntax.scan import scan
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.token import Scan, Token
from rlhflint.readers.shell.syntax.tree import (
    AndOr,
    Background,
    Body,
    Case,
    For,
    ForArithmetic,
    Function,
    Group,
    If,
    Negation,
    Pipeline,
    Simple,
    Statement,
    Subshell,
    While,
)
from rlhflint.readers.shell.syntax.word import Word

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_IN = expression(r"(?:[ \t\n]|\\\n|#[^\n]*\n)++in(?=[ \t\n;\\])")
_CHAINS = ("list", "pipeline")
"""What begins where its first part does."""
DEEPEST = 60
"""Statements nested more deeply than this are not read."""


def parse(source: Source, start: int = 0, end: int | None = None) -> tuple[Body, Scan]:
    """The statements of `source.text[start:end]`, and what the scanner noted about it."""
    scanned = scan(source, start, end)
    if (
        len(scanned.tokens) == 1
        and not scanned.problems
        and not scanned.negations
        and scanned.skeleton.strip() == b"x" * len(scanned.skeleton.strip())
    ):
        token = scanned.tokens[0]
        return (Simple(source, token.start, token.end, (token,)),), scanned
    root = _parser().parse(scanned.skeleton).root_node
    return _Builder(source, scanned).body(root.children, 0), scanned


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


class _Builder:
    def __init__(self, source: Source, scanned: Scan) -> None:
        self.source = source
        self.scanned = scanned
        self.places = Places(source, scanned)

    def body(self, nodes: list[Node], depth: int, *, piped: bool = False) -> Body:
        """The statements among sibling nodes; keywords, operators and line ends are passed over.

        `piped`: they are the parts of a pipeline, and a `!` in front of the first one is about all of them.
        """
        found: list[Statement] = []
        for node in nodes:
            if node.type == "&" and found and not isinstance(found[-1], Background):
                last = found.pop()
                found.append(Background(self.source, last.start, self.places.at(node.end_byte), last))
            elif node.type == "ERROR":
                found.extend(self.body(node.children, depth + 1) if depth < DEEPEST else ())
            elif node.is_named:
                read = self.plain if piped and not found else self.statement
                statement = read(node, depth + 1)
                if statement is not None:
                    found.append(statement)
        return tuple(found)

    def statement(self, node: Node, depth: int) -> Statement | None:
        """The statement a node is, with the `!` in front of it; None for what is no statement."""
        found = self.plain(node, depth)
        negation = self.places.negation(node)
        return found if found is None or negation is None else Negation(self.source, negation, found.end, found)

    def plain(self, node: Node, depth: int) -> Statement | None:
        """The statement a node is, whatever `!` stands in front; None for what is none."""
        found = self._built(node, depth)
        head = self.scanned.heads.get(self.places.at(node.start_byte)) if node.type not in _CHAINS else None
        if found is None or head is None:
            return found
        start, *name = head
        body = found.body if isinstance(found, Group) else (found,)
        return Function(self.source, start, found.end, self.source.text[slice(*name)], body)

    def _built(self, node: Node, depth: int) -> Statement | None:
        if depth > DEEPEST:
            self._too_deep(node)
            return None
        start, end = self.places.bounds(node)
        match node.type:
            case "command" | "word" | "variable_assignment":
                tokens = self.places.tokens(start, end)
                return Simple(self.source, tokens[0].start, tokens[-1].end, tokens) if tokens else None
            case "list":
                return self._list(node, depth)
            case "pipeline":
                return Pipeline(self.source, start, end, self.body(node.children, depth, piped=True))
            case "subshell":
                return Subshell(self.source, start, end, self.body(node.children, depth))
            case "compound_statement":
                return Group(self.source, start, end, self.body(node.children, depth))
            case "if_statement":
                return self._if(node, depth)
            case "while_statement":
                return self._while(node, depth)
            case "for_statement" | "function_definition":
                return self._for(node, depth)
            case "case_statement":
                return self._case(node, depth)
        return None

    def _too_deep(self, node: Node) -> None:
        span = self.source.span(self.places.at(node.start_byte), self.places.at(node.start_byte) + 1)
        problem = Problem("too-large", span, "statements are nested too deeply to be read")
        if not any(known.kind == "too-large" for known in self.scanned.problems):
            self.scanned.problems.append(problem)

    def _list(self, node: Node, depth: int) -> Statement | None:
        """A chain of `&&` and `||`, which the tree nests to the left."""
        links: list[tuple[str, Node]] = []
        while node.type == "list" and len(node.children) >= 3:
            left, operator, right = node.children[0], node.children[1], node.children[-1]
            links.append((operator.type, right))
            node = left
        whole = self.statement(node, depth)
        for operator_text, right in reversed(links):
            following = self.statement(right, depth + 1)
            if whole is None or following is None:
                whole = whole or following
            else:
                whole = AndOr(self.source, whole.start, following.end, whole, operator_text, following)
        return whole

    def _if(self, node: Node, depth: int) -> Statement:
        start, end = self.places.bounds(node)
        branches = [self._branch(node.children, depth)]
        otherwise: Body | None = None
        for child in node.children:
            if child.type == "elif_clause":
                branches.append(self._branch(child.children, depth))
            elif child.type == "else_clause":
                otherwise = self.body(child.children, depth)
        return If(self.source, start, end, tuple(branches), otherwise)

    def _branch(self, children: list[Node], depth: int) -> tuple[Body, Body]:
        then = next((index for index, child in enumerate(children) if child.type == "then"), len(children))
        following = [child for child in children[then:] if child.type not in ("elif_clause", "else_clause")]
        return self.body(children[:then], depth), self.body(following, depth)

    def _while(self, node: Node, depth: int) -> Statement:
        start, end = self.places.bounds(node)
        condition = [child for child in node.children if child.type != "do_group"]
        until = bool(node.children) and node.children[0].type == "until"
        return While(self.source, start, end, self.body(condition, depth), self._loop_body(node, depth), until)

    def _group(self, node: Node) -> Node | None:
        """What stands between `do` and `done`, or between the braces in their place."""
        found = {child.type: child for child in reversed(node.children)}
        return found.get("do_group") or found.get("compound_statement")

    def _loop_body(self, node: Node, depth: int) -> Body:
        group = self._group(node)
        return self.body(group.children, depth) if group is not None else ()

    def _for(self, node: Node, depth: int) -> Statement | None:
        start, end = self.places.bounds(node)
        group = self._group(node)
        head = self.places.tokens(start, self.places.at(group.start_byte) if group is not None else end)
        body = self._loop_body(node, depth)
        if not head:
            return None
        if head[0].kind == "arithmetic":
            return ForArithmetic(self.source, start, end, self._header(head[0]), body)
        name = self.source.text[head[0].start : head[0].end]
        given = _IN.match(self.source.text, head[0].end) is not None
        words = tuple(Word(self.source, token.start, token.end) for token in head[1:] if token.kind == "word")
        chosen = self.source.text.startswith("select", start)
        return For(self.source, start, end, name, words if given else None, body, chosen)

    def _header(self, token: Token) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        first, last = token.start + 2, token.end - 2
        text = self.source.text
        one = text.find(";", first, last)
        two = text.find(";", one + 1, last) if one >= 0 else -1
        one, two = (last if place < 0 else place for place in (one, two))
        return (first, one), (min(one + 1, last), two), (min(two + 1, last), last)

    def _case(self, node: Node, depth: int) -> Statement | None:
        start, end = self.places.bounds(node)
        items = [child for child in node.children if child.type == "case_item"]
        head = self.places.tokens(start, self.places.at(items[0].start_byte) if items else end)
        if not head:
            return None
        found = []
        for item in items:
            bracket = next((child for child in item.children if child.type == ")"), None)
            if bracket is None:
                continue
            patterns = self.places.tokens(self.places.at(item.start_byte), self.places.at(bracket.start_byte))
            behind = [child for child in item.children if child.start_byte > bracket.start_byte]
            ends = next(
                (self.places.at(child.start_byte) for child in behind if child.type in (";;", ";&", ";;&")), None
            )
            text = self.source.text
            ending = ";;" if ends is None else text[ends : ends + (3 if text.startswith(";;&", ends) else 2)]
            words = tuple(Word(self.source, token.start, token.end) for token in patterns if token.kind == "word")
            found.append((words, self.body(behind, depth), ending))
        return Case(self.source, start, end, Word(self.source, head[0].start, head[0].end), tuple(found))
