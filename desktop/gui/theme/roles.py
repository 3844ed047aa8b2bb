"""The words a widget says what it is with; the style sheet gives each its look.

Must not know colours. The vocabulary is explained in `desktop.gui.theme`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

Role: TypeAlias = Literal[
    "page", "card", "well", "prose", "rail", "strip", "banner", "divider", "nested",
    "title", "heading", "muted", "small", "mono", "badge",
    "primary", "flat", "link", "chip", "switch", "segments", "segment",
    "accent", "success", "warning", "danger",
    "invalid", "selected",
]  # fmt: skip

ROLES: frozenset[str] = frozenset(get_args(Role))
PROPERTY = "role"


def style(widget: QWidget, *roles: Role) -> None:
    """Give `widget` exactly these roles; call it again when its state changes."""
    words = " ".join(roles)
    before = widget.property(PROPERTY)
    if before == words:
        return
    widget.setProperty(PROPERTY, words)
    if before is None and not widget.window().isVisible():
        return  # the first showing polishes it anyway
    look = widget.style()
    look.unpolish(widget)
    look.polish(widget)
    widget.update()
