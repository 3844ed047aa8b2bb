"""The login shell tells its PATH once; whatever it does, a usable PATH comes out.

The usual folders are those that exist, with the Node.js that nvm would choose.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.processes.process_tree import is_alive
from desktop.servers.transport.login_shell import (
    ShellPath,
    join_paths,
    nvm_default,
    registry_path,
    usual_folders,
)
from tests.fifos import make_fifo
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import ExpectedLogs

    MakeShell = Callable[[str], str]


def _install(home: Path, *versions: str, **aliases: str) -> Path:
    nvm = home / ".nvm"
    for version in versions:
        (nvm / "versions" / "node" / version / "bin").mkdir(parents=True)
    (nvm / "alias" / "lts").mkdir(parents=True)
    for name, meaning in aliases.items():
        (nvm / "alias" / name.replace("__", "/")).write_text(f"{meaning}\n", "utf-8")
    return nvm


def test_only_folders_that_exist_are_named(tmp_path: Path) -> None:
    (tmp_path / ".cargo" / "bin").mkdir(parents=True)
    _install(tmp_path, "v20.1.0")
    folders = list(usual_folders(tmp_path))
    node = tmp_path / ".nvm" / "versions" / "node" / "v20.1.0" / "bin"
    assert folders[:2] == [tmp_path / ".cargo" / "bin", node]
    assert all(folder.is_dir() for folder in folders)


@pytest.mark.parametrize(
    ("default", "chosen"),
    [
        ("20", "v20.10.0"),
        ("v18.2.0", "v18.2.0"),
        ("lts/*", "v18.2.0"),
        ("node", "v22.0.0"),
        ("2", "v22.0.0"),
    ],
)
def test_nvms_default_is_followed(tmp_path: Path, default: str, chosen: str) -> None:
    nvm = _install(
        tmp_path,
        "v20.9.0",
        "v20.10.0",
        "v18.2.0",
        "v22.0.0",
        default=default,
        **{"lts__*": "lts/old", "lts__old": "v18.2.0"},
    )
    assert nvm_default(nvm) == nvm / "versions" / "node" / chosen / "bin"


@pytest.mark.parametrize("default", ["../../secret", "/etc/passwd", "default", "a" * 5000, "\0"])
def test_a_foolish_alias_means_the_newest(tmp_path: Path, default: str) -> None:
    nvm = _install(tmp_path, "v20.0.0", "v9.0.0", default=default)
    assert nvm_default(nvm) == nvm / "versions" / "node" / "v20.0.0" / "bin"


def test_without_nvm_there_is_none(tmp_path: Path) -> None:
    assert nvm_default(tmp_path) is None


pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no login shell to ask")
# What every shell does with -ilc: it runs the third argument.
ASKED = 'eval "$2"'
ASKS = """
import asyncio, os, sys
from desktop.servers.transport.login_shell import ShellPath
asyncio.run(ShellPath(os.environ, sys.argv[1], limit=60).get())
"""


@pytest.fixture
def make_shell(tmp_path: Path) -> MakeShell:
    """Write a login shell that does `script`."""

    def make(script: str) -> str:
        shell = tmp_path / "shell"
        shell.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        shell.chmod(0o755)
        return str(shell)

    return make


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / ".cargo" / "bin").mkdir(parents=True)
    return {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}


SHELLS = [
    pytest.param(shell, marks=pytest.mark.skipif(not os.path.exists(shell), reason="not installed"))
    for shell in ("/bin/sh", "/bin/bash", "/bin/zsh", "/usr/bin/fish")
]


@pytest.mark.parametrize("shell", SHELLS)
async def test_a_real_shell_tells_what_its_start_file_adds(
    shell: str, environ: dict[str, str], tmp_path: Path
) -> None:
    fish = tmp_path / ".config" / "fish" / "config.fish"
    fish.parent.mkdir(parents=True)
    fish.write_text("set -x PATH /from/start/file $PATH\necho noise\n", "utf-8")
    for name in (".profile", ".zprofile"):
        text = 'export PATH="/from/start/file:$PATH"\necho noise; echo noise >&2\n'
        (tmp_path / name).write_text(text, "utf-8")
    path = await ShellPath(environ, shell).get()
    assert "/from/start/file" in path.split(":")
    assert "/usr/bin" in path.split(":")


async def test_noise_around_the_answer_is_ignored(
    make_shell: MakeShell, environ: dict[str, str]
) -> None:
    shell = make_shell(f"echo Welcome; export PATH=/a:rel::/b; {ASKED}; echo bye")
    assert (await ShellPath(environ, shell).get()).startswith("/a:/b:/usr/bin:/bin:")


async def test_many_callers_share_one_run(
    make_shell: MakeShell, environ: dict[str, str], tmp_path: Path
) -> None:
    shell_path = ShellPath(environ, make_shell(f'echo run >> "$HOME/runs"; {ASKED}'))
    answers = await asyncio.gather(*(shell_path.get() for _ in range(5)))
    (path,) = {*answers, await shell_path.get()}
    assert path.startswith("/usr/bin:/bin:")
    assert (tmp_path / "runs").read_text("utf-8") == "run\n"


async def test_a_cancelled_caller_does_not_lose_it_for_the_others(
    make_shell: MakeShell, environ: dict[str, str]
) -> None:
    shell_path = ShellPath(environ, make_shell(f"export PATH=/a; {ASKED}"))
    async with asyncio.timeout(0) as limit:
        limit.reschedule(asyncio.get_running_loop().time())
        with pytest.raises(asyncio.CancelledError):
            await shell_path.get()
    assert (await shell_path.get()).startswith("/a:/usr/bin:/bin:")


async def test_the_variables_of_the_shell_are_known_whatever_is_in_them(
    make_shell: MakeShell, environ: dict[str, str]
) -> None:
    script = f"export PATH=/a ONE='a=b' TWO=\"$(printf 'x\\ny')\"; {ASKED}"
    shell_path = ShellPath(environ, make_shell(script))
    assert shell_path.variables == {}
    await shell_path.get()
    assert (shell_path.variables["ONE"], shell_path.variables["TWO"]) == ("a=b", "x\ny")


async def test_the_usual_folders_are_searched_last_whatever_the_shell_answers(
    make_shell: MakeShell, environ: dict[str, str], tmp_path: Path
) -> None:
    tools = tmp_path / ".local" / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    path = (await ShellPath(environ, make_shell(f"export PATH=/a; {ASKED}")).get()).split(":")
    assert path[:3] == ["/a", "/usr/bin", "/bin"]
    assert str(tools) in path[3:]


@pytest.mark.parametrize(
    "script", ["exit 3", "echo only noise", "kill -9 $$", "head -c 2000000 /dev/zero"]
)
async def test_a_shell_without_an_answer_leaves_the_own_path_and_the_usual_folders(
    make_shell: MakeShell,
    environ: dict[str, str],
    tmp_path: Path,
    script: str,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("shell did not tell its PATH$")
    folders = (await ShellPath(environ, make_shell(script)).get()).split(":")
    assert folders[:3] == ["/usr/bin", "/bin", str(tmp_path / ".cargo" / "bin")]


@pytest.mark.parametrize("shell", ["/no/such/shell", "/etc/passwd", "/tmp"])
async def test_a_shell_that_cannot_be_started_falls_back(
    environ: dict[str, str], shell: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(f"{shell} cannot be asked for its PATH")
    assert (await ShellPath(environ, shell).get()).startswith("/usr/bin:/bin")


async def test_a_shell_that_hangs_is_killed_with_its_children(
    make_shell: MakeShell, environ: dict[str, str], tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("did not tell its PATH within 0.5 s")
    shell = make_shell('sleep 600 & echo $! > "$HOME/pid"; cat /dev/zero > /dev/null')
    limit = 0.5
    assert (await ShellPath(environ, shell, limit).get()).startswith("/usr/bin:/bin")
    _expect_gone(int((tmp_path / "pid").read_text("utf-8")))


def test_a_shell_that_hangs_does_not_outlive_an_app_that_is_killed(
    make_shell: MakeShell, environ: dict[str, str], tmp_path: Path
) -> None:
    shell = make_shell('sleep 600 & echo $! $$ > "$HOME/pids"; echo; cat < "$HOME/hangs"')
    make_fifo(tmp_path / "hangs")
    app = subprocess.Popen([sys.executable, "-c", ASKS, shell], env={**os.environ, **environ})
    while not (pids := _read(tmp_path / "pids")):
        assert app.poll() is None
    app.kill()
    app.wait()
    for pid in pids:
        _expect_gone(pid)


async def test_a_child_that_keeps_the_pipe_open_is_not_waited_for(
    make_shell: MakeShell, environ: dict[str, str], tmp_path: Path
) -> None:
    shell = make_shell(f'setsid sleep 600 & echo $! > "$HOME/pid"; export PATH=/a; {ASKED}')
    try:
        assert (await ShellPath(environ, shell).get()).startswith("/a:")
    finally:
        psutil.Process(int((tmp_path / "pid").read_text("utf-8"))).kill()


async def test_closing_ends_a_run_and_those_who_wait_get_the_fallback(
    make_shell: MakeShell, environ: dict[str, str]
) -> None:
    shell_path = ShellPath(environ, make_shell("sleep 600"), limit=60)
    await shell_path.close()
    async with asyncio.TaskGroup() as group:
        answer = group.create_task(shell_path.get())
        group.create_task(asyncio.sleep(0)).add_done_callback(
            lambda _: group.create_task(shell_path.close())
        )
    assert answer.result().startswith("/usr/bin:/bin")


async def test_closing_just_when_the_shell_has_ended_by_itself_is_no_warning(
    make_shell: MakeShell, environ: dict[str, str]
) -> None:
    shell = make_shell("exit 0")
    for turns in range(40):
        others = set(psutil.Process().children())
        shell_path = ShellPath(environ, shell)
        shell_path.start()
        for _ in range(turns % 4):
            await asyncio.sleep(0)
        while any(map(is_alive, set(psutil.Process().children()) - others)):
            pass  # the loop must not turn meanwhile
        await shell_path.close()


def test_joined_paths_hold_each_absolute_folder_once() -> None:
    assert join_paths("/a:.:/b", "", "/b::/c:x/y") == "/a:/b:/c"


def _read(file: Path) -> list[int]:
    return list(map(int, file.read_text("utf-8").split())) if file.exists() else []


def _expect_gone(pid: int) -> None:
    if not psutil.pid_exists(pid):
        return
    process = psutil.Process(pid)  # killed, but perhaps not yet collected by its new parent
    if process.status() != psutil.STATUS_ZOMBIE:
        assert not psutil.wait_procs([process], timeout=LIMIT)[1]


def test_the_path_of_a_new_windows_session_is_the_system_s_then_the_person_s() -> None:
    values = {("machine", "Path"): "/windows", ("user", "Path"): "/person"}
    assert registry_path(lambda whose, name: values[whose, name]).split(os.pathsep) == [
        "/windows",
        "/person",
    ]
    assert registry_path(lambda whose, _: "/person" if whose == "user" else "") == "/person"
    assert registry_path(lambda _whose, _name: "") == ""
