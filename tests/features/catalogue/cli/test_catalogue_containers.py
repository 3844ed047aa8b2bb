"""What opens a container to this computer is said in the terminal before it is added, in red."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.terminal import pseudo_terminal
from tests.features.catalogue.registry_stub import RegistryStub, serving_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.terminal import Terminal

WEATHER = "com.example.weather/mcp"


@pytest.fixture
def registry(terminal: Terminal) -> Iterator[RegistryStub]:
    with serving_registry() as stub:
        settings = {"settings": {"catalogueUrl": stub.address}}
        terminal.config.write_text(json.dumps({"mcpDesktop": settings, "mcpServers": {}}), "utf-8")
        words = ("-v", "/var/run/docker.sock:/s", "--cap-add", "NET_RAW")
        package = {
            "registryType": "oci",
            "identifier": "docker.io/example/weather:9.0.0",
            "transport": {"type": "stdio"},
            "runtimeArguments": [{"type": "positional", "value": word} for word in words],
        }
        stub.publish(WEATHER, "9.0.0", packages=[package])
        yield stub


@pytest.mark.usefixtures("registry")
def test_it_is_said_before_it_is_added_and_when_it_is_shown(terminal: Terminal) -> None:
    severe = (
        "  ! args[3]: -v /var/run/docker.sock:/s lets the container take over this computer: "
        "nothing keeps it apart any more\n"
    )
    for action in ("show", "add"):
        done = terminal.run("catalogue", action, WEATHER)
        assert severe in done.out
        assert "  ! args[5]: --cap-add NET_RAW gives the container permissions" in done.out
    document = terminal.run("catalogue", "add", WEATHER, "--json").document
    assert "take over this computer" in document["warnings"][0]
    assert document["applied"] is False


@pytest.mark.usefixtures("registry")
def test_on_a_terminal_it_is_red_and_the_rest_is_yellow(terminal: Terminal) -> None:
    ours, theirs = pseudo_terminal()
    environ = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    words = ("catalogue", "show", WEATHER, "--config", str(terminal.config))
    process = subprocess.Popen(
        [sys.executable, "-m", "desktop", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**environ, "TERM": "xterm", "MCP_DESKTOP_DATA": str(terminal.config.parent / "data")},
    )
    os.close(theirs)
    shown = bytearray()
    try:
        while block := os.read(ours, 65_536):
            shown += block
    except OSError:
        pass  # how Linux says that the other side is closed
    finally:
        os.close(ours)
    assert process.wait(30) == 0
    assert b"\x1b[31m  ! args[3]: -v /var/run/docker.sock" in shown
    assert b"\x1b[33m  ! args[5]: --cap-add NET_RAW" in shown
