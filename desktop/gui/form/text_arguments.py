"""A form of texts with the values that a server proposes while one is typed.

For the variables of a resource template and the arguments of a prompt, which are always text. A
proposal is only offered: nothing is filled in that a person did not choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QCompleter, QListView, QWidget

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.gui import bridge, shortcuts
from desktop.gui.form.field import mark_invalid
from desktop.gui.form.field_head import DescriptionLine, FieldHead
from desktop.gui.layouts import ALL_ROOM, STRETCH, in_column, in_row
from desktop.gui.shortcuts import bind
from desktop.gui.theme import COLUMN_WIDTH
from desktop.gui.translations import listed
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import GrowingTextEditor

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Sequence

    from PySide6.QtGui import QKeyEvent

    Propose: TypeAlias = Callable[[str, str, dict[str, str]], Awaitable[Sequence[str]]]
    """Values for an argument, by its name, what was typed of it, and the other arguments."""

PROPOSE_MS: Final = 150
"""The server is asked when typing pauses."""
MAX_ARGUMENTS: Final = 100
"""Arguments that get a field."""
_MAX_VALUE_LENGTH: Final = 500


class TextArgument(Struct, frozen=True):
    """What one field is for."""

    name: str
    label: str = ""
    description: str = ""
    required: bool = False


class _Editor(GrowingTextEditor):
    """Leaves the keys of an open list of proposals to that list."""

    def __init__(self) -> None:
        super().__init__(1)
        self.proposals = QCompleter(QStringListModel(self), self)
        self.popup = QListView()
        self.proposals.setPopup(self.popup)
        self.proposals.setWidget(self)
        self.proposals.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.proposals.setMaxVisibleItems(10)

    def offer(self, values: Sequence[str]) -> None:
        """Show these below what was typed; nothing where there are none."""
        model = self.proposals.model()
        if isinstance(model, QStringListModel):
            model.setStringList([value[:_MAX_VALUE_LENGTH] for value in values])
        if values and self.hasFocus():
            self.proposals.complete()
        else:
            self.popup.hide()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        is_open = self.popup.isVisible()
        if is_open and event.key() in _POPUP_KEYS:
            event.ignore()  # the list takes them
            return
        super().keyPressEvent(event)


_POPUP_KEYS = frozenset(
    (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
)


class ArgumentField(QWidget):
    """A name, what it is for, and a line."""

    edited = Signal()

    def __init__(self, argument: TextArgument, propose: Propose | None) -> None:
        super().__init__()
        self.argument = argument
        self._propose = propose
        self._others: Callable[[], dict[str, str]] = dict
        self._asking: asyncio.Task[None] | None = None
        self._is_choosing = False
        self._pause = QTimer(self, singleShot=True, interval=PROPOSE_MS)
        self.editor = _Editor()
        self.editor.setAccessibleName(mark_hidden(argument.label or argument.name))
        column = in_column(self, spacing=0.5)
        title, name = mark_hidden(argument.label or argument.name), mark_hidden(argument.name)
        description = DescriptionLine(mark_hidden_text(argument.description), column)
        head = FieldHead(title, name, description)
        head.mark_required(argument.required)
        column.addLayout(head)
        column.addWidget(self.editor)
        self.editor.textChanged.connect(self._note_edit)
        self.editor.proposals.activated.connect(self._take)
        self._pause.timeout.connect(self.ask)

    @property
    def text(self) -> str:
        return self.editor.exact_text()

    def set_others(self, others: Callable[[], dict[str, str]]) -> None:
        """Say where the values of the other fields come from."""
        self._others = others

    def ask(self) -> None:
        """Ask the server for values; an answer that is late counts for nothing."""
        self._pause.stop()
        if self._propose is None:
            return
        if self._asking is not None:
            self._asking.cancel()
        asking = self._ask(self._propose, self.text)
        self._asking = bridge.run(self, asking, self.tr("Suggest values"))

    async def _ask(self, propose: Propose, typed: str) -> None:
        values = await propose(self.argument.name, typed, self._others())
        if typed == self.text:
            self.editor.offer([value for value in values if value != typed])

    def _take(self, value: str) -> None:
        self._is_choosing = True  # what was chosen needs no more proposals
        self.editor.setPlainText(value)
        self._is_choosing = False
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)

    def _note_edit(self) -> None:
        mark_invalid(self.editor, False)
        if not self._is_choosing and self.editor.hasFocus():
            self._pause.start()
        self.edited.emit()


class TextArgumentsForm(QWidget):
    """A field an argument; `submitted` follows Ctrl+Enter."""

    changed = Signal()
    submitted = Signal()

    def __init__(
        self,
        arguments: Sequence[TextArgument],
        propose: Propose | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.fields = [ArgumentField(argument, propose) for argument in arguments[:MAX_ARGUMENTS]]
        self.problem = plain_label("", "danger", "small")
        self.problem.hide()
        inside = QWidget(self)
        inside.setMaximumWidth(COLUMN_WIDTH)
        in_row(self, (inside, ALL_ROOM), STRETCH, spacing=0)
        column = in_column(inside, spacing=3)
        for field in self.fields:
            field.set_others(lambda field=field: self._values_but(field))
            field.edited.connect(self._note_edit)
            column.addWidget(field)
        column.addWidget(self.problem)
        bind(self, shortcuts.SUBMIT, self.submitted.emit)

    @property
    def missing(self) -> list[str]:
        """Names of what is required and empty."""
        needed = [field for field in self.fields if field.argument.required]
        return [field.argument.name for field in needed if not field.text]

    def values(self) -> dict[str, str]:
        """What was filled in; an empty field is not sent."""
        return {field.argument.name: field.text for field in self.fields if field.text}

    def fill(self, values: dict[str, str]) -> None:
        """Show these values."""
        for field in self.fields:
            field.editor.setPlainText(values.get(field.argument.name, ""))

    def reveal_missing(self) -> bool:
        """Show what is missing, with the focus in it; whether anything is."""
        missing = [field for field in self.fields if field.argument.name in self.missing]
        for field in missing:
            mark_invalid(field.editor, True)
        if missing:
            missing[0].editor.setFocus(Qt.FocusReason.OtherFocusReason)
        names = listed(map(mark_hidden, self.missing))
        self.problem.setText(self.tr("Missing: {names}").format(names=names))
        self.problem.setVisible(bool(missing))
        return bool(missing)

    def focus_first(self) -> None:
        if self.fields:
            self.fields[0].editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _values_but(self, left_out: ArgumentField) -> dict[str, str]:
        name = left_out.argument.name
        return {key: value for key, value in self.values().items() if key != name}

    def _note_edit(self) -> None:
        self.problem.hide()
        self.changed.emit()


def keep_draft(form: TextArgumentsForm, drafts: dict[str, dict[str, str]], key: str) -> None:
    """Show what was typed into this form before it was made anew, and note what is typed now."""
    form.fill(drafts.get(key, {}))
    form.changed.connect(lambda: drafts.__setitem__(key, form.values()))


_WITH_CHILDREN = Qt.ShortcutContext.WidgetWithChildrenShortcut
