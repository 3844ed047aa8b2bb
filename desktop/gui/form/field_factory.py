"""Chooses the widget for a node, the only place that knows every kind; with those for a choice.

A few options are chips, many a list, several at once check boxes, forms of a value a list above
them. Values keep their JSON type. Null is an option like the others where the schema allows it;
choosing nothing sends nothing. Must not change a schema.
"""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QPushButton,
    QToolTip,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable
from desktop.gui import bridge
from desktop.gui.form.array_field import ArrayField, icon_button
from desktop.gui.form.descriptions import branch_titles, limits_label
from desktop.gui.form.field import Field, FormContext, mark_invalid
from desktop.gui.form.json_view import JsonField
from desktop.gui.form.model.combinators import option_label
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, Option
from desktop.gui.form.model.json_text import write_json
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
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_label, plain_line, plain_tip
from desktop.gui.widgets.visibility import discard, show_if
from desktop.values.json_schema import list_of, same_json

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QWheelEvent

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
        # one with null or unknown items has no check boxes
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


MAX_CHIPS: Final = 4
_MAX_LETTERS: Final = 44


def options_of(spec: FieldSpec) -> list[Option]:
    """What can be chosen, in the order shown."""
    options = list(spec.options)
    if spec.kind == "boolean":
        options = [Option("true", True), Option("false", False)]
    if spec.kind == "const":
        options = [Option(option_label(spec.schema["const"]), spec.schema["const"])]
    if spec.nullable:
        options.append(Option("null", None))
    return options


def is_short(spec: FieldSpec) -> bool:
    """Whether the choices fit on one line as chips."""
    options = options_of(spec)
    letters = sum(len(option.label) for option in options)
    return len(options) <= MAX_CHIPS and letters <= _MAX_LETTERS


class ChipsField(Field):
    """A choice of a few, all in sight; choosing it once more sends nothing."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = options_of(node.spec)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        row = in_row(self, spacing=1)
        for index, option in enumerate(self._options):
            chip = QPushButton(option.label.replace("&", "&&"))
            chip.setCheckable(True)
            style(chip, "chip", "choice")
            self._group.addButton(chip, index)
            row.addWidget(chip)
        row.addStretch()
        self.load()
        self._group.idClicked.connect(self._choose)

    def load(self) -> None:
        value = self.node.value()
        chosen = _index(self._options, value)
        for index, chip in enumerate(self._group.buttons()):
            chip.setChecked(index == chosen)

    def target(self) -> QWidget:
        return self._group.checkedButton() or self._group.button(0)

    def announce_as(self, name: str) -> None:
        for option, chip in zip(self._options, self._group.buttons(), strict=True):
            chip.setAccessibleName(f"{name}: {option.label}")

    def _choose(self, index: int) -> None:
        is_chosen = self._group.button(index).isChecked()
        self.node.set_value(self._options[index].value if is_chosen else ABSENT)
        self.load()
        self.edited.emit()


_TYPING: Final = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_TYPING_MS: Final = 1_000
"""What is typed within this time is one word."""


class _CalmBox(QComboBox):
    """The wheel scrolls the page; what is typed chooses, or is said to be no choice."""

    def __init__(self) -> None:
        super().__init__()
        self._typed = ""
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._pause.timeout.connect(self._forget)

    def wheelEvent(self, event: QWheelEvent, /) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        text = event.text()
        is_plain = not event.modifiers() & ~_TYPING
        if is_plain and text.isprintable() and (text.strip() or (text and self._typed)):
            self._choose_by(self._typed + text)
        else:
            super().keyPressEvent(event)

    def _choose_by(self, typed: str) -> None:
        """Choose what begins with it, or else what has it; else say what was typed in vain."""
        self._typed = typed
        self._pause.start()
        found = self.findText(typed, Qt.MatchFlag.MatchStartsWith)
        if found < 0:
            found = self.findText(typed, Qt.MatchFlag.MatchContains)
        if found >= 0:
            self.setCurrentIndex(found)
            QToolTip.hideText()
            return
        words = self.tr("No choice has “{typed}”").format(typed=typed[:40])
        self.setAccessibleDescription(words)
        QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), plain_tip(words), self)

    def _forget(self) -> None:
        self._typed = ""


class ListField(Field):
    """A choice of many; a value that is not among them is kept and shown."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = options_of(node.spec)
        self._options.insert(0, Option(self.tr("Choose…"), ABSENT))
        if _index(self._options, node.value()) is None:
            self._options.insert(1, Option(write_json(node.value(), None), node.value()))
        self._box = _CalmBox()
        self._box.setMinimumContentsLength(16)
        self._box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._box.setMaxVisibleItems(16)
        self._box.addItems([option.label for option in self._options])
        in_row(self, (self._box, 1))
        self.load()
        self._box.currentIndexChanged.connect(self._choose)

    def load(self) -> None:
        index = _index(self._options, self.node.value())
        self._box.blockSignals(True)
        self._box.setCurrentIndex(0 if index is None else index)
        self._box.blockSignals(False)

    def target(self) -> QWidget:
        return self._box

    def show_invalid(self, is_invalid: bool) -> None:
        mark_invalid(self._box, is_invalid)

    def _choose(self, index: int) -> None:
        self.node.set_value(self._options[index].value)
        self.edited.emit()


def _index(options: list[Option], value: Any) -> int | None:
    """Where the value is, by type too: 1, 1.0 and true are three choices."""
    places = (index for index, option in enumerate(options) if same_json(option.value, value))
    return next(places, None)


MAX_BOXES: Final = 40
_NARROW: Final = 18
_COLUMNS: Final = 3


class CheckListField(Field):
    """A tick adds the choice at the end of the list, another takes it out."""

    node: ArrayNode

    def __init__(self, node: ArrayNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._options = checkbox_options(node)
        self.boxes = [QCheckBox(option.label.replace("&", "&&")) for option in self._options]
        self._full: QLabel = plain_label("", "small", "muted")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(space(1))
        columns = _COLUMNS if all(len(each.label) <= _NARROW for each in self._options) else 1
        for index, box in enumerate(self.boxes):
            grid.addWidget(box, index // columns, index % columns)
            box.clicked.connect(lambda _=False, at=index: self._tick(at))
        grid.addWidget(self._full, len(self.boxes), 0, 1, columns)
        grid.setColumnStretch(columns, 1)
        self.load()

    def load(self) -> None:
        value = list_of(self.node.value())
        most = self.node.spec.schema.get("maxItems")
        is_full = isinstance(most, int) and len(value) >= most
        for option, box in zip(self._options, self.boxes, strict=True):
            is_chosen = any(same_json(option.value, each) for each in value)
            box.setChecked(is_chosen)
            box.setEnabled(is_chosen or not is_full)
        if is_full and isinstance(most, int):
            one, many = self.tr("At most 1 item."), self.tr("At most {count} items.")
            self._full.setText(counted(most, one, many))
        show_if(self._full, is_full)

    def target(self) -> QWidget:
        return next((box for box in self.boxes if box.isEnabled()), self.boxes[0])

    def announce_as(self, name: str) -> None:
        for option, box in zip(self._options, self.boxes, strict=True):
            box.setAccessibleName(f"{name}: {option.label}")

    def _tick(self, index: int) -> None:
        choice = self._options[index].value
        value = [each for each in list_of(self.node.value()) if not same_json(each, choice)]
        self.node.set_value([*value, choice] if self.boxes[index].isChecked() else value)
        self.load()
        self.edited.emit()


def checkbox_options(node: ArrayNode) -> list[Option]:
    """The choices; none where a list of boxes could not show the value or the schema."""
    if node.spec.schema.get("uniqueItems") is not True or node.spec.item_kind != "enum":
        return []
    options = options_of(node.item_spec)
    value = list_of(node.value())
    known = [each for each in value if any(same_json(each, option.value) for option in options)]
    is_unique = not any(
        same_json(one, other) for at, one in enumerate(value) for other in value[:at]
    )
    is_plain = len(known) == len(value) and is_unique and len(options) <= MAX_BOXES
    return options if is_plain else []
