from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.chat.agent.session_info import Builtin, ChatSettings
from desktop.features.chat.gui.page import MAX_DRAFT_LENGTH, ChatPreferences
from desktop.features.chat.llm.tool_choice import ToolChoice

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings


def test_the_last_setup_is_there_again(settings: QSettings) -> None:
    setup = ChatSettings("p", "m", (Builtin("time"),), ToolChoice("manual", ("one",)))
    ChatPreferences(settings).remember(setup)
    settings.sync()
    assert ChatPreferences(settings).setup == setup


def test_what_cannot_be_read_counts_as_nothing(settings: QSettings) -> None:
    settings.setValue("chat/mode", "whatever")
    settings.setValue("chat/builtins", ["'unclosed", "time"])
    assert ChatPreferences(settings).setup == ChatSettings(builtins=(Builtin("time"),))


def test_drafts_are_kept_a_conversation_each_and_bounded(settings: QSettings) -> None:
    kept = ChatPreferences(settings)
    kept.keep_draft("", "new one")
    kept.keep_draft("1", "x" * (MAX_DRAFT_LENGTH + 1))
    assert (kept.draft(""), len(kept.draft("1"))) == ("new one", MAX_DRAFT_LENGTH)
    kept.keep_draft("", "  ")
    assert kept.draft("") == ""
