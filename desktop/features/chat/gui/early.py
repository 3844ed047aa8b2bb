"""The place of the page in the rail, which is there before the rest of the window.

Must import next to nothing: it runs before the first paint.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP

from desktop.gui.page_factory import RailPage

PAGE: Final = RailPage("chat", str(QT_TRANSLATE_NOOP("Rail", "Chat")), "chat", before="activity")
