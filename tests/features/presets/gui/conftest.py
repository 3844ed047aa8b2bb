"""The Chat page of the chat's own tests, to which this feature adds its button."""

from __future__ import annotations

from tests.features.chat.gui.conftest import core, desk, page, providers
from tests.gui.conftest import *  # noqa: F403 - its `__all__` is what a window needs

__all__ = ["core", "desk", "page", "providers"]
