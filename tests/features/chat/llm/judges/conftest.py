"""The loopback server, and sessions with real servers whose requests are judged."""

from __future__ import annotations

from tests.features.chat.agent.conftest import sessions, shared

__all__ = ["sessions", "shared"]
