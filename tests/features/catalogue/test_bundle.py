"""A bundle of the registry is downloaded, checked and unpacked on a yes, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError
from desktop.config.imports.server_json import Way
from desktop.config.secret_store import SecretStore
from desktop.features.catalogue import download as downloads
from desktop.features.catalogue.bundle import (
    DOWNLOADS,
    address_of_bundle,
    fits_here,
    host_of_bundle,
    reason_not_downloadable,
)
from desktop.features.catalogue.catalogue import Catalogue
from desktop.features.catalogue.entry import CatalogueError
from tests.features.catalogue.bundle_stub import NAME, USER_CONFIG, BundleStub, manifest, pack
from tests.features.catalogue.registry_stub import send

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from desktop.config.store import ConfigStore
    from desktop.features.catalogue.bundle import FetchedBundle
    from tests.config.keyring_backend import MemoryKeyring
    from tests.features.catalogue.registry_stub import RegistryStub

HASH = "a" * 64
ANSWERS = {"folder": "/tmp/notes", "api_key": "k-1"}


@pytest.fixture
def stub(registry: RegistryStub) -> BundleStub:
    return BundleStub(registry)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "bundles"


@pytest.fixture
def catalogue(
    store: ConfigStore, keyring: MemoryKeyring, tmp_path: Path, folder: Path
) -> Catalogue:
    assert keyring is not None
    return Catalogue(store, SecretStore(tmp_path / "data" / "secrets.json"), {}, folder)


def unseen(done: int, total: int) -> None:
    """Whoever does not look at the progress."""


async def fetch(catalogue: Catalogue) -> FetchedBundle:
    entry = await catalogue.show(NAME)
    return await catalogue.fetch(entry.ways[0], unseen)


async def refused(catalogue: Catalogue, folder: Path) -> str:
    with pytest.raises((CatalogueError, ConfigError)) as raised:
        await fetch(catalogue)
    assert kept(folder) == []
    return str(raised.value)


def kept(folder: Path) -> list[str]:
    """All files and folders below the one for bundles, but that for downloads."""
    found = [str(path.relative_to(folder)) for path in folder.rglob("*")]
    return sorted(name for name in found if name != DOWNLOADS)


async def add(catalogue: Catalogue, **answers: str) -> str:
    entry = await catalogue.show(NAME)
    fetched = await fetch(catalogue)
    plan = catalogue.plan(entry, fetched.way, {**ANSWERS, **answers})
    return await catalogue.add(plan, fetched=fetched)


def way(identifier: str, sha256: str = HASH) -> Way:
    return Way("mcpb", identifier=identifier, sha256=sha256)


async def test_a_bundle_is_added_switched_off_with_its_values_and_its_secret_in_the_keyring(
    catalogue: Catalogue, stub: BundleStub, folder: Path, keyring: MemoryKeyring
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    seen: list[tuple[int, int]] = []
    entry = await catalogue.show(NAME)
    fetched = await catalogue.fetch(entry.ways[0], lambda done, total: seen.append((done, total)))
    size = len(stub.files["/releases/1.0.0/notes-mcp.mcpb"])
    assert seen[-1] == (size, size)
    assert not fetched.bundle.is_unpacked
    assert [asked.key for asked in fetched.way.inputs] == ["api_key", "folder", "level", "style"]
    plan = catalogue.plan(entry, fetched.way, ANSWERS)
    assert await catalogue.add(plan, fetched=fetched) == "notes"
    config = catalogue.store.servers["notes"]
    script = fetched.bundle.folder / "server" / "main.py"
    assert (config.enabled, config.command) == (False, "python3")
    assert config.args == (str(script), "/tmp/notes", "--level=info")
    assert config.env == {"NOTES_KEY": "${keyring:notes.API_KEY}"}
    assert list(keyring.kept.values()) == ["k-1"]
    assert script.is_file()
    assert list((folder / DOWNLOADS).iterdir()) == []


async def test_another_file_than_the_entry_names_is_not_opened(
    catalogue: Catalogue, stub: BundleStub, folder: Path
) -> None:
    stub.publish("1.0.0", pack(manifest()), fileSha256=HASH)
    words = await refused(catalogue, folder)
    assert "is not the one of the entry" in words
    assert f"Expected SHA-256 {HASH}" in words


async def test_without_a_hash_nothing_is_asked_for(
    catalogue: Catalogue, stub: BundleStub, folder: Path
) -> None:
    stub.publish("1.0.0", pack(manifest()), fileSha256=None)
    assert "no hash" in await refused(catalogue, folder)
    assert not any("releases" in path for path in stub.registry.asked)


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/a/mcp-b/releases/download/v1/b.mcpb",
        "https://www.github.com/a/b/releases/download/mcp%2Fv1/b.mcpb",
        "https://gitlab.com/group/sub/repo/-/releases/v1/downloads/b-mcp.mcpb",
        "https://gitlab.com/a/mcp/-/package_files/12/download",
    ],
)
def test_a_file_of_a_release_at_github_or_gitlab_can_be_downloaded(address: str) -> None:
    assert reason_not_downloadable(way(address)) == ""


@pytest.mark.parametrize(
    "address",
    [
        "http://github.com/a/b/releases/download/v1/b.mcpb",
        "https://github.com.evil.example/a/b/releases/download/v1/b.mcpb",
        "https://user@github.com/a/b/releases/download/v1/b.mcpb",
        "https://github.com:8443/a/b/releases/download/v1/b.mcpb",
        "https://github.com/a/b/raw/main/b.mcpb",
        "https://github.com/a/b/releases/download/v1/../../x",
        "https://github.com/a/b/releases/download/v1/b.mcpb?x=1",
        "https://gitlab.com/a/b/-/raw/main/b.mcpb",
        "https://raw.githubusercontent.com/a/b/main/b.mcpb",
        "https://example.com/a/b/releases/download/v1/b.mcpb",
        "https://[::1/a/b/releases/download/v1/b.mcpb",
        "http://127.0.0.1.evil.example/b.mcpb",
        "file:///tmp/b.mcpb",
        "",
    ],
)
def test_any_other_address_is_not_asked(address: str) -> None:
    assert "no file of a release" in reason_not_downloadable(way(address))


@pytest.mark.parametrize("digest", ["", "abc", "g" * 64, "a" * 63, "a" * 65])
def test_a_hash_of_another_shape_is_none(digest: str) -> None:
    address = "https://github.com/a/b/releases/download/v1/b.mcpb"
    assert "no hash" in reason_not_downloadable(way(address, sha256=digest))


async def test_this_computer_is_not_asked_for_a_registry_that_is_elsewhere(
    catalogue: Catalogue, stub: BundleStub, folder: Path, store: ConfigStore
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    entry = await catalogue.show(NAME)
    store.update_settings(catalogue_url="https://registry.example.com")
    with pytest.raises(ConfigError, match="registry is elsewhere"):
        await catalogue.fetch(entry.ways[0], unseen)
    assert not any("releases" in path for path in stub.registry.asked)


RELEASE = "https://github.com/a/b/releases/download/v1/b.mcpb"


@pytest.mark.parametrize(
    ("address", "mirror", "asked", "host"),
    [
        (RELEASE, "", RELEASE, "github.com"),
        (RELEASE, "https://m.example", f"https://m.example/{RELEASE}", "m.example"),
        (RELEASE, "https://m.example/gh", f"https://m.example/gh/{RELEASE}", "m.example"),
        ("http://127.0.0.1:9/b", "https://m.example", "http://127.0.0.1:9/b", "127.0.0.1:9"),
    ],
)
def test_a_mirror_stands_before_the_address_of_a_file(
    address: str, mirror: str, asked: str, host: str
) -> None:
    assert address_of_bundle(way(address), mirror) == asked
    assert host_of_bundle(way(address), mirror) == host


@pytest.mark.parametrize("is_right", [True, False])
async def test_a_file_of_a_mirror_is_taken_if_its_hash_is_that_of_the_entry(
    stub: BundleStub, folder: Path, is_right: bool
) -> None:
    content = pack(manifest())
    stub.files[f"/gh/{RELEASE}"] = content if is_right else content + b" "
    named = way(RELEASE, sha256=hashlib.sha256(content).hexdigest())
    fetching = downloads.download(named, folder, unseen, mirror=f"{stub.registry.address}/gh")
    if is_right:
        assert (await fetching).read_bytes() == content
    else:
        with pytest.raises(CatalogueError, match="is not the one of the entry"):
            await fetching


async def test_redirects_are_followed_and_counted(
    catalogue: Catalogue, stub: BundleStub, folder: Path
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    stub.files["/cdn"] = stub.files.pop("/releases/1.0.0/notes-mcp.mcpb")
    stub.redirects = {"/releases/1.0.0/notes-mcp.mcpb": "/next", "/next": "/cdn"}
    (await fetch(catalogue)).discard()
    stub.redirects["/cdn"] = "/next"
    assert "redirects too often" in await refused(catalogue, folder)
    assert stub.registry.asked.count("/next") == 1 + 3


@pytest.mark.parametrize(
    "target",
    [
        "http://example.com/x",
        "file:///etc/passwd",
        "https://user@example.com/x",
        "https://10.0.0.1/x",
        "https://localhost/x",
        "https://[fe80::1]/x",
        "",
    ],
)
async def test_a_redirect_to_anything_but_a_public_https_address_is_not_followed(
    catalogue: Catalogue, stub: BundleStub, folder: Path, target: str
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    stub.redirects = {"/releases/1.0.0/notes-mcp.mcpb": target}
    words = await refused(catalogue, folder)
    assert "not followed" in words or "redirects too often" in words or "status 302" in words


async def test_a_file_larger_than_the_limit_is_stopped_by_its_announcement_and_by_its_bytes(
    stub: BundleStub, folder: Path
) -> None:
    stub.files["/b"] = bytes(5_000_000)
    wanted = way(f"{stub.registry.address}/b", sha256=hashlib.sha256(bytes(5_000_000)).hexdigest())
    with pytest.raises(CatalogueError, match="larger than 4 MB"):
        await downloads.download(wanted, folder, unseen, most=4 * 1024 * 1024)

    def endless(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.end_headers()
        while not stub.registry.stopped.is_set():
            handler.wfile.write(bytes(100_000))
        return True

    stub.registry.answer = endless
    with pytest.raises(CatalogueError, match="larger than 4 MB"):
        await downloads.download(wanted, folder, unseen, most=4 * 1024 * 1024)
    assert kept(folder) == []


async def test_one_that_stops_in_the_middle_ends_with_the_limit(
    stub: BundleStub, folder: Path
) -> None:
    def stall(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.send_header("content-length", "100")
        handler.end_headers()
        handler.wfile.write(b"x")
        handler.wfile.flush()
        return stub.registry.stopped.wait(30)

    stub.registry.answer = stall
    with pytest.raises(CatalogueError, match=r"did not answer within 0\.2 seconds"):
        await downloads.download(way(f"{stub.registry.address}/b"), folder, unseen, limit=0.2)
    assert kept(folder) == []


async def test_an_error_or_a_compressed_answer_is_refused(
    catalogue: Catalogue, stub: BundleStub, folder: Path
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    plain = stub.answer

    def packed(handler: BaseHTTPRequestHandler) -> bool:
        is_file = "releases" in handler.path
        return send(handler, 200, b"x", content_encoding="gzip") if is_file else plain(handler)

    stub.registry.answer = packed
    assert "compressed" in await refused(catalogue, folder)
    stub.registry.answer = plain
    stub.files.clear()
    assert "status 404" in await refused(catalogue, folder)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no zip", "not a readable bundle"),
        (pack({"name": "x"}), "names no program"),
        (pack(manifest(compatibility={"platforms": ["amiga"]})), "made for amiga"),
        (
            pack(manifest(server={"mcp_config": {"command": "${SHELL}"}})),
            "lets a variable decide",
        ),
        (
            pack(manifest(server={"mcp_config": {"command": "x", "args": ["${AWS_KEY}"]}})),
            "would read variables",
        ),
    ],
)
async def test_a_file_of_the_right_hash_that_cannot_be_used_leaves_nothing(
    catalogue: Catalogue, stub: BundleStub, folder: Path, content: bytes, words: str
) -> None:
    stub.publish("1.0.0", content)
    assert words in await refused(catalogue, folder)


async def test_a_member_that_leads_out_of_the_folder_leaves_nothing_and_no_server(
    catalogue: Catalogue, stub: BundleStub, folder: Path, store: ConfigStore
) -> None:
    stub.publish("1.0.0", pack(manifest(), **{"../../evil": "x"}))
    with pytest.raises(ConfigError, match="outside the bundle"):
        await add(catalogue)
    assert [name for name in kept(folder) if not name.startswith(DOWNLOADS)] == []
    assert not store.servers
    assert not (folder.parent.parent / "evil").exists()


async def test_an_update_replaces_the_files_and_keeps_the_values(
    catalogue: Catalogue, stub: BundleStub, folder: Path, store: ConfigStore
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    await add(catalogue, level="debug", style="plain")
    before = store.servers["notes"]
    (old,) = [name for name in os.listdir(folder) if name != DOWNLOADS]
    document = json.loads(json.dumps(manifest("2.0.0")))
    document["server"]["mcp_config"]["args"].insert(1, "--quiet")
    document["user_config"]["place"] = {"type": "string", "required": True}
    document["server"]["mcp_config"]["args"].append("${user_config.place}")
    stub.publish("2.0.0", pack(document))
    (update,) = await catalogue.updates()
    assert update.is_offered
    assert update.way is not None
    assert update.way.is_packed
    fetched = await catalogue.fetch(update.way, unseen)
    opened = await catalogue.open_update(update, fetched)
    assert opened.answers == {
        "api_key": before.env["NOTES_KEY"],
        "folder": "/tmp/notes",
        "level": "debug",
        "style": "plain",
    }
    assert [asked.key for asked in opened.wanted] == ["place"]
    assert opened.entry is not None
    answers = {**opened.answers, "place": "here"}
    plan = catalogue.plan(opened.entry, fetched.way, answers, server="notes")
    await catalogue.add(plan, server="notes", fetched=fetched)
    after = store.servers["notes"]
    assert after.catalogue["version"] == "2.0.0"
    assert after.args[1:] == ("--quiet", *before.args[1:], "here")
    assert after.env == before.env
    assert old not in os.listdir(folder)
    assert os.listdir(os.path.dirname(after.args[0])) == ["main.py"]


async def test_a_server_that_is_not_written_leaves_no_files(
    catalogue: Catalogue, stub: BundleStub, folder: Path
) -> None:
    stub.publish("1.0.0", pack(manifest()))
    entry = await catalogue.show(NAME)
    fetched = await fetch(catalogue)
    plan = catalogue.plan(entry, fetched.way, ANSWERS)
    catalogue.store.path.write_text("{ broken", "utf-8")
    with pytest.raises(ConfigError):
        await catalogue.add(plan, fetched=fetched)
    fetched.discard()
    assert kept(folder) == []


def test_of_several_files_that_of_this_system_is_taken() -> None:
    names = ("a-darwin-arm64.mcpb", "a-win32-x64.mcpb", "a-linux-x64.mcpb", "a.mcpb")
    fits = {
        system: [name for name in names if fits_here(way(f"https://x.example/{name}"), system)]
        for system in ("darwin", "win32", "linux")
    }
    assert fits == {
        "darwin": [names[0], names[3]],
        "win32": [names[1], names[3]],
        "linux": [names[2], names[3]],
    }


def test_what_is_asked_for_has_its_kind_its_default_and_its_secret(tmp_path: Path) -> None:
    from desktop.config.imports.bundle_way import open_way

    asked = {
        **USER_CONFIG,
        "dirs": {"type": "directory", "multiple": True, "required": True, "default": ["${HOME}/a"]},
        "on": {"type": "boolean", "default": False},
    }
    server = {
        "mcp_config": {
            "command": "${__dirname}/bin/x",
            "args": ["${user_config.dirs}", "${user_config.on}", "${user_config.unknown}"],
        }
    }
    made = open_way(
        way("x"), manifest(server=server, user_config=asked), tmp_path / "b", Path("/home/me")
    )
    assert made.program == f"{tmp_path / 'b'}/bin/x"
    found = {each.key: each for each in made.inputs}
    assert (found["dirs"].is_repeated, found["dirs"].default) == (True, "/home/me/a")
    assert (found["on"].format, found["on"].default) == ("boolean", "false")
    assert found["unknown"].is_required
