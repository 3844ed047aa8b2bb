from __future__ import annotations

import os
import sys

import pytest

from resources.packaging.launcher import forget_loader, open_missing_streams


@pytest.mark.skipif(sys.platform != "linux", reason="set on Linux alone")
@pytest.mark.parametrize("original", [None, "/persons/own"])
def test_no_child_of_the_frozen_app_gets_its_libraries(
    original: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/mcp-desktop/_internal")
    monkeypatch.setenv("_PYI_APPLICATION_HOME_DIR", "/opt/mcp-desktop/_internal")
    if original is None:
        monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    else:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", original)
    forget_loader()
    assert os.environ.get("LD_LIBRARY_PATH") == original
    assert not [name for name in os.environ if name.startswith("_PYI_")]
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


def test_a_run_without_streams_writes_to_nobody_and_reads_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    open_missing_streams()
    with sys.stdin, sys.stdout, sys.stderr:
        print("words", "中文")
        sys.stderr.write("words")
        assert sys.stdin.read() == ""


def test_streams_that_are_there_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    before = sys.stdout, sys.stderr
    open_missing_streams()
    sys.stdin.close()
    assert (sys.stdout, sys.stderr) == before
