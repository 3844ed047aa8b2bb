"""As in the tests of the window: on a qasync loop, offscreen, and no window may be left behind."""

from __future__ import annotations

from tests.gui import conftest

_application = conftest._application  # pyright: ignore[reportPrivateUsage]
_collector = conftest._collector  # pyright: ignore[reportPrivateUsage]
_no_garbage_for_threads = conftest._no_garbage_for_threads  # pyright: ignore[reportPrivateUsage]
_no_window_left = conftest._no_window_left  # pyright: ignore[reportPrivateUsage]
_theme = conftest._theme  # pyright: ignore[reportPrivateUsage]
theme = conftest.theme
pages = conftest.pages
window = conftest.window
pytest_asyncio_loop_factories = conftest.pytest_asyncio_loop_factories
