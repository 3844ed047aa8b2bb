"""The keys of the page of conversations, which the sheet of shortcuts lists.

Must not know what a key does.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP

from desktop.gui.shortcuts import Shortcut

_CHAT = str(QT_TRANSLATE_NOOP("Shortcuts", "Chat"))
NEW_CHAT = Shortcut(_CHAT, str(QT_TRANSLATE_NOOP("Shortcuts", "New conversation")), ("Ctrl+N",))
COMPOSE = Shortcut(_CHAT, str(QT_TRANSLATE_NOOP("Shortcuts", "Go to the message")), ("Ctrl+L",))
SEND = Shortcut(
    _CHAT,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Send the message")),
    ("Return", "Enter", "Ctrl+Return", "Ctrl+Enter"),
)
STOP_ANSWER = Shortcut(_CHAT, str(QT_TRANSLATE_NOOP("Shortcuts", "Stop the answer")), ("Esc",))
REVIEW = Shortcut(
    _CHAT,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Review the call that needs approval")),
    ("Ctrl+G",),
)
RENAME_CHAT = Shortcut(
    _CHAT, str(QT_TRANSLATE_NOOP("Shortcuts", "Rename the conversation")), ("F2",)
)
DELETE_CHAT = Shortcut(
    _CHAT, str(QT_TRANSLATE_NOOP("Shortcuts", "Delete the conversation")), ("Del",)
)
ALL: Final = (NEW_CHAT, COMPOSE, SEND, STOP_ANSWER, REVIEW, RENAME_CHAT, DELETE_CHAT)
"""In the order of the sheet."""
