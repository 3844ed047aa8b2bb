"""Programs that listen at a port of this machine for as long as a context lasts."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

LIMIT = 30.0


@contextlib.contextmanager
def listening(
    command: list[str], port: int, env: Mapping[str, str] | None = None
) -> Generator[None]:
    """Run a program until the context ends; entered when it listens."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        over = time.monotonic() + LIMIT
        while not _listens(port):
            assert process.poll() is None, f"it ended before it listened: {command}"
            assert time.monotonic() < over, f"it did not listen: {command}"
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
        yield
    finally:
        process.kill()
        process.wait(LIMIT)


def free_ports() -> tuple[int, int]:
    """Two that nobody listens at now."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
