"""The errors of the configuration: the file's own first, then each entry that cannot be used.

Shows the store's messages; opening, reloading and editing are requested from the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from desktop.base.translatable import TranslatableText, join_texts
from desktop.gui.layouts import TOP, InnerColumn, in_column, in_row
from desktop.gui.theme import Role, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from desktop.base.errors import ConfigError
    from desktop.config.store import ConfigStore
    from desktop.gui.theme import ColorName, Theme
from desktop.gui.widgets.labels import plain_label, selectable_label

_MAX_CARDS = 20
"""Cards of bad entries; a file with more is wrong as a whole."""


class ProblemCard(QFrame):
    """One problem: what, where, what to do, and buttons for it."""

    def __init__(self, theme: Theme, title: str, text: str, *, is_severe: bool) -> None:
        super().__init__()
        tone: Role = "danger" if is_severe else "warning"
        color: ColorName = "danger" if is_severe else "warning"
        style(self, "banner", tone)
        self.setAccessibleName(f"{title}. {text}")
        sign, words = QLabel(), selectable_label(text)
        heading = plain_label(title, "heading", tone)
        set_icon(theme, sign, "error" if is_severe else "warning", color)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(space(2))
        self.buttons.addStretch(1)
        column = InnerColumn(heading, words, self.buttons, spacing=1)
        in_row(self, (sign, TOP), (column, 1), margins=(3, 3, 3, 2), spacing=3)

    def add_button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        self.buttons.addWidget(button)
        return button


class ConfigErrorsView(QFrame):
    """All problems of the moment, the file's own first; hidden while there is none."""

    reload_requested = Signal()
    open_file_requested = Signal()
    edit_requested = Signal(str)
    remove_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.cards: list[ProblemCard] = []
        self._shown = ""
        self._column = in_column(self, margins=(0, 0, 0, 3))
        self.hide()

    def show_problems(self, store: ConfigStore) -> None:
        """Show the problems of `store`; while they are the same, the cards keep the focus."""
        shown = (
            store.error,
            store.exposure,
            store.trust_problem,
            store.notices,
            tuple(store.problems.items()),
            tuple(store.remarks.items()),
        )
        if _fingerprint(shown) == self._shown:
            return
        self._shown = _fingerprint(shown)
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        if store.error is not None:
            self._add_broken_file(store.error, str(store.path))
        for notice in (store.exposure, store.trust_problem, *store.notices):
            if notice is not None:
                self._add(self.tr("Configuration"), spoken(str(notice)), is_severe=False)
        for name, problem in tuple(store.problems.items())[:_MAX_CARDS]:
            self._add_entry(name, problem, is_unusable=name not in store.servers)
        for name, remarks in tuple(store.remarks.items())[:_MAX_CARDS]:
            text = "\n".join(
                f"{(said := spoken(remark))[:1].upper()}{said[1:]}" for remark in remarks
            )
            self._add(self.tr("“{name}”").format(name=name), text, is_severe=False)
        self.setVisible(bool(self.cards))

    def _add_broken_file(self, error: ConfigError, path: str) -> None:
        text = spoken(join_texts("\n", str(error), "" if path in str(error) else path))
        if error.line is not None and f"line {error.line}" not in str(error):
            place = self.tr("Line {line}, column {column}")
            text = f"{place.format(line=error.line, column=error.column or 1)}: {text}"
        card = self._add(self.tr("The configuration cannot be read"), text, is_severe=True)
        card.add_button(self.tr("Open file")).clicked.connect(self.open_file_requested)
        card.add_button(self.tr("Reload")).clicked.connect(self.reload_requested)

    def _add_entry(self, name: str, problem: ConfigError, *, is_unusable: bool) -> None:
        title = self.tr("“{name}” cannot be used") if is_unusable else self.tr("“{name}”")
        reason = problem.args[0]
        if isinstance(reason, TranslatableText):
            reason = reason.values.get("reason", reason)  # its name is the title
        text = spoken(join_texts("\n", str(reason), problem.remedy))
        text = f"{text[:1].upper()}{text[1:]}"
        if problem.line is not None and "line" not in str(problem):
            text = self.tr("Line {line}: {text}").format(line=problem.line, text=text)
        card = self._add(title.format(name=name), text, is_severe=is_unusable)
        if is_unusable:
            edit, remove = card.add_button(self.tr("Edit…")), card.add_button(self.tr("Remove…"))
            edit.clicked.connect(lambda: self.edit_requested.emit(name))
            remove.clicked.connect(lambda: self.remove_requested.emit(name))

    def _add(self, title: str, text: str, *, is_severe: bool) -> ProblemCard:
        card = ProblemCard(self._theme, title, text, is_severe=is_severe)
        self.cards.append(card)
        self._column.addWidget(card)
        return card


def _fingerprint(shown: tuple[object, ...]) -> str:
    """Errors compare by identity; what they say is what is shown."""
    return repr(shown)
