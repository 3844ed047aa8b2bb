"""A terminal with files of its own for each test of a command, wherever it stands.

A plugin of tests/conftest.py: one program is preloaded for all tests of a process.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.preloaded import PreloadedProgram
from tests.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def program() -> Iterator[PreloadedProgram | None]:
    if sys.platform != "linux":  # no fork there, or no pairs of sockets that keep messages apart
        yield None
        return
    with PreloadedProgram() as made:
        yield made


@pytest.fixture
def terminal(tmp_path: Path, program: PreloadedProgram | None) -> Terminal:
    return Terminal(tmp_path, program)
