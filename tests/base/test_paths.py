from __future__ import annotations

import sys
from pathlib import Path

import pytest

from desktop.base import paths


@pytest.fixture
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MCP_DESKTOP_CONFIG", raising=False)
    monkeypatch.delenv("MCP_DESKTOP_DATA", raising=False)


def test_the_command_line_goes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_DESKTOP_CONFIG", str(tmp_path / "environment.json"))
    monkeypatch.setenv("MCP_DESKTOP_DATA", str(tmp_path / "environment"))
    found = paths.find_paths(config=str(tmp_path / "flag.json"))
    assert found == paths.Paths(tmp_path / "flag.json", tmp_path / "environment", is_named=True)


@pytest.mark.usefixtures("no_environment")
def test_without_a_word_the_places_are_the_platform_s() -> None:
    found = paths.find_paths()
    assert found.config.name == "mcp.json"
    assert paths.APP in found.config.parts
    assert paths.APP in found.data.parts


@pytest.mark.usefixtures("no_environment")
def test_relative_places_do_not_move_with_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = paths.find_paths("mcp.json", "~/data")
    assert found == paths.Paths(tmp_path / "mcp.json", Path.home() / "data", is_named=True)


def test_looking_for_places_creates_nothing(tmp_path: Path) -> None:
    found = paths.find_paths(str(tmp_path / "mcp.json"), str(tmp_path / "data"))
    assert found.server_logs == tmp_path / "data" / "logs" / "servers"
    assert found.window_state.parent == found.data
    assert list(tmp_path.iterdir()) == []


def test_the_resources_are_beside_the_sources() -> None:
    assert (paths.resources() / "packaging").is_dir()


def test_a_built_in_server_starts_without_site_packages() -> None:
    command, arguments = paths.builtin_command("calculator")
    assert command == sys.executable
    assert arguments[-2:] == ["builtin", "calculator"]
    assert {"-I", "-S"} <= set(arguments)


def test_the_frozen_app_is_its_own_server_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert paths.builtin_command("calculator") == (sys.executable, ["builtin", "calculator"])


def test_the_guardian_starts_without_site_packages_frozen_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = paths.guardian_command()
    assert (command[0], command[-1]) == (sys.executable, "guardian")
    assert {"-I", "-S"} <= set(command)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert paths.guardian_command() == [sys.executable, "guardian"]


def test_the_app_starts_itself_once_more_frozen_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    command = paths.app_command("builtin", "--json")
    assert (command[0], command[2:]) == (sys.executable, ["builtin", "--json"])
    assert Path(command[1]).is_file()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert paths.app_command("builtin") == [sys.executable, "builtin"]


@pytest.mark.parametrize(
    ("executable", "console"),
    [
        (r"C:\Apps\mcp-desktop\mcp-desktop-window.exe", r"C:\Apps\mcp-desktop\mcp-desktop.exe"),
        (r"C:\Apps\MCP-Desktop-Window.EXE", r"C:\Apps\MCP-Desktop.exe"),
        (r"C:\Apps\mcp-desktop\mcp-desktop.exe", r"C:\Apps\mcp-desktop\mcp-desktop.exe"),
        ("/opt/mcp-desktop/mcp-desktop", "/opt/mcp-desktop/mcp-desktop"),
        (r"C:\other-window.exe", r"C:\other-window.exe"),
    ],
)
def test_what_must_be_heard_is_started_with_a_console(executable: str, console: str) -> None:
    assert paths.console_program(executable) == console


def test_a_window_without_a_console_starts_what_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", r"C:\Apps\mcp-desktop-window.exe")
    console = r"C:\Apps\mcp-desktop.exe"
    assert paths.builtin_command("calculator")[0] == console
    assert paths.app_command("servers")[0] == console
    assert paths.guardian_command()[0] == console


def test_the_frozen_app_has_its_resources_in_the_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.resources() == tmp_path / "resources"
