"""The card of one tool call: asked about, running, or done; a line while nothing is opened.

What is folded away is built only when it is opened; a result is then the `ResultView` that all
results have. Must not answer a question by itself.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.features.chat.gui.labels import call_label
from desktop.gui import bridge
from desktop.gui.layouts import BOTTOM, MIDDLE, STRETCH, InnerRow, in_column, in_row
from desktop.gui.results.image import Decoded, decode
from desktop.gui.results.structured import content_view
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.arguments_view import ArgumentsView
from desktop.gui.widgets.collapse_button import CollapseButton
from desktop.gui.widgets.formatting import format_duration, format_size
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label, plain_tip
from desktop.gui.widgets.server_faces import set_face

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent

    from desktop.features.chat.gui.entries import ToolCallEntry
    from desktop.gui.results.companion import Companion, CompanionOf
    from desktop.gui.results.result_view import ResultView
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.approval_panel import ApprovalPanel
    from desktop.tools.approvals import ApprovalResponse
    from desktop.values.tool_types import Content, ToolResult

_MAX_LINE_LENGTH = 300
MAX_PICTURES: Final = 4
"""Pictures of one result that are shown here."""
MAX_BYTES: Final = 16_000_000
"""Bytes of a picture that is shown here."""
_ONE, _SEVERAL = QSize(space(80), space(60)), QSize(space(32), space(24))


class CallCard(QFrame):
    """A line while nothing is asked and nothing opened."""

    open_call_requested = Signal(str, object)
    """Key and arguments, to be shown in the form of the tool."""
    answered = Signal(str, object)
    """The id of the call and the `Answer` of a person."""
    cancel_requested = Signal(str)
    """The id of a running call that a person does not want to wait for."""
    unfolded = Signal(bool)
    """Something of it to read was opened, or closed again."""
    form_opened = Signal(bool)
    """As `unfolded`, of something to type in."""

    def __init__(
        self,
        theme: Theme,
        entry: ToolCallEntry,
        parent: QWidget | None = None,
        companion_of: CompanionOf | None = None,
    ) -> None:
        """Args: companion_of: makes what stands beside the result, where there is something."""
        super().__init__(parent)
        self._theme, self._companion_of = theme, companion_of
        self.companion: Companion | None = None
        self.entry = entry
        style(self, "card")
        self.face, self._icon = QLabel(self), QLabel(self)
        self.title, self.line = ElidedLabel(), ElidedLabel()
        self.state, self.time = plain_label("", "badge"), plain_label("", "muted", "small")
        self.state.setWordWrap(False)
        self.time.setWordWrap(False)
        self.fold = CollapseButton(theme, self)
        self.cancel = QToolButton(self)
        self.open_in_tools = QToolButton(self)
        self.question: ApprovalPanel | None = None
        self.arguments: ArgumentsView | None = None
        self.result: ResultView | None = None
        self.pictures = ResultPictures(self)
        self._body = QFrame(self)
        self._lay_out()
        self.fold.opened.connect(self.unfolded)  # first: what is around it holds it in its place
        self.fold.opened.connect(self._show_body)
        self.pictures.open_requested.connect(self._open_details)
        self.cancel.clicked.connect(lambda: self.cancel_requested.emit(entry.call_id))
        self.open_in_tools.clicked.connect(self._open)
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as far as it has come."""
        entry = self.entry
        state = call_label(entry)
        name = entry.key or entry.name
        self._show_face()
        self.title.show_text(mark_hidden(" ".join(name.split())[:_MAX_LINE_LENGTH]))
        self.state.setText(state.text)
        style(self.state, "badge", *state.roles)
        was_sent = entry.result is not None and entry.elapsed > 0
        self.time.setText(format_duration(entry.elapsed) if was_sent else "")
        self.line.show_text(self._one_line())
        self.line.setVisible(bool(self._one_line()) and not self.fold.isChecked())
        self.cancel.setVisible(entry.state == "running")
        self.open_in_tools.setEnabled(bool(entry.key))
        self._show_question()
        self._show_body()
        self._show_companion()
        self._set_texts()

    def _show_face(self) -> None:
        """The face of the server; a plain tool where the model named none that there is."""
        server, _, tool = self.entry.key.partition(":")
        if tool:
            set_face(self._theme, self.face, server, tool=tool)
        self.face.setVisible(bool(tool))
        self._icon.setHidden(bool(tool))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Comes here only where the card itself has the focus: nobody types then.
        asks = self.question is not None and self.hasFocus()
        if not (asks and self.question is not None and self.question.answer_key(event)):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.question is not None:
            self.question.show_keys(are_heard=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.question is not None:
            self.question.show_keys(are_heard=False)

    def _one_line(self) -> str:
        """The start of what came, or how far it is."""
        result = self.entry.result
        if result is None:
            return " ".join(self.entry.detail[:_MAX_LINE_LENGTH].split())
        words = spoken(result.error.message) if result.error is not None else result.output
        return " ".join(words[:_MAX_LINE_LENGTH].split())

    def _show_question(self) -> None:
        asked = self.entry.question
        if self.question is not None and self.question.question is not asked:
            self.question.hide()
            self._column.removeWidget(self.question)
            self.question.deleteLater()
            self.question = None
        if asked is not None and self.question is None:
            from desktop.gui.widgets.approval_panel import ApprovalPanel  # when it is wanted

            self.question = ApprovalPanel(self._theme, asked, self)
            self.question.answered.connect(self._answer)
            self.question.more.opened.connect(self.unfolded)
            self.question.form_opened.connect(self.form_opened)
            self._column.insertWidget(1, self.question)
        self.fold.setVisible(asked is None)
        style(self, "card", *(("warning",) if asked is not None else ()))
        # Only what a person gives the focus to has it: a click, Tab or Ctrl+G.
        policy = Qt.FocusPolicy.StrongFocus if asked is not None else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(policy)

    def _answer(self, answer: ApprovalResponse) -> None:
        self.answered.emit(self.entry.call_id, answer)

    def _show_body(self) -> None:
        is_open = self.fold.isChecked() and self.entry.question is None
        self._body.setVisible(is_open)
        if self.entry.result is not None and not is_open:
            self.pictures.show_result(self.entry.result)
        self.pictures.setVisible(self.pictures.has_any and not is_open)
        self.line.setVisible(bool(self._one_line()) and not is_open)
        if not is_open:
            return
        if self.arguments is None:
            self.arguments = ArgumentsView(self._theme, self._body)
            self._inside.addWidget(self.arguments)
        if self.entry.text:
            self.arguments.show_text(self.entry.text)
        else:
            self.arguments.show_arguments(self.entry.arguments)
        if self.entry.result is not None:
            self._show_result(self.entry.result)

    def _show_result(self, result: ToolResult) -> None:
        if self.result is None:
            from desktop.gui.results.result_view import ResultView  # when it is wanted

            self.result = ResultView(self._theme, self._body, fills=False)
            self._inside.addWidget(self.result)
        if self.result.result is not result:
            self.result.show_result(result, (self.entry.key or self.entry.name).rpartition(":")[2])

    def _show_companion(self) -> None:
        """Once, when the result is there; from then on it goes on by itself."""
        result = self.entry.result
        if self._companion_of is None or result is None or not self.entry.key:
            return
        self._companion_of, make = None, self._companion_of
        self.companion = make(self.entry.key, self.entry.arguments, result, self)
        if self.companion is not None:
            self._column.addWidget(self.companion)

    def _open_details(self) -> None:
        self.fold.setChecked(True)

    def _open(self) -> None:
        self.open_call_requested.emit(self.entry.key, self.entry.arguments)

    def _lay_out(self) -> None:
        set_icon(self._theme, self._icon, "tools", "muted")
        style(self.title, "mono")
        style(self.line, "muted", "small")
        style(self.open_in_tools, "flat")
        set_icon(self._theme, self.open_in_tools, "edit", "muted")
        style(self.cancel, "flat")
        set_icon(self._theme, self.cancel, "stop", "danger")
        row = InnerRow(
            self.face,
            self._icon,
            (self.title, 1),
            (self.time, MIDDLE),
            (self.state, MIDDLE),
            (self.cancel, MIDDLE),
            (self.fold, MIDDLE),
            (self.open_in_tools, MIDDLE),
        )
        self._inside = in_column(self._body, margins=(0, 0, 0, 1), spacing=1)
        self._column = in_column(
            self, row, self.line, self.pictures, self._body, margins=(3, 1, 2, 1), spacing=1
        )

    def _set_texts(self) -> None:
        self.fold.setText(self.tr("Details"))
        for button, words in (
            (self.cancel, self.tr("Cancel this call; the model continues without its result")),
            (self.open_in_tools, self.tr("Open in Tools with these arguments")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
        name = self.tr("Call of {tool}: {state}")
        self.setAccessibleName(
            name.format(tool=self.entry.key or self.entry.name, state=self.state.text())
        )


class ResultPictures(QWidget):
    """Hidden while there is none."""

    open_requested = Signal()
    """A person wants to see more of them."""
    settled = Signal()
    """All that are to be shown are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: ToolResult | None = None
        self._found = self._left = 0
        self.pictures: list[QLabel] = []
        self.rest = plain_label("", "muted", "small")
        self.rest.setWordWrap(False)
        self._row = in_row(self, (self.rest, BOTTOM), STRETCH, margins=(0, 1, 0, 1))
        self.setToolTipDuration(0)
        self.hide()

    @property
    def has_any(self) -> bool:
        return bool(self._result is not None and self._found)

    def show_result(self, result: ToolResult) -> None:
        """Show the pictures of a result; of the same one, nothing is done."""
        if result is self._result:
            return
        self._result = result
        found = [block for block in result.content if content_view(block) == "image"]
        shown = [block for block in found if 0 < len(block.data) <= MAX_BYTES][:MAX_PICTURES]
        self._found, self._left = len(found), len(found) - len(shown)
        self.setVisible(bool(found))
        words = self.tr("{count} more in Details").format(count=self._left)
        self.rest.setText(words)
        self.rest.setVisible(self._left > 0)
        if shown:
            bridge.run(self, self._show(result, shown), self.tr("Show the images"))

    async def _show(self, result: ToolResult, blocks: list[Content]) -> None:
        size = _ONE if self._found == 1 else _SEVERAL
        for block in blocks:
            scale = self.devicePixelRatioF()
            decoded = await asyncio.to_thread(_small, block.data, size * scale)
            if result is not self._result:
                return
            self._add(block, decoded, scale)
        self.settled.emit()

    def _add(self, block: Content, decoded: Decoded, scale: float) -> None:
        label = plain_label("")
        facts = f"{block.mime} · {format_size(len(block.data))}"
        if decoded.image is None:
            label.setText(decoded.reason)
            style(label, "muted", "small")
        else:
            pixmap = QPixmap.fromImage(decoded.image)
            pixmap.setDevicePixelRatio(scale)
            label.setPixmap(pixmap)
            label.setCursor(Qt.CursorShape.PointingHandCursor)
            size = decoded.size
            facts = f"{size.width()} × {size.height()} · {facts}"
        label.setToolTip(plain_tip(facts))
        label.setAccessibleName(self.tr("Image, {facts}").format(facts=facts))
        self.pictures.append(label)
        self._row.insertWidget(len(self.pictures) - 1, label, 0, Qt.AlignmentFlag.AlignTop)

    def minimumSizeHint(self) -> QSize:
        """Where there is no room for them, they do not make the conversation wider."""
        return QSize(0, super().minimumSizeHint().height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.open_requested.emit()


def _small(content: bytes, most: QSize) -> Decoded:
    """As large as it is shown, never larger than it is. For a thread."""
    decoded = decode(content)
    if decoded.image is None:
        return decoded
    size = most.boundedTo(decoded.image.size())
    small = decoded.image.scaled(
        size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    return Decoded(small, decoded.size, decoded.reason)
