"""Starts a server process on the platform at hand, tracked or not, and names what guards it.

Only chooses; `guarded`, `posix` and `windows` do it.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.processes import tree

if TYPE_CHECKING:
    from desktop.processes.process import LaunchSpec, ProcessOutput, Safeguard, ServerProcess
    from desktop.processes.tracker import McpProcessTracker, TrackedProcess

logger = logging.getLogger(__name__)


def safeguard() -> Safeguard:
    """What ends the servers of this platform when the app cannot. It costs nothing until used."""
    if sys.platform == "win32":
        from desktop.processes.job import Job

        return Job()
    if sys.platform == "darwin":
        from desktop.processes.macos import Watcher

        return Watcher()
    from desktop.processes.guardian import Guardian

    return Guardian()


async def start_process(
    launch: LaunchSpec, output: ProcessOutput, guardian: Safeguard | None = None
) -> ServerProcess:
    """Start `launch` under `guardian`; `output` is called from then on.

    Raises:
        OSError: it cannot be started.
        ValueError: a NUL byte in command, arguments or environment.
    """
    if sys.platform == "win32":
        from desktop.processes import windows
        from desktop.processes.job import Job

        return await windows.start(launch, output, guardian if isinstance(guardian, Job) else None)
    if sys.platform == "darwin":
        return await _start_watched(launch, output, guardian)
    return await _start_guarded(launch, output, guardian)


async def _start_guarded(
    launch: LaunchSpec, output: ProcessOutput, guardian: Safeguard | None
) -> ServerProcess:
    from desktop.processes import guarded, posix
    from desktop.processes.guardian import Guardian, GuardianLostError

    if isinstance(guardian, Guardian):
        try:
            return await guarded.start(launch, output, guardian)
        except GuardianLostError as error:
            logger.warning("a server is started without the guardian: %s", error)
    return await posix.start(launch, output)


async def _start_watched(
    launch: LaunchSpec, output: ProcessOutput, watcher: Safeguard | None
) -> ServerProcess:
    from desktop.processes import posix
    from desktop.processes.macos import Watcher

    process = await posix.start(launch, output)
    if isinstance(watcher, Watcher):
        try:
            watcher.watch(process.pid, launch.environment.get(tree.MARKER, "-"))
        except OSError as error:
            logger.warning("a server (PID %d) runs unwatched: %s", process.pid, error)
    return process


async def start_marked(
    owner: str, launch: LaunchSpec, output: ProcessOutput, tracker: McpProcessTracker
) -> TrackedProcess:
    """Start `launch` for the server `owner`, known to `tracker` from its first moment.

    Raises:
        OSError: it cannot be started.
        ValueError: a NUL byte in command, arguments or environment.
    """
    marker = tracker.new_marker()
    marked = replace(launch, environment={**launch.environment, **tree.marks(owner, marker)})
    process = await start_process(marked, output, tracker.guardian)
    return tracker.take(owner, process, marker)
