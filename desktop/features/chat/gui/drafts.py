"""What the Chat page remembers from run to run: the last settings, and text not yet sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop.base.errors import DesktopError
from desktop.config.providers import find_effort
from desktop.features.chat.agent.session_info import Builtin, ChatSettings, SessionTerms
from desktop.features.chat.llm.tool_choice import ToolChoice

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

MAX_DRAFT_LENGTH = 50_000
"""Characters of a draft that are kept."""


class ChatPreferences:
    """Reads and writes a `QSettings`; what it cannot read counts as nothing."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def setup(self) -> ChatSettings:
        """What the last conversation was begun with."""
        mode = self._text("mode")
        return ChatSettings(
            self._text("provider"),
            self._text("model"),
            tuple(_builtins(self._texts("builtins"))),
            ToolChoice(
                mode if mode == "off" or mode == "manual" else "auto", tuple(self._texts("servers"))
            ),
            terms=SessionTerms(effort=find_effort(self._text("effort"))),
        )

    def remember(self, setup: ChatSettings) -> None:
        self._settings.setValue("chat/provider", setup.provider)
        self._settings.setValue("chat/model", setup.model)
        self._settings.setValue("chat/builtins", [str(builtin) for builtin in setup.builtins])
        self._settings.setValue("chat/mode", setup.choice.mode)
        self._settings.setValue("chat/servers", list(setup.choice.servers))
        self._settings.setValue("chat/effort", setup.terms.effort or "")

    def draft(self, session: str) -> str:
        """What was typed for a session, or for a new one where it is empty."""
        return self._text(f"drafts/{session or 'new'}")

    def keep_draft(self, session: str, text: str) -> None:
        key = f"chat/drafts/{session or 'new'}"
        if text.strip():
            self._settings.setValue(key, text[:MAX_DRAFT_LENGTH])
        else:
            self._settings.remove(key)

    def _text(self, name: str) -> str:
        return str(self._settings.value(f"chat/{name}") or "")

    def _texts(self, name: str) -> list[str]:
        value: object = self._settings.value(f"chat/{name}")
        if isinstance(value, list):  # a list of one comes back as its only text
            return [str(item) for item in cast("list[object]", value)]
        return [str(value)] if value else []


def _builtins(texts: list[str]) -> list[Builtin]:
    read: list[Builtin] = []
    for text in texts:
        try:
            read.append(Builtin.read(text))
        except DesktopError:
            continue
    return read
