"""Appends the moments of a run to the file named by `MCP_DESKTOP_TRACE`, for benchmarks.

One JSON line `{"event", "t"}` an event; `t` is seconds of CLOCK_MONOTONIC. Without the variable it
costs one dictionary look-up. Must not import anything of the project.
"""

import os
import time

EVENTS = ("start", "window_shown", "first_content", "ready", "tool_result", "quit")


def record_event(event: str) -> None:
    """Record `event`, one of `EVENTS`; a file that cannot be written never stops the run."""
    path = os.environ.get("MCP_DESKTOP_TRACE")
    if not path:
        return
    # By hand: the events need no escape, and what is measured shall not wait for an import.
    line = f'{{"event": "{event}", "t": {time.monotonic()!r}}}\n'
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line)
    except OSError:
        return
