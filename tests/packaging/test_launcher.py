from __future__ import annotations

import os
import sys

import pytest

from resources.packaging.launcher import forget_loader


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
