"""Chooses how this platform starts a server process and what guards it.

Only chooses: `linux_process`, `posix` and `windows` start, and `tracker` keeps track.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from desktop.processes.guardian_protocol import MARKER_VARIABLE

if TYPE_CHECKING:
    from desktop.processes.process import LaunchSpec, OrphanGuard, ProcessOutput, ServerProcess

logger = logging.getLogger(__name__)


def make_orphan_guard() -> OrphanGuard:
    """What ends this platform's servers if the app cannot. Costs nothing until it is used."""
    if sys.platform == "win32":
        from desktop.processes.windows import Job

        return Job()
    if sys.platform == "linux":
        from desktop.processes.linux_guardian import Guardian

        return Guardian()
    from desktop.processes.macos import Watcher

    return Watcher()


async def start_process(
    launch: LaunchSpec, output: ProcessOutput, guard: OrphanGuard | None = None
) -> ServerProcess:
    """Start `launch` under `guard`; from then on `output` receives what the process writes.

    Raises:
        OSError: it cannot be started.
        ValueError: a NUL byte in command, arguments or environment.
    """
    if sys.platform == "win32":
        from desktop.processes import windows

        return await windows.start(
            launch, output, guard if isinstance(guard, windows.Job) else None
        )
    from desktop.processes import posix

    if sys.platform == "linux":
        from desktop.processes import linux_process
        from desktop.processes.linux_guardian import Guardian, GuardianLostError

        if isinstance(guard, Guardian):
            try:
                return await linux_process.start(launch, output, guard)
            except GuardianLostError as error:
                logger.warning("a server is started without the guardian: %s", error)
        return await posix.start(launch, output)
    from desktop.processes.macos import Watcher

    process = await posix.start(launch, output)
    if isinstance(guard, Watcher):
        try:
            guard.watch(process.pid, launch.environment.get(MARKER_VARIABLE, "-"))
        except OSError as error:
            logger.warning("a server (PID %d) runs unwatched: %s", process.pid, error)
    return process
