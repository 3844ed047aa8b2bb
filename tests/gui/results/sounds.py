"""Sounds made for the tests, and whether they can be heard."""

from __future__ import annotations

import importlib
import io
import wave


def wav(seconds: float) -> bytes:
    """Silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\0" * round(8000 * seconds))
    return file.getvalue()


def has_player() -> bool:
    """Whether Qt Multimedia is installed and starts: it needs libraries of the system too."""
    try:
        importlib.import_module("PySide6.QtMultimedia")
    except ImportError:
        return False
    return True
