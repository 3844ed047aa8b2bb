"""One server in the list: its switch, name, state and figures.

Changes nothing: the switch shows the configuration, and a click only requests a change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
)

from desktop.base.visible_text import mark_hidden
from desktop.config.builtin_settings import lacks_place
from desktop.gui.layouts import LEFT, TOP, InnerColumn, in_row
from desktop.gui.servers import labels
from desktop.gui.theme import space, style
from desktop.gui.theme.focus_rings import shows_ring
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.labels import SEPARATOR, ElidedLabel, FactsLabel
from desktop.gui.widgets.server_faces import set_face
from desktop.gui.widgets.token_words import tokens_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QFocusEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from desktop.gui.servers.process_usage import ProcessUsage
    from desktop.gui.theme import Theme
    from desktop.processes.package_runners import PackageFetch
    from desktop.servers.connection import ServerConnection

_WIDTH = space(10.5)  # the drawing and its focus ring
_RING = 2  # pixels, of the pen around a card with the focus
_BUSY = 1.0
"""Per cent of a core from which on the CPU is worth a place among the first figures."""
_WIDTH_WITH_FACE = space(72)
"""Of a card; in a narrower one the name needs the room of the face."""


class Switch(QCheckBox):
    """A switch that only requests its change: it moves when the configuration was saved."""

    switch_requested = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        style(self, "switch")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Without the room for a text, which it never has."""
        return QSize(_WIDTH, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """All of it: a box for ticks takes the clicks on its drawing and its text alone."""
        return self.rect().contains(pos)

    def nextCheckState(self) -> None:
        self.switch_requested.emit(not self.isChecked())


class ServerCard(QFrame):
    """Switch, name, state and figures; one card of a list takes the Tab key, the selected one."""

    focused = Signal(str)
    switch_requested = Signal(str, bool)
    details_requested = Signal(str)
    review_requested = Signal(str)

    def __init__(self, theme: Theme, connection: ServerConnection) -> None:
        super().__init__()
        self._theme = theme
        self.connection = connection
        self.switch = Switch()
        self._name, self._figures, self._error = ElidedLabel(), FactsLabel(), ElidedLabel()
        self.face, self.badge, self.review = QLabel(), QLabel(), QPushButton()
        self.dot = QLabel("●")
        style(self.dot, "success", "small")
        self._usage: ProcessUsage | None = None
        self._tokens = 0
        self._fetch: PackageFetch | None = None
        self.switch.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the card has the focus: Space is its
        self.switch.switch_requested.connect(self._request_switch)
        self.review.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # for the keys there is one in details
        self.review.clicked.connect(lambda: self.review_requested.emit(self.name))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        style(self, "card")
        style(self._name, "heading")
        style(self._figures, "muted", "small")
        self._lay_out()
        self.refresh()

    @property
    def name(self) -> str:
        return self.connection.name

    @property
    def is_off(self) -> bool:
        """Switched off, and its process gone."""
        server = self.connection
        return not server.is_enabled and server.pid is None and server.state.phase == "stopped"

    @property
    def figures(self) -> str:
        """All that is known of it, on one line."""
        return SEPARATOR.join(self._facts())

    def _facts(self) -> list[str]:
        """What is known, in the order of its weight; the rest is in the details."""
        state, config = self.connection.state, self.connection.config
        if state.phase == "starting" and (
            start := labels.start_label(self.connection, self._fetch)
        ):
            return [start]
        tokens = tokens_label(self._tokens) if self._tokens else ""
        facts = [labels.tools_label(self.connection), tokens, *self._usage_facts()]
        transport = labels.transport_label(config.transport)
        if state.phase in ("stopped", "failed"):
            purpose = labels.purpose_label(config)
            facts = [purpose] if config.source == "builtin" else [transport, *facts, purpose]
        if config.source == "environment":
            facts.insert(0, self.tr("Environment"))
        if config.sandbox.is_on:
            facts.append(self.tr("Sandboxed"))
        return [fact for fact in facts if fact]

    def _usage_facts(self) -> Iterator[str]:
        """Memory, and the CPU of a server that is busy."""
        if self._usage is not None:
            yield labels.memory_label(self._usage.memory)
            if not self._is_quiet:
                yield self._cpu_label(self._usage)

    @property
    def _is_quiet(self) -> bool:
        cpu = self._usage.cpu if self._usage is not None else None
        return cpu is None or cpu < _BUSY

    def _cpu_label(self, usage: ProcessUsage) -> str:
        if usage.cpu is None:
            return ""
        return self.tr("CPU {cpu}").format(cpu=labels.cpu_label(usage.cpu))

    def refresh(self) -> None:
        """Show what the connection is now."""
        connection = self.connection
        state = labels.state_label(connection)
        message = connection.state.error if connection.is_enabled else ""
        error = labels.short_error(spoken(message))
        is_untrusted = connection.state.phase == "untrusted"
        if is_untrusted:  # the command is not cut short here: all of it is in the details
            error = self.tr("Not started. Review what it runs first.")
        lacks = not error and connection.is_enabled and lacks_place(connection.config)
        if lacks:
            error = self.tr("Choose what it may use: see its details.")
        set_face(self._theme, self.face, connection.name, size=space(8))
        self._name.show_text(mark_hidden(connection.name))
        self.switch.setChecked(connection.is_enabled)
        self.switch.setAccessibleName(self.tr("Use {name}").format(name=connection.name))
        self.badge.setText(state.text)
        # The dot says the one, the switch the other.
        self.badge.setVisible(not (connection.is_connected or self.is_off))
        style(self.badge, "badge", *state.roles)
        self.dot.setVisible(connection.is_connected)
        self.dot.setToolTip(state.text)
        if connection.pid is None:
            self._usage = None
        if connection.state.phase != "starting":
            self._fetch = None
        self._figures.show_facts(self._facts())
        style(self._error, "warning" if is_untrusted or lacks else "danger", "small")
        self._error.show_text(error)
        self._error.setVisible(bool(error))
        self.review.setText(self.tr("Review and start…"))
        self.review.setVisible(is_untrusted)
        parts = (connection.name, state.text, listed(self._facts()), error)
        self.setAccessibleName(listed(part for part in parts if part))

    def show_start(self, fetch: PackageFetch | None) -> None:
        """Say how long it has been starting, and what is fetched for it."""
        self._fetch = fetch
        self.refresh()

    def show_tokens(self, tokens: int) -> None:
        """Say what its tools cost in every request; 0 for nothing that is known."""
        if tokens != self._tokens:
            self._tokens = tokens
            self.refresh()

    def show_usage(self, usage: ProcessUsage | None) -> None:
        before = self.figures
        self._usage = usage
        if self.figures != before:
            self._figures.show_facts(self._facts())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.face.setVisible(self.width() >= _WIDTH_WITH_FACE)

    def set_selected(self, selected: bool) -> None:
        style(self, "card", *(("selected",) if selected else ()))
        policy = Qt.FocusPolicy.StrongFocus if selected else Qt.FocusPolicy.ClickFocus
        self.setFocusPolicy(policy)

    def _request_switch(self, on: bool) -> None:
        self.switch_requested.emit(self.name, on)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()
        self.focused.emit(self.name)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        self.details_requested.emit(self.name)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if shows_ring(self):
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("focus"), _RING))
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(inside, space(2) - 1, space(2) - 1)

    def _lay_out(self) -> None:
        title = QHBoxLayout()
        title.setSpacing(space(2))
        title.addWidget(self._name, 1)
        title.addWidget(self.badge)
        title.addWidget(self.dot)
        text = InnerColumn(title, self._figures, self._error, (self.review, LEFT), spacing=1)
        in_row(
            self,
            (self.switch, TOP),
            (self.face, TOP),
            (text, 1),
            margins=(3, 2.5, 3, 2.5),
            spacing=3,
        )
        self.badge.setTextFormat(Qt.TextFormat.PlainText)
