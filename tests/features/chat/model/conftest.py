"""The model, its server, and what it took; nothing of this without `make model`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.features.chat.agent.conftest import sessions, shared
from tests.features.chat.model.engine import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["sessions", "shared"]
collect_ignore_glob = [] if (FOLDER / "model.gguf").is_file() else ["test_*.py"]
_FIGURES: list[str] = []


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """What a scene has to say; printed beside the seconds that it took."""
    found: list[str] = []
    begun = time.monotonic()
    yield found
    took = time.monotonic() - begun
    _FIGURES.append(f"{request.node.name}: {took:.1f} s; {'; '.join(found)}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _FIGURES:
        terminalreporter.section("the model")
        for line in _FIGURES:
            terminalreporter.write_line(line)
