"""A file as base64: picked, read on a thread up to a limit, shown by its name and size.

A short text can be typed or pasted; a long one is never put into an editor.
"""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable
from desktop.gui import bridge
from desktop.gui.form.array_field import icon_button
from desktop.gui.form.model.field_spec import ABSENT
from desktop.gui.form.scalar_fields import LineField
from desktop.gui.layouts import STRETCH, in_row
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, plain_line
from desktop.gui.widgets.visibility import show_if

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDropEvent

    from desktop.gui.form.field import FormContext
    from desktop.gui.form.model.nodes import ScalarNode

MAX_FILE_BYTES: Final = 20_000_000
"""Bytes; four thirds of it travel as base64 in one message."""


class FileContentError(DesktopError):
    """The file cannot be sent; the message says why and what to do."""


def read_base64(path: str) -> str:
    """The content of a file as base64.

    Raises:
        FileContentError: it cannot be read, or is larger than `LARGEST`.
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise FileContentError(
            translatable(
                "{path} cannot be read: {strerror}", path=file.name, strerror=error.strerror
            )
        ) from error
    if len(content) > MAX_FILE_BYTES:
        raise FileContentError(
            translatable(
                "{name} is larger than {size}, the limit for a call",
                name=file.name,
                size=size_of(MAX_FILE_BYTES),
            )
        )
    return base64.b64encode(content).decode("ascii")


def decoded_size(text: str) -> int:
    """Bytes that a base64 text stands for, without decoding it."""
    return len(text) * 3 // 4 - text[-2:].count("=")


def size_of(count: int) -> str:
    """A number of bytes in a few characters: `1.2 MB`."""
    size, unit = float(count), "B"
    for unit in ("B", "kB", "MB"):
        if size < 1000 or unit == "MB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"


MAX_SHOWN_LENGTH: Final = 400


class FileField(LineField):
    """A line for a short text, a button for a file, and what was picked in its place."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._name = ""
        self.reading: asyncio.Task[None] | None = None
        """The file that was picked last, on its way."""
        self.editor.setMaxLength(MAX_SHOWN_LENGTH)
        if not self.editor.placeholderText():
            self.editor.setPlaceholderText(self.tr("base64, or choose a file"))
        self.summary = plain_line("", "mono")
        self.remove_button = icon_button(context, "close")
        guard_focus(self.remove_button)
        self.remove_button.setToolTip(self.tr("Remove the file"))
        self.remove_button.setAccessibleName(self.tr("Remove the file"))
        self.remove_button.clicked.connect(self._remove)
        self.pick_button = QPushButton(self.tr("Choose file…"))
        self.pick_button.clicked.connect(self._pick)
        set_icon(context.theme, self.pick_button, "file", "muted")
        self.problem = plain_label("", "small", "danger")
        self._picked = QWidget()
        in_row(self._picked, self.summary, self.remove_button, STRETCH, spacing=1)
        self.row.addWidget(self._picked, 1)
        self.row.addWidget(self.pick_button)
        self.row.addWidget(self.problem, 1)
        self.problem.hide()
        self.setAcceptDrops(True)
        self.load()

    def load(self) -> None:
        text = self.node.text
        is_shown = len(text) <= MAX_SHOWN_LENGTH and not self._name
        self.editor.setText(text if is_shown else "")
        show_if(self.editor, is_shown)
        show_if(self._picked, not is_shown)
        size = size_of(decoded_size(text))
        name = self._name or self.tr("base64")
        self.summary.setText(self.tr("{name} · {size}").format(name=name, size=size))

    def target(self) -> QWidget:
        return self.pick_button if self.editor.isHidden() else self.editor

    def announce_as(self, name: str) -> None:
        self.editor.setAccessibleName(name)
        self.pick_button.setAccessibleName(f"{name}: {self.pick_button.text()}")

    def take(self, path: str) -> None:
        """Read a file of this machine and make its content the value."""
        self._tell("")
        self.pick_button.setEnabled(False)
        words = self.tr("Read {name}").format(name=Path(path).name)
        self.reading = bridge.run(self, self._read(path), words)

    async def _read(self, path: str) -> None:
        try:
            text = await asyncio.to_thread(read_base64, path)
        except FileContentError as error:
            self._tell(spoken(str(error)))
            return
        finally:
            self.pick_button.setEnabled(True)
        self._name = Path(path).name
        self.node.set_value(text)
        self.load()
        self.edited.emit()
        self.pick_button.setFocus()

    def _remove(self) -> None:
        self._name = ""
        self.node.set_value("" if self.node.spec.in_list else ABSENT)
        self.load()
        self.edited.emit()
        self.editor.setFocus()

    def _pick(self) -> None:
        picker = QFileDialog(self, self.tr("Choose a file to send"))
        picker.setFileMode(QFileDialog.FileMode.ExistingFile)
        picker.fileSelected.connect(self.take)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        show_if(self.problem, bool(problem))

    def dragEnterEvent(self, event: QDragEnterEvent, /) -> None:
        if len(event.mimeData().urls()) == 1 and event.mimeData().urls()[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent, /) -> None:
        self.take(event.mimeData().urls()[0].toLocalFile())
