"""FIFOs: in the place of a file, where reading one waits for good, and as what a run writes to."""

from __future__ import annotations

import os
import select
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


def make_fifo(path: Path) -> None:
    """Make one; the test is skipped on Windows, which has none in folders."""
    if sys.platform == "win32":
        pytest.skip("no FIFOs in folders")
    os.mkfifo(path)


LIMIT = 60
"""Seconds until the next line."""


def read_lines(path: Path) -> Generator[str]:
    """What is written to the FIFO from now on, line by line; close it, or read to the last line.

    It is open for writing as well: else it would have an end whenever who writes closes it, and
    what is written before it is opened once more would be lost.

    Raises:
        TimeoutError: nothing came for `LIMIT` seconds.
    """
    pipe, unread = os.open(path, os.O_RDWR), b""
    try:
        while True:
            while b"\n" in unread:
                line, _, unread = unread.partition(b"\n")
                yield line.decode()
            if not select.select([pipe], [], [], LIMIT)[0]:
                raise TimeoutError(f"nothing was written to {path} for {LIMIT} s")
            unread += os.read(pipe, 4096)
    finally:
        os.close(pipe)
