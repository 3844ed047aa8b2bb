"""What a person should know of one server before it is imported: differences, warnings, reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout

from desktop.gui.importing import words
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.imports.plan import EntryDifference, PlannedServer
    from desktop.gui.theme import Theme

    Tone = Literal["danger", "warning", "muted", "success"]

_MOST = 40
_ICONS = {"danger": "error", "warning": "warning", "muted": "info", "success": "check"}


class ServerNotes(QScrollArea):
    """A line each with a sign; says so where there is nothing to say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: PlannedServer | None = None
        self._lines: list[str] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fill()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is said, top to bottom."""
        return tuple(self._lines)

    def show_server(self, one: PlannedServer | None) -> None:
        self._shown = one
        self._fill()

    def _fill(self) -> None:
        content = QFrame()
        style(content)
        column = QVBoxLayout(content)
        column.setContentsMargins(space(1), space(2), space(2), space(2))
        column.setSpacing(space(2))
        self._lines = []
        for tone, text in list(self._texts())[:_MOST]:
            self._lines.append(text)
            column.addLayout(self._line(tone, text))
        column.addStretch(1)
        self.setWidget(content)
        self.setAccessibleName("\n".join(self._lines))

    def _texts(self) -> Iterator[tuple[Tone, str]]:
        one = self._shown
        if one is None:
            return
        if one.reason:
            yield "danger", spoken(one.reason)
        if one.scope:
            said = self.tr("It belongs to the project {folder} in the other app.")
            yield "muted", said.format(folder=one.scope)
        if one.can_be_imported and one.target != one.name:
            yield "muted", self._renamed(one)
        for difference in one.differences:
            yield "warning", self._difference(difference)
        if one.status == "same":
            yield "muted", self.tr("Started or reached in the very same way: nothing to import.")
            return
        known = [finding for finding in one.findings if finding.kind != "renamed"]
        for finding in sorted(known, key=lambda found: not found.is_warning):
            yield ("warning" if finding.is_warning else "muted"), words.finding_words(finding)
        if one.status == "new" and not known:
            yield "success", self.tr("Nothing stands out.")

    def _renamed(self, one: PlannedServer) -> str:
        if any(finding.kind == "renamed" for finding in one.findings):
            said = self.tr("Its name cannot be used here; it becomes “{name}”.")
        else:
            said = self.tr("A server here has its name already; it becomes “{name}”.")
        return said.format(name=one.target)

    def _difference(self, one: EntryDifference) -> str:
        if one.is_secret:
            return self.tr("{place}: another secret value").format(place=one.place)
        nothing = self.tr("nothing")
        return self.tr("{place}: yours is {ours}, theirs {theirs}").format(
            place=one.place, ours=one.ours or nothing, theirs=one.theirs or nothing
        )

    def _line(self, tone: Tone, text: str) -> QHBoxLayout:
        sign, label = QLabel(), QLabel(text)
        set_icon(self._theme, sign, _ICONS[tone], tone)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        return row
