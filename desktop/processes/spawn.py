"""Starts a server process on the platform at hand, tracked or not.

Only chooses; `posix` and `windows` do it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.processes import tree

if TYPE_CHECKING:
    from desktop.processes.process import Launch, ProcessOutput, ServerProcess
    from desktop.processes.tracker import McpProcessTracker, TrackedProcess


async def start_process(launch: Launch, output: ProcessOutput) -> ServerProcess:
    """Start `launch`; `output` is called from then on.

    Raises:
        OSError: it cannot be started.
        ValueError: a NUL byte in command, arguments or environment.
    """
    if sys.platform == "win32":
        from desktop.processes import windows

        return await windows.start(launch, output)
    from desktop.processes import posix

    return await posix.start(launch, output)


async def start_marked(
    owner: str, launch: Launch, output: ProcessOutput, tracker: McpProcessTracker
) -> TrackedProcess:
    """Start `launch` for the server `owner`, known to `tracker` from its first moment.

    Raises:
        OSError: it cannot be started.
        ValueError: a NUL byte in command, arguments or environment.
    """
    marker = tracker.new_marker()
    marked = replace(launch, environment={**launch.environment, **tree.marks(owner, marker)})
    process = await start_process(marked, output)
    return tracker.track(owner, process, marker)
