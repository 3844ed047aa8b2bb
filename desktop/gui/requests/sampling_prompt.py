"""The conversation that a server wants a model to go on with: all in sight, its texts editable.

Texts beyond the limits are shown and sent as they came. Must not ask a model.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.results.image import ImageCard
from desktop.gui.theme import space
from desktop.gui.translations import counted
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import GrowingTextEditor
from desktop.servers.requests import MAX_TOKENS, ToolOutcome, ToolUse
from desktop.values.tool_types import Content

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

    from desktop.servers.requests import SamplingBlock, SamplingMessage, SamplingRequest

MAX_EDITORS: Final = 30
"""Texts of a conversation that can be edited, the last ones; each is a widget."""
MAX_EDITED_LENGTH: Final = 50_000
"""Characters of a text that can be edited."""
_MAX_OTHERS_LENGTH: Final = 20_000
_MAX_NAMES: Final = 20


class SamplingPrompt(QWidget):
    """Shows one request; `request()` is what the person made of it."""

    def __init__(self, request: SamplingRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given = request
        self._editors: dict[tuple[int, int], GrowingTextEditor] = {}
        self._begun: dict[tuple[int, int], str] = {}  # an editor knows one kind of line end
        self._roles: list[tuple[QLabel, str]] = []
        self.system = _editor(request.system)
        self.system_label = plain_label(self.tr("System prompt"), "small", "muted")
        self.tokens = QLineEdit(str(request.max_tokens))
        self.tokens.setMaximumWidth(space(30))
        self.about = plain_label("", "small", "muted")
        self.unedited = plain_label(
            self.tr("Earlier messages, sent as they are:"), "small", "muted"
        )
        self.tokens_label = plain_label(self.tr("Maximum tokens"), "small")
        self._column = in_column(self, margins=(0, 0, 2, 0))
        self._lay_out()
        self.system.setAccessibleName(self.tr("System prompt"))
        for label, role in self._roles:
            label.setText(self.tr("User") if role == "user" else self.tr("Model"))
        for editor in self._editors.values():
            editor.setAccessibleName(self.tr("Text of a message"))
        self.tokens.setAccessibleName(self.tokens_label.text())
        self.about.setText("\n".join(self._about()))
        self.about.setVisible(bool(self.about.text()))

    def request(self) -> SamplingRequest | None:
        """The conversation as it is here; None where the limit cannot be read."""
        try:
            tokens = int(self.tokens.text())
        except ValueError:
            return None
        if not 1 <= tokens <= MAX_TOKENS:
            return None
        has_system = self._is_editable(self._given.system)
        return replace(
            self._given,
            messages=tuple(
                replace(message, blocks=self._blocks(at, message))
                for at, message in enumerate(self._given.messages)
            ),
            system=self.system.exact_text() if has_system else self._given.system,
            max_tokens=tokens,
        )

    def _blocks(self, at: int, message: SamplingMessage) -> tuple[SamplingBlock, ...]:
        edited: list[SamplingBlock] = []
        for place, block in enumerate(message.blocks):
            editor = self._editors.get((at, place))
            if editor is not None and isinstance(block, Content):
                is_same = editor.exact_text() == self._begun[at, place]
                block = block if is_same else replace(block, text=editor.exact_text())
            edited.append(block)
        return tuple(edited)

    def _lay_out(self) -> None:
        self._column.addWidget(self.system_label)
        self._column.addWidget(self.system)
        is_long = not self._is_editable(self._given.system)
        self.system.setReadOnly(is_long)
        for widget in (self.system_label, self.system):
            widget.setVisible(bool(self._given.system))
        blocks = [
            (at, place, message.role, block)
            for at, message in enumerate(self._given.messages)
            for place, block in enumerate(message.blocks)
        ]
        before = blocks[:-MAX_EDITORS]
        self.unedited.setVisible(bool(before))
        self._column.addWidget(self.unedited)
        if before:
            lines = [f"[{role}] {block_text(block)}" for _, _, role, block in before]
            self._add_text(mark_hidden_text("\n".join(lines)[:_MAX_OTHERS_LENGTH]))
        for at, place, role, block in blocks[-MAX_EDITORS:]:
            label = plain_label("", "small", "muted")
            self._roles.append((label, role))
            self._column.addWidget(label)
            self._add_block(at, place, block)
        in_row(self._column, self.tokens_label, self.tokens, STRETCH, spacing=3)
        self._column.addWidget(self.about)

    def _add_block(self, at: int, place: int, block: SamplingBlock) -> None:
        is_text = isinstance(block, Content) and block.kind == "text"
        if is_text and self._is_editable(block_text(block)):
            editor = self._editors[at, place] = _editor(block_text(block))
            self._begun[at, place] = editor.exact_text()
            self._column.addWidget(editor)
        elif isinstance(block, Content) and block.kind == "image":
            self._column.addWidget(ImageCard(block))
        else:
            self._add_text(mark_hidden_text(block_text(block)[:_MAX_OTHERS_LENGTH]))

    def _add_text(self, text: str) -> None:
        shown = _editor(text)
        shown.setReadOnly(True)
        self._column.addWidget(shown)

    def _is_editable(self, text: str) -> bool:
        return len(text) <= MAX_EDITED_LENGTH

    def _about(self) -> list[str]:
        """What else the server wants."""
        given, found = self._given, list[str]()
        if given.hints:
            words = self.tr("Preferred models: {names}")
            found.append(words.format(names=_names(given.hints)))
        if given.tools:
            words = self.tr("The model may request tools that the server runs itself: {names}")
            found.append(words.format(names=_names([tool.name for tool in given.tools])))
        if given.temperature is not None:
            words = self.tr("It requests a temperature of {value}, which is not passed on.")
            found.append(words.format(value=given.temperature))
        if given.stop_sequences:
            words = self.tr("Stop sequences: {names}")
            found.append(words.format(names=_names(given.stop_sequences)))
        if given.context != "none":
            found.append(
                self.tr("It also requests context from other servers, which is not shared.")
            )
        texts = [given.system]
        texts += [block_text(block) for message in given.messages for block in message.blocks]
        if any(mark_hidden_text(text) != text for text in texts):
            found.append(self.tr("The texts contain invisible characters."))
        one, many = self.tr("1 character in total"), self.tr("{count} characters in total")
        return [*found, counted(sum(map(len, texts)), one, many)]


def block_text(block: SamplingBlock) -> str:
    """A part of a message as it is read; its text alone, where it is one."""
    match block:
        case ToolUse():
            return f"{block.name} {json.dumps(dict(block.arguments), ensure_ascii=False)}"
        case ToolOutcome():
            return "\n".join(map(block_text, block.content))
        case Content(kind="text"):
            return block.text
        case Content():
            return f"[{block.kind}: {block.mime}, {len(block.data):,} B]"


def _names(names: tuple[str, ...] | list[str]) -> str:
    shown = ", ".join(mark_hidden(name)[:100] for name in names[:_MAX_NAMES])
    return shown if len(names) <= _MAX_NAMES else f"{shown}, …"


def _editor(text: str) -> GrowingTextEditor:
    editor = GrowingTextEditor(2)
    editor.setPlainText(text)
    return editor
