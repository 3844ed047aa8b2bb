"""A registry, a config and a keyring as for the catalogue without a window."""

from __future__ import annotations

from tests.catalogue.conftest import catalogue, keyring, registry, store

__all__ = ["catalogue", "keyring", "registry", "store"]
