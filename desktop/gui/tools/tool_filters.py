"""The chips below the search of the tool list: which server, and what its tools say they do.

Must not search. What a tool says of itself is the server's claim.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QIcon
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.gui.layouts import STRETCH, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.server_faces import ServerFaces, face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import ToolDefinition

_NAME_LENGTH = 40


class ToolFilter(NamedTuple):
    """Which tools are shown; all, unless something is said."""

    server: str = ""
    is_read_only: bool = False
    is_destructive: bool = False

    def passes(self, tool: ToolDefinition) -> bool:
        if self.server and tool.server != self.server:
            return False
        hints = tool.annotations
        if self.is_read_only:
            return bool(hints.read_only)
        return not self.is_destructive or bool(hints.destructive and not hints.read_only)


class ToolFilters(QWidget):
    """A menu of the servers, and two chips of which one at most is pressed."""

    changed = Signal()
    """`filter` is another one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._servers: tuple[str, ...] = ()
        self._server = ""
        self.server = QToolButton(self)
        self.menu = QMenu(self.server)
        self.destructive = QPushButton(self.tr("Destructive"), self)
        self.read_only = QPushButton(self.tr("Read-only"), self)
        self.server.setMenu(self.menu)
        self.server.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.server.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.server.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.server.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.server.setMinimumWidth(space(12))
        self.server.setIconSize(QSize(space(3.5), space(3.5)))
        self.menu.aboutToShow.connect(self._fill_menu)
        theme.changed.connect(self._show_server)
        ServerFaces.of(theme).changed.connect(self._show_server)
        style(self.server, "chip")
        for chip, other in (
            (self.read_only, self.destructive),
            (self.destructive, self.read_only),
        ):
            chip.setCheckable(True)
            chip.clicked.connect(partial(self._choose_hint, other))
            style(chip, "chip")
        in_row(self, self.server, self.read_only, self.destructive, STRETCH, spacing=1)
        self._set_texts()

    @property
    def filter(self) -> ToolFilter:
        return ToolFilter(self._server, self.read_only.isChecked(), self.destructive.isChecked())

    def set_tools(self, tools: Sequence[ToolDefinition]) -> None:
        """Offer what tells these apart: a choice among one is none."""
        self._servers = tuple(dict.fromkeys([tool.server for tool in tools]))
        has_read_only = any(tool.annotations.read_only for tool in tools)
        has_destructive = any(tool.annotations.destructive for tool in tools)
        self.read_only.setHidden(not (has_read_only or self.read_only.isChecked()))
        self.destructive.setHidden(not (has_destructive or self.destructive.isChecked()))
        self._show_server()
        chips = self.server, self.read_only, self.destructive
        self.setHidden(all(chip.isHidden() for chip in chips))

    def clear(self) -> None:
        """Show all tools."""
        if self.filter != ToolFilter():
            self.read_only.setChecked(False)
            self.destructive.setChecked(False)
            self._choose_server("")

    def _set_texts(self) -> None:
        for chip in (self.read_only, self.destructive):
            chip.setToolTip(self.tr("Claimed by the server, not verified"))
        self._show_server()

    def _choose_hint(self, other: QPushButton, _: bool = True) -> None:
        other.setChecked(False)
        self.changed.emit()

    def _choose_server(self, server: str, _: bool = True) -> None:
        self._server = server
        self._show_server()
        self.changed.emit()

    def _show_server(self) -> None:
        self.server.setVisible(len(self._servers) > 1 or bool(self._server))
        name = _short(self._server) if self._server else self.tr("All servers")
        self.server.setText(f"{name} ▾")
        drawn = face(self._theme, self._server, size=space(3.5)) if self._server else None
        self.server.setIcon(QIcon() if drawn is None else QIcon(drawn))
        self.server.setAccessibleName(self.tr("Server: {server}").format(server=name))
        style(self.server, "chip", *(("accent",) if self._server else ()))

    def _fill_menu(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        for server in ("", *self._servers):
            action = self.menu.addAction(_short(server) if server else self.tr("All servers"))
            if server:
                action.setIcon(QIcon(face(self._theme, server)))
            action.setCheckable(True)
            action.setChecked(server == self._server)
            action.triggered.connect(partial(self._choose_server, server))
            group.addAction(action)


def _short(name: str) -> str:
    """A name as a menu shows it: hidden characters marked, no mnemonic, not too long."""
    shown = mark_hidden(name[:_NAME_LENGTH]).replace("&", "&&")
    return shown if len(name) <= _NAME_LENGTH else f"{shown}…"
