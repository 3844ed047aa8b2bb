"""Chooses the widget for a node: the only place that knows every kind of field."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable
from desktop.gui import bridge
from desktop.gui.form.array_field import ArrayField, icon_button
from desktop.gui.form.choice_fields import (
    CheckListField,
    ChipsField,
    ListField,
    checkbox_options,
    is_short,
)
from desktop.gui.form.descriptions import branch_titles, limits_label
from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.json_view import JsonField
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, Option
from desktop.gui.form.model.nodes import ArrayNode, JsonNode, ScalarNode
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.form.model.union_node import UnionNode
from desktop.gui.form.object_field import ObjectField
from desktop.gui.form.scalar_fields import (
    DateTimeField,
    LineField,
    NumberField,
    PathField,
    SecretField,
    TextField,
)
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_label, plain_line
from desktop.gui.widgets.visibility import discard, show_if
from desktop.values.json_schema import same_json

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDropEvent

    from desktop.gui.form.model.nodes import Node

MAX_FILE_BYTES: Final = 20_000_000
"""Bytes; four thirds of it travel as base64 in one message."""


def make_field(node: Node, context: FormContext, *, is_root: bool = False) -> Field:
    """The widget for a node; `is_root` for the arguments as a whole."""
    if isinstance(node, ObjectNode):
        return ObjectField(node, context, is_root=is_root)
    if isinstance(node, UnionNode):
        return UnionField(node, context, is_root=is_root)
    if isinstance(node, ArrayNode):
        return (CheckListField if checkbox_options(node) else ArrayField)(node, context)
    if isinstance(node, ScalarNode):
        return _scalar(node, context)
    if isinstance(node, JsonNode):
        return JsonField(node, context)
    raise TypeError(type(node).__name__)


def _scalar(node: ScalarNode, context: FormContext) -> Field:
    kind = node.spec.kind
    if kind == "string":
        return _text(node, context)
    if kind in {"integer", "number"}:
        return NumberField(node, context)
    is_listed = node.is_absent or any(
        same_json(node.value(), each.value) for each in node.spec.options
    )
    is_plain = is_listed or kind != "enum"
    return (ChipsField if is_short(node.spec) and is_plain else ListField)(node, context)


def _text(node: ScalarNode, context: FormContext) -> Field:
    spec = node.spec
    if spec.is_file:
        return FileField(node, context)
    if spec.is_secret:
        return SecretField(node, context)
    if "\n" in node.text or spec.is_long:
        return TextField(node, context)
    if spec.is_moment:
        return DateTimeField(node, context)
    return (PathField if spec.path_of else TextField)(node, context)


class UnionField(Field):
    """The chooser and the field of the shape in use."""

    node: UnionNode

    def __init__(self, node: UnionNode, context: FormContext, *, is_root: bool = False) -> None:
        super().__init__(node, context)
        self._is_root = is_root
        self._name = ""
        self._body: QWidget | None = None
        self.inner: Field | None = None
        self._titles = branch_titles(node.spec)
        self._choice = ScalarNode(FieldSpec(required=True))
        self._column = in_column(self, spacing=3 if is_root else 1.5)
        if is_root:
            words = self.tr("Choose the shape of the arguments:")
            self._column.addWidget(plain_label(words, "small", "muted"))
        self.chooser: Field = self._make_chooser()
        self._column.addWidget(self.chooser)
        self._draw()

    def load(self) -> None:
        chooser = self._make_chooser()
        self._column.replaceWidget(self.chooser, chooser)
        discard(self.chooser)
        self.chooser = chooser
        self._draw()
        self.announce_as(self._name)

    def target(self) -> QWidget:
        is_chosen = self.inner is not None and self.node.index is not None
        return self.inner.target() if self.inner and is_chosen else self.chooser.target()

    def complete(self) -> None:
        if self.inner is not None:
            self.inner.complete()

    def announce_as(self, name: str) -> None:
        self._name = name
        self.chooser.announce_as(name)
        if self.inner is not None:
            self.inner.announce_as(name)

    def show_invalid(self, is_invalid: bool) -> None:
        if self.inner is not None:
            self.inner.show_invalid(is_invalid)

    def _make_chooser(self) -> Field:
        titles = [*self._titles, *([self.tr("JSON")] if self.node.is_json else [])]
        options = tuple(Option(title, index) for index, title in enumerate(titles))
        spec = FieldSpec(self.node.spec.name, "enum", required=True, options=options)
        index = self.node.index
        self._choice = ScalarNode(spec, ABSENT if index is None else index)
        chooser = (ChipsField if is_short(spec) else ListField)(self._choice, self.context)
        chooser.edited.connect(self._choose)
        return chooser

    def _choose(self) -> None:
        index = self._choice.value()
        self.node.choose(None if index is ABSENT else cast("int", index))
        self._draw()
        self.complete()
        self.announce_as(self._name)
        self.context.rearranged()
        self.edited.emit()

    def _draw(self) -> None:
        if self._body is not None:
            discard(self._body)
        self._body, self.inner = None, None
        if self.node.inner is None or self._awaits_choice(self.node.inner):
            return
        self._body = QWidget()
        column = in_column(self._body, spacing=1)
        spec = self.node.inner.spec
        if spec.description and spec.description != self.node.spec.description:
            column.addWidget(description_label(spec.description))
        self.inner = self._make_inner(self.node.inner)
        column.addWidget(self.inner)
        if limits := limits_label(spec):
            column.addWidget(plain_label(limits, "small", "muted"))
        self._column.addWidget(self._body)
        self._body.show()

    def _awaits_choice(self, inner: Node) -> bool:
        """Whether nothing is chosen, and all shapes have no field in common."""
        if self.node.index is not None or not isinstance(inner, ObjectNode):
            return False
        return not (inner.shape.properties or inner.entries or inner.shape.is_open)

    def _make_inner(self, node: Node) -> Field:
        if isinstance(node, ObjectNode):
            field: Field = ObjectField(node, self.context, is_root=self._is_root)
        else:
            field = self.context.make_field(node, self.context)
        field.edited.connect(self.edited)
        return field


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
