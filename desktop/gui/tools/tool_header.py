"""The header of a tool: face, name, key, hints and description, all as plain text.

A long description starts collapsed to a few lines and expands in a bounded area.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.gui.layouts import LEFT, STRETCH, TOP, Gap, InnerColumn, InnerRow, in_column
from desktop.gui.theme import Theme, space, style
from desktop.gui.tools.tool_list_model import hints_of
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.server_faces import ServerFaces, set_face
from desktop.gui.widgets.text_editors import WrappedTextEditor

if TYPE_CHECKING:
    from desktop.gui.theme import Role
    from desktop.gui.tools.tool_list_model import Tone
    from desktop.values.tool_types import ToolDefinition

_LINES = 3
_CHARACTERS = 280
_MAX_COLLAPSED = 50_000
_UNFOLDED_HEIGHT = 45  # grid steps


class ExpandableText(QWidget):
    """The start of a text and, where there is more, a button for the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start = QLabel(self)
        self.start.setTextFormat(Qt.TextFormat.PlainText)
        self.start.setWordWrap(True)
        self.start.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.whole = WrappedTextEditor(self)
        self.whole.setReadOnly(True)
        self.whole.setFixedHeight(space(_UNFOLDED_HEIGHT))
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._unfold)
        style(self.whole, "well")
        style(self.toggle, "link")
        in_column(self, self.start, self.whole, (self.toggle, LEFT), spacing=0)

    def show_text(self, text: str) -> None:
        self.whole.setAccessibleName(self.tr("Description"))
        start = "\n".join(text[:_CHARACTERS].splitlines()[:_LINES])
        is_long = len(start) < len(text)
        self.start.setText(start + " …" if is_long else start)
        self.whole.setPlainText(text[:_MAX_COLLAPSED] if is_long else "")
        self.toggle.setVisible(is_long)
        self.setVisible(bool(text))
        self._unfold(self.toggle.isChecked() and is_long)

    def _unfold(self, unfolds: bool) -> None:
        self.start.setVisible(not unfolds)
        self.whole.setVisible(unfolds)
        self.toggle.setText(self.tr("Show less") if unfolds else self.tr("Show more"))


_MAX_LENGTH = 200


class ToolHeader(QWidget):
    """The definition in words; the hints are marked as the server's claims."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._full_key = ""
        self.face = QLabel(self)
        self.name = self._label("title")
        self.key = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.key.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        style(self.key, "mono", "muted")
        self.facts = self._label("muted", "small")
        self.problems = self._label("warning", "small")
        self.description = ExpandableText(self)
        self.more = QWidget(self)
        self._badges = QHBoxLayout()
        self._badges.setSpacing(space(1))
        self.copy_key = QToolButton(self)
        self.copy_key.clicked.connect(self._copy_key)
        style(self.copy_key, "flat")
        set_icon(theme, self.copy_key, "copy", "muted")
        self.star = QToolButton(self)
        self.star.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        style(self.star, "flat")
        self.show_favourite(False)
        self._lay_out()

    def show_tool(self, tool: ToolDefinition) -> None:
        self._full_key = tool.key
        ServerFaces.of(self._theme).learn_tool(tool.key, tool.icons)
        set_face(self._theme, self.face, tool.server, tool=tool.name, size=space(9))
        self.copy_key.setToolTip(self.tr("Copy the key"))
        self.copy_key.setAccessibleName(self.tr("Copy the key"))
        self.name.setText(mark_hidden(tool.label[:_MAX_LENGTH]))
        self.key.show_text(mark_hidden(tool.key[:_MAX_LENGTH]))
        self._show_badges(tool)
        facts = self._facts(tool)
        self.facts.setText(" · ".join(facts))
        self.facts.setVisible(bool(facts))
        self._show_problems(tool)
        self.description.show_text(mark_hidden_text(tool.description.strip()))

    def show_favourite(self, is_favourite: bool) -> None:
        """Show whether the tool is one of the person's favourites."""
        name, color = ("star-filled", "accent") if is_favourite else ("star", "muted")
        set_icon(self._theme, self.star, name, color)
        words = self.tr("Remove from favourites") if is_favourite else self.tr("Add to favourites")
        self.star.setAccessibleName(words)
        self.star.setToolTip(f"{words} (Ctrl+D)")

    def _show_problems(self, tool: ToolDefinition) -> None:
        """Say what of the declaration breaks the protocol: those parts are missing here."""
        problems = "; ".join(map(spoken, tool.problems))[:_MAX_LENGTH]
        words = self.tr("Invalid declaration: {problems}")
        self.problems.setText(words.format(problems=problems))
        self.problems.setVisible(bool(problems))

    def _lay_out(self) -> None:
        self.name.setWordWrap(True)
        self.facts.setWordWrap(True)
        self.problems.setWordWrap(True)
        second = InnerRow(self.key, self.copy_key, Gap(1), self._badges, STRETCH, spacing=1)
        lines = InnerColumn(self.name, second, spacing=1)
        top = InnerRow((self.face, TOP), (lines, 1), (self.star, TOP), spacing=3)
        in_column(self, top, self.problems, self.more, spacing=1)
        in_column(self.more, self.facts, self.description, spacing=1)

    def _show_badges(self, tool: ToolDefinition) -> None:
        while (item := self._badges.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            if (widget := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison]
                widget.deleteLater()
        for hint in hints_of(tool.annotations):
            badge = QLabel(hint.words, self)
            badge.setToolTip(self.tr("Claimed by the server, not verified"))
            style(badge, "badge", *_tones(hint.tone))
            self._badges.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)

        if not tool.is_for_models:
            badge = QLabel(self.tr("For apps only"), self)
            badge.setToolTip(
                self.tr("Only MCP Apps of the same server can call it; no model is offered it")
            )
            style(badge, "badge", "accent")
            self._badges.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)

    def _facts(self, tool: ToolDefinition) -> list[str]:
        told = tool.metadata
        facts = [
            (self.tr("MCP App: {value}"), tool.app_uri),
            (self.tr("Category: {value}"), tool.category),
            (self.tr("Version: {value}"), told.version),
            (self.tr("Author: {value}"), told.author),
            (self.tr("Tags: {value}"), ", ".join(told.tags[:20])),
        ]
        return [words.format(value=value[:_MAX_LENGTH]) for words, value in facts if value]

    def _copy_key(self) -> None:
        QGuiApplication.clipboard().setText(self._full_key)

    def _label(self, *roles: Role) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        style(label, *roles)
        return label


def _tones(tone: Tone) -> tuple[Role, ...]:
    return (tone,) if tone else ()
