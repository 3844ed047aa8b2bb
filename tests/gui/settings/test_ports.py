from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.gui.settings.ports import SettingsStore


def test_the_config_store_is_what_the_page_needs(tmp_path: Path) -> None:
    store: SettingsStore = ConfigStore(tmp_path / "mcp.json", {})  # the type checker proves it

    assert store.settings.theme == "system"
