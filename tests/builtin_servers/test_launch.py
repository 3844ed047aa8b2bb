"""How a built-in server is started, and what it must not import."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from builtin_servers.catalog import CATALOG
from desktop.base.paths import builtin_command
from tests.builtin_command import builtin, run_code
from tests.patience import LIMIT
from tests.raw_client import RawClient

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {
    "asyncio",
    "typing",
    "typing_extensions",
    "dataclasses",
    "inspect",
    "logging",
    "subprocess",
    "socket",
    "site",
    "zoneinfo",
    "ast",
    "desktop",
    "mcp",
    "pydantic",
}


def run_to_end(command: tuple[str, list[str]]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command[0], *command[1]],
        input="",
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def test_a_name_that_is_not_on_the_list_is_refused_with_the_list() -> None:
    done = run_to_end(builtin("os"))
    assert done.returncode == 2
    assert "there are calculator, time" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("name", list(CATALOG))
def test_the_apps_own_command_serves_it(name: str) -> None:
    with RawClient(builtin_command(name)) as client:
        assert client.initialize()["result"]["serverInfo"]["name"] == name
        assert client.ask("tools/list")["result"]["tools"]


@pytest.mark.parametrize("name", list(CATALOG))
def test_a_server_without_input_ends_silently(name: str) -> None:
    done = run_to_end(builtin(name))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", list(CATALOG))
def test_a_server_imports_nothing_heavy_before_its_first_call(name: str) -> None:
    code = (
        "import json; from builtin_servers.launch import run; "
        f"run({name!r}); json.dump(sorted(sys.modules), sys.stderr)"
    )
    done = run_to_end(run_code(code))
    assert HEAVY.isdisjoint(json.loads(done.stderr))


def test_arguments_reach_the_server_through_the_apps_own_command(tmp_path: Path) -> None:
    command, args = builtin_command("filesystem")
    with RawClient((command, [*args, str(tmp_path)])) as client:
        client.initialize()
        found = client.call("list_allowed_directories")["result"]["structuredContent"]
        assert found == {"directories": [str(tmp_path)]}


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("calculator", ["x"], "takes no arguments"),
        ("filesystem", ["--all"], "usage: mcp-desktop builtin filesystem [--read-only] FOLDER..."),
        ("sqlite", ["/no/such/file"], "there is no file"),
    ],
)
def test_wrong_arguments_are_2_and_say_which_are_right(
    name: str, arguments: list[str], reason: str
) -> None:
    done = run_to_end(builtin(name, *arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
