"""Sounds made for the tests."""

from __future__ import annotations

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
