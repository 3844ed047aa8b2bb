"""Checks values against JSON Schema, and arguments against rules; says what is wrong in words.

Form, executor and terminal call `validate`. It is imported on first use, because it brings
jsonschema; `formats`, `messages` and `rules` are needed earlier and do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop.tools.validation.validator import MAX_ISSUES, find_misfits, validate

__all__ = ["MAX_ISSUES", "find_misfits", "validate"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from desktop.tools.validation import validator

    return getattr(validator, name)
