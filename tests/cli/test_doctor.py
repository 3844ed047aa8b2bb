from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.bootstrap import build_bootstrap
from desktop.cli.doctor import examine, read_version, runtimes_of
from desktop.cli.doctor_report import DoctorReport
from desktop.core import build_core_on
from desktop.servers.transport.launch import withheld_variables
from tests.cli.terminal import ROOT, entry
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
    from pathlib import Path

    from desktop.cli.doctor_report import DoctorFinding
    from desktop.core import Core
    from tests.cli.terminal import Terminal

    Examine = Callable[..., Awaitable[DoctorReport]]


def script(folder: Path, text: str) -> str:
    file = folder / "program"
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)
    return str(file)


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("npx", ("npx", "node")),
        ("/usr/bin/uvx", ("uvx",)),
        ("NPX.cmd", ("npx", "node")),
        ("python3", ()),
        ("my-server", ()),
    ],
)
def test_the_programs_that_run_other_peoples_servers_are_known(
    command: str, programs: tuple[str, ...]
) -> None:
    assert runtimes_of(command) == programs


async def test_the_version_is_the_first_line(tmp_path: Path) -> None:
    program = script(tmp_path, 'echo "v22.1.0 $1"; echo more')
    assert await read_version(program, os.environ) == "v22.1.0 --version"


async def test_a_program_that_says_nothing_or_fails_has_no_version(tmp_path: Path) -> None:
    assert await read_version(script(tmp_path, "exit 3"), os.environ) == ""
    assert await read_version(str(tmp_path / "missing"), os.environ) == ""


async def test_a_program_that_does_not_end_is_ended(tmp_path: Path) -> None:
    assert (
        await read_version(script(tmp_path, "sleep 600 & sleep 600"), os.environ, limit=0.2) == ""
    )


def test_a_server_is_well_until_something_failed() -> None:
    report = DoctorReport("s")
    report.add("config", "ok", "fine")
    report.add("stdout", "warning", "noise", "Tell the author.")
    assert report.is_well
    report.add("start", "failed", "it died", "Look at it.")
    assert not report.is_well


def test_advice_is_given_once_in_the_order_it_came_up() -> None:
    report = DoctorReport("s", enabled=False)
    for advice in ("First.", "Second.", "First.", ""):
        report.add("x", "warning", "text", advice)
    assert report.advice == ["First.", "Second."]
    assert report.to_json() == {
        "name": "s",
        "enabled": False,
        "ok": True,
        "checks": [{"check": "x", "verdict": "warning", "text": "text"}] * 4,
        "advice": ["First.", "Second."],
    }


@pytest.fixture
async def examined(tmp_path: Path) -> AsyncIterator[Examine]:
    """Examines one server of this entry; `environ` is added to the test's own."""
    cores: list[Core] = []

    async def run(server: Mapping[str, object], **environ: str) -> DoctorReport:
        config = tmp_path / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"server": server}}), encoding="utf-8")
        environment = {**os.environ, "SHELL": "/bin/sh", **environ}
        ground = build_bootstrap(Paths(config, tmp_path / "data"), environment, own_path_first=True)
        core = build_core_on(ground)
        cores.append(core)
        return await examine(core, core.store.servers["server"])

    yield run
    for core in cores:
        await core.close()


def by_check(report: DoctorReport) -> dict[str, DoctorFinding]:
    return {one.check: one for one in report.findings}


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


async def test_a_good_server_is_ok_in_every_check(examined: Examine) -> None:
    report = await examined(entry("plain"))
    assert report.is_well
    assert report.advice == []
    found = by_check(report)
    assert {one.verdict for one in report.findings if one.check != "withheld"} == {"ok"}
    assert found["config"].text == "stdio, from the file, on"
    assert sys.executable in found["command"].text
    assert "protocol 2025-11-25, 14 tools" in found["start"].text


async def test_arguments_may_be_secrets_and_are_only_counted(examined: Examine) -> None:
    server = entry("plain", "--key", "hunter2", env={"TOKEN": "hunter3"})
    texts = " ".join(one.text for one in (await examined(server)).findings)
    assert "hunter" not in texts
    assert "with 5 arguments" in texts


async def test_a_variable_that_is_not_set_is_named(examined: Examine) -> None:
    report = await examined({"command": "python3", "env": {"A": "${NOT_SET_ANYWHERE}"}})
    assert not report.is_well
    assert "NOT_SET_ANYWHERE" in by_check(report)["variables"].text
    assert "NOT_SET_ANYWHERE" in report.advice[0]


async def test_a_program_that_is_not_there_ends_the_examination(examined: Examine) -> None:
    report = await examined({"command": "no-such-program"})
    assert by_check(report)["command"].verdict == "failed"
    assert "Searched PATH" in by_check(report)["command"].text
    assert "start" not in by_check(report)


async def test_a_program_of_the_login_shell_alone_is_told(
    examined: Examine, tmp_path: Path
) -> None:
    program(tmp_path / "bin", "only-there", f"exec {' '.join(command_line())}")
    program(tmp_path, "shell", f'export PATH={tmp_path}/bin:$PATH\nexec /bin/sh -c "$2"')
    report = await examined({"command": "only-there"}, SHELL=str(tmp_path / "shell"))
    assert report.is_well
    assert "only in the login shell's PATH" in by_check(report)["command"].text


async def test_two_programs_of_one_name_are_a_warning(examined: Examine, tmp_path: Path) -> None:
    for folder in ("own", "shells"):
        program(tmp_path / folder, "twice", f"exec {' '.join(command_line())}")
    program(tmp_path, "shell", f'export PATH={tmp_path}/shells:$PATH\nexec /bin/sh -c "$2"')
    path = f"{tmp_path}/own:{os.environ['PATH']}"
    report = await examined({"command": "twice"}, SHELL=str(tmp_path / "shell"), PATH=path)
    found = by_check(report)["command"]
    assert found.verdict == "warning"
    assert f"{tmp_path}/own/twice" in found.text
    assert f"{tmp_path}/shells/twice" in found.text


async def test_the_versions_of_node_and_its_runner_are_asked(
    examined: Examine, tmp_path: Path
) -> None:
    bin_folder = tmp_path / "bin"
    start = f'[ "$1" = --version ] && echo 10.9.0 && exit\nexec {" ".join(command_line())}'
    program(bin_folder, "npx", start)
    program(bin_folder, "node", "echo v22.1.0")
    program(tmp_path, "shell", f'export PATH={bin_folder}:$PATH\nexec /bin/sh -c "$2"')
    path = f"{bin_folder}:{os.environ['PATH']}"
    report = await examined(
        {"command": "npx", "args": ["-y", "x"]}, PATH=path, SHELL=str(tmp_path / "shell")
    )
    versions = [one.text for one in report.findings if one.check == "version"]
    assert versions == ["npx 10.9.0", "node v22.1.0"]
    assert report.is_well


async def test_a_server_that_dies_is_told_with_its_first_words(examined: Examine) -> None:
    report = await examined(entry("exits_at_start"))
    found = by_check(report)
    assert not report.is_well
    assert "exited with code 3" in found["start"].text
    assert found["stderr"].text.splitlines()[0] == "reading the configuration"


async def test_lines_on_stdout_that_are_no_messages_are_shown(examined: Examine) -> None:
    report = await examined(entry("garbage"))
    assert report.is_well
    found = by_check(report)["stdout"]
    assert found.verdict == "warning"
    assert "Starting the server ..." in found.text
    assert "stderr" in report.advice[0]


async def test_a_schema_that_cannot_be_checked_is_a_warning(
    examined: Examine, tmp_path: Path
) -> None:
    script = tmp_path / "odd.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.servers.base import Server, Tool\n"
        "odd = {'type': 'object', 'properties': {'a': {'type': 'nonsense'}}}\n"
        "Server('odd', [Tool('t', str, inputSchema=odd)]).serve()\n",
        encoding="utf-8",
    )
    report = await examined({"command": sys.executable, "args": [str(script)]})
    found = by_check(report)["schemas"]
    assert found.verdict == "warning"
    assert found.text.startswith("t: ")


async def test_a_server_at_an_address_that_refuses_is_told(examined: Examine) -> None:
    report = await examined({"url": "http://127.0.0.1:9/mcp"})
    assert by_check(report)["address"].text == "http://127.0.0.1:9/mcp"
    assert by_check(report)["connect"].verdict == "failed"


def command_line() -> list[str]:
    start, args = command("plain")
    return [start, *args]


def test_when_all_is_well_it_says_so_and_is_0(terminal: Terminal) -> None:
    for name in withheld_variables(terminal.environment, {}):
        del terminal.environment[name]
    terminal.configure(plain=entry("plain"), off=entry("exits_at_start", enabled=False))
    done = terminal.run("doctor")
    assert done.code == 0
    assert "All is well." in done.out
    assert "off" not in done.out.split()[2:3]
    assert "14 tools" in done.out


def test_a_server_that_fails_is_3_with_what_it_said_and_what_to_do(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"), dead=entry("exits_at_start"))
    done = terminal.run("doctor")
    assert done.code == 3
    assert "exited with code 3" in done.out
    assert "error: API_KEY is not set" in done.out
    assert "to do" in done.out
    assert "1 of 2 servers do not work: dead." in done.out


def test_one_server_alone_is_examined_also_when_it_is_off(terminal: Terminal) -> None:
    terminal.configure(off=entry("plain", enabled=False), dead=entry("exits_at_start"))
    done = terminal.run("doctor", "off", "--json")
    assert done.code == 0
    document = done.document
    assert document["ok"] is True
    assert [(one["name"], one["enabled"]) for one in document["servers"]] == [("off", False)]


def test_a_wrong_entry_is_examined_without_starting_anything(terminal: Terminal) -> None:
    terminal.configure(wrong={"command": "x", "args": "one text"}, plain=entry("plain"))
    for args in (["doctor"], ["doctor", "wrong"]):
        done = terminal.run(*args, "--json")
        assert done.code == 3
        (wrong,) = [one for one in done.document["servers"] if one["name"] == "wrong"]
        assert wrong["checks"][0]["check"] == "config"
        assert '"args" must be a list' in wrong["checks"][0]["text"]
        assert wrong["advice"]


def test_an_unknown_server_is_2(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    done = terminal.run("doctor", "nobody", "--json")
    assert done.code == 2
    assert "No server is named 'nobody'" in done.document["error"]["message"]


def test_without_servers_there_is_nothing_to_examine(terminal: Terminal) -> None:
    done = terminal.run("doctor")
    assert done.code == 0
    assert "(not there yet)" in done.out
    assert "nothing to examine" in done.out


@pytest.mark.parametrize(
    ("wrote", "verdict", "conclusion"),
    [
        ("ready", "note", "All servers work; see the notes."),
        ("ERROR: no database at db.local", "warning", "All servers work; see the warnings."),
        ("npm error no space is left", "warning", "All servers work; see the warnings."),
        ("x.ConnectionError: no", "warning", "All servers work; see the warnings."),
        ("0 errors found", "note", "All servers work; see the notes."),
    ],
)
def test_nothing_is_called_well_over_what_a_server_wrote(
    wrote: str, verdict: str, conclusion: str, terminal: Terminal
) -> None:
    start, args = command("plain")
    script = f'echo "{wrote}" >&2; exec "$@"'
    terminal.configure(talks={"command": "sh", "args": ["-c", script, "sh", start, *args]})
    done = terminal.run("doctor")
    assert done.code == 0
    assert conclusion in done.out
    assert "All is well." not in done.out
    (line,) = (line for line in done.out.splitlines() if " stderr " in line)
    assert line.split()[0] == verdict


def test_nothing_is_called_well_over_what_is_wrong_with_the_file(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    text = terminal.config.read_text("utf-8")
    terminal.config.write_text(text.replace("{", '{"mcpServers": {}, ', 1), "utf-8")
    done = terminal.run("doctor")
    assert "warning" in done.out
    assert "All is well." not in done.out


def test_the_names_of_variables_that_are_withheld_are_readable(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    terminal.environment |= {"MY_SERVICE_TOKEN": "abc", "AWS_PROFILE": "x"}
    done = terminal.run("doctor")
    told = done.out.partition("they may be secrets: ")[2].partition(";")[0].split(", ")
    assert {"AWS_PROFILE", "MY_SERVICE_TOKEN"} <= set(told)
    assert "see the notes" in done.out
