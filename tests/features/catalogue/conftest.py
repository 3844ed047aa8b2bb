"""A registry on this machine, the config of a person who searches it, and a keyring of theirs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.config.secret_store import SecretStore
from desktop.config.store import ConfigStore
from desktop.features.catalogue.catalogue import Catalogue
from tests.config.keyring_backend import MemoryKeyring, use
from tests.features.catalogue.registry_stub import RegistryStub, serving_registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def registry() -> Iterator[RegistryStub]:
    with serving_registry() as stub:
        yield stub


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    backend = MemoryKeyring()
    use(monkeypatch, backend)
    return backend


@pytest.fixture
def store(tmp_path: Path, registry: RegistryStub) -> ConfigStore:
    path = tmp_path / "mcp.json"
    settings = {"settings": {"catalogueUrl": registry.address}}
    path.write_text(json.dumps({"mcpDesktop": settings, "mcpServers": {}}), "utf-8")
    made = ConfigStore(path, {})
    made.load()
    return made


@pytest.fixture
def catalogue(store: ConfigStore, keyring: MemoryKeyring, tmp_path: Path) -> Catalogue:
    return Catalogue(store, SecretStore(tmp_path / "data" / "secrets.json"), {})
