from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from desktop.diagnostics.startup_trace import record_event

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_events_are_appended_as_lines_of_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "trace.jsonl"
    monkeypatch.setenv("MCP_DESKTOP_TRACE", str(file))
    record_event("start")
    record_event("quit")
    events = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [event["event"] for event in events] == ["start", "quit"]
    assert events[0]["t"] <= events[1]["t"]


def test_a_file_that_cannot_be_written_does_not_stop_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_DESKTOP_TRACE", str(tmp_path / "missing" / "trace.jsonl"))
    record_event("start")
    pipe = tmp_path / "pipe"  # that nobody reads
    if sys.platform != "win32":
        os.mkfifo(pipe)
        monkeypatch.setenv("MCP_DESKTOP_TRACE", str(pipe))
        record_event("quit")


def test_nothing_is_written_without_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MCP_DESKTOP_TRACE", raising=False)
    record_event("start")
    assert list(tmp_path.iterdir()) == []
