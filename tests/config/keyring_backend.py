"""Keyrings for tests: never the one of whoever runs them."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from keyring import core
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring

if TYPE_CHECKING:
    import pytest


class MemoryKeyring(KeyringBackend):
    """Keeps passwords as long as a test runs."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.reads = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.reads += 1
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class LockedKeyring(MemoryKeyring):
    """Waits for a person who does not come; `let_go` ends it."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.let_go.wait(20)
        return None


class BrokenKeyring(MemoryKeyring):
    """Fails as a platform may, with the key in its words."""

    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError("no bus")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise OSError(f"cannot keep {password}")


def use(monkeypatch: pytest.MonkeyPatch, backend: KeyringBackend) -> None:
    monkeypatch.setattr(core, "_keyring_backend", backend)


def use_no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without one."""
    use(monkeypatch, NoKeyring())


class FileKeyring(MemoryKeyring):
    """Keeps them in the file that `TEST_KEYRING` names, for runs that are processes of their own.

    By `PYTHON_KEYRING_BACKEND=tests.config.keyring_backend.FileKeyring`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._file = Path(os.environ.get("TEST_KEYRING", os.devnull))
        if self._file.is_file():
            for service, name, password in json.loads(self._file.read_text("utf-8")):
                self.kept[service, name] = password

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password
        kept = [[*names, value] for names, value in self.kept.items()]
        self._file.write_text(json.dumps(kept), "utf-8")
