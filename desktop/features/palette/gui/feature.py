"""Joins the window: Ctrl+K opens the palette over the pages.

Imports the palette with the first key press: who never opens it pays nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from desktop.gui import shortcuts

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.palette.gui.entries import PaletteFeature
    from desktop.gui.page_factory import Pages

PALETTE = shortcuts.Shortcut(
    shortcuts.ANYWHERE,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Go to a tool, server, chat, saved call or action")),
    ("Ctrl+K",),
)


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    @cache
    def palette() -> PaletteFeature:
        from desktop.features.palette.gui.entries import PaletteFeature

        return PaletteFeature(pages.window, core, pages.navigation)

    shortcuts.declare(PALETTE, before=shortcuts.SHEET)
    pages.window.add_panel("palette", PALETTE, lambda: palette().toggle())
