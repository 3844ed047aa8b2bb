"""What is no file of servers is told so, with the place of the mistake, and at no cost."""

from __future__ import annotations

import io
import os
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.atomic_file import MAX_FILE_BYTES
from desktop.base.errors import ConfigError
from desktop.config.imports.file_formats import find_written, read_document
from desktop.config.yaml_text import MAX_TEXT_BYTES
from tests.fifos import make_fifo

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = {"command": "x"}


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ({"mcpServers": {"a": ENTRY}}, ["a"]),
        ({"servers": {"a": ENTRY}, "inputs": []}, ["a"]),
        ({"mcp_servers": {"a": ENTRY}}, ["a"]),
        ({"mcp": {"servers": {"a": ENTRY}}}, ["a"]),
        ({"mcp": {"a": {"type": "local", "command": ["x"]}}}, ["a"]),
        ({"context_servers": {"a": ENTRY, "ext": {"settings": {}}}, "theme": {}}, ["a", "ext"]),
        ({"extensions": {"a": {"cmd": "x"}}}, ["a"]),
        ({"a": ENTRY, "b": ENTRY}, ["a", "b"]),
        ({"command": "uvx", "args": ["mcp-server-git"]}, ["git"]),
        ({"mcpServers": None}, []),
        ({"editor.fontSize": 14}, []),
        ({}, []),
    ],
)
def test_servers_are_found_wherever_a_client_keeps_them(
    data: dict[str, object], names: list[str]
) -> None:
    assert [one.name for one in find_written(data)] == names


def test_a_server_of_a_project_keeps_the_folder_that_it_is_started_in() -> None:
    ours = {"command": "node", "args": ["srv.js"]}
    servers = {"a": ours, "b": {**ours, "cwd": "/own"}, "c": {"url": "https://x.test"}}
    found = find_written({"projects": {"/p": {"mcpServers": servers}}})
    entries = {server.name: server.entry for server in found}
    assert entries["a"] == {**ours, "cwd": "/p"}
    assert entries["b"] == servers["b"]
    assert entries["c"] == servers["c"]


def test_servers_of_a_project_follow_and_say_so() -> None:
    data = {"mcpServers": {"a": ENTRY}, "projects": {"/p": {"mcpServers": {"a": ENTRY}}, "/q": 3}}
    assert [(one.name, one.scope) for one in find_written(data)] == [("a", ""), ("a", "/p")]


def names(data: dict[str, Any]) -> list[str]:
    return [found.name for found in find_written(data)]


E = {"command": "x"}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"mcpServers": {"a": E}, "servers": {"b": E}}, ["a", "b"]),
        ({"amp.mcpServers": {"a": E}, "editor.fontSize": 12}, ["a"]),
        ({"mcp.servers": {"a": {"url": "https://a.example"}}}, ["a"]),
        ({"McpServers": {"a": {"command": ["npx", "y"]}}}, ["a"]),
        ({"mcpServers": [{"name": "a", **E}, {"command": "uvx", "args": ["b"]}]}, ["a", "b"]),
        ({"x": {"modelContextProtocolServers": [{"transport": {"type": "stdio", **E}}]}}, ["x"]),
        ({"agents": [{"tools": {"mcp": {"a": E}}}], "tasks": [{"label": "t", **E}]}, ["a"]),
        ({"deep": {"er": {"a": {"serverUrl": "https://a.example/mcp"}}}}, ["a"]),
        ({"command": ["npx", "-y", "some-mcp"]}, ["some"]),
        ({"name": "own", "transport": {"type": "http", "url": "https://a.example"}}, ["own"]),
    ],
)
def test_an_entry_is_found_by_its_shape_at_any_place(
    data: dict[str, Any], expected: list[str]
) -> None:
    assert names(data) == expected


def test_a_table_of_servers_that_is_none_is_told() -> None:
    with pytest.raises(ConfigError, match="must be an object"):
        names({"mcpServers": 3})
    assert names({"mcpServers": []}) == []


def test_a_name_that_stands_twice_in_yaml_is_known(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("mcpServers:\n  a: {command: x}\n  b: {command: y}\n  a: {command: z}\n")
    assert read_document(file).duplicates == {("mcpServers", "a"): (2, 4)}


def refused(path: Path) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        read_document(path)
    assert str(path) in str(caught.value)
    return caught.value


def file(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '\ufeff{"a": {"b": 1}} // told'),
        ("a.toml", "[a]\nb = 1"),
        ("a.yaml", "a:\n  b: 1"),
        ("a.conf", '{"a": {"b": 1,},}'),
    ],
)
def test_every_notation_is_read(tmp_path: Path, name: str, content: str) -> None:
    assert read_document(file(tmp_path, name, content)).data == {"a": {"b": 1}}


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.json", '{\n "a": nope\n}', 2),
        ("a.yaml", "a: 1\nb: [\n", 3),
        ("a.yaml", "a: 1\n\tb: 2\n", 2),
    ],
)
def test_a_mistake_is_told_with_line_and_column(
    tmp_path: Path, name: str, content: str, line: int
) -> None:
    error = refused(file(tmp_path, name, content))
    assert error.line == line
    assert error.column is not None
    assert f"line {line}, column" in str(error)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.json", "[1, 2]", "must be a JSON object"),
        ("a.json", b"\x7fELF\x02\x01\xff\xfe\x00", "not UTF-8 text at line 1, column 7"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.toml", "a = ", "not valid TOML"),
        ("a.toml", b"\xff\xfe", "not UTF-8 text"),
        ("a.yaml", "- 1\n- 2", "must be a map"),
        ("a.yaml", "a: &x [1]\nb: *x", "aliases"),
        ("a.yaml", "a: !!python/object/apply:os.system [true]", "not valid YAML"),
        ("a.yaml", "[" * 500_000, "more than 200 levels"),
        ("a.yaml", "#" * (MAX_TEXT_BYTES + 1), "larger than 1 MB"),
        ("a.mcpb", b"no zip", "not a readable bundle"),
    ],
)
def test_what_is_no_config_is_told_as_that(
    tmp_path: Path, name: str, content: bytes | str, words: str
) -> None:
    assert words in str(refused(file(tmp_path, name, content)))


def test_an_empty_file_is_an_empty_document(tmp_path: Path) -> None:
    assert read_document(file(tmp_path, "a.json", " \n")).data == {}
    assert read_document(file(tmp_path, "a.yaml", "")).data == {}


def test_what_is_not_a_readable_file_is_told(tmp_path: Path) -> None:
    assert "is a folder" in str(refused(tmp_path))
    assert "File not found" in str(refused(tmp_path / "none.json"))
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    assert "cannot be read" in str(refused(loop))
    make_fifo(tmp_path / "pipe.json")
    assert "is not a file" in str(refused(tmp_path / "pipe.json"))


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as sparse:
        sparse.truncate(MAX_FILE_BYTES + 1)
    assert "larger than 16 MB" in str(refused(path))


def bundle(folder: Path, name: str, content: bytes) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(name, content)
        made.writestr("../../outside.txt", "x")
    return file(folder, "a.mcpb", packed.getvalue())


def test_of_a_bundle_the_manifest_is_read_and_nothing_is_unpacked(tmp_path: Path) -> None:
    path = bundle(tmp_path, "manifest.json", b'{"name": "x"}')
    assert read_document(path).data == {"name": "x"}
    assert os.listdir(tmp_path) == ["a.mcpb"]


def test_a_bundle_without_a_manifest_or_with_a_bomb_is_refused(tmp_path: Path) -> None:
    assert "not an MCP bundle" in str(refused(bundle(tmp_path, "other.json", b"{}")))
    bomb = bundle(tmp_path, "manifest.json", b" " * (50 * 1024 * 1024))
    assert "larger than 1 MB" in str(refused(bomb))
