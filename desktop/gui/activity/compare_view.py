"""Two calls compared: arguments, output and structured content, each in a tab as a unified diff.

The older call is the "before". `desktop.history.diff` compares, in a thread.
"""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTabWidget, QWidget

from desktop.gui.activity import call_labels
from desktop.gui.layouts import Stretch, in_column
from desktop.gui.theme import style
from desktop.gui.widgets.labels import plain_label
from desktop.history.diff import MAX_LINES, SIGNS, compare

if TYPE_CHECKING:
    from desktop.gui.theme import ColorName, Theme
    from desktop.history.diff import CallComparison, LineKind, Part
    from desktop.history.records import Record, Summary

_TINTS: dict[LineKind, tuple[ColorName, ColorName]] = {
    "removed": ("danger", "danger_soft"),
    "added": ("success", "success_soft"),
}


class DiffView(QPlainTextEdit):
    """Unified: both sides in one column, as version control shows them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFont(theme.mono_font())
        style(self, "well", "mono")
        self._theme = theme
        self._part: Part | None = None
        theme.changed.connect(self._tint)

    def show_part(self, part: Part) -> None:
        self._part = part
        self.setPlainText("\n".join(SIGNS[line.kind] + line.text for line in part.lines))
        self._tint()

    def _tint(self) -> None:
        """Format runs of lines of one kind: each change of format costs the same, however long."""
        if self._part is None:
            return
        document, first = self.document(), 0
        for kind, lines in groupby(self._part.lines, lambda line: line.kind):
            last = first + len(list(lines)) - 1
            if kind in _TINTS:
                text, ground = map(self._theme.color, _TINTS[kind])
                cursor = QTextCursor(document.findBlockByNumber(first))
                end = document.findBlockByNumber(last)
                cursor.setPosition(
                    end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor
                )
                whole, letters = QTextBlockFormat(), QTextCharFormat()
                whole.setBackground(ground)
                letters.setForeground(text)
                cursor.setBlockFormat(whole)
                cursor.setCharFormat(letters)
            first = last + 1


class CompareView(QWidget):
    """Shows what differs between two calls."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._records: tuple[Record, Record] | None = None
        self.title, self.note = plain_label("", "heading"), plain_label("", "muted")
        # A view that is in no tab keeps this parent.
        self.output, self.structured = DiffView(theme, self), DiffView(theme, self)
        self.arguments = DiffView(theme, self)
        for view in (self.output, self.structured, self.arguments):
            view.hide()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        in_column(self, self.title, self.note, (self.tabs, 1), Stretch(0), margins=(0, 2, 0, 0))

    async def show_records(self, first: Record, second: Record) -> None:
        """Compare two calls, given in any order."""
        before, after = sorted((first, second), key=lambda record: record.summary.id)
        self._records = before, after
        found = await asyncio.to_thread(compare, before, after)
        if self._records == (before, after):  # else another pair was selected meanwhile
            self._show(before.summary, after.summary, found)

    def _show(self, before: Summary, after: Summary, found: CallComparison) -> None:
        self.title.setText(
            self.tr("− {before}   + {after}").format(before=_name(before), after=_name(after))
        )
        self.tabs.clear()
        parts = {
            self.output: found.output,
            self.structured: found.structured,
            self.arguments: found.arguments,
        }
        for view, part in parts.items():
            view.setVisible(not part.is_same)
            if not part.is_same:
                view.show_part(part)
                self.tabs.addTab(view, "")
        self._name_tabs()
        self.tabs.setVisible(self.tabs.count() > 0)
        self.note.setText(self._note_text(list(parts.values())))

    def _note_text(self, parts: list[Part]) -> str:
        if all(part.is_same for part in parts):
            return self.tr("Both calls had the same arguments and the same result.")
        if any(part.left_out for part in parts):
            text = self.tr("Only the first {count} lines of each side are compared.")
            return text.format(count=f"{MAX_LINES:,}")
        if parts[0].is_same and parts[1].is_same:
            return self.tr("The results are the same; the arguments differ.")
        if parts[2].is_same:
            return self.tr("The arguments are the same; the results differ.")
        return self.tr("Arguments and results differ.")

    def _name_tabs(self) -> None:
        names = {
            self.output: self.tr("Output"),
            self.structured: self.tr("Structured content"),
            self.arguments: self.tr("Arguments"),
        }
        for view, name in names.items():
            view.setAccessibleName(name)
            if (index := self.tabs.indexOf(view)) >= 0:
                self.tabs.setTabText(index, name)


def _name(call: Summary) -> str:
    return f"{call_labels.call_label(call)} {call_labels.time_label(call.at)}"
