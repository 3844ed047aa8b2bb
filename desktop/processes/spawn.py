"""Starts a server process on the platform at hand. Only chooses; `posix` and `windows` do it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.processes.process import Launch, ProcessOutput, ServerProcess


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
