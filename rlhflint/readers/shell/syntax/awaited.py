"""What a command has to follow: an operator, a prefix, the head of a function."""

from __future__ import annotations

from rlhflint.readers.shell.syntax.skeleton import Skeleton


class Awaited:
    """What stands before the place reached and needs a command behind it, if anything does."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.place: tuple[int, int] | None = None
        """Where it stands."""
        self.prefixed = False
        """It is `time` or `!`, behind which a line end or `;` does as well."""

    def behind(self, start: int, end: int, *, prefixed: bool = False) -> None:
        """A command has to follow what stands at `start` to `end`."""
        self.place = start, end
        self.prefixed = prefixed

    def met(self) -> None:
        """It follows."""
        self.place = None
        self.prefixed = False

    def demand(self, *, function: bool = False) -> None:
        """Note that nothing follows; `function`: it is the head of a function."""
        if self.place is not None:
            start, end = self.place
            message = f"`{self.skeleton.source.text[start:end]}` has no command behind it"
            hint = "write the command that is missing, or remove it"
            self.skeleton.problem("syntax", start, end, "this function has no body" if function else message, hint=hint)
        self.met()
