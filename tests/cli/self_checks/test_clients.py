from __future__ import annotations

import pytest

from desktop.cli.self_checks import clients
from desktop.cli.self_checks.check import CheckSkippedError


async def test_the_clients_that_are_installed_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    one = {"json": lambda: loaded.append("json"), "no_such.package": lambda: loaded.append("no")}
    monkeypatch.setattr(clients, "CLIENTS", one)
    assert await clients.load() == "loaded: json"
    assert loaded == ["json"]


async def test_without_any_the_check_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "CLIENTS", {"no_such_package": lambda: None})
    with pytest.raises(CheckSkippedError, match="no client"):
        await clients.load()


async def test_one_that_lacks_a_part_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> None:
        raise ModuleNotFoundError("No module named 'json.part'")

    monkeypatch.setattr(clients, "CLIENTS", {"json": load})
    with pytest.raises(ModuleNotFoundError, match=r"json\.part"):
        await clients.load()
