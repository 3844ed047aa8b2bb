"""Labels for text from elsewhere: always plain text, shortened where there is no room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Slot
from PySide6.QtGui import QClipboard, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from desktop.base.later_patterns import compile_later
from desktop.gui.layouts import LEFT, in_column
from desktop.gui.theme import style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QResizeEvent

    from desktop.gui.theme import Role

MAX_LABEL_LENGTH: Final = 320
MAX_NAME_LENGTH: Final = 64
_LONG_WORD: Final = compile_later(r"[^\s/?\\\-\u2e80-\uffff]{33,}")
"""A word that may be wider than its place; Qt ends a line at `/` and between Chinese signs."""
_BREAK: Final = "\u200b"
_SELECTABLE: Final = (
    Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
)


def plain_tip(text: str) -> str:
    """A text for a tooltip, which takes what looks like markup for that: here nothing does."""
    return text.replace("<", "‹")


def _breakable(text: str) -> str:
    """The text with places where a line may end: in long words, and in paths of Windows."""
    pieces = _LONG_WORD.sub(lambda word: _BREAK.join(_pieces(word[0])), text)
    return pieces.replace("\\", f"\\{_BREAK}")


def _pieces(word: str) -> Iterator[str]:
    return (word[at : at + 8] for at in range(0, len(word), 8))


class PlainLabel(QLabel):
    """A label whose text is never markup, and whose words are no wider than its place.

    The places where a line may end are characters that nobody sees. They are not in `text`, nor in
    what is copied.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._original = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def text(self) -> str:
        return self._original

    def setText(self, text: str, /) -> None:
        self._original = text
        super().setText(_breakable(text))

    @Slot()
    def copy(self) -> None:
        self._copy_to(QClipboard.Mode.Clipboard)

    @Slot()
    def selectAll(self) -> None:
        self.setSelection(0, len(super().text()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.hasSelectedText():
            self._copy_to(QClipboard.Mode.Selection)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.textInteractionFlags() & _SELECTABLE:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(QCoreApplication.translate("PlainLabel", "Copy"), self.copy)
        copy.setEnabled(self.hasSelectedText())
        menu.addAction(QCoreApplication.translate("PlainLabel", "Select all"), self.selectAll)
        menu.popup(event.globalPos())

    def _copy_to(self, mode: QClipboard.Mode) -> None:
        clipboard = QGuiApplication.clipboard()
        if mode == QClipboard.Mode.Clipboard or clipboard.supportsSelection():
            text = self.selectedText().replace(_BREAK, "").replace("\u2029", "\n")
            clipboard.setText(text, mode)


def plain_label(text: str, *roles: Role) -> QLabel:
    """A label of a text that may be a server's."""
    label = PlainLabel()
    label.setText(text)
    style(label, *roles)
    return label


def selectable_label(text: str, *roles: Role) -> QLabel:
    """The same for a text that a person may want to copy a part of."""
    label = plain_label(text, *roles)
    label.setTextInteractionFlags(_SELECTABLE)
    return label


def plain_line(text: str, *roles: Role) -> QLabel:
    """The same on one line; a name of hundreds of letters does not push the rest away."""
    shown = text if len(text) <= MAX_NAME_LENGTH else f"{text[:MAX_NAME_LENGTH]}…"
    label = plain_label(shown, *roles)
    label.setWordWrap(False)
    return label


def description_label(text: str) -> QWidget:
    """A text of the server; a long one is cut until asked for."""
    if len(text) <= MAX_LABEL_LENGTH:
        return plain_label(text, "small", "muted")
    return _Description(text)


class _Description(QWidget):
    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._label = plain_label(f"{text[:MAX_LABEL_LENGTH].rstrip()}…", "small", "muted")
        more = QPushButton(QCoreApplication.translate("FormLabels", "Show all"))
        style(more, "link", "small")
        more.clicked.connect(lambda: self._show_all(more))
        in_column(self, self._label, (more, LEFT), spacing=0)

    def _show_all(self, more: QPushButton) -> None:
        self._label.setText(self._text)
        more.hide()


class ElidedLabel(QLabel):
    """Plain text, cut with an ellipsis; the tooltip has all of it when it was cut."""

    def __init__(self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._mode = mode
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str) -> None:
        if text != self._whole:
            self._whole = text
            self.setAccessibleName(text)
            self._elide()
            self.updateGeometry()  # what is shown may be as short as before

    def sizeHint(self) -> QSize:
        """That of the whole text, for layouts that may give it less."""
        whole = self.fontMetrics().horizontalAdvance(self._whole) + 1  # advances are rounded
        return QSize(whole + 2 * self.margin(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _fitting(self, room: int) -> str:
        return self.fontMetrics().elidedText(self._whole, self._mode, room)

    def _elide(self) -> None:
        shown = self._fitting(self.contentsRect().width())
        self.setText(shown)
        # A tooltip guesses whether its text is rich: what comes from others must not be.
        self.setToolTip(plain_tip(self._whole) if shown != self._whole else "")


SEPARATOR: Final = " · "
_WORDS: Final = 24  # letters from which on a part is words, not a figure


class FactsLabel(ElidedLabel):
    """Facts in the order of their weight: the last give way first, and no figure is cut in two."""

    def __init__(self, *, is_whole: bool = False) -> None:
        """With `is_whole` a fact is seen whole or not at all, and no sign stands for the rest."""
        super().__init__()
        self._is_whole = is_whole
        self._facts: tuple[str, ...] = ()

    def show_facts(self, facts: Sequence[str]) -> None:
        """Show these; words, as those of a description, may be cut, figures are whole or absent."""
        self._facts = tuple(facts)
        self.show_text(SEPARATOR.join(facts))

    def _fitting(self, room: int) -> str:
        metrics, shown = self.fontMetrics(), ""
        for fact in self._facts:
            more = SEPARATOR.join(filter(None, (shown, fact)))
            has_no_sign = self._is_whole or more == self._whole
            if metrics.horizontalAdvance(more if has_no_sign else f"{more} …") <= room:
                shown = more
            elif self._is_whole:
                return shown
            elif not shown or len(fact) >= _WORDS:
                return metrics.elidedText(more, self._mode, room)
            else:
                return f"{shown} …"
        return shown
