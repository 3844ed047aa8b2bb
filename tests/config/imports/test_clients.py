from __future__ import annotations

from pathlib import Path

import pytest

from desktop.config.imports.clients import APPS, ClientLocations, app_named, app_of


@pytest.mark.parametrize(
    ("platform", "environ", "app", "file"),
    [
        ("linux", {}, "claude-desktop", "/h/.config/Claude/claude_desktop_config.json"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "vscode", "/x/Code/User/mcp.json"),
        ("darwin", {}, "vscode", "/h/Library/Application Support/Code/User/mcp.json"),
        ("darwin", {}, "zed", "/h/.config/zed/settings.json"),
        ("win32", {"APPDATA": "/r"}, "claude-desktop", "/r/Claude/claude_desktop_config.json"),
        ("win32", {"APPDATA": "/r"}, "goose", "/r/Block/goose/config/config.yaml"),
        ("win32", {}, "zed", "/h/AppData/Roaming/Zed/settings.json"),
        ("linux", {"CODEX_HOME": "/c"}, "codex", "/c/config.toml"),
        ("linux", {"MCP_CATALOG_PATH": "/m.json"}, "inspector", "/m.json"),
        ("linux", {}, "trae", "/h/.config/Trae/User/mcp.json"),
        ("darwin", {}, "5ire", "/h/Library/Application Support/5ire/mcp.json"),
        ("win32", {"APPDATA": "/r"}, "5ire", "/r/5ire/mcp.json"),
        ("linux", {}, "qwen-code", "/h/.qwen/settings.json"),
        ("linux", {}, "kimi", "/h/.kimi-code/mcp.json"),
        ("linux", {"KIMI_CODE_HOME": "/k"}, "kimi", "/k/mcp.json"),
    ],
)
def test_each_platform_has_its_own_places(
    platform: str, environ: dict[str, str], app: str, file: str
) -> None:
    found = app_named(app)
    assert found is not None
    assert ClientLocations(Path("/h"), environ, platform).files_of(found)[0] == Path(file)


def test_files_of_a_project_are_looked_for_where_there_is_one() -> None:
    cursor = app_named("Cursor")
    assert cursor is not None
    assert len(ClientLocations(Path("/h"), {}, "linux").files_of(cursor)) == 1
    inside = ClientLocations(Path("/h"), {}, "linux", Path("/p")).files_of(cursor)
    assert inside[-1] == Path("/p/.cursor/mcp.json")


def test_every_client_has_a_key_of_its_own_and_a_file() -> None:
    assert len({app.key for app in APPS}) == len(APPS)
    places = ClientLocations(Path("/h"), {}, "linux", Path("/p"))
    assert all(places.files_of(app) for app in APPS)


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("/backup/.gemini/settings.json", "gemini-cli"),
        ("/tmp/cline_mcp_settings.json", None),
        ("/x/settings/cline_mcp_settings.json", None),
        ("/a/.cursor/mcp.json", "cursor"),
        ("/a/.qwen/settings.json", "qwen-code"),
        ("/a/Trae CN/User/mcp.json", "trae"),
        ("/a/mcp.json", None),
        ("/a/settings.json", None),
        ("/a/librechat.yaml", "librechat"),
        ("/backup/claude_desktop_config.json", "claude-desktop"),
    ],
)
def test_a_file_that_was_moved_is_told_by_the_end_of_its_path(file: str, key: str | None) -> None:
    app = app_of(Path(file))
    assert (app.key if app is not None else None) == key
