"""The section *Storage* of the settings: a row for each kind, with size, age, bound and actions.

Measures in a thread, whenever it is shown and after each change. Asks before anything goes, also
where a shorter time would remove something at once. Must not delete anything itself.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QToolButton,
    QWidget,
)

from desktop.base.errors import ConfigError, DesktopError
from desktop.bootstrap import limits_of
from desktop.config.models import HistorySettings
from desktop.features.storage.kinds import CALLS, KINDS
from desktop.gui import bridge
from desktop.gui.layouts import InnerColumn, in_column, in_row
from desktop.gui.settings.rows import SectionCard, open_folder
from desktop.gui.theme import inset, space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.field_rows import FieldRows
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import SEPARATOR, plain_label
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from desktop.config.store import ConfigStore
    from desktop.features.storage.kinds import Kind
    from desktop.features.storage.storage import Deleted, Storage
    from desktop.features.storage.usage import FolderUsage, KindUsage
    from desktop.gui.theme import Role, Theme

_FIGURE_WIDTH: Final = space(16)
_DAY_WIDTH: Final = space(20)
_KEEP_WIDTH: Final = space(26)
_OPEN_WIDTH: Final = space(7)
_DELETE_WIDTH: Final = space(16)
_FOR_EVER: Final = 0
_DAYS: Final = (_FOR_EVER, 365, 90, 30, 7)
"""The longest first: no arrow key passes a shorter time on its way to a longer one."""
_MAX_WORDS: Final = 1_000
"""Characters of what could not be deleted."""
_WIDTH: Final = space(105)
_FIELD_WIDTH: Final = space(36)
_CALLS: Final = (100, 1_000_000, 1_000)
_MEGABYTES: Final = (10, 20_000, 50)
_DAY_BOUNDS: Final = (0, 3_650, 30)


class StorageRow(QFrame):
    """One kind: what there is of it and its bound, and what can be done with it."""

    delete_requested = Signal(object)
    """The kind."""
    keep_requested = Signal(object, int)
    """The kind, and for how many days; 0 for ever."""
    limits_requested = Signal()
    """How many calls are kept is to be changed."""

    def __init__(self, theme: Theme, kind: Kind) -> None:
        super().__init__()
        self.kind = kind
        self._usage: KindUsage | None = None
        self._aged, self._bound = 0, kind.bound
        self.title, self.bound = plain_label(""), plain_label("", "muted", "small")
        self.amount, self.since = _figure(_FIGURE_WIDTH), _figure(_DAY_WIDTH)
        self.keep = QComboBox() if kind.keep is not None else None
        self.limits = QPushButton() if kind is CALLS else None
        self.open, self.delete = QToolButton(), QPushButton() if kind.loss else None
        style(self.open, "flat")
        set_icon(theme, self.open, "folder", "muted")
        self.open.setFixedWidth(_OPEN_WIDTH)
        self._lay_out()
        title = spoken(self.kind.title)
        self.title.setText(title)
        self.open.setToolTip(self.tr("Open folder"))
        self.open.setAccessibleName(self.tr("Open the folder of: {kind}").format(kind=title))
        if self.delete is not None:
            self.delete.setText(self.tr("Delete…"))
            self.delete.setAccessibleName(self.tr("Delete: {kind}…").format(kind=title))
        if self.limits is not None:
            self.limits.setText(self.tr("Change limits…"))
        if self.keep is not None:
            self.keep.setAccessibleName(self.tr("Keep for: {kind}").format(kind=title))
            for index in range(self.keep.count()):
                self.keep.setItemText(index, self._days_label(self.keep.itemData(index)))
        self._show_words()

    def show_usage(self, usage: KindUsage, bound: str, days: int | None, aged: int) -> None:
        """Show what there is, how much and how long it is kept, and how much went for its age."""
        self._usage, self._bound, self._aged = usage, bound, aged
        there = bool(usage.files or usage.size)
        self.amount.setText(format_size(usage.size) if there else "–")
        day = time.strftime("%Y-%m-%d", time.localtime(usage.since)) if usage.since else "–"
        self.since.setText(day)
        if self.delete is not None:
            if not there and self.delete.hasFocus():  # Qt would move it to any other control
                self.open.setFocus(Qt.FocusReason.OtherFocusReason)
            self.delete.setEnabled(there)
        if self.keep is not None and days is not None:
            self._choose(self.keep, days)
        self._show_words()

    def _show_words(self) -> None:
        parts = [spoken(self._bound)]
        if self._usage is not None and self._usage.files:
            count = self._usage.files
            parts.append(counted(count, self.tr("1 file now"), self.tr("{count} files now")))
        if self._aged:
            one, many = self.tr("1 removed for its age"), self.tr("{count} removed for their age")
            parts.append(counted(self._aged, one, many))
        self.bound.setText(SEPARATOR.join(parts))
        facts = (self.title.text(), self.amount.text(), self.since.text(), self.bound.text())
        self.setAccessibleName(SEPARATOR.join(facts))

    def _choose(self, keep: QComboBox, days: int) -> None:
        """Select a number of days; one that the file says and the list has not is added."""
        with QSignalBlocker(keep):
            if keep.findData(days) < 0:
                keep.addItem(self._days_label(days), days)
            keep.setCurrentIndex(keep.findData(days))

    def _days_label(self, days: int) -> str:
        if days == _FOR_EVER:
            return self.tr("For ever")
        return counted(days, self.tr("1 day"), self.tr("{count} days"))

    def _lay_out(self) -> None:
        words = InnerColumn(self.title, self.bound, spacing=0)
        row = _table_row(self, words, self.amount, self.since)
        row.addWidget(self._keep_choice())
        row.addWidget(self.open)
        row.addWidget(self._delete_button())

    def _keep_choice(self) -> QWidget:
        keep = self.keep
        if self.limits is not None:
            style(self.limits, "link")
            self.limits.setFixedWidth(_KEEP_WIDTH)
            self.limits.clicked.connect(lambda: self.limits_requested.emit())
            return self.limits
        if keep is None:
            return _gap(_KEEP_WIDTH)
        for days in _DAYS:
            keep.addItem("", days)
        keep.setFixedWidth(_KEEP_WIDTH)
        require_focus_for_wheel(keep)
        guard_focus(keep)
        keep.activated.connect(lambda: self.keep_requested.emit(self.kind, keep.currentData()))
        return keep

    def _delete_button(self) -> QWidget:
        if self.delete is None:
            return _gap(_DELETE_WIDTH)
        style(self.delete, "link")
        self.delete.setFixedWidth(_DELETE_WIDTH)
        self.delete.setEnabled(False)
        guard_focus(self.delete)
        self.delete.clicked.connect(lambda: self.delete_requested.emit(self.kind))
        return self.delete


class StorageSection(SectionCard):
    """What the data folder holds in all, a row for each kind, and what became of a delete."""

    measured = Signal()
    """What was found is on the screen."""

    def __init__(self, theme: Theme, storage: Storage, store: ConfigStore) -> None:
        super().__init__()
        self._theme, self._storage, self._store = theme, storage, store
        self._usage: FolderUsage | None = None
        self._is_measuring = self._is_stale = False
        self.note, self.message = plain_label("", "muted"), plain_label("", "small")
        self.message.hide()
        self._heads = tuple(QLabel() for _ in range(3))
        self.rows: dict[str, StorageRow] = {}
        """By the keys of the kinds; made with the first result."""
        self._lay_out()
        self.set_title(self.tr("Storage"))
        for head, words in zip(
            self._heads, (self.tr("Size"), self.tr("Since"), self.tr("Keep for")), strict=True
        ):
            head.setText(words)
        self._show_note()
        bridge.connect(self, storage.changed, self.look)
        bridge.connect(self, store.changed, self._show_usage)

    def look(self) -> None:
        """Measure, in a thread; what is asked for meanwhile is measured after it."""
        self._is_stale = True
        if not self._is_measuring and self.isVisible():
            task = bridge.run(self, self._look(), self.tr("Reading the sizes"))
            self._is_measuring = task is not None

    def ask_to_delete(self, kind: Kind) -> QuestionDialog:
        """Ask, and only then delete all of a kind."""
        usage = self._usage.kinds[kind.key] if self._usage is not None else None
        parts = [spoken(kind.loss), self.tr("This cannot be undone.")]
        if usage is not None:
            words = counted(usage.files, self.tr("1 file"), self.tr("{count} files"))
            parts.insert(1, f"{words}, {format_size(usage.size)}.")
        dialog = QuestionDialog(
            self,
            self.tr("Delete “{kind}”?").format(kind=spoken(kind.title)),
            " ".join(parts),
            self.tr("Delete"),
        )
        dialog.setWindowTitle(self.tr("Delete files"))
        dialog.accepted.connect(bridge.if_alive(self, lambda section: section._delete(kind)))
        dialog.open()
        return dialog

    def ask_to_keep(self, kind: Kind, days: int) -> QuestionDialog | None:
        """Keep a kind for so many days; asks where something is older than that now."""
        assert kind.keep is not None  # noqa: S101 - a row without one has no choice of days
        keep = self._storage.keep.changed(**{kind.keep: days})
        old = self._storage.surplus(self._usage.kinds[kind.key], keep) if self._usage else []
        if not days or not old:
            self._save(keep=keep)
            return None
        one = self.tr("1 is older, {size}, and goes now. This cannot be undone.")
        many = self.tr("{count} are older, {size}, and go now. This cannot be undone.")
        size = format_size(sum(item.size for item in old))
        kept = counted(days, self.tr("1 day"), self.tr("{count} days"))
        question = self.tr("Keep “{kind}” for {days}?")
        dialog = QuestionDialog(
            self,
            question.format(kind=spoken(kind.title), days=kept),
            counted(len(old), one, many, size=size),
            self.tr("Delete older ones"),
        )
        dialog.setWindowTitle(self.tr("Delete files"))
        dialog.accepted.connect(bridge.if_alive(self, lambda section: section._save(keep=keep)))
        dialog.rejected.connect(self._show_usage)
        dialog.open()
        return dialog

    def ask_for_limits(self) -> LimitsDialog:
        """Ask how many calls are kept, and save it."""
        dialog = LimitsDialog(self, self._storage, self._store.settings.history)
        dialog.changed.connect(bridge.if_alive(self, StorageSection._save_limits))
        dialog.open()
        return dialog

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    async def _look(self) -> None:
        try:
            while self._is_stale:
                self._is_stale = False
                self._usage = await self._storage.look()
                for kind in KINDS:
                    if kind.key not in self.rows:
                        self._add_row(kind)
                        await asyncio.sleep(0)  # together they would block for 60 ms
        finally:
            self._is_measuring = False
        self._show_usage()
        self.measured.emit()

    def _add_row(self, kind: Kind) -> None:
        row = self.rows[kind.key] = StorageRow(self._theme, kind)
        row.open.clicked.connect(partial(self._open, kind))
        row.delete_requested.connect(self.ask_to_delete)
        row.keep_requested.connect(self.ask_to_keep)
        row.limits_requested.connect(self.ask_for_limits)
        self._show_row(row)
        self.add(row)

    def _show_usage(self) -> None:
        for row in self.rows.values():
            self._show_row(row)
        self._show_note()

    def _show_row(self, row: StorageRow) -> None:
        if self._usage is not None:
            kind = row.kind
            days = None if kind.keep is None else getattr(self._storage.keep, kind.keep)
            aged = self._storage.aged.get(kind.key)
            usage, bound = self._usage.kinds[kind.key], self._storage.bound(kind)
            row.show_usage(usage, bound, days, aged.count if aged is not None else 0)

    def _show_note(self) -> None:
        usage = self._usage
        if usage is None:
            self.note.setText(self.tr("Reading the sizes…"))
        elif not usage.files:
            self.note.setText(
                self.tr("Nothing is stored yet. Calls, chats and logs are counted here.")
            )
        else:
            files = counted(usage.files, self.tr("1 file"), self.tr("{count} files"))
            total = self.tr("{size} in all, in {files}.").format(
                size=format_size(usage.size), files=files
            )
            more = "" if usage.is_complete else self.tr("There are more files than were counted.")
            self.note.setText(f"{total} {more}".strip())

    def _open(self, kind: Kind) -> None:
        open_folder(self._storage.folder(kind))

    def _delete(self, kind: Kind) -> None:
        bridge.run(self, self._delete_and_tell(kind), self.tr("Deleting files"))

    async def _delete_and_tell(self, kind: Kind) -> None:
        self._say(self.tr("Deleting…"), "muted")
        self._tell(kind, await self._storage.delete(kind))

    def _tell(self, kind: Kind, removal: Deleted) -> None:
        if kind is CALLS:
            one, many = (
                self.tr("Deleted 1 call, {size}."),
                self.tr("Deleted {count} calls, {size}."),
            )
        else:
            one, many = (
                self.tr("Deleted 1 file, {size}."),
                self.tr("Deleted {count} files, {size}."),
            )
        said = [counted(removal.count, one, many, size=format_size(removal.size))]
        said += map(spoken, removal.problems)
        if (more := removal.failed - len(removal.problems)) > 0:
            said.append(
                counted(
                    more,
                    self.tr("1 more could not be deleted."),
                    self.tr("{count} more could not be deleted."),
                )
            )
        self._say("\n".join(said)[:_MAX_WORDS], "danger" if removal.failed else "success")

    def _save_limits(self, limits: HistorySettings) -> None:
        self._save(history=limits)

    def _save(self, **changes: object) -> None:
        try:
            self._store.update_settings(**changes)
        except ConfigError as error:
            self._say(spoken(str(error))[:_MAX_WORDS], "danger")
        self._show_usage()

    def _say(self, words: str, tone: Role) -> None:
        self.message.setText(words)
        style(self.message, tone, "small")
        self.message.show()

    def _lay_out(self) -> None:
        size, since, keep = self._heads
        for head, width in ((size, _FIGURE_WIDTH), (since, _DAY_WIDTH), (keep, _KEEP_WIDTH)):
            style(head, "muted", "small")
            head.setFixedWidth(width)
        for head in (size, since):
            head.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        words = InnerColumn(self.note, self.message, spacing=1)
        top = QFrame()
        row = _table_row(top, words, size, since)
        row.addWidget(keep)
        row.addWidget(_gap(_OPEN_WIDTH))
        row.addWidget(_gap(_DELETE_WIDTH))
        self.add(top)


def _table_row(frame: QFrame, words: InnerColumn, *figures: QWidget) -> QHBoxLayout:
    """The beginning of a row, with the widths that all rows share."""
    return in_row(frame, (words, 1), *figures, spacing=3)


def _gap(width: int) -> QWidget:
    gap = QWidget()
    gap.setFixedWidth(width)
    return gap


def _figure(width: int) -> QLabel:
    label = QLabel("–")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setFixedWidth(width)
    return label


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
        self.days = _number(*_DAY_BOUNDS, now.days)
        self.days.setSpecialValueText(self.tr("For ever"))
        self.days.setSuffix(self.tr(" days"))
        self.meaning = plain_label("")
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
        form = FieldRows()
        form.add(self.tr("Calls"), self.calls)
        form.add(self.tr("Size"), self.megabytes)
        form.add(self.tr("Age"), self.days)
        in_column(
            self, question, words, form, self.meaning, self._box, margins=(5, 5, 5, 4), spacing=3
        )
        self.setFixedWidth(_WIDTH)


def _number(least: int, most: int, step: int, value: int) -> QSpinBox:
    field = QSpinBox()
    inset(field)
    field.setRange(least, most)
    field.setSingleStep(step)
    field.setGroupSeparatorShown(True)
    field.setValue(value)
    field.setFixedWidth(_FIELD_WIDTH)
    require_focus_for_wheel(field)
    return field
