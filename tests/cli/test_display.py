from __future__ import annotations

import sys

import pytest

from desktop.cli.display import has_screen

SCREENS = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there is always a screen")
def test_a_screen_is_there_where_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SCREENS:
        monkeypatch.delenv(name, raising=False)
    assert not has_screen()
    for name in SCREENS:
        with monkeypatch.context() as patch:
            patch.setenv(name, "x")
            assert has_screen()
