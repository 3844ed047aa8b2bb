"""As in the tests of the window: on a qasync loop, offscreen, and no window may be left behind."""

from __future__ import annotations

from tests.gui.conftest import *  # noqa: F403 - its `__all__` is what a window needs
from tests.gui.servers.conftest import open_core, open_panel

__all__ = ["open_core", "open_panel"]
