"""One suppression, what it does, and what there is to say about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches

from rlhflint.finding import Applicability, Edit, Finding, Fix
from rlhflint.records import dataclass
from rlhflint.rule import Rule
from rlhflint.suppress.directive import Directive, spelled
from rlhflint.suppress.rules import MISSPELT, UNUSED


@dataclass(frozen=True)
class Policy:
    """What a project and a run have to say about suppressions."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Code → name of every rule there is."""
    decided: frozenset[str] = frozenset()
    """Codes of the rules that would have found what there is to find in the file; of no other rule is a suppression
    called unused. See `rlhflint.suppress.apply.decided`."""
    mandatory: Callable[[str], bool] = lambda code: False
    """Whether a rule, by its code, cannot be ignored by a comment."""
    require_reason: bool = False


class Suppression:
    """A suppression together with the findings it met."""

    def __init__(self, directive: Directive, policy: Policy) -> None:
        self.directive = directive
        self._policy = policy
        self._meant = tuple(_meant(code, policy.names) for code in directive.codes)
        """For each code as written the code it was meant to be; empty if that cannot be told."""
        self._used: set[str] = set()
        self._forbidden: set[str] = set()
        """Codes that fit findings of mandatory rules."""
        self._met: set[str] = set()
        """Codes of all findings that it covers."""
        self._would: set[str] = set()
        """Codes of findings that it would let through if it were written as it was meant."""

    def covers(self, finding: Finding) -> bool:
        """Whether a character of the finding stands in what the suppression speaks of."""
        covers, span = self.directive.covers, finding.span
        if covers is None:
            return span.path == self.directive.span.path
        last = max(span.end - 1, span.start)
        return covers.path == span.path and covers.start <= last and span.start < covers.end

    def lets_through(self, finding: Finding) -> bool:
        """Whether it lets a finding through that it covers; what that says about its codes is kept."""
        self._met.add(finding.code)
        fits = [code for code in self._meant if code and finding.code.startswith(code)]
        if self._policy.mandatory(finding.code):
            self._forbidden.update(fits)
            return False
        if fits or not self.directive.codes:
            self._would.add(finding.code)
        if self.directive.wrong or self._lacks_reason:
            return False
        effective = [code for code in fits if code in self.directive.codes]
        self._used.update(effective)
        return bool(effective)

    def finding(self) -> Finding | None:
        """What is wrong with it."""
        directive = self.directive
        if directive.wrong:
            return self._misspelt(f"this suppression has no effect: {directive.wrong}")
        unknown = [code for code, meant in zip(directive.codes, self._meant, strict=True) if code != meant]
        if unknown:
            return self._misspelt(_no_rules(unknown))
        if self._lacks_reason:
            message = "this suppression has no effect: the project requires a reason behind the brackets"
            return self._about(MISSPELT, message)
        unused = [code for code in directive.codes if code not in self._used and self._is_unused(code)]
        return self._unused(unused) if unused else None

    @property
    def _lacks_reason(self) -> bool:
        return self._policy.require_reason and not self.directive.reason

    def _is_unused(self, code: str) -> bool:
        rules = [known for known in self._policy.names if known.startswith(code)]
        return code in self._forbidden or all(rule in self._policy.decided for rule in rules)

    def _misspelt(self, message: str) -> Finding:
        directive = self.directive
        if directive.misplaced:
            return self._about(MISSPELT, message, help="put it on the line above the command: it covers all of it")
        codes = [code for code in self._meant if code] if directive.codes else sorted(self._would)
        if codes and (self._would or not all(self._is_unused(code) for code in codes)):
            right = spelled(tuple(dict.fromkeys(codes)), directive.reason, file=directive.covers is None)
            fix = Fix(f"Write `{right}`", Applicability.SAFE, (Edit(directive.span, right),))
            return self._about(MISSPELT, message, fix, help=f"write `{right}`")
        strange = [code.upper() for code, meant in zip(directive.codes, self._meant, strict=True) if not meant]
        near = sorted({one for code in strange for one in get_close_matches(code, self._met, 1)})
        if near or not self._policy.decided:
            hint = f"did you mean {' or '.join(near)}?" if near else "`rlhflint rule` lists the codes"
            return self._about(MISSPELT, message, help=hint)
        return self._about(MISSPELT, message, self._removal())

    def _unused(self, unused: Sequence[str]) -> Finding:
        forbidden = [code for code in unused if code in self._forbidden]
        where = "in this file" if self.directive.covers is None else "in what this comment covers"
        message = f"{', '.join(unused)} finds nothing {where}"
        if forbidden:
            message = f"{', '.join(forbidden)} cannot be ignored by a comment: the configuration makes it mandatory"
        left = [code for code in self.directive.codes if code not in unused]
        if not left:
            return self._about(UNUSED, message, self._removal())
        place = self.directive.code_spans[0].to(self.directive.code_spans[-1])
        title = f"Remove {', '.join(unused)} from the comment"
        return self._about(UNUSED, message, Fix(title, Applicability.SAFE, (Edit(place, ", ".join(left)),)))

    def _removal(self) -> Fix:
        return Fix("Remove the comment", Applicability.SAFE, (Edit(self.directive.removal, ""),))

    def _about(self, rule: Rule, message: str, fix: Fix | None = None, help: str = "") -> Finding:  # noqa: A002
        return Finding.of(rule, self.directive.span, message, help, fix)


def _meant(code: str, names: Mapping[str, str]) -> str:
    upper = code.upper()
    if any(known.startswith(upper) for known in names):
        return upper
    return next((known for known, name in names.items() if name == code.lower()), "")


def _no_rules(codes: Sequence[str]) -> str:
    return f"{codes[0]} is no rule" if len(codes) == 1 else f"{', '.join(codes)} are no rules"
