"""The catalogue in the terminal: a registry on this machine, the program as a process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.secret_store import SERVICE
from tests.features.catalogue.registry_stub import RegistryStub, serving_registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.terminal import Terminal

FILES = "io.github.modelcontextprotocol/filesystem"
TIME = "io.github.modelcontextprotocol/time"
WEATHER = "com.example.weather/mcp"


@pytest.fixture(autouse=True)
def registry(terminal: Terminal) -> Iterator[RegistryStub]:
    with serving_registry() as stub:
        settings = {"settings": {"catalogueUrl": stub.address}}
        terminal.config.write_text(json.dumps({"mcpDesktop": settings, "mcpServers": {}}), "utf-8")
        yield stub


def servers(terminal: Terminal) -> dict[str, Any]:
    return json.loads(terminal.config.read_text("utf-8"))["mcpServers"]


def test_a_search_lists_names_versions_and_what_each_runs(terminal: Terminal) -> None:
    done = terminal.run("catalogue", "search", "weather")
    assert done.code == 0
    assert done.out.splitlines()[1].split() == [
        *(WEATHER, "1.2.0", "npm,", "oci,", "streamable-http", "Forecasts", "and", "warnings"),
        *("for", "any", "place"),
    ]
    found = terminal.run("catalogue", "search", "o", "--limit", "2", "--json").document
    assert [server["name"] for server in found["servers"]] == [FILES, TIME]
    assert found["more"]


def test_a_search_that_finds_nothing_says_how_it_looks(terminal: Terminal) -> None:
    done = terminal.run("catalogue", "search", "forecasts", "for", "nobody")
    assert done.code == 0
    assert "nothing that matches 'forecasts for nobody'" in done.err
    assert "try one word" in done.err


def test_a_server_is_shown_with_its_command_and_what_it_asks_for(terminal: Terminal) -> None:
    done = terminal.run("catalogue", "show", WEATHER)
    for line in (
        "  publisher: com.example.weather",
        "  command: npx -y @example/weather-mcp@1.2.0",
        "  asks for WEATHER_API_KEY (secret; required): Key of your account at weather.example.com",
        "  url: https://${TENANT}.weather.example.com/mcp",
    ):
        assert f"\n{line}\n" in done.out
    document = terminal.run("catalogue", "show", "io.github.someone/editor", "--json").document
    assert document["status"] == "deprecated"
    assert [way["installable"] for way in document["ways"]] == [True, False]


def test_a_server_is_added_switched_off_with_the_values_that_were_given(
    terminal: Terminal,
) -> None:
    words = ("--set", "allowed_dirs=/tmp/a", "--set", "allowed_dirs=/tmp/b", "--yes")
    words += ("--sandbox", "off")
    done = terminal.run("catalogue", "add", FILES, *words)
    assert (done.code, done.out.splitlines()[-2:]) == (
        0,
        [
            "  command: npx -y @modelcontextprotocol/server-filesystem@2025.7.1 /tmp/a /tmp/b",
            "  env.LOG_LEVEL: info",
        ],
    )
    assert "filesystem-modelcontextprotocol 2025.7.1 was added to" in done.err
    assert "switched off" in done.err
    added = servers(terminal)["filesystem-modelcontextprotocol"]
    assert added["args"][-2:] == ["/tmp/a", "/tmp/b"]
    assert added["enabled"] is False
    listed = terminal.run("servers", "--json").document
    assert [
        server["state"] for server in listed["servers"] if server["name"].startswith("filesystem-")
    ] == ["off"]


def test_without_a_yes_nothing_is_written(terminal: Terminal) -> None:
    done = terminal.run("catalogue", "add", TIME)
    assert done.code == 2
    assert "uvx mcp-server-time@2025.9.25" in done.out
    assert "Nothing was changed. With --yes it would: Add time" in done.err
    document = terminal.run("catalogue", "add", TIME, "--json").document
    assert not document["applied"]
    assert servers(terminal) == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", WEATHER, "--yes"), "Still needed: WEATHER_API_KEY"),
        (
            ("add", WEATHER, "--set", "WEATHER_API_KEY=k", "--yes"),
            "cannot be passed as an argument",
        ),
        (("add", WEATHER, "--set", "NOPE=1", "--yes"), "It asks for: WEATHER_API_KEY"),
        (("add", WEATHER, "--set", "NOPE", "--yes"), "has no ="),
        (("add", WEATHER, "--way", "pypi", "--yes"), "Ways: npm, oci, streamable-http"),
        (("add", "io.github.someone/editor", "--way", "cargo", "--yes"), "cargo: No program"),
        (("add", "com.example/nobody", "--yes"), "does not have this"),
        (("add",), "NAME is missing"),
        (("search", "x", "--limit", "0"), "--limit must be between"),
        (("search", "x", "--limit", "1000"), "--limit must be between"),
        (("update", "nobody"), "was not added from the catalogue"),
        (("frobnicate",), "invalid choice"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(
    terminal: Terminal, words: tuple[str, ...], message: str
) -> None:
    done = terminal.run("catalogue", *words)
    assert message in done.err
    assert done.code == 2
    assert servers(terminal) == {}


def test_a_secret_is_typed_unseen_and_kept_in_the_keyring(
    terminal: Terminal, tmp_path: Path
) -> None:
    file = tmp_path / "keyring.json"
    terminal.environment |= {
        "PYTHON_KEYRING_BACKEND": "tests.config.keyring_backend.FileKeyring",
        "TEST_KEYRING": str(file),
    }
    replies = [
        ("weather.example.com: ", "k-secret-1"),
        ("Units of temperatures:", "fahrenheit"),
        ("Where to look first:", ""),
        ("Write each request:", ""),
        ("switched off? [y/N]", "y"),
    ]
    code, shown = terminal.answer(replies, "catalogue", "add", WEATHER, "--name", "sky")
    assert code == 0, shown
    after = shown.split("WEATHER_API_KEY (secret; required)", 1)[1]
    assert "k-secret-1" not in after
    assert "Stored in the keyring: sky.WEATHER_API_KEY" in shown
    assert json.loads(file.read_text("utf-8")) == [[SERVICE, "sky.WEATHER_API_KEY", "k-secret-1"]]
    assert servers(terminal)["sky"]["env"] == {
        "WEATHER_API_KEY": "${keyring:sky.WEATHER_API_KEY}",
        "WEATHER_UNITS": "fahrenheit",
    }


def test_without_a_keyring_the_way_to_plain_text_is_named(terminal: Terminal) -> None:
    given = ("--set", "region=eu", "--set", "verbose=false", "--set", "WEATHER_UNITS=celsius")
    replies = [("weather.example.com: ", "k-1"), ("switched off? [y/N]", "y")]
    code, shown = terminal.answer(replies, "catalogue", "add", WEATHER, *given)
    assert code == 2, shown
    assert "--secrets plain" in shown
    assert servers(terminal) == {}


def test_an_update_is_seen_and_taken(terminal: Terminal, registry: RegistryStub) -> None:
    words = ("--name", "clock", "--set", "local-timezone=Asia/Tokyo", "--yes")
    assert terminal.run("catalogue", "add", TIME, *words).code == 0
    assert "newest version" in terminal.run("catalogue", "updates").err
    package = registry.servers[1]["server"]["packages"][0]
    registry.publish(TIME, "2026.1.1", packages=[{**package, "version": "2026.1.1"}])
    done = terminal.run("catalogue", "updates")
    assert "clock  2025.9.25 -> 2026.1.1" in done.out
    assert "args: mcp-server-time@2025.9.25 --local-timezone Asia/Tokyo -> " in done.out
    assert servers(terminal)["clock"]["catalogue"]["version"] == "2025.9.25"
    assert terminal.run("catalogue", "update", "clock", "--yes").code == 0
    assert servers(terminal)["clock"]["args"] == [
        *("mcp-server-time@2026.1.1", "--local-timezone", "Asia/Tokyo")
    ]
    assert terminal.run("catalogue", "updates", "--json").document == {"updates": []}


def test_a_registry_that_does_not_answer_is_an_exit_code_of_its_own(
    terminal: Terminal, registry: RegistryStub
) -> None:
    registry.answer = lambda handler: bool(handler.connection.close()) or True
    done = terminal.run("catalogue", "search", "x", "--json")
    assert done.code == 3
    assert done.document["error"]["code"] == "unreachable"
    assert "cannot be reached" in done.err


def test_text_of_a_registry_is_not_obeyed_by_the_terminal(
    terminal: Terminal, registry: RegistryStub
) -> None:
    words = "a\x1b]0;title\x07\u202eb"
    registry.publish(TIME, "9\x1b[2J", title=words, description=words, websiteUrl=words)
    for command in (("search", "time"), ("show", TIME), ("add", TIME)):
        done = terminal.run("catalogue", *command)
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err
