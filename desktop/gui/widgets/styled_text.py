"""`StyledText`: a short text together with the tone that the theme shows it in.

What a `*_label()` returns where colour says as much as the words: the state of a call, of a server.
Holds values only; a tone is a name, the colour behind it is the theme's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from desktop.gui.theme import Role

Tone: TypeAlias = Literal["text", "muted", "accent", "success", "warning", "danger"]
"""Each is the name of a colour of the theme; "text" is that of ordinary text."""


class StyledText(NamedTuple):
    """A text, its tone, and what a person can do next, where there is something to do."""

    text: str
    tone: Tone = "text"
    remedy: str = ""

    @property
    def roles(self) -> tuple[Role, ...]:
        """The tone as a role for `style()`; ordinary text needs none."""
        return () if self.tone == "text" else (self.tone,)


def origin_label(origin: str) -> str:
    """Who made a call; an origin that is new here keeps its own name."""
    translate = QCoreApplication.translate
    return {
        "person": translate("CallOrigin", "You"),
        "agent": translate("CallOrigin", "Agent"),
        "terminal": translate("CallOrigin", "Terminal"),
        "client": translate("CallOrigin", "Client"),
        "app": translate("CallOrigin", "App"),
    }.get(origin, origin)
