"""Remembers which servers must be greeted the old way: the newer greeting stalls or kills them.

A server is known by what is started or reached, not by its name. Losing the file costs one slow
connect. Source: reference facts in the SDK's `client/_probe.py` (10 s for `server/discover`).
"""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.config.models import ServerConfig

logger = logging.getLogger(__name__)


class ProtocolEraCache:
    """The set of servers that need `initialize` without a probe, kept in one small file."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._legacy: set[str] | None = None

    def mode(self, config: ServerConfig) -> str:
        """The SDK's `mode` for this server: what the person set, else what is remembered."""
        if config.era != "auto":
            return config.era
        return "legacy" if _key(config) in self._known() else "auto"

    def remember_legacy(self, config: ServerConfig) -> None:
        if config.era == "auto" and _key(config) not in self._known():
            self._known().add(_key(config))
            self._save()

    def forget(self, config: ServerConfig) -> None:
        """What was remembered did not hold: the server may speak only the newer protocol now."""
        if _key(config) in self._known():
            self._known().discard(_key(config))
            self._save()

    def _known(self) -> set[str]:
        if self._legacy is None:
            self._legacy = self._load()
        return self._legacy

    def _load(self) -> set[str]:
        if self._file is None:
            return set()
        try:
            keys: object = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return set()
        return {str(key) for key in cast("list[object]", keys)} if isinstance(keys, list) else set()

    def _save(self) -> None:
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(sorted(self._known())), encoding="utf-8")
        except OSError as error:
            logger.warning("the servers' protocol generation is not remembered: %s", error)


def _key(config: ServerConfig) -> str:
    parts = [config.transport, config.builtin or config.command, *config.args, config.url]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
