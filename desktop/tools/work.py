"""What one validation may cost, what it has cost, and what it had to pass over.

Keywords are called by jsonschema and cannot be handed anything: they find the run under way here.
Must not know what a keyword means.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

MOST_STEPS: Final = 60_000
"""Keywords applied in one run: below half a second, and far above what people and agents send."""
LONGEST: Final = 1.0
"""Seconds after which even few but costly steps (patterns on long texts) are given up."""
DEEPEST: Final = 150


class TooMuchWorkError(Exception):
    """The schema asks for more steps than one validation may take."""


@dataclass(slots=True)
class Run:
    """One validation under way.

    `passed_over` counts what `skip` was told, also again; `trials` the keywords around the present
    one that only try whether a schema fits (`anyOf`): what is found there need not be wrong.
    """

    steps: int = 0
    depth: int = 0
    trials: int = 0
    passed_over: int = 0
    deadline: float = field(default_factory=lambda: monotonic() + LONGEST)
    skipped: dict[str, None] = field(default_factory=dict[str, None])

    def count(self) -> None:
        """Take one step.

        Raises:
            TooMuchWorkError: it is one too many, or the time is up.
        """
        self.steps += 1
        if self.steps > MOST_STEPS or monotonic() > self.deadline:
            raise TooMuchWorkError

    def skip(self, reason: str) -> None:
        """Something could not be checked, and was passed over as if it fitted."""
        self.passed_over += 1
        self.skipped[reason] = None


_run: ContextVar[Run] = ContextVar("validation_run")


def current() -> Run:
    return _run.get()


@contextmanager
def running(*, is_trial: bool = False) -> Generator[Run]:
    """A run of its own; as a trial it has no word for what only deserves a warning."""
    token = _run.set(Run(trials=int(is_trial)))
    try:
        yield _run.get()
    finally:
        _run.reset(token)
