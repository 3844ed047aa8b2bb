"""Shows, hides and removes widgets at little cost, and scrolls what has too little room."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from desktop.gui.theme import space

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QLayout


def show_if(widget: QWidget, is_shown: bool) -> None:
    """Show or hide; costs nothing where nothing changes, for forms have hundreds of widgets."""
    is_told = widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
    # What was never told counts as hidden for Qt, and is shown with its parent.
    if is_shown == (is_told and widget.isHidden()):
        widget.setVisible(is_shown)


def discard(widget: QWidget) -> None:
    """Take a widget out of the form for good."""
    # Without a parent at once: what is about to go must not be found among the form's rows.
    widget.hide()
    widget.setParent(None)
    widget.deleteLater()


def scroll_area_around(widget: QWidget) -> QScrollArea | None:
    """The nearest one that scrolls all of it."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around


def scroll_inside(area: QScrollArea, inside: QWidget) -> None:
    """Have `area` scroll `inside` up and down; its controls are the stops for Tab, it is none."""
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class WholeArea(QScrollArea):
    """As high as what is in it where there is room, and scrolls where there is not."""

    def __init__(self, shown: QWidget, parent: QWidget, least: float = 16) -> None:
        """Is hidden and shown with `shown`; `least` steps of the grid of it are always seen."""
        super().__init__(parent)
        self._shown, self._least = shown, space(least)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        is_told = shown.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        is_hidden = is_told and shown.isHidden()
        scroll_inside(self, shown)  # and shows it
        shown.installEventFilter(self)
        shown.setHidden(is_hidden)

    def sizeHint(self) -> QSize:
        width, shown = max(1, self.viewport().width()), self._shown
        height = shown.heightForWidth(width) if shown.hasHeightForWidth() else -1
        return QSize(width, height if height >= 0 else shown.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self.sizeHint().height(), self._least))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.LayoutRequest:
                self.updateGeometry()
            case QEvent.Type.ShowToParent | QEvent.Type.HideToParent:
                self.setHidden(self._shown.isHidden())
            case _:
                pass
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()


@contextmanager
def batch_layout(widgets: Iterable[QWidget]) -> Generator[None]:
    """Let the layouts around these wait: each widget shown would lay out all others anew."""
    layouts: set[QLayout] = set()
    for widget in widgets:
        parent = widget.parentWidget()
        while parent is not None and (layout := parent.layout()) is not None:
            layouts.add(layout)
            parent = parent.parentWidget()
    waiting = [layout for layout in layouts if layout.isEnabled()]
    for layout in waiting:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for layout in waiting:
            layout.setEnabled(True)
            layout.invalidate()
