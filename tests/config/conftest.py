"""Parts that the tests of the configuration share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.config.models import ServerConfig

    OpenStore = Callable[..., ConfigStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mcp.json"


@pytest.fixture
def open_store(path: Path) -> OpenStore:
    """Load a store of `path`, after writing `text` there where it is given."""

    def load(
        text: str | None = None,
        environ: dict[str, str] | None = None,
        builtins: tuple[ServerConfig, ...] = (),
    ) -> ConfigStore:
        if text is not None:
            path.write_bytes(text.encode())
        store = ConfigStore(path, environ or {}, builtins)
        store.load()
        return store

    return load
