from __future__ import annotations

from types import ModuleType, SimpleNamespace

import pytest

from desktop.cli.self_checks.check import CheckSkippedError
from desktop.cli.self_checks.keyring import find_backend


def keyring_with(priority: float, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that has such a backend, importable for the test."""
    module = ModuleType("a_keyring")
    module.__spec__ = SimpleNamespace(name="a_keyring")  # type: ignore[assignment]
    backend = type("Vault", (), {"priority": priority})
    module.__dict__["get_keyring"] = backend
    monkeypatch.setitem(__import__("sys").modules, "a_keyring", module)
    return "a_keyring"


async def test_without_the_module_the_check_is_skipped() -> None:
    with pytest.raises(CheckSkippedError, match="no keyring module"):
        await find_backend("no_such_keyring")


async def test_a_backend_that_keeps_nothing_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CheckSkippedError, match="no keyring service answers"):
        await find_backend(keyring_with(0, monkeypatch))


async def test_a_backend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await find_backend(keyring_with(5, monkeypatch))).endswith("Vault")
