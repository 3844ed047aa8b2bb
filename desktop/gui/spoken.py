"""Says a sentence of the core in the language of the window.

What servers, models and files say is no `Sentence` and stays as it is.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.translatable import TranslatableText


def spoken(text: str) -> str:
    """The sentence as the window says it, and what stands in it too; any other text untouched."""
    if not isinstance(text, TranslatableText):
        return text
    values = {
        name: spoken(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    # All texts of the core share the one context without a name.
    return QCoreApplication.translate("", text.pattern).format(**values)
