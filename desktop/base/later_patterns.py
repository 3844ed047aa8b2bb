"""Regular expressions that are compiled when they are used first.

A start imports two hundred and uses few of them; compiling them all takes as long as importing
psutil and jsonyx. Must not be used for patterns that come from a server or a person.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def compile_later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, but a pattern that is wrong raises `re.error` when it is used first.

    What it returns has all that a pattern has. `re.sub` and its kind want a real one.
    """
    return cast("re.Pattern[AnyStr]", _LaterPattern(pattern, flags))


class _LaterPattern:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """A method of the pattern, which is asked no more than once."""
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)
        return found
