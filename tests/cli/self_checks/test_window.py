"""The run in which all goes well is that of `tests/cli/test_self_test.py`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.cli.self_checks.window import WindowRun
from desktop.processes.tracker import McpProcessTracker

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(sys.platform != "linux", reason="Qt loads something else")
async def test_a_window_that_cannot_be_shown_is_told_with_what_qt_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "nonsense")
    window = WindowRun(McpProcessTracker(), tmp_path / "window")
    with pytest.raises(CheckFailedError, match=r'(?s)before \'window_shown\'.*"nonsense"'):
        await window.show()
    with pytest.raises(CheckSkippedError):
        await window.turn()
    with pytest.raises(CheckSkippedError):
        await window.end()
    await window.close()
