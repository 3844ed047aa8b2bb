"""A bundle is unpacked whole, into its own folder, or not at all; what could do harm is refused."""

from __future__ import annotations

import json
import os
import stat
import zipfile
from pathlib import Path

import pytest

from desktop.base.errors import ConfigError
from desktop.config.imports import bundles
from desktop.config.imports.bundles import Bundle, find_bundle, remove_bundle_of, unpack
from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.plan import make_plans
from desktop.config.imports.reader import Source, read_source
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.store import ConfigStore

MANIFEST = {
    "manifest_version": "0.3",
    "name": "hello",
    "server": {
        "type": "python",
        "entry_point": "server/main.py",
        "mcp_config": {"command": "python3", "args": ["${__dirname}/server/main.py"]},
    },
}


def pack(folder: Path, members: dict[str, bytes | str], name: str = "hello.mcpb") -> Path:
    file = folder / name
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(MANIFEST))
        for member, content in members.items():
            archive.writestr(member, content)
    return file


def bundle_of(file: Path) -> Bundle:
    return find_bundle(file, file.parent / "data" / "bundles", "hello")


def refused(file: Path) -> str:
    """Why it is not unpacked; nothing of it stays."""
    bundle = bundle_of(file)
    with pytest.raises(ConfigError) as raised:
        unpack(bundle)
    assert os.listdir(bundle.folder.parent) == []
    assert sorted(os.listdir(file.parent)) == sorted([file.name, "data"])
    return str(raised.value)


def test_a_bundle_becomes_a_server_that_runs_from_its_folder(tmp_path: Path) -> None:
    file = pack(tmp_path, {"server/main.py": "print(1)", "server/empty/": ""})
    places = ClientLocations(tmp_path, {}, "linux", bundles=tmp_path / "data" / "bundles")
    read = read_source(Source(file), places, AppSettings())
    store = ConfigStore(tmp_path / "mcp.json", {})
    (plan,) = make_plans([read], store)
    assert not (tmp_path / "data").exists()  # nothing before the yes
    assert plan.bundle is not None
    unpack(plan.bundle)
    (config,) = plan.chosen({"hello"}, enable=False)
    (script,) = config.args
    assert script == str(plan.bundle.folder / "server" / "main.py")
    with open(script, encoding="utf-8") as text:
        assert text.read() == "print(1)"
    assert [finding.kind for finding in plan.servers[0].findings] == ["stranger"]
    unpack(plan.bundle)  # it is there: the same content goes to the same place
    assert os.listdir(plan.bundle.folder.parent) == [plan.bundle.folder.name]


def test_files_are_the_persons_alone_and_programs_can_be_run(tmp_path: Path) -> None:
    file = pack(tmp_path, {"a.txt": "x"})
    program = zipfile.ZipInfo("run.sh")
    program.external_attr = (stat.S_IFREG | 0o777) << 16
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(program, "#!/bin/sh")
    bundle = bundle_of(file)
    unpack(bundle)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in bundle.folder.iterdir()}
    assert modes == {"manifest.json": 0o600, "a.txt": 0o600, "run.sh": 0o700}
    assert stat.S_IMODE(bundle.folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "a/../../evil",
        "/etc/evil",
        "..",
        "C:/evil",
        "a\\..\\..\\evil",
        "a\x1b[2J",
        "\u202egnp",
    ],
)
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    assert "a path outside the bundle" in refused(pack(tmp_path, {name: "x"}))
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_a_link_or_a_device_is_refused(tmp_path: Path, kind: int) -> None:
    file = pack(tmp_path, {})
    member = zipfile.ZipInfo("link")
    member.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(member, "/etc/passwd")
    assert "a link or a device" in refused(file)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    assert "two files named" in refused(pack(tmp_path, {"A/x": "1", "a/X": "2"}))


def test_a_file_that_is_a_folder_too_is_refused(tmp_path: Path) -> None:
    assert "could not be unpacked" in refused(pack(tmp_path, {"a": "1", "a/b": "2"}))


def test_a_bomb_is_refused_by_what_comes_out_of_it(tmp_path: Path) -> None:
    assert "suspicious compression ratio" in refused(pack(tmp_path, {"zeros": b"\0" * 30_000_000}))


def test_the_sum_and_the_number_of_files_have_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = pack(tmp_path, {f"{number}": os.urandom(1000) for number in range(50)})
    monkeypatch.setattr(bundles, "MAX_UNPACKED_BYTES", 20_000)
    assert "is larger than" in refused(many)
    monkeypatch.setattr(bundles, "MAX_MEMBERS", 20)
    bundle = bundle_of(many)
    with pytest.raises(ConfigError, match="more than 20 files"):
        unpack(bundle)


def test_a_table_of_contents_that_lies_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = pack(tmp_path, {})
    content = bytearray(file.read_bytes())
    at = content.rfind(b"PK\x05\x06")
    content[at + 10 : at + 12] = b"\xff\xff"
    file.write_bytes(content)
    assert "more than 50000 files" in refused(file)


def test_a_damaged_bundle_leaves_nothing(tmp_path: Path) -> None:
    file = pack(tmp_path, {"a.txt": os.urandom(5000)})
    content = bytearray(file.read_bytes())
    content[2000] ^= 255
    file.write_bytes(content)
    assert "not a readable bundle" in refused(file)


def test_the_bundle_of_a_removed_server_goes_unless_the_config_still_names_it(
    tmp_path: Path,
) -> None:
    bundle = bundle_of(pack(tmp_path, {}))
    unpack(bundle)
    folder = bundle.folder.parent
    other = folder / "other-000000000000"
    other.mkdir()
    config = ServerConfig(
        name="hello", transport="stdio", command="python3", args=(f"{bundle.folder}/main.py",)
    )
    remove_bundle_of(config, folder, lambda name: True)
    assert bundle.is_unpacked
    remove_bundle_of(config, folder, lambda name: False)
    assert not bundle.is_unpacked
    assert other.is_dir()


def test_a_member_whose_packed_bytes_are_damaged_is_refused(tmp_path: Path) -> None:
    file = pack(tmp_path, {})
    data = bytearray(file.read_bytes())
    packed = data.index(b"manifest.json") + len("manifest.json")
    data[packed : packed + 8] = b"\xff" * 8
    file.write_bytes(data)
    assert "not a readable bundle" in refused(file)


def test_a_table_that_leads_before_the_file_is_refused(tmp_path: Path) -> None:
    file = pack(tmp_path, {})
    data = file.read_bytes()
    file.write_bytes(data[20:])  # each member now begins before its place
    assert "not a readable bundle" in refused(file)


def test_a_member_packed_in_a_way_that_the_format_does_not_know_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "hello.mcpb"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("manifest.json", json.dumps(MANIFEST))
    assert "compression method" in refused(file)


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = pack(tmp_path, {"ä": ""})
    file.write_bytes(file.read_bytes().replace("ä".encode(), b"\xff\xff"))
    assert "not a readable bundle" in refused(file)


@pytest.mark.parametrize(
    ("folder", "unlimited"),
    [
        (r"C:\Users\x\bundles\a", r"\\?\C:\Users\x\bundles\a"),
        (r"\\host\share\bundles", r"\\?\UNC\host\share\bundles"),
        (r"\\?\C:\bundles", r"\\?\C:\bundles"),
    ],
)
def test_windows_unpacks_paths_of_more_than_260_characters(folder: str, unlimited: str) -> None:
    assert str(bundles.unlimited(Path(folder), "win32")) == unlimited
    assert bundles.unlimited(Path(folder), "linux") == Path(folder)
