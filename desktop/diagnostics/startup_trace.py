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
    # A pipe that nobody reads must not keep the run waiting.
    how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
    try:
        file = os.open(path, how, 0o666)
    except OSError:
        return
    try:
        os.write(file, line.encode())
    except OSError:
        return
    finally:
        os.close(file)
