"""Odd paths and files of Windows come through each place that reads or writes them there."""

from __future__ import annotations

import json
import ntpath
import shutil
from typing import TYPE_CHECKING

import pytest

from desktop.base.command_line import cmd_line, quoted, split_words
from desktop.base.errors import ConfigError
from desktop.base.file_url import path_of, url_of
from desktop.config.document import parse
from desktop.processes.windows import unwrapped
from tests.platforms.cmd_exe import arguments, run_line

if TYPE_CHECKING:
    from pathlib import Path

PATHS = {
    "blanks": r"C:\Program Files\my server\x",
    "ampersand": r"C:\R&D\a&calc&b",
    "quotes": r"C:\it's `here`\x",
    "percent": r"C:\100%PATH%\^x!",
    "drive": "C:\\",
    "share": r"\\server\share\a b",
    "long": rf"\\?\C:\{'d' * 150}\{'f' * 150}",
    "letters": "C:\\Zugriff é\\中文",
}
each_path = pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)


@each_path
def test_a_batch_file_gets_it_and_nothing_in_it_runs(path: str) -> None:
    (command,) = run_line(cmd_line(path + ".cmd", [path, f"--at={path}"]), {"PATH": "x"}).commands
    assert arguments(command)[2:] == [path, f"--at={path}"]


@each_path
def test_a_line_that_was_written_with_it_is_split_at_the_same_places(path: str) -> None:
    words = [path, "-y", "", f"--at={path}"]
    assert split_words(" ".join(quoted(word, "win32") for word in words), "win32") == words


@each_path
def test_its_address_names_it(path: str) -> None:
    assert path_of(url_of(path, "win32"), "win32").replace("/", "\\") == path.removeprefix(
        "\\\\?\\"
    )


@each_path
def test_a_shim_in_it_is_node_with_the_script_beside_it_unless_a_variable_may_be_meant(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tool.cmd"
    file.write_bytes(b'@ECHO off\r\n"%~dp0\\node.exe" "%~dp0\\..\\s\\index.js" %*\r\n')

    def which(name: str, path: str | None = None) -> str:
        return r"C:\node\node.exe"

    monkeypatch.setattr(shutil, "which", which)
    monkeypatch.setattr(ntpath, "dirname", lambda _path="": path)
    script = ntpath.normpath(rf"{path}\..\s\index.js")
    # Left to cmd.exe, which gets it escaped, where the folder has a % in its name.
    wanted = None if "%" in path else (r"C:\node\node.exe", script)
    assert unwrapped(str(file), "") == wanted


@each_path
def test_a_config_with_it_and_line_ends_of_windows_is_read(path: str) -> None:
    config = {"mcpServers": {"s": {"command": path}}}
    crlf = json.dumps(config, indent=2, ensure_ascii=False).replace("\n", "\r\n")
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert parse(crlf.encode(encoding), "it").data == config


def test_a_config_in_a_code_page_is_refused_with_its_line() -> None:
    for encoding in ("cp1252", "gbk"):
        with pytest.raises(ConfigError, match="not UTF-8 text at line 2"):
            parse('{\r\n"é": 1}'.encode(encoding), "it")
