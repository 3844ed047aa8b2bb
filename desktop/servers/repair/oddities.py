"""What a server does wrong without being stopped by it: collected once, for the person to see.

Whoever repairs a message reports here; the session whose task it runs in collects it, because the
SDK's models know no server. Must not decide what is wrong, nor keep more than `MAX_ODDITIES`.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

MAX_ODDITIES = 100
"""Oddities kept of one session."""
MAX_ODDITY_LENGTH = 300
"""Characters of one, as it is shown."""

logger = logging.getLogger(__name__)
_current: ContextVar[Oddities | None] = ContextVar("oddities", default=None)


class Oddities:
    """The oddities of one server in one session, each once and in the order they were met."""

    def __init__(self, server: str, found: Callable[[str], None]) -> None:
        """Args: server: its name. found: called with the text of each new one."""
        self._server = server
        self._found = found
        self._texts: dict[tuple[str, str], str] = {}

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._texts.values())

    def add(self, where: str, what: str, *, is_warning: bool = False) -> None:
        """Take one; of warnings the first of each `where` alone, as a server may repeat it often.

        Args:
            where: the part of the protocol: `tools/list`, `notifications/progress`.
            what: what is wrong there, as it reads after `where`.
            is_warning: whether it is logged as a warning, too.
        """
        key = (where, "" if is_warning else what)
        if key in self._texts or len(self._texts) >= MAX_ODDITIES:
            return
        text = translatable("{where}: {what}", where=where, what=what)
        self._texts[key] = text if len(text) <= MAX_ODDITY_LENGTH else text[:MAX_ODDITY_LENGTH]
        self._found(self._texts[key])
        if is_warning:
            logger.warning("server %s: %s", self._server, self._texts[key])

    def forget(self, where: str) -> None:
        """Leave out what was found there: it is read anew."""
        self._texts = {key: text for key, text in self._texts.items() if key[0] != where}

    @contextmanager
    def collecting(self) -> Generator[None]:
        """Take what is reported in this task, and in those that it starts, meanwhile."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


def report_oddity(where: str, what: str, *, is_warning: bool = False) -> None:
    """Tell the session whose task this is; without one it is lost."""
    if (oddities := _current.get()) is not None:
        oddities.add(where, what, is_warning=is_warning)
