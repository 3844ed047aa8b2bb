"""Finds where typing should go inside a form that brings its own fields."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget


def focus_first_field(form: QWidget, otherwise: QWidget) -> None:
    """Focus the first field one can type in or choose from, else a button, else `otherwise`."""
    fields = [child for child in form.findChildren(QWidget) if _takes_focus(child, form)]
    typed = [field for field in fields if not isinstance(field, QAbstractButton)]
    (typed or fields or [otherwise])[0].setFocus(Qt.FocusReason.TabFocusReason)


def _takes_focus(widget: QWidget, form: QWidget) -> bool:
    policy = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(policy) and widget.isEnabled() and widget.isVisibleTo(form)
