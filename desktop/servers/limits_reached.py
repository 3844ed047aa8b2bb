"""Which of its limits a server has reached, as far as its end or its words tell.

Its words alone prove nothing: they count only where there is such a limit. Must not count anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.limits import memory_text

if TYPE_CHECKING:
    from desktop.config.models import Limits
    from desktop.processes.tree_limits import ReachedLimit
    from desktop.servers.transport.stderr_log import StderrLog
    from desktop.servers.transport.stdio_transport import ServerTransport

_MAX_LENGTH: Final = 500
_MAX_LINES: Final = 50
_NO_MEMORY: Final = compile_later(
    r"\bMemoryError\b|heap out of memory|Array buffer allocation failed|std::bad_alloc|\bENOMEM\b"
    r"|[Cc]annot allocate memory|OutOfMemoryError|fatal error: runtime: (?:cannot allocate|out of)"
    r"|memory allocation of \d+ bytes failed|\bOOMKilled\b"
)
"""As Python, Node.js, C++, the system, Java, Go and Rust say it."""
_NO_PROCESS: Final = compile_later(
    r"can't start new thread|[Rr]esource temporarily unavailable|\bEAGAIN\b|uv_thread_create"
    r"|pthread_create|unable to create native thread|failed to create new OS thread"
)


def reached_limit(limits: Limits, link: ServerTransport | None, output: StderrLog) -> ReachedLimit:
    """Which limit the end of a server speaks of, or the app has ended it at."""
    if link is None or not limits.are_set:
        return ""
    if link.reached and link.reached in limits.in_file:
        return link.reached
    text = "\n".join(line[:_MAX_LENGTH] for line in output.recent()[-_MAX_LINES:])
    if limits.memory and _NO_MEMORY.search(text):
        return "memory"
    return "processes" if limits.processes and _NO_PROCESS.search(text) else ""


def limit_words(limits: Limits, reached: ReachedLimit) -> str:
    """Goes on after the name of the server; empty where it reached none."""
    match reached:
        case "memory":
            return translatable(
                "reached its memory limit of {size}", size=memory_text(limits.memory)
            )
        case "processes":
            return translatable(
                "reached its limit of {count} processes and threads", count=limits.processes
            )
        case "":
            return ""


def limit_remedy(reached: ReachedLimit) -> str:
    """What to do where it needs that much."""
    return translatable(
        'If it needs more, raise "{key}" under Limits in its form, or in "limits" in the config.',
        key=reached,
    )
