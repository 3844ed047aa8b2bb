"""A date, a time of day or both: a line of text with a calendar and the time of now beside it.

The text is the value; nothing changes it but a key or a click of the person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QFrame, QToolButton, QVBoxLayout

from desktop.gui.form.scalar_fields import LineField
from desktop.gui.icons import set_icon
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.form.field import FormContext
    from desktop.gui.form.nodes import ScalarNode
    from desktop.gui.theme import Theme

_MIDNIGHT = "T00:00:00Z"
_DAY = 10
"""Characters of `2026-11-20`."""


class DateTimeField(LineField):
    """What RFC 3339 calls `full-date`, `full-time` or `date-time`."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._form = str(node.spec.schema.get("format"))
        self._popup: CalendarPopup | None = None
        self.editor.setMaximumWidth(space(80))
        if not self.editor.placeholderText():
            patterns = {"date": "YYYY-MM-DD", "time": "hh:mm:ssZ"}
            self.editor.setPlaceholderText(patterns.get(self._form, "YYYY-MM-DDThh:mm:ssZ"))
        self.pick_button = self._button("calendar", self.tr("Choose a day"))
        self.pick_button.clicked.connect(self._open)
        self.pick_button.setHidden(self._form == "time")
        words = self.tr("Insert today") if self._form == "date" else self.tr("Insert the time now")
        self.now_button = self._button("clock", words)
        self.now_button.clicked.connect(lambda: self.insert(now(self._form)))
        self.row.addStretch()

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
        column = QVBoxLayout(self)
        column.setContentsMargins(space(1), space(1), space(1), space(1))
        column.addWidget(self.calendar)

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
