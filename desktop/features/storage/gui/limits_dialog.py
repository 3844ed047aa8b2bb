"""The dialog that says how many calls are kept: calls, megabytes and days.

Says with each change what would go at once. Must not save: its owner does, with `changed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
)

from desktop.base.errors import DesktopError
from desktop.bootstrap import limits_of
from desktop.config.models import HistorySettings
from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.features.storage.storage import Storage

_WIDTH: Final = space(105)
_FIELD_WIDTH: Final = space(36)
_CALLS: Final = (100, 1_000_000, 1_000)
_MEGABYTES: Final = (10, 20_000, 50)
_DAYS: Final = (0, 3_650, 30)


class LimitsDialog(QDialog):
    """Three numbers, and what they would cost; non-modal, opened with `open()`."""

    changed = Signal(object)
    """The `HistorySettings` that a person wants."""
    counted = Signal()
    """What would go is shown."""

    def __init__(self, parent: QWidget, storage: Storage, now: HistorySettings) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Limits of calls"))
        self._storage, self._asked = storage, now
        self.calls = _number(*_CALLS, now.calls)
        self.megabytes = _number(*_MEGABYTES, now.megabytes)
        self.megabytes.setSuffix(" MB")
        self.days = _number(*_DAYS, now.days)
        self.days.setSpecialValueText(self.tr("For ever"))
        self.days.setSuffix(self.tr(" days"))
        self.meaning = QLabel()
        self.meaning.setTextFormat(Qt.TextFormat.PlainText)
        self.meaning.setWordWrap(True)
        self._box = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        self.save = self._box.addButton(self.tr("Save"), roles.AcceptRole)
        self.cancel = self._box.addButton(self.tr("Cancel"), roles.RejectRole)
        guard_focus(self.save)
        self._lay_out()
        for field in (self.calls, self.megabytes, self.days):
            field.valueChanged.connect(self._count)
        self._box.accepted.connect(self.accept)
        self._box.rejected.connect(self.reject)
        self._tell(0, 0)
        self.cancel.setDefault(True)
        self.calls.setFocus()
        self.calls.selectAll()

    @property
    def wanted(self) -> HistorySettings:
        return HistorySettings(
            calls=self.calls.value(), megabytes=self.megabytes.value(), days=self.days.value()
        )

    def accept(self) -> None:
        super().accept()
        self.changed.emit(self.wanted)

    def _count(self, _: int) -> None:
        self._asked = self.wanted
        self.save.setEnabled(False)
        self.meaning.setText(self.tr("Counting what would go…"))
        bridge.run(self, self._count_surplus(self._asked), self.tr("Reading the history"))

    async def _count_surplus(self, wanted: HistorySettings) -> None:
        try:
            calls, size = await self._storage.surplus_of_calls(limits_of(wanted))
        except DesktopError as error:
            if wanted == self._asked:
                self._say(spoken(str(error)), "danger")
            return
        if wanted == self._asked:
            self._tell(calls, size)

    def _tell(self, calls: int, size: int) -> None:
        if calls:
            one = self.tr("1 call goes now, {size}. This cannot be undone.")
            many = self.tr("The oldest {count} calls go now, {size}. This cannot be undone.")
            self._say(counted(calls, one, many, size=format_size(size)), "danger")
            self.save.setText(self.tr("Delete the oldest"))
            style(self.save, "danger")
        else:
            self._say(self.tr("No call goes now."), "muted")
            self.save.setText(self.tr("Save"))
            style(self.save, "primary")
        self.save.setEnabled(True)
        self.counted.emit()

    def _say(self, words: str, tone: Any) -> None:
        self.meaning.setText(words)
        style(self.meaning, tone)

    def _lay_out(self) -> None:
        question = QLabel(self.tr("How many calls are kept?"))
        style(question, "heading")
        words = QLabel(
            self.tr(
                "A call is kept with its result until one of these is reached. Then the oldest go."
            )
        )
        words.setWordWrap(True)
        style(words, "muted")
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(space(2))
        form.setHorizontalSpacing(space(4))
        form.addRow(self.tr("Calls"), self.calls)
        form.addRow(self.tr("Size"), self.megabytes)
        form.addRow(self.tr("Age"), self.days)
        in_column(
            self, question, words, form, self.meaning, self._box, margins=(5, 5, 5, 4), spacing=3
        )
        self.setFixedWidth(_WIDTH)


def _number(least: int, most: int, step: int, value: int) -> QSpinBox:
    field = QSpinBox()
    field.setRange(least, most)
    field.setSingleStep(step)
    field.setGroupSeparatorShown(True)
    field.setValue(value)
    field.setFixedWidth(_FIELD_WIDTH)
    require_focus_for_wheel(field)
    return field
