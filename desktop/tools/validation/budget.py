"""What one validation may cost, and what it knows on its way through a schema.

jsonschema calls the keywords and cannot pass them anything, so they find the budget in a context
variable. Must not know what a keyword means.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from desktop.base.translatable import translatable
from desktop.tools.validation.patterns import UncheckedPatternError, matches

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

MAX_STEPS: Final = 60_000
"""Keywords applied in one run: below half a second, and far above what people and agents send."""
MAX_SECONDS: Final = 1.0
"""After this, even few but costly steps are given up."""
MAX_PATTERN_SECONDS: Final = 0.2
"""For all patterns of one run together: a form runs at each key, and several must not add up."""
MAX_DEPTH: Final = 150


class TooMuchWorkError(Exception):
    """The schema asks for more steps than one validation may take."""


class ValidationBudget(Struct):
    """What one validation may cost, what it has cost, and what it had to skip.

    `passed_over` counts the calls of `skip`, repeated ones too. `trials` counts the keywords around
    the present one that only try whether a schema fits (`anyOf`): a misfit there may be no error.

    `root` is the whole schema, `around` has the schemas around the present one that apply to the
    same value, each with that value. `exact` counts those for which a missing value is missing even
    if it has a default, `filled_in` the missing values for which a default was found.
    """

    root: Any = None
    steps: int = 0
    depth: int = 0
    trials: int = 0
    exact: int = 0
    passed_over: int = 0
    filled_in: int = 0
    around: list[tuple[Any, Any]] = field(default_factory=list[tuple[Any, Any]])
    pattern_seconds: float = 0.0
    deadline: float = field(default_factory=lambda: monotonic() + MAX_SECONDS)
    skipped: dict[str, None] = field(default_factory=dict[str, None])

    def count(self) -> None:
        """Take one step.

        Raises:
            TooMuchWorkError: it is one too many, or the time is up.
        """
        self.steps += 1
        if self.steps > MAX_STEPS or monotonic() > self.deadline:
            raise TooMuchWorkError

    def matches(self, pattern: object, text: str) -> bool:
        """Whether a pattern occurs in a text, as one step.

        Raises:
            TooMuchWorkError: it is one step too many, or the time is up.
            UncheckedPatternError: the pattern cannot be tried, or no time for patterns is left.
        """
        self.count()
        if self.pattern_seconds > MAX_PATTERN_SECONDS:
            raise UncheckedPatternError(
                translatable("matching the schema's patterns takes too long on these values")
            )
        started = monotonic()
        try:
            return matches(pattern, text)
        finally:
            self.pattern_seconds += monotonic() - started

    def applied_to(self, value: Any) -> Iterator[Any]:
        """The schemas around the present one that apply to this very value, the nearest first."""
        for instance, schema in reversed(self.around):
            if instance is not value:
                return
            yield schema

    def skip(self, reason: str) -> None:
        """Note that something could not be checked and was passed over as if it fitted."""
        self.passed_over += 1
        self.skipped[reason] = None


_budget: ContextVar[ValidationBudget] = ContextVar("validation_budget")


def current_budget() -> ValidationBudget:
    return _budget.get()


@contextmanager
def validation_budget(
    root: Any = None, *, is_trial: bool = False, has_defaults: bool = False
) -> Generator[ValidationBudget]:
    """A budget for one validation by the schema `root`.

    As a trial it leaves out what is only worth a warning. With defaults, a required value that has
    one may be missing.
    """
    token = _budget.set(ValidationBudget(root, trials=is_trial, exact=not has_defaults))
    try:
        yield _budget.get()
    finally:
        _budget.reset(token)
