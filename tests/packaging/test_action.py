"""The GitHub Action: its script is run by bash, with real servers, as a runner would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from desktop.cli.commands import COMMANDS
from desktop.features.models.formats import ApiFormat
from tests.cli.terminal import command_of
from tests.features.models.loopback.server import Loopback

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
CHECK = next(step for step in ACTION["runs"]["steps"] if step["name"].startswith("Check"))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="bash")


def act(folder: Path, **inputs: str) -> tuple[int, str, set[str]]:
    """Run the step; its exit code, the summary with the errors below, the names of the reports."""
    program = folder / "mcp-desktop"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m desktop "$@"\n', "utf-8")
    program.chmod(0o755)
    summary = folder / "summary.md"
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "RUNNER_TEMP": str(folder),
        "GITHUB_STEP_SUMMARY": str(summary),
        "MCP_DESKTOP_COMMAND": str(program),
        **dict.fromkeys(CHECK["env"], ""),
        **inputs,
    }
    done = subprocess.run(
        ["bash", "-e", "-c", CHECK["run"]],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=50,
        check=False,
    )
    reports = {file.name for file in (folder / "mcp-desktop-reports").iterdir()}
    errors = "".join(re.findall("^::error .*\n", done.stdout, re.MULTILINE))
    return done.returncode, summary.read_text("utf-8") + errors, reports


def test_each_input_of_the_action_reaches_its_script() -> None:
    used = {name for step in ACTION["runs"]["steps"] for name in step.get("env", {}).values()}
    assert all(any(f"inputs.{name}" in text for text in used) for name in ACTION["inputs"])


def test_a_server_that_is_well_passes_with_a_summary_and_its_reports(tmp_path: Path) -> None:
    servers = f"plain={command_of('plain')}\n"
    code, summary, reports = act(tmp_path, SERVERS=servers)
    assert code == 0
    assert summary.startswith("### ✅ Check of plain")
    assert reports == {"check.xml", "check.md"}


def test_a_breaking_change_fails_the_job_and_says_which(tmp_path: Path) -> None:
    recording = tmp_path / "released.jsonl"
    call = ["call", "--server", f"plain={command_of('plain')}", "echo", "message=hi"]
    subprocess.run(
        [sys.executable, "-m", "desktop", *call, "--record", str(recording)],
        env={**os.environ, "MCP_DESKTOP_DATA": str(tmp_path), "MCP_DESKTOP_CONFIG": "none.json"},
        cwd=ROOT,
        timeout=50,
        check=True,
    )
    servers = f"plain={command_of('notes')}"
    code, summary, reports = act(tmp_path, SERVERS=servers, RECORDING=str(recording))
    assert code == 1
    assert "Breaking changes" in summary
    assert "| echo | removed | yes |" in summary
    assert "::error title=mcp-desktop compare::Exit code 1." in summary
    assert "mcp-desktop check::" not in summary
    assert "compare.xml" in reports


@pytest.mark.skipif("eval" not in COMMANDS, reason="nothing asks a model")
def test_cases_ask_the_model_whose_key_is_in_the_environment(tmp_path: Path) -> None:
    case = {"name": "agrees", "ask": "Well?", "expect": {"contains": "ok"}, "servers": "plain"}
    (tmp_path / "cases.json").write_text(json.dumps({"calls": [case]}), "utf-8")
    with Loopback() as server:
        base = server.base_url(ApiFormat.OPENAI)
        mine = {"kind": "openai", "api": "chat", "baseUrl": base}
        providers = {"mcpDesktop": {"providers": {"mine": mine}}}
        (tmp_path / "providers.json").write_text(json.dumps(providers), "utf-8")
        code, summary, reports = act(
            tmp_path,
            SERVERS=f"plain={command_of('plain')}",
            TESTS="cases.json",
            MODEL="mine/gpt-x",
            PROVIDERS=str(tmp_path / "providers.json"),
            MINE_API_KEY="sk-secret-0123456789",
        )
    assert code == 0, summary
    assert "| agrees | mine/gpt" in summary
    assert {"cases.html", "test.xml"} <= reports


@pytest.mark.skipif("clients" not in COMMANDS, reason="nothing knows other clients")
def test_clients_that_have_to_get_all_of_the_server_are_asked_for(tmp_path: Path) -> None:
    servers = f"notes={command_of('for_clients')}"
    code, summary, reports = act(tmp_path, SERVERS=servers, CLIENTS="cursor,cline")
    assert code == 1
    assert "| Cursor | not shown |" in summary
    assert {"clients.xml", "clients.md"} <= reports
