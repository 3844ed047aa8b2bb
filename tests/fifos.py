"""A FIFO, which nobody writes to, in the place of a file: who reads it like one waits for good."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def make_fifo(path: Path) -> None:
    """Make one; the test is skipped on Windows, which has none in folders."""
    if sys.platform == "win32":
        pytest.skip("no FIFOs in folders")
    os.mkfifo(path)
