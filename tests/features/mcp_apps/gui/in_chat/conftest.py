"""A page of conversations, for what apps add to it."""

from __future__ import annotations

from tests.features.chat.gui.conftest import core, desk, page, providers

__all__ = ["core", "desk", "page", "providers"]
