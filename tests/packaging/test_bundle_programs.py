from __future__ import annotations

import pytest

from desktop.base.paths import console_program
from resources.packaging.bundle_programs import programs


def test_windows_has_one_with_a_console_and_one_without() -> None:
    console, window = programs("win32")
    assert (console.name, console.console, window.console) == ("mcp-desktop", True, False)
    assert console_program(f"{window.name}.exe") == f"{console.name}.exe"


@pytest.mark.parametrize(("platform", "console"), [("linux", True), ("darwin", False)])
def test_elsewhere_one_is_enough(platform: str, console: bool) -> None:
    (only,) = programs(platform)
    assert (only.name, only.console) == ("mcp-desktop", console)
