"""The terminal says what became of a server: deprecated, or removed from the registry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.features.catalogue.registry_stub import RegistryStub, serving_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.terminal import Terminal

WEATHER = "com.example.weather/mcp"
MORE = {"statusMessage": "It read your mail", "statusChangedAt": "2026-11-01T00:00:00Z"}


@pytest.fixture
def registry(terminal: Terminal) -> Iterator[RegistryStub]:
    with serving_registry() as stub:
        settings = {"settings": {"catalogueUrl": stub.address}}
        terminal.config.write_text(json.dumps({"mcpDesktop": settings, "mcpServers": {}}), "utf-8")
        yield stub


def test_a_deprecated_server_is_shown_with_its_day_and_its_reason(
    terminal: Terminal, registry: RegistryStub
) -> None:
    registry.set_status(WEATHER, "deprecated", **MORE)
    shown = terminal.run("catalogue", "show", WEATHER).out
    assert "\n  ! deprecated since 2026-11-01. It read your mail\n" in shown
    assert "command: npx" in shown


def test_a_deleted_server_is_shown_and_cannot_be_added(
    terminal: Terminal, registry: RegistryStub
) -> None:
    registry.set_status(WEATHER, "deleted", **MORE)
    done = terminal.run("catalogue", "show", WEATHER)
    assert "\n  ! deleted since 2026-11-01. It read your mail\n" in done.out
    assert "To add it" not in done.err
    refused = terminal.run("catalogue", "add", WEATHER, "--yes")
    assert refused.code == 2
    assert "was removed from the registry" in refused.err
    assert "It read your mail" in refused.err
    document = terminal.run("catalogue", "show", WEATHER, "--json").document
    assert (document["status"], document["statusChanged"]) == ("deleted", "2026-11-01")
