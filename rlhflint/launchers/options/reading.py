"""A launcher's options read from the words behind its name, up to the command it starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from rlhflint.arguments import NEGATIVE_NUMBER
from rlhflint.launchers.options.table import Option, Style, Table
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Traced

_LETTERS = 64
"""More short options than this in one word are not looked at."""


@dataclass(frozen=True, slots=True)
class LauncherOption:
    """An option as it was given to a launcher.

    `name` is the canonical name, empty where the launcher has no such option. `flag` is the name as written, `value`
    None for a switch and where the value is missing. `certain` is False where words that cannot be seen stand behind
    it and may give it another value.
    """

    name: str
    flag: Traced
    value: Traced | None = None
    joined: bool = False
    certain: bool = True


@dataclass(slots=True)
class OptionReading:
    """What the words said: the options in their order, and at which word the options end."""

    options: list[LauncherOption] = field(default_factory=list)
    stop: int = 0
    dashes: bool = False
    """The options were ended by `--`."""
    more: str = ""
    """Why further options may be given that cannot be seen."""
    passed: list[Traced] = field(default_factory=list)
    """Other words between options that may stand anywhere."""
    doubt: str = ""
    """Why the options may end at another word than `stop`."""

    @property
    def refused(self) -> tuple[LauncherOption, ...]:
        """Options that the launcher does not have."""
        return tuple(option for option in self.options if not option.name)


def read_options(
    words: Sequence[Traced],
    table: Table,
    *,
    starts_here: Callable[[Traced, OptionReading], bool] | None = None,
    interspersed: bool = False,
) -> OptionReading:
    """Read the options at the beginning of `words`.

    Args:
        words: what stands behind the launcher's name.
        table: the launcher's options.
        starts_here: whether a word, given the options before it, looks like what the launcher starts. It settles
            whether an unquoted variable that is not known holds options or is itself what is started, and whether a
            word behind an option that the table lacks is its value.
        interspersed: options are read behind other words too; `stop` is then the number of words.
    """
    return _Reader(words, table, starts_here, interspersed).read()


class _Reader:
    def __init__(
        self,
        words: Sequence[Traced],
        table: Table,
        starts_here: Callable[[Traced, OptionReading], bool] | None,
        interspersed: bool,
    ) -> None:
        self.words = words
        self.table = table
        self.starts_here = starts_here
        self.interspersed = interspersed
        self.reading = OptionReading()
        self.at = 0
        self.unseen: tuple[int, int] | None = None
        """First word that may hold options unseen: its index and the number of options in front of it."""
        self.last_unseen = 0
        self.doubtful = False
        """Two words look like what is started, the first of them perhaps the value of an option the table lacks."""

    def read(self) -> OptionReading:
        while self.at < len(self.words):
            word = self.words[self.at]
            text = word.text
            if text == "--":
                self.reading.dashes = True
                self.at += 1
                break
            if text.startswith(HOLE):
                if self.interspersed:
                    self.reading.passed.append(word)
                    self._unseen(word)
                elif not (word.many and self.starts_here) or not self._skip_unseen(word):
                    break
            elif not text.startswith("-") or text == "-" or self._is_number(text):
                if not self.interspersed:
                    break
                self.reading.passed.append(word)
            elif text.startswith(("-" + HOLE, "--" + HOLE)):
                self._unseen(word)
            else:
                self._option(word)
                continue
            self.at += 1
        self._settle()
        return self.reading

    def _is_number(self, text: str) -> bool:
        """A negative number, which argparse takes for no option."""
        return self.table.style is Style.ARGPARSE and NEGATIVE_NUMBER.fullmatch(text[:40]) is not None

    def _ends_at(self, index: int) -> bool:
        """Whether the word at `index` looks like what the launcher starts."""
        if self.starts_here is None or index >= len(self.words):
            return False
        return self.starts_here(self.words[index], self.reading)

    def _unseen(self, word: Traced) -> None:
        self.reading.more = self.reading.more or word.because
        self.last_unseen = len(self.reading.options)

    def _skip_unseen(self, word: Traced) -> bool:
        """Whether a variable that is not known can be passed over; `_settle` goes back to it if nothing follows."""
        if self.at + 1 >= len(self.words):
            return False
        if self.unseen is None:
            self.unseen = self.at, len(self.reading.options)
        self._unseen(word)
        return True

    def _settle(self) -> None:
        self.reading.stop = self.at
        ends = self._ends_at(self.at)
        if ends and not self.doubtful:
            self.reading.doubt = ""
        if self.unseen is not None and self.starts_here is not None:
            index, count = self.unseen
            if not ends:
                self.reading = OptionReading(self.reading.options[:count], index)
                self.last_unseen = 0
        if self.reading.more:
            options = self.reading.options
            options[: self.last_unseen] = [replace(option, certain=False) for option in options[: self.last_unseen]]

    def _option(self, word: Traced) -> None:
        """Take the option at `at` and its values."""
        text, table = word.text, self.table
        self.at += 1
        option = table.options.get(text)
        if option is not None:
            self._take(option, word)
            return
        equals = text.find("=")
        long = text.startswith("--") or table.style is Style.SINGLE_DASH
        if equals > 0 and (long or table.style is not Style.GETOPT):
            option = table.find(text[:equals])
            if option is not None:
                value = word[equals + 1 :]
                self.reading.options.append(LauncherOption(option.name, word[:equals], value, joined=True))
                return
        if long and equals < 0:
            option = table.beginning(text)
            if option is not None:
                self._take(option, word)
                return
        if not long and self._letters(word):
            return
        self._unknown(word, equals)

    def _take(self, option: Option, flag: Traced) -> None:
        value = None
        if option.values and not option.optional:
            value = self._value()
            for _ in range(option.values - 1):
                further = self._value()
                if value is not None and further is not None:
                    value = value + Traced.made(" ", None) + further
        self.reading.options.append(LauncherOption(option.name, flag, value))

    def _value(self) -> Traced | None:
        if self.at >= len(self.words):
            return None
        word = self.words[self.at]
        dashed = word.text.startswith("-") and len(word.text) > 1 and not self._is_number(word.text)
        if dashed and not self.table.style.takes_dashes:
            return None
        self.at += 1
        return word

    def _letters(self, word: Traced) -> bool:
        """Short options in one word: `-it`, `-n4`, `-c2`. False, and nothing taken, where a letter is not known."""
        taken: list[LauncherOption] = []
        text = word.text
        for place in range(1, len(text)):
            option = self.table.options.get("-" + text[place]) if place < _LETTERS else None
            if option is None:
                return False
            flag = word[place : place + 1] if place > 1 else word[:2]
            if option.values and place + 1 < len(text):
                taken.append(LauncherOption(option.name, flag, word[place + 1 :], joined=True))
                break
            if option.values:
                self.reading.options.extend(taken)
                self._take(option, flag)
                return True
            taken.append(LauncherOption(option.name, flag))
        self.reading.options.extend(taken)
        return True

    def _unknown(self, word: Traced, equals: int) -> None:
        """An option that the table lacks: of another release, or a mistake."""
        if equals > 0:
            self.reading.options.append(LauncherOption("", word[:equals], word[equals + 1 :], joined=True))
            return
        value = None
        following = self.words[self.at] if self.at < len(self.words) else None
        if following is not None and not following.text.startswith("-"):
            ends = self._ends_at(self.at)
            if not ends:
                value = following
                self.at += 1
            if not ends or self._ends_at(self.at + 1):
                self.doubtful = self.doubtful or ends
                self.reading.doubt = self.reading.doubt or f"it is not known whether {word.text} takes a value"
        self.reading.options.append(LauncherOption("", word, value))
