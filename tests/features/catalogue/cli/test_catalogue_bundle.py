"""A bundle of the registry in the terminal: downloaded after a yes, checked, added switched off."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.features.catalogue.bundle_stub import NAME, BundleStub, manifest, pack
from tests.features.catalogue.registry_stub import serving_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.terminal import Terminal

GIVEN = ("--set", "folder=/tmp/notes", "--set", "api_key=${NOTES_TOKEN}")


@pytest.fixture
def stub(terminal: Terminal) -> Iterator[BundleStub]:
    with serving_registry() as registry:
        settings = {"settings": {"catalogueUrl": registry.address}}
        terminal.config.write_text(json.dumps({"mcpDesktop": settings, "mcpServers": {}}), "utf-8")
        yield BundleStub(registry)


def servers(terminal: Terminal) -> dict[str, Any]:
    return json.loads(terminal.config.read_text("utf-8"))["mcpServers"]


def test_what_would_be_downloaded_is_shown_and_nothing_is_without_a_yes(
    terminal: Terminal, stub: BundleStub
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    package = stub.registry.servers[-1]["server"]["packages"][0]
    shown = terminal.run("catalogue", "show", NAME)
    for line in (
        f"address: {package['identifier']}",
        f"host: {stub.registry.address.removeprefix('http://')}",
        "size: known when it begins, at most 512 MB",
        f"SHA-256: {package['fileSha256']}",
    ):
        assert f"\n  {line}\n" in shown.out
    done = terminal.run("catalogue", "add", NAME)
    assert done.code == 2
    assert "With --yes it would: Download it from 127.0.0.1" in done.err
    document = terminal.run("catalogue", "add", NAME, "--json").document
    assert document["applied"] is False
    assert document["download"]["sha256"] == package["fileSha256"]
    assert not any("releases" in path for path in stub.registry.asked)


def test_the_host_that_is_shown_is_the_mirror_where_there_is_one(
    terminal: Terminal, stub: BundleStub
) -> None:
    config = json.loads(terminal.config.read_text("utf-8"))
    config["mcpDesktop"]["settings"]["downloadMirror"] = "https://mirror.example/gh"
    terminal.config.write_text(json.dumps(config), "utf-8")
    address = "https://github.com/acme/notes/releases/download/v1/notes.mcpb"
    stub.publish("1.0.0", pack(manifest()), identifier=address)
    assert "\n  host: mirror.example\n" in terminal.run("catalogue", "show", NAME).out
    found = terminal.run("catalogue", "search", NAME, "--json").document["servers"][0]
    whole = terminal.run("catalogue", "show", NAME, "--json").document
    asked = terminal.run("catalogue", "add", NAME, "--json").document
    downloads = (found["ways"][0]["download"], whole["ways"][0]["download"], asked["download"])
    assert [(each["address"], each["host"]) for each in downloads] == [
        (address, "mirror.example")
    ] * 3


def test_a_bundle_is_added_and_runs_from_its_folder(terminal: Terminal, stub: BundleStub) -> None:
    stub.publish("1.0.0", pack(manifest()))
    done = terminal.run("catalogue", "add", NAME, *GIVEN, "--yes")
    assert done.code == 0, done.err
    assert "Downloaded, and the hash is right" in done.err
    notes = servers(terminal)["notes"]
    assert notes["enabled"] is False
    assert notes["env"] == {"NOTES_KEY": "${NOTES_TOKEN}"}
    ran = subprocess.run(
        [notes["command"], *notes["args"]], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "['/tmp/notes', '--level=info'] None\n"


def test_another_file_than_was_named_changes_nothing(terminal: Terminal, stub: BundleStub) -> None:
    stub.publish("1.0.0", pack(manifest()), fileSha256="0" * 64)
    done = terminal.run("catalogue", "add", NAME, *GIVEN, "--yes")
    assert done.code == 3
    assert "not the one of the entry" in done.err
    assert servers(terminal) == {}


def test_an_update_downloads_the_new_bundle_and_keeps_the_values(
    terminal: Terminal, stub: BundleStub
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    assert terminal.run("catalogue", "add", NAME, *GIVEN, "--yes").code == 0
    before = servers(terminal)["notes"]
    stub.publish("2.0.0", pack(manifest("2.0.0")))
    assert "notes  1.0.0 -> 2.0.0" in terminal.run("catalogue", "updates").out
    done = terminal.run("catalogue", "update", "notes", "--yes")
    assert done.code == 0, done.err
    after = servers(terminal)["notes"]
    assert (after["args"][1:], after["env"]) == (before["args"][1:], before["env"])
    assert after["catalogue"]["version"] == "2.0.0"
    assert Path(after["args"][0]).is_file()
    assert not Path(before["args"][0]).exists()
