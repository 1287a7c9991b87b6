"""Arrays written as a list: `name=(a b)`, `name=([2]=c d)`, `declare -A name=([key]=value)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rlhflint.expressions import expression
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.lookup import keys, single
from rlhflint.readers.shell.loosening import loosened_table, loosened_words
from rlhflint.readers.shell.state import OTHERS, Elements, Gaps, Table, Variable
from rlhflint.readers.shell.syntax.word import Word, read_parts
from rlhflint.records import dataclass
from rlhflint.text import Traced

_EQUALS = expression(r"\+?=")


@dataclass(frozen=True, slots=True)
class _Key:
    """What `[key]=value` or `[key]+=value` sets in an array; the key ends at `end`."""

    end: int
    appends: bool
    value: Word


def has_key(word: Word) -> bool:
    """Whether a word between the brackets of `name=(…)` says which element it is."""
    return _key(word) is not None


def _key(word: Word) -> _Key | None:
    """The key that a word between the brackets of `name=(…)` begins with; None without one."""
    from rlhflint.readers.shell.syntax.quotes import Unclosed

    source = word.source
    if source.text[word.start] != "[":
        return None
    try:
        behind = source.quotes.subscript(word.start)
    except Unclosed:
        return None
    equals = _EQUALS.match(source.text, behind, word.end)
    if equals is None:
        return None
    return _Key(behind - 1, equals.group() == "+=", Word(source, equals.end(), word.end))


def associative(
    expansion: Expansion, name: str, words: Sequence[Word], old: Variable | None, *, appends: bool
) -> Table:
    """`name=(…)` of an associative array: `[key]=value`, or keys and values in turn."""
    keyed = bool(words) and _key(words[0]) is not None
    pairs = _with_keys(expansion, words) if keyed else _in_turn(expansion, words)
    unknown_last = max((at for at, (key, _, _) in enumerate(pairs) if not key.known), default=-1)
    known: Table = dict(zip(keys(old), old.elements, strict=False)) if old is not None else {}
    found = known if appends else {}
    for at, (key, added, value) in enumerate(pairs):
        if key.known:
            # `+=` adds to what the array had before, as bash 5.2 does.
            before = single(known.get(key.text, known.get(OTHERS))) if added else None
            found[key.text] = before + value if before else value
        elif at == unknown_last:
            found = loosened_table(found, f"an element of ${name} is not known")
            known = found if appends else known
    return found


def _with_keys(expansion: Expansion, words: Iterable[Word]) -> list[tuple[Traced, bool, Traced]]:
    """Keys, whether what follows is appended, and values; the shell passes over words without a key."""
    pairs = []
    for word in words:
        place = _key(word)
        if place is not None:
            parts = read_parts(word.source, word.start + 1, place.end)
            key = expansion.joined(expansion.segments(word.source, parts, quoted=True))
            pairs.append((key, place.appends, expansion.text(place.value)))
    return pairs


def _in_turn(expansion: Expansion, words: Sequence[Word]) -> list[tuple[Traced, bool, Traced]]:
    texts = [expansion.text(word) for word in words]
    return [(key, False, value) for key, value in zip_longest(texts[::2], texts[1::2], fillvalue=Traced())]


def indexed(expansion: Expansion, name: str, words: Iterable[Word], old: Variable | None) -> Elements | Table:
    from rlhflint.readers.shell.expansion.arithmetic import number

    because = f"an element of ${name} is not known"
    before = old.elements if old is not None else ()
    found = subscripts(old)
    following = max(found, default=-1) + 1
    for word in words:
        key = _key(word)
        if key is None:
            values = expansion.fields(word)
            index: int | None = following
        else:
            values = [expansion.text(key.value)]
            index = number(expansion, word.source, word.start + 1, key.end)
            if index is not None and index < 0:
                index += max(found, default=-1) + 1
        if index is None or any(one.many for one in (*before, *values)):
            return loosened_words((*found.values(), *values), because)
        for value in values if index >= 0 else ():
            kept = found.get(index) if key is not None and key.appends else None
            found[index] = kept + value if kept else value
            index += 1
        following = max(index, 0)
    return Gaps.or_none(found)


def subscripts(variable: Variable | None) -> dict[int, Traced]:
    """The elements of an array that is not associative."""
    return {int(key): word for key, word in zip(keys(variable), variable.elements, strict=True)} if variable else {}
