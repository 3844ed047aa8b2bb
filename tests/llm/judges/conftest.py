"""The loopback server, and sessions with real servers whose requests are judged."""

from __future__ import annotations

from tests.agent.conftest import sessions, shared

__all__ = ["sessions", "shared"]
