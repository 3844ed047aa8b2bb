"""Finds the tool that a name means, or says what there is instead.

Must not guess: what two tools could mean is asked back.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from desktop.errors import ToolNotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.tools.adapter import Tool

_SHOWN = 5


def find_tool(name: str, listed: Sequence[Tool], is_on: Callable[[Tool], bool]) -> Tool:
    """The tool of a key `server:tool`, or of a bare name that only one server has.

    Args:
        name: as a person or a model wrote it.
        listed: all tools there are.
        is_on: whether one may be called.

    Raises:
        ToolNotFoundError: none, more than one, or it is off; the message says what there is.
    """
    same = [tool for tool in listed if name in (tool.definition.key, tool.definition.name)]
    on = [tool for tool in same if is_on(tool)]
    if len(on) == 1:
        return on[0]
    if on:
        keys = ", ".join(tool.definition.key for tool in on)
        raise ToolNotFoundError(f"More than one server has a tool {name!r}.", remedy=f"Say {keys}.")
    if same:
        raise ToolNotFoundError(f"The tool {name!r} is switched off.", remedy="Switch it on first.")
    keys = [tool.definition.key for tool in listed if is_on(tool)]
    raise ToolNotFoundError(f"There is no tool {name!r}.", remedy=_nearest(name, keys))


def _nearest(name: str, keys: list[str]) -> str:
    if not keys:
        return "No server with tools is connected."
    bare = {key.partition(":")[2]: key for key in keys}
    near = get_close_matches(name, keys, 3) + [
        bare[one] for one in get_close_matches(name, list(bare), 3)
    ]
    shown = list(dict.fromkeys(near)) or keys[:_SHOWN]
    return f"Did you mean {', '.join(shown)}?" if near else f"There are {', '.join(shown)}, …"
