"""`check`: what it finds in real servers, and how it says so to people and build servers."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import Terminal, command_of
from tests.junit import check_structure

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = f"plain={command_of('plain')}"
ODD = f"odd={command_of('odd_declarations')}"
AWAY = f"away={command_of('exits_at_start')}"


def test_a_server_without_faults_passes(terminal: Terminal) -> None:
    done = terminal.run("check", "--server", PLAIN)
    assert done.code == 0, done
    assert "14 tools, 0 resources, 0 prompts" in done.out
    assert "0 errors, 0 warnings" in done.out


def test_each_fault_of_a_declaration_is_found_and_the_others_are_well(terminal: Terminal) -> None:
    done = terminal.run("check", "--server", ODD, "--json")
    assert (done.code, done.document["ok"]) == (1, False), done
    (server,) = done.document["servers"]
    found = {(each["tool"], each["subject"], each["level"]) for each in server["findings"]}
    assert {
        ("files.read", "name", "error"),
        ("misspelt", "inputSchema", "error"),
        ("no_object", "inputSchema", "error"),
        ("both", "annotations", "warning"),
        ("silent", "description", "warning"),
    } <= found
    assert not {tool for tool, *_ in found} & {"good"}
    assert server["tokens"].keys() == {"openai", "openai-responses", "anthropic", "gemini"}


def test_warnings_fail_where_that_is_wanted(terminal: Terminal, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    done = terminal.run("check", "--server", ODD, "--strict", "--junit", str(report))
    assert done.code == 1, done
    assert failed(report) == {"files.read", "misspelt", "no_object", "both", "silent"}
    terminal.run("check", "--server", ODD, "--junit", str(report))
    assert failed(report) == {"files.read", "misspelt", "no_object"}


def failed(report: Path) -> set[str]:
    """The tests that failed or could not be run, in a report of the right structure."""
    root = ElementTree.fromstring(report.read_text("utf-8"))
    check_structure(root)
    return {case.attrib["name"] for case in root.iter("testcase") if len(case)}


def test_a_server_that_is_away_is_3_and_an_error_of_the_report(
    terminal: Terminal, tmp_path: Path
) -> None:
    report, summary = tmp_path / "report.xml", tmp_path / "summary.md"
    flags = ["--junit", str(report), "--markdown", str(summary)]
    done = terminal.run("check", "--server", AWAY, "--server", PLAIN, *flags)
    assert done.code == 3, done
    assert failed(report) == {"starts and lists"}
    assert ElementTree.fromstring(report.read_text("utf-8")).attrib["errors"] == "1"
    text = summary.read_text("utf-8")
    assert text.startswith("### ❌ Check of away, plain\n")
    assert "| away | error |" in text


def test_more_tokens_than_allowed_are_an_error(terminal: Terminal) -> None:
    assert terminal.run("check", "--server", PLAIN, "--max-tokens", "100000").code == 0
    done = terminal.run("check", "--server", PLAIN, "--max-tokens", "10")
    assert (done.code, "more than 10" in done.out) == (1, True), done


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "No server is switched on"),
        (["--server", "nobody"], "No server is named 'nobody'"),
        (["--max-tokens", "0"], "--max-tokens"),
        (["--server", PLAIN, "--junit", "/nowhere/x.xml"], "No such folder"),
    ],
)
def test_wrong_usage_is_2_and_nothing_is_started(
    terminal: Terminal, args: list[str], said: str
) -> None:
    done = terminal.run("check", *args)
    assert (done.code, said in done.err) == (2, True), done
    assert terminal.server_log("plain") == ""
