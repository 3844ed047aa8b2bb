"""`ask --preset NAME`: what the command asks this feature for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.presets.presets import Presets

if TYPE_CHECKING:
    from desktop.base.paths import Paths
    from desktop.features.chat.agent.session_info import ChatSettings


def find_preset(paths: Paths, name: str) -> ChatSettings:
    """Raises `UsageError` with the names that there are."""
    return Presets(paths).get(name)
