"""The base of every field widget, and what a field may ask of the form around it.

A field shows one node and writes what a person types into it; it never judges a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.gui.theme import style

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.form.model.nodes import Node
    from desktop.gui.theme import Theme


class FormContext(Struct, frozen=True):
    """The form as its fields see it."""

    theme: Theme
    edited: Callable[[], None]
    """A value changed: check again soon."""
    rearranged: Callable[[], None]
    """Fields came or went: the order of Tab has to follow."""
    renew: Callable[[Node, Any], None]
    """Give a field this value although its shape cannot hold it: another shape takes its place."""
    make_field: Callable[[Node, FormContext], Field]
    is_folded: Callable[[Node], bool] = lambda _: False
    """Whether a field of the whole form starts out of sight."""


class Field(QWidget):
    """The editor of one node, without its label."""

    edited = Signal()

    def __init__(self, node: Node, context: FormContext) -> None:
        super().__init__()
        self.node = node
        self.context = context

    def load(self) -> None:
        """Show the node's value again; it was changed from outside."""
        raise NotImplementedError

    def target(self) -> QWidget:
        """The widget that takes the keyboard."""
        raise NotImplementedError

    def complete(self) -> None:
        """Draw at once what was to be drawn later."""

    def announce_as(self, name: str) -> None:
        """What assistive technology calls the editor."""
        self.target().setAccessibleName(name)

    def show_limits(self, limits: str) -> bool:
        """Say the limits inside the editor while it is empty; False where it has no room for it."""
        del limits
        return False

    def show_invalid(self, is_invalid: bool) -> None:
        """Mark the editor; the words stand below it."""


def mark_invalid(editor: QWidget, is_invalid: bool) -> None:
    """Give an editor the look of a mistake, or take it away."""
    # A role from the start: `style` does not repaint one that never had any before it is shown.
    if editor.property("role") is None:
        style(editor)
    style(editor, *(("invalid",) if is_invalid else ()))
