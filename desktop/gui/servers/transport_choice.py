"""How a server is reached: by starting a program, or at an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QRadioButton

from desktop.gui.theme import space

if TYPE_CHECKING:
    from desktop.config.models import Transport


class TransportChoice(QFrame):
    """Three radio buttons in a row."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[Transport, QRadioButton] = {
            "stdio": QRadioButton(),
            "http": QRadioButton(),
            "sse": QRadioButton(),
        }
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(4))
        for transport, button in self.buttons.items():
            self._group.addButton(button)
            button.clicked.connect(lambda _=False, one=transport: self.changed.emit(one))
            row.addWidget(button)
        row.addStretch(1)
        self.setFocusProxy(self.buttons["stdio"])
        self._translate()

    @property
    def chosen(self) -> Transport:
        for transport, button in self.buttons.items():
            if button.isChecked():
                return transport
        return "stdio"

    def choose(self, transport: str) -> None:
        for one, button in self.buttons.items():
            if one == transport:
                button.setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
        self.buttons["stdio"].setText(self.tr("Program (stdio)"))
        self.buttons["http"].setText(self.tr("Address (Streamable HTTP)"))
        self.buttons["sse"].setText(self.tr("Address (SSE, older)"))
