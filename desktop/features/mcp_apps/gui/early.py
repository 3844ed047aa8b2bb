"""What has to be said before there is a window: to the engine of the browser, and to servers.

Runs before the first paint: imports next to nothing.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

MODULE: Final = "PySide6.QtWebEngineWidgets"


def is_installed() -> bool:
    """Whether the window can show apps by itself; imports nothing."""
    return find_spec(MODULE) is not None


def prepare() -> None:
    """What the engine needs before there is an application; nothing where it is not installed."""
    if is_installed():
        from PySide6.QtCore import QCoreApplication, Qt

        QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)


def extensions() -> dict[str, dict[str, Any]]:
    """Servers are told that their apps can be shown: the extension MCP Apps, in both eras."""
    from desktop.values.media_types import APP

    return {"io.modelcontextprotocol/ui": {"mimeTypes": [APP]}}
