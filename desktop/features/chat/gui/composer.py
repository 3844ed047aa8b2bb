"""Where a person writes the next question: text, pictures, effort, Send and Stop.

Enter sends, Shift+Enter begins a line. Emits what a person asks for and knows no session; the text
stays until it was accepted. Enter here never answers anything but this field.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, get_args

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.config.providers import Effort
from desktop.features.chat.gui import keys
from desktop.features.chat.gui.attached_files import (
    MAX_FILES,
    FileRow,
    TextFile,
    add_files,
    read_attachment,
    resource_texts,
)
from desktop.features.chat.gui.chat import Unsent
from desktop.features.chat.gui.images import MAX_PICTURES, ImageRow, encode_picture, picture_of
from desktop.gui import bridge
from desktop.gui.layouts import InnerRow, in_column, in_row
from desktop.gui.results.structured import pictures_in
from desktop.gui.theme import space, style
from desktop.gui.theme.tokens import repolish
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import FactsLabel, plain_label, plain_tip
from desktop.gui.widgets.text_editors import WrappedTextEditor, is_composing
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.config.providers import ProviderSettings
    from desktop.features.models.messages import Image
    from desktop.gui.theme import Theme
    from desktop.values.resource_types import ReadResult

MAX_QUESTION_LENGTH = 200_000
"""Characters of one question: about 50,000 tokens."""
_LEAST_LINES, _MOST_LINES = 2, 10


def local_files(source: QMimeData) -> list[str]:
    """The paths of files that are dropped or pasted."""
    return [url.toLocalFile() for url in source.urls() if url.isLocalFile()]


class MessageEditor(WrappedTextEditor):
    """Grows with its text up to some lines."""

    send_requested = Signal()
    picture_pasted = Signal(object)
    """A `QImage`."""
    files_inserted = Signal(object)
    """Paths of files that were dropped or pasted, a list."""

    refused = Signal()
    """What was to be inserted would have been too much."""
    focused = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "prose")
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(space(1))
        self.textChanged.connect(self._fit)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if keys.SEND.matches(event) and not is_composing(self):
            self.send_requested.emit()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasImage() or source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if files := local_files(source):
            self.files_inserted.emit(files)
        elif source.hasImage() and isinstance(image := source.imageData(), QImage):
            self.picture_pasted.emit(image)
        elif len(source.text()) + self.document().characterCount() > MAX_QUESTION_LENGTH:
            self.refused.emit()
        else:
            super().insertFromMimeData(source)

    def set_text(self, text: str) -> None:
        """Show a text in place of the one before."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def _fit(self) -> None:
        lines = min(_MOST_LINES, max(_LEAST_LINES, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + space(5))


class Composer(QFrame):
    """`send_requested` carries text and pictures; whoever takes them calls `clear`."""

    send_requested = Signal(str, object)
    """The text, and the pictures: a tuple of `Image`."""
    stop_requested = Signal()
    changed = Signal()
    attached = Signal()
    """A file or picture was taken, or refused with words."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._images: tuple[Image, ...] = ()
        self._files: tuple[TextFile, ...] = ()
        self._reason = ""
        self._is_running = False
        style(self, "card")
        self.pictures = ImageRow(self, is_removable=True)
        self.files = FileRow(self)
        self.edit = MessageEditor(self)
        self.problem = plain_label("", "danger", "small")
        self.problem.hide()
        self.hint = plain_label("", "warning", "small")
        """Why nothing can be sent."""
        self.keys = FactsLabel(is_whole=True)
        style(self.keys, "muted", "small")
        self.attach = QToolButton(self)
        self.stop = QPushButton(self.tr("Stop"), self)
        self.send = QPushButton(self.tr("Send"), self)
        self._lay_out()
        self._connect()
        self.edit.setPlaceholderText(self.tr("Ask the model…"))
        self.edit.setAccessibleName(self.tr("Your question"))
        self.attach.setToolTip(self.tr("Attach files (or drop or paste them)"))
        self.attach.setAccessibleName(self.tr("Attach files"))
        self.stop.setToolTip("Esc")
        self._refresh()

    @property
    def text(self) -> str:
        return self.edit.toPlainText()

    @property
    def images(self) -> tuple[Image, ...]:
        return self._images

    @property
    def can_send(self) -> bool:
        has_words = bool(self.text.strip() or self._images or self._files)
        return has_words and not self._reason

    @property
    def unsent(self) -> Unsent:
        """All that was written and attached."""
        return Unsent(self.text, self._images, self._files)

    def put_back(self, unsent: Unsent) -> None:
        """Show what was written before, in place of what is there."""
        self._say("")
        self.edit.set_text(unsent.text)
        self._set_files(unsent.files)
        self._set_images(unsent.images)

    def add_text(self, text: str) -> None:
        """Put a text from elsewhere below what is written; nothing is sent."""
        whole = f"{self.text.rstrip()}\n\n{text}".lstrip("\n")
        if len(whole) > MAX_QUESTION_LENGTH:
            self._refuse_length()
        else:
            self.edit.set_text(whole)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear(self) -> None:
        """What was written was taken."""
        self.edit.set_text("")
        self._set_files(())
        self._set_images(())

    def add_hint(self, words: str) -> None:
        """Say in the empty field what else can be typed."""
        self.edit.setPlaceholderText(f"{self.edit.placeholderText()}  {words}")

    def add_control(self, control: QWidget) -> None:
        """Put something that is chosen for the next question below the text."""
        self._controls.addWidget(control)

    def set_running(self, is_running: bool) -> None:
        """While a model is at work it can be stopped, and what is sent is asked afterwards."""
        self._is_running = is_running
        self._refresh()

    def set_reason(self, reason: str) -> None:
        """Why nothing can be sent, in words; empty where something can."""
        self._reason = reason
        self._refresh()

    def request_send(self) -> None:
        """What Enter does."""
        question = add_files(self.text.strip(), self._files)
        if len(question) > MAX_QUESTION_LENGTH:
            self._refuse_length()
        elif self.can_send:
            self._say("")
            self.send_requested.emit(question, self._images)

    def choose_files(self) -> QFileDialog:
        """Ask for pictures and texts."""
        dialog = QFileDialog(self, self.tr("Attach files"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        images = self.tr("Images (*.png *.jpg *.jpeg *.gif *.webp)")
        dialog.setNameFilters([self.tr("All files (*)"), images])
        dialog.filesSelected.connect(self.attach_files)
        dialog.open()
        return dialog

    def attach_files(self, paths: list[str]) -> None:
        """Read pictures and texts, as many as a question may have."""
        for path in paths[: MAX_PICTURES + MAX_FILES + 1]:
            self._attach(partial(read_attachment, path))

    def attach_pictures(self, pictures: Sequence[bytes]) -> None:
        """Take pictures of a server, as many as a question may have."""
        for number, picture in enumerate(pictures[: MAX_PICTURES + 1], 1):
            name = self.tr("Image {number}").format(number=number)
            self._attach(partial(picture_of, picture, name))

    def attach_resource(self, server: str, uri: str, read: ReadResult) -> bool:
        """Take the texts and pictures of a resource; whether it has any."""
        pictures = pictures_in(read.contents)
        texts = resource_texts(server, uri, read)
        for file in [each for each in texts if isinstance(each, TextFile)][: MAX_FILES + 1]:
            self.attach_file(file)
        for refused in [each for each in texts if isinstance(each, str)][:1]:
            self._say(refused)
        self.attach_pictures(pictures)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(texts or pictures)

    def attach_image(self, image: QImage) -> None:
        """Take a picture of the clipboard."""
        self._attach(partial(encode_picture, image))

    def _attach(self, read: Callable[[], Image | TextFile | str]) -> None:
        bridge.run(self, self._take(read), self.tr("Attach a file"))

    async def _take(self, read: Callable[[], Image | TextFile | str]) -> None:
        taken = await asyncio.to_thread(read)
        if isinstance(taken, str):
            self._say(taken)
        elif isinstance(taken, TextFile):
            self.attach_file(taken)
        elif len(self._images) >= MAX_PICTURES:
            self._say(self.tr("{count} images at most.").format(count=MAX_PICTURES))
        else:
            self._say("")
            self._set_images((*self._images, taken))
        self.attached.emit()

    def attach_file(self, file: TextFile) -> None:
        """Take a text, unless there are as many as a question may have."""
        if len(self._files) >= MAX_FILES:
            self._say(self.tr("{count} text files at most.").format(count=MAX_FILES))
        else:
            self._say("")
            self._set_files((*self._files, file))

    def _refuse_length(self) -> None:
        words = self.tr("Too long: {count} characters at most. Split your message.")
        self._say(words.format(count=MAX_QUESTION_LENGTH))

    def _remove(self, at: int) -> None:
        self._set_images(self._images[:at] + self._images[at + 1 :])
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remove_file(self, at: int) -> None:
        self._set_files(self._files[:at] + self._files[at + 1 :])
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_files(self, files: tuple[TextFile, ...]) -> None:
        self._files = files
        self.files.show_files(files)
        self._note_change()

    def _set_images(self, images: tuple[Image, ...]) -> None:
        self._images = images
        self.pictures.show_images(images)
        self._note_change()

    def _note_change(self) -> None:
        self._refresh()
        self.changed.emit()

    def _say(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def _refresh(self) -> None:
        reason = self._reason
        keys = self.tr("Enter sends"), self.tr("Shift+Enter: new line")
        at_work = self.tr("Esc stops"), self.tr("Enter asks this next")
        self.keys.show_facts(at_work if self._is_running else keys)
        self.keys.setVisible(not reason)
        self.hint.setText(reason)
        self.hint.setVisible(bool(reason))
        self.send.setEnabled(self.can_send)
        self.send.setToolTip(plain_tip(reason))
        self.send.setVisible(not self._is_running)
        self.stop.setVisible(self._is_running)

    def _show_focus(self, has_focus: bool) -> None:
        """The whole card is the field that is typed into."""
        style(self, "card", *(("selected",) if has_focus else ()))
        repolish(self.edit)  # it has no ring of its own then

    def _connect(self) -> None:
        self.edit.send_requested.connect(self.request_send)
        self.edit.focused.connect(self._show_focus)
        self.edit.textChanged.connect(self._note_change)
        self.edit.picture_pasted.connect(self.attach_image)
        self.edit.refused.connect(self._refuse_length)
        self.edit.files_inserted.connect(self.attach_files)
        self.pictures.remove_requested.connect(self._remove)
        self.files.remove_requested.connect(self._remove_file)
        self.attach.clicked.connect(self.choose_files)
        self.send.clicked.connect(self.request_send)
        self.stop.clicked.connect(self.stop_requested)

    def _lay_out(self) -> None:
        controls = QWidget(self)
        self._controls = in_row(controls, spacing=1)  # what else is chosen for the next question
        style(self.attach, "flat")
        style(self.send, "primary")
        set_icon(self._theme, self.attach, "plus", "muted")
        set_icon(self._theme, self.send, "up", "accent_text")
        set_icon(self._theme, self.stop, "stop", "danger")
        style(self.stop, "danger")
        row = InnerRow(
            self.attach,
            controls,
            (self.hint, 1),
            (self.keys, 1),
            self.send,
            self.stop,
        )
        in_column(
            self, self.files, self.pictures, self.edit, self.problem, row, margins=2, spacing=1
        )


_EFFORTS: Final[tuple[Effort, ...]] = get_args(Effort)


class EffortChoice(QComboBox):
    """Hidden where the model takes no effort."""

    effort_chosen = Signal(object)
    """An `Effort`, or None for the usual."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "flat")
        require_focus_for_wheel(self)
        names = {
            "minimal": self.tr("Effort: minimal"),
            "low": self.tr("Effort: low"),
            "medium": self.tr("Effort: medium"),
            "high": self.tr("Effort: high"),
            "max": self.tr("Effort: maximal"),
        }
        self.addItem(self.tr("Usual effort"))
        self.addItems([names[each] for each in _EFFORTS])
        self.setAccessibleName(self.tr("Effort"))
        self.setToolTip(self.tr("How much the model thinks before it answers"))
        self.activated.connect(self._announce)
        self.hide()

    def show_effort(
        self, effort: Effort | None, provider: ProviderSettings | None, *, is_taken: bool
    ) -> None:
        """Show what is chosen.

        Args:
            effort: of the conversation; None for that of the provider.
            provider: the effort of its config is the usual one.
            is_taken: whether the model takes one.
        """
        usual = provider.effort if provider is not None else None
        words = self.tr("Usual effort")
        if usual is not None:
            words = self.tr("Usual effort ({effort})").format(
                effort=self.itemText(1 + _EFFORTS.index(usual))
            )
        self.setItemText(0, words)
        self.setCurrentIndex(0 if effort is None else 1 + _EFFORTS.index(effort))
        self.setVisible(is_taken)

    def _announce(self, at: int) -> None:
        self.effort_chosen.emit(_EFFORTS[at - 1] if at else None)
