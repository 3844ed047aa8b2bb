"""The programs of the pages run as they stand there, and a host ends what it started."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import desktop
from desktop.base.errors import ConfigError, UsageError
from desktop.base.paths import Paths
from desktop.bootstrap import build_bootstrap
from desktop.host import McpHost
from tests.server_commands import command

ROOT = Path(__file__).parent.parent
PROGRAM = re.compile(r"```python\n(.*?)```", re.DOTALL)
(SHORTEST,) = PROGRAM.findall((ROOT / "README.md").read_text("utf-8"))
LIBRARY = (ROOT / "docs" / "library.md").read_text("utf-8")
WITHOUT_FILE, CALL, FIXTURE, SESSION, TRACK = PROGRAM.findall(LIBRARY)
CONFIGS = re.findall(r"```json\n(.*?)```", LIBRARY, re.DOTALL)
INI = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n"


def run(program: str, folder: Path, **variables: str) -> str:
    """What a program of a page prints, run in `folder` with data of its own."""
    places = {"MCP_DESKTOP_DATA": str(folder / "data"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, **places, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_readmes_program_calls_a_tool(tmp_path: Path) -> None:
    assert run(SHORTEST, tmp_path) == "3\n"


def test_a_program_loads_the_tools_of_the_config_beside_it_and_calls_one_in_a_used_home(
    tmp_path: Path,
) -> None:
    (tmp_path / "app.json").write_text('{"mcpServers": {"mine": {"command": "x"}}}', "utf-8")
    build_bootstrap(Paths(tmp_path / "app.json", tmp_path / "data")).store.keep_adopted()
    (tmp_path / "mcp.json").write_text(CONFIGS[0], "utf-8")
    for _ in range(2):
        listed, output = run(CALL, tmp_path).splitlines()
        assert "'calculator:calculate'" in listed
        assert listed.endswith("] {}")
        assert output == "3"
    assert run(SHORTEST, tmp_path) == "3\n"


def test_a_program_needs_no_config_and_writes_nothing_into_the_home(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "MCP_DESKTOP_DATA": "", "MCP_DESKTOP_CONFIG": "/nowhere/x"}
    listed, output = run(WITHOUT_FILE, tmp_path, **home).splitlines()
    assert "'calculator:calculate'" in listed
    assert output == "3"
    assert [*tmp_path.iterdir()] == []


def test_the_fixture_for_pytest_connects_a_server_to_each_test(tmp_path: Path) -> None:
    (tmp_path / "test_notes.py").write_text(FIXTURE, "utf-8")
    (tmp_path / "pytest.ini").write_text(INI, "utf-8")
    notes = [sys.executable, *command("notes")[1]]
    (tmp_path / "server.py").write_text(f"import os\nos.execv({notes[0]!r}, {notes!r})\n", "utf-8")
    run(f"import pytest; raise SystemExit(pytest.main(['-q', '{tmp_path}']))", tmp_path)


LIST = LIBRARY.partition("## What is stable")[2].partition("\n## ")[0]
STABLE = re.findall(r"^\| `(\w+)` \|", LIST, re.MULTILINE)


def test_the_stable_names_are_those_of_the_page_and_of_the_stub() -> None:
    stub = (ROOT / "desktop" / "__init__.pyi").read_text("utf-8")
    assert sorted(STABLE) == sorted(desktop.PUBLIC)
    assert sorted(re.findall(r" as (\w+)$", stub, re.MULTILINE)) == sorted(desktop.PUBLIC)
    for name in desktop.PUBLIC:
        assert getattr(desktop, name).__name__ == name
        assert getattr(desktop, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(desktop, "nothing")  # noqa: B009


def test_importing_the_package_imports_nothing_else() -> None:
    program = (
        "import sys; before = set(sys.modules); import desktop; print(set(sys.modules) - before)"
    )
    assert run(program, ROOT) == "{'desktop'}\n"


TABLE = LIBRARY.partition("## If you know it as")[2]
NAMED = re.findall(r"`(desktop(?:\.\w+)+)`", TABLE)
METHODS = re.findall(r"`([A-Z]\w+\.\w+)`", TABLE)


def found(dotted: str) -> object:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("dotted", NAMED)
def test_a_name_that_the_table_leads_to_is_there(dotted: str) -> None:
    assert found(dotted)


@pytest.mark.parametrize("method", METHODS)
def test_a_method_that_the_table_leads_to_is_that_of_a_class_named_beside_it(method: str) -> None:
    owner, _, name = method.partition(".")
    (named,) = {dotted for dotted in NAMED if dotted.endswith(f".{owner}")}
    assert hasattr(found(named), name)


def test_a_program_tracks_a_process_until_it_is_gone(tmp_path: Path) -> None:
    first, last = run(TRACK, tmp_path).splitlines()
    assert first == "1 tracked"
    assert re.fullmatch(r"0 tracked, exit code -?\d+", last)


async def test_leaving_the_host_ends_every_server(tmp_path: Path) -> None:
    program, arguments = command("plain")
    servers = {"plain": {"command": program, "args": arguments}, "gone": {"command": "no such"}}
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    async with McpHost(config, tmp_path / "data") as host:
        tools, failed = await host.load_tools()
        assert {tool.get_server_name() for tool in tools} == {"plain"}
        assert list(failed) == ["gone"]
        assert (await host.call_tool("echo", {"message": "hi"})).output == "hi"
        assert not (await host.call_tool("plain:nothing")).success
        tracker = host.core.tracker
        assert len(tracker.tracked) == 1
    assert tracker.tracked == ()
    with pytest.raises(UsageError, match="not open"):
        await host.load_tools()


async def test_a_config_that_cannot_be_read_is_an_error_at_once(tmp_path: Path) -> None:
    config = tmp_path / "mcp.json"
    config.write_text("{", "utf-8")
    with pytest.raises(ConfigError):
        async with McpHost(config, tmp_path / "data"):
            pass
