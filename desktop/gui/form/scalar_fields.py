"""Fields of one line or one text: text, number, secret, date and time, path.

What is typed is kept as typed: only a key or a click of the person changes it. A path is not
checked against this machine, because the server may run elsewhere or create it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import (
    QCalendarWidget,
    QFileDialog,
    QFrame,
    QLineEdit,
    QToolButton,
    QWidget,
)

from desktop.gui.form.descriptions import placeholder_text
from desktop.gui.form.field import Field, FormContext, mark_invalid
from desktop.gui.layouts import in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.text_editors import GrowingTextEditor

if TYPE_CHECKING:
    from desktop.gui.form.model.nodes import ScalarNode
    from desktop.gui.theme import Theme


class TextField(Field):
    """Text of one or more lines."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        is_long = node.spec.is_long or "\n" in node.text
        self._editor = GrowingTextEditor(3 if is_long else 1)
        self._editor.setPlaceholderText(placeholder_text(node.spec))
        self._editor.setPlainText(node.text)
        self._editor.textChanged.connect(self._type)
        in_row(self).addWidget(self._editor)

    def load(self) -> None:
        self._editor.blockSignals(True)
        self._editor.setPlainText(self.node.text)
        self._editor.blockSignals(False)

    def target(self) -> QWidget:
        return self._editor

    def show_limits(self, limits: str) -> bool:
        self._editor.setPlaceholderText(_hint(placeholder_text(self.node.spec), limits))
        return True

    def show_invalid(self, is_invalid: bool) -> None:
        mark_invalid(self._editor, is_invalid)

    def _type(self) -> None:
        self.node.type_text(self._editor.exact_text())
        self.edited.emit()


class LineField(Field):
    """A line of text, or a number of any size, or whatever was typed in its place."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.editor = QLineEdit(node.text)
        self._hint = placeholder_text(node.spec)
        self.editor.setPlaceholderText(self._hint)
        self.editor.textEdited.connect(self._type)
        self.row = in_row(self)
        self.row.addWidget(self.editor)

    def load(self) -> None:
        self.editor.setText(self.node.text)

    def target(self) -> QWidget:
        return self.editor

    def show_limits(self, limits: str) -> bool:
        self.editor.setPlaceholderText(_hint(self._hint, limits))
        return True

    def show_invalid(self, is_invalid: bool) -> None:
        mark_invalid(self.editor, is_invalid)

    def insert(self, text: str) -> None:
        """Put a text that a person picked in the place of what is there."""
        self.editor.setText(text)
        self._type(text)
        self.editor.setFocus()

    def _type(self, text: str) -> None:
        self.node.type_text(text)
        self.edited.emit()


class NumberField(LineField):
    """A number; a line rather than a spin box, which ends at 32 bits."""


class SecretField(LineField):
    """Text that is not shown unless asked for."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.editor.setEchoMode(QLineEdit.EchoMode.Password)
        self._toggle = QToolButton()
        self._toggle.setCheckable(True)
        self._toggle.setToolTip(self.tr("Show the text"))
        self._toggle.setAccessibleName(self.tr("Show the text"))
        set_icon(context.theme, self._toggle, "eye", "muted", on="accent")
        self._toggle.toggled.connect(self._show_text)
        self.row.addWidget(self._toggle)

    def _show_text(self, is_shown: bool) -> None:
        mode = QLineEdit.EchoMode
        self.editor.setEchoMode(mode.Normal if is_shown else mode.Password)


def _hint(words: str, limits: str) -> str:
    """What stands in an empty field, and its limits."""
    return " · ".join(filter(None, (words, limits)))


_MIDNIGHT = "T00:00:00Z"
_DAY = 10
"""Characters of `2026-11-20`."""


class DateTimeField(LineField):
    """What RFC 3339 calls `full-date`, `full-time` or `date-time`."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._form = str(node.spec.schema.get("format"))
        self._popup: CalendarPopup | None = None
        if not self._hint:
            patterns = {"date": "YYYY-MM-DD", "time": "hh:mm:ssZ"}
            self._hint = patterns.get(self._form, "YYYY-MM-DDThh:mm:ssZ")
            self.editor.setPlaceholderText(self._hint)
        self.pick_button = self._button("calendar", self.tr("Pick a date"))
        self.pick_button.clicked.connect(self._open)
        self.pick_button.setHidden(self._form == "time")
        words = (
            self.tr("Insert today") if self._form == "date" else self.tr("Insert the current time")
        )
        self.now_button = self._button("clock", words)
        self.now_button.clicked.connect(lambda: self.insert(now(self._form)))

    def _button(self, icon: str, words: str) -> QToolButton:
        button = QToolButton()
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setToolTip(words)
        button.setAccessibleName(words)
        set_icon(self.context.theme, button, icon, "muted")
        self.row.addWidget(button)
        return button

    def _open(self) -> None:
        self._popup = CalendarPopup(self)
        self._popup.show_at(self.node.text)

    def take_day(self, day: str) -> None:
        """Put a day in the place of the one there; the time stays, the start of the day if none."""
        if self._form == "date":
            self.insert(day)
            return
        is_dated = QDate.fromString(self.node.text[:_DAY], Qt.DateFormat.ISODate).isValid()
        rest = self.node.text[_DAY:] if is_dated else ""
        self.insert(day + (rest or _MIDNIGHT))


class CalendarPopup(QFrame):
    """A calendar below the line; a click or Enter takes the day, Escape leaves."""

    def __init__(self, field: DateTimeField) -> None:
        super().__init__(field, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        style(self, "card")
        self._field = field
        self.calendar = QCalendarWidget()
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.calendar.setAccessibleName(self.tr("Calendar"))
        self._calm_down(field.context.theme)
        self.calendar.setMinimumWidth(space(80))
        self.calendar.clicked.connect(self._take)
        self.calendar.activated.connect(self._take)
        in_column(self, self.calendar, margins=1)

    def _calm_down(self, theme: Theme) -> None:
        """Qt paints the days of the weekend red and has arrows of its own."""
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.calendar.setWeekdayTextFormat(day, QTextCharFormat())
        arrows = {"qt_calendar_prevmonth": "chevron-left", "qt_calendar_nextmonth": "chevron-right"}
        for button in self.calendar.findChildren(QToolButton):
            style(button, "flat")
            if button.objectName() in arrows:
                set_icon(theme, button, arrows[button.objectName()], "muted")

    def show_at(self, text: str) -> None:
        """Open below the field, on the day that its text begins with or on today."""
        day = QDate.fromString(text[:_DAY], Qt.DateFormat.ISODate)
        self.calendar.setSelectedDate(day if day.isValid() else QDate.currentDate())
        below = self._field.editor.rect().bottomLeft()
        self.move(self._field.editor.mapToGlobal(below))
        self.show()
        self.calendar.setFocus()

    def _take(self, day: QDate) -> None:
        self._field.take_day(day.toString(Qt.DateFormat.ISODate))
        self.close()


def now(form: str) -> str:
    """This moment in the format asked for, with the offset of here."""
    moment = QDateTime.currentDateTime()
    moment = moment.toOffsetFromUtc(moment.offsetFromUtc())
    text = moment.toString(Qt.DateFormat.ISODate)
    if form == "date":
        return text[:_DAY]
    return text[_DAY + 1 :] if form == "time" else text


class PathField(LineField):
    """The button inserts a path; nothing is read."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._is_folder = node.spec.path_of == "folder"
        words = self.tr("Choose a folder") if self._is_folder else self.tr("Choose a file")
        self.pick_button = QToolButton()
        self.pick_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pick_button.setToolTip(words)
        self.pick_button.setAccessibleName(words)
        set_icon(context.theme, self.pick_button, "folder", "muted")
        self.pick_button.clicked.connect(self._pick)
        self.row.addWidget(self.pick_button)

    def _pick(self) -> None:
        picker = QFileDialog(self, self.pick_button.toolTip(), self.node.text)
        mode = QFileDialog.FileMode
        # A file that is still to be written can be named too.
        picker.setFileMode(mode.Directory if self._is_folder else mode.AnyFile)
        picker.fileSelected.connect(self.insert)
        picker.finished.connect(picker.deleteLater)
        picker.open()
