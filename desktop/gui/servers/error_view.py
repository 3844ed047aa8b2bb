"""Why a server failed: the first line that matters, what to do with buttons for it, its last words.

Shows one failure; every step is requested from the page. All text of servers is plain and bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from desktop.gui.layouts import STRETCH, TOP, InnerColumn, in_column, in_row
from desktop.gui.servers import labels
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.visibility import discard
from desktop.servers.state import Problem

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop.base.errors import NextStep
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection

_MAX_HEIGHT = space(40)
_MAX_SHOWN_LENGTH = 6000
_MAX_HEADLINE = 400


class NextStepsRow(QWidget):
    """A button for each step; the same steps keep their buttons, and with them the focus."""

    step_requested = Signal(object)
    """The `NextStep` whose button was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[NextStep, QPushButton] = {}
        self._is_remote = False
        self._row = in_row(self, STRETCH, margins=(0, 1, 0, 1))

    def show_steps(self, steps: tuple[NextStep, ...], *, is_remote: bool) -> None:
        self._is_remote = is_remote
        if steps != tuple(self.buttons):
            for button in self.buttons.values():
                discard(button)
            self.buttons = {step: self._button(step) for step in steps}
        self.setVisible(bool(steps))
        self._set_texts()

    def _set_texts(self) -> None:
        for step, button in self.buttons.items():
            button.setText(self._label(step).replace("&", "&&"))

    def _button(self, step: NextStep) -> QPushButton:
        button = QPushButton(self)
        button.clicked.connect(lambda: self.step_requested.emit(step))
        guard_focus(button)
        self._row.insertWidget(self._row.count() - 1, button)
        button.show()
        return button

    def _label(self, step: NextStep) -> str:
        match step.kind:
            case "use_command":
                return self.tr("Use “{command}”").format(command=step.subject)
            case "take_apart":
                return self.tr("Split it into command and arguments")
            case "use_url":
                return self.tr("Connect to it as a URL")
            case "install":
                return self.tr("Install {product}…").format(product=step.subject)
            case "set_variable" | "keep_secret":
                return self.tr("Set {name}…").format(name=step.subject)
            case "edit" if self._is_remote:
                return self.tr("Edit address…")
            case "edit":
                return self.tr("Edit command…")


class ErrorView(QFrame):
    """A banner: headline, remedy, buttons, and below them what may be long, up to a height."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        style(self, "banner", "danger")
        self._sign = QLabel()
        set_icon(theme, self._sign, "error", "danger")
        self.headline, self.remedy, self.more = _label(), _label(), _label()
        style(self.headline, "heading")
        style(self.more, "mono", "small")
        self.steps = NextStepsRow()
        self._scroll = QScrollArea()
        self._lay_out()

    @property
    def text(self) -> str:
        """All that is said, from top to bottom."""
        labels = (self.headline, self.remedy, self.more)
        return "\n".join(label.text() for label in labels if label.text())

    def show_failure(self, connection: ServerConnection | None) -> None:
        """Show why it failed or is away; nothing where there is no connection or no error."""
        if connection is None or not connection.state.error:
            self.hide()
            return
        state = connection.state
        problem = state.problem or Problem(state.error)
        line, rest = labels.split_error(spoken(problem.headline))
        is_cut = len(line) > _MAX_HEADLINE
        more = "\n".join(part for part in (line if is_cut else "", rest, problem.output) if part)
        self._show(
            f"{line[:_MAX_HEADLINE]}…" if is_cut else line,
            self._sign_in() if state.challenge is not None else spoken(problem.remedy),
            more if len(more) <= _MAX_SHOWN_LENGTH else f"{more[:_MAX_SHOWN_LENGTH]}…",
        )
        is_editable = connection.config.source == "file"
        steps = tuple(step for step in problem.steps if is_editable or step.kind in _ANYWHERE)
        self.steps.show_steps(steps, is_remote=connection.is_remote)
        self.show()

    def _sign_in(self) -> str:
        """The button is below; a person at a terminal is told its command."""
        return self.tr("Press Sign in… below, or add a token to its headers.")

    def _show(self, headline: str, remedy: str, more: str) -> None:
        if (headline, remedy, more) == (
            self.headline.text(),
            self.remedy.text(),
            self.more.text(),
        ):
            return
        for label, text in ((self.headline, headline), (self.remedy, remedy), (self.more, more)):
            label.setText(text)
            label.setAccessibleName(text)
            label.setVisible(bool(text))
        self._scroll.setVisible(bool(more))
        self._scroll.verticalScrollBar().setValue(0)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self._sign.sizeHint().width() - 3 * space(3)
        needed = max(self.more.heightForWidth(max(room, space(10))), space(4))
        self._scroll.setFixedHeight(min(needed, _MAX_HEIGHT, max(self.window().height() // 4, 1)))

    def _lay_out(self) -> None:
        inner = QFrame()
        style(inner)
        in_column(inner, self.more)
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        words = InnerColumn(self.headline, self.remedy, self.steps, self._scroll, spacing=1)
        in_row(self, (self._sign, TOP), (words, 1), margins=3, spacing=3)


_ANYWHERE = ("install", "keep_secret")
"""Steps that do not change the server's entry in the file."""


def _label() -> QLabel:
    label = QLabel()
    flags = Qt.TextInteractionFlag
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    return label
