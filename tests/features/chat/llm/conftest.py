"""The loopback server of the tests of the formats, for what asks it."""

from __future__ import annotations

from tests.features.models.conftest import _loopback, loopback  # pyright: ignore[reportPrivateUsage]

__all__ = ["_loopback", "loopback"]
