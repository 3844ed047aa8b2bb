"""A batch file gets the arguments of the config as they are; nothing in one is ever run."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop.base.command_line import cmd_line, split_words
from desktop.processes.windows import is_batch_file, unwrapped
from tests.platforms.cmd_exe import arguments, run_line

if TYPE_CHECKING:
    from pathlib import Path

FILE = r"C:\Program Files\nodejs\tool.cmd"
ENVIRON = {"PATH": r"C:\Windows", "OS": 'x" & calc & "', "A": "b", "X^": "caret"}
NPX = r"""
:: Created by npm, please don't edit manually.
@ECHO OFF
SETLOCAL
SET "NODE_EXE=%~dp0\node.exe"
IF NOT EXIST "%NODE_EXE%" (
  SET "NODE_EXE=node"
)
SET "NPM_PREFIX_JS=%~dp0\node_modules\npm\bin\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\node_modules\npm\bin\npx-cli.js"
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (
  SET "NPM_PREFIX_NPX_CLI_JS=%%F\node_modules\npm\bin\npx-cli.js"
)
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (
  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"
)
"%NODE_EXE%" "%NPX_CLI_JS%" %*
"""
SHIM = r"""@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0
IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)
endLocal & goto #_undefined_# 2>NUL || title & "%_prog%"  "%dp0%\..\my-server\dist\index.mjs" %*
"""


@given(st.lists(st.text(st.sampled_from("ab %^&|<>\"\\!();,='`~éü中PATHOS:*"), max_size=12)))
@example(["https://h/?a=1&b=2"])
@example(["%PATH%", "%OS%", "^%PATH^%", "%%PATH%%", "100%", "%", "%A", "A%"])
@example(['say "hi" & calc', '"', '""', '\\"', '\\\\"& calc &"', "a\\", "a b\\\\"])
@example(["", " ", "a b", "x^y", "(a)", "!PATH!", "<in", ">out", "|more", "&"])
def test_each_argument_arrives_as_it_is_and_nothing_else_runs(args: list[str]) -> None:
    line = cmd_line(FILE, args)
    (command,) = run_line(line, ENVIRON).commands
    assert arguments(command)[2:] == args


@pytest.mark.parametrize("arg", ["a\nb", "a\r& calc", "a\x00b"])
def test_what_cannot_be_written_is_refused(arg: str) -> None:
    with pytest.raises(ValueError, match="line break"):
        cmd_line(FILE, ["fine", arg])


def test_the_usual_way_of_quoting_would_have_run_it() -> None:
    """The stand-in judges: what `list2cmdline` writes breaks out there as it does on Windows."""
    from subprocess import list2cmdline

    naive = f'"{FILE}" {list2cmdline(["https://h/?a=1&calc"])}'
    assert len(run_line(naive, ENVIRON).commands) == 2
    naive = f'"{FILE}" {list2cmdline(["%A%"])}'
    assert arguments(run_line(naive, ENVIRON).commands[0])[2:] == ["b"]


@pytest.mark.parametrize("name", ["a.cmd", "A.BAT", "a.cmd.", "a.bat .. "])
def test_a_batch_file_is_known_by_its_name(name: str) -> None:
    assert is_batch_file(name)
    assert not is_batch_file(name + "x")


@pytest.mark.parametrize(
    ("text", "script"),
    [(NPX, r"node_modules\npm\bin\npx-cli.js"), (SHIM, r"..\my-server\dist\index.mjs")],
    ids=["npx", "shim"],
)
def test_what_npm_made_is_node_with_a_script(
    text: str, script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ntpath

    file = tmp_path / "npx.cmd"
    file.write_bytes(text.encode().replace(b"\n", b"\r\n"))
    asked: list[str | None] = []

    def which(name: str, path: str | None = None) -> str | None:
        asked.append(path)
        return rf"C:\node\{name}.exe" if name == "node" else None

    monkeypatch.setattr(shutil, "which", which)
    monkeypatch.setattr(ntpath, "dirname", lambda _path="": r"C:\tools\bin")
    assert unwrapped(str(file), "the PATH of the server") == (
        r"C:\node\node.exe",
        ntpath.normpath(rf"C:\tools\bin\{script}"),
    )
    assert asked[-1] == "the PATH of the server"


@pytest.mark.parametrize(
    "text",
    [
        "@echo off\npython -m server %*\n",
        '"%COMSPEC%" "%~dp0\\x.js" %*\n',
        '"node" "%SOMEWHERE%\\x.js" %*\n',
        "",
    ],
)
def test_any_other_batch_file_is_left_to_cmd(text: str, tmp_path: Path) -> None:
    file = tmp_path / "tool.cmd"
    file.write_text(text)
    assert unwrapped(str(file), "") is None
    assert unwrapped(str(tmp_path / "not there.cmd"), "") is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (r'"C:\Program Files\x.exe" s.py', [r"C:\Program Files\x.exe", "s.py"]),
        (r"C:\tools\npx.cmd -y pkg", [r"C:\tools\npx.cmd", "-y", "pkg"]),
        (r'run --dir="C:\a b" \\host\share', ["run", r"--dir=C:\a b", r"\\host\share"]),
        (r'x "" "unfinished one', ["x", "", "unfinished one"]),
        ("  ", []),
    ],
)
def test_a_line_is_split_as_windows_would(line: str, words: list[str]) -> None:
    assert split_words(line, "win32") == words


def test_elsewhere_a_line_is_split_as_a_shell_would() -> None:
    assert split_words(r"run 'a b' c\ d", "linux") == ["run", "a b", "c d"]
    with pytest.raises(ValueError, match="quotation"):
        split_words("run 'a", "darwin")
