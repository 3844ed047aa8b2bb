"""`clients`: what it says of a real server, of a recording, and to a build server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import Done, Terminal, command_of, entry
from tests.junit import check_structure
from tests.servers.for_clients import LONG

if TYPE_CHECKING:
    from pathlib import Path

SERVER = f"notes={command_of('for_clients')}"
MANY = f"big={command_of('many_tools', '--count', 200, '--bytes', 400, '--prefix', 'a' * 82)}"
AWAY = f"away={command_of('exits_at_start')}"


def verdicts(done: Done) -> dict[str, Any]:
    (server,) = done.document["servers"]
    return {each["client"]: each for each in server["clients"]}


def test_each_client_has_a_verdict_and_each_sentence_its_source(terminal: Terminal) -> None:
    done = terminal.run("clients", "--server", SERVER)
    assert done.code == 0, done
    assert "notes  tools: 6, earlier results: 0" in done.out
    assert f"not shown Its model is not given {LONG[:47]}…" in " ".join(done.out.split())
    assert "https://github.com/ComposioHQ/composio/issues/2788 (2026-02-27)" in done.out
    assert "Claude Code" in done.out
    assert "Descriptions end after 2,048 characters: wordy." in done.out


def test_a_required_client_that_does_not_get_all_of_it_fails_the_command(
    terminal: Terminal,
) -> None:
    done = terminal.run("clients", "--server", SERVER, "--require", "cursor,cline", "--json")
    assert (done.code, done.document["ok"]) == (1, False), done
    found = verdicts(done)
    assert found.keys() == {"cursor", "cline"}
    assert (found["cursor"]["verdict"], found["cline"]["verdict"]) == ("not shown", "renamed")
    assert found["cursor"]["findings"][0]["tools"] == [LONG]
    assert found["cursor"]["findings"][0]["old"] in (True, False)
    assert "cursor does not get all of notes: not shown" in done.err
    assert terminal.run("clients", "--server", SERVER, "--require", "cline").code == 0


def test_reports_are_written_for_a_build_server(terminal: Terminal, tmp_path: Path) -> None:
    junit, summary = tmp_path / "report.xml", tmp_path / "summary.md"
    reports = ("--junit", str(junit), "--markdown", str(summary))
    done = terminal.run("clients", "--server", SERVER, "--require", "cursor,cline", *reports)
    assert done.code == 1, done
    root = ElementTree.fromstring(junit.read_text("utf-8"))
    check_structure(root)
    assert {case.attrib["name"]: len(case) for case in root.iter("testcase")} == {
        "cursor": 1,
        "cline": 0,
    }
    assert "| Cursor | not shown | Its model is not given" in summary.read_text("utf-8")


def test_what_is_not_known_is_not_whole(terminal: Terminal) -> None:
    done = terminal.run("clients", "--server", SERVER, "--require", "jan")
    assert (done.code, "jan does not get all of notes: unknown" in done.err) == (1, True)


def test_many_tools_with_long_names_do_not_work_everywhere(terminal: Terminal) -> None:
    """MCPJam's `compat` said of such a server: works 16, degraded 0."""
    found = verdicts(terminal.run("clients", "--server", MANY, "--json"))
    assert found["vscode"]["verdict"] == "refused"
    assert found["cursor"]["verdict"] == "not shown"
    assert found["chatgpt"]["verdict"] == "refused"
    assert found["windsurf"]["verdict"] == "cut"
    assert found["claude-code"]["verdict"] == "works"
    assert found["gemini-cli"]["verdict"] == "renamed"
    assert len(found["cursor"]["findings"][0]["tools"]) == 200


@pytest.fixture
def called(terminal: Terminal) -> Terminal:
    """Two results of the server are in the history."""
    terminal.configure(notes=entry("for_clients"))
    for tool in ("who", "picture"):
        assert terminal.run("call", f"notes:{tool}").code == 0
    return terminal


def test_earlier_results_are_looked_at_too(called: Terminal) -> None:
    found = verdicts(called.run("clients", "notes", "--json"))
    said = [each["message"] for each in found["gemini-cli"]["findings"]]
    assert any("the text lacks values of it: who" in words for words in said), said
    said = [each["message"] for each in found["claude-code"]["findings"]]
    assert any("and not the text, which has words of its own: who" in words for words in said), said
    said = [each["message"] for each in found["slack"]["findings"]]
    assert any("does not get the pictures of picture" in words for words in said), said
    without = verdicts(called.run("clients", "notes", "--last", "0", "--json"))
    assert not any("picture" in each["message"] for each in without["slack"]["findings"])


def test_a_recording_stands_for_a_server(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    terminal.run("call", "notes:wordy", "--server", SERVER, "--record", str(file))
    done = terminal.run("clients", f"{file}#notes", "--only", "gemini-cli,goose", "--json")
    found = verdicts(done)
    assert (done.code, found["gemini-cli"]["verdict"]) == (0, "cut"), done
    assert "Results of more than 40,000 characters go to a file" in str(found["gemini-cli"])
    assert found.keys() == {"gemini-cli", "goose"}


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ([], 2, "No server is switched on"),
        (["--server", SERVER, "--require", "cursr"], 2, "Nothing is known of a client 'cursr'"),
        (["--server", SERVER, "--last", "-1"], 2, "--last"),
        (["nobody"], 2, "No server is named 'nobody'"),
        (["--server", AWAY], 3, "away"),
    ],
)
def test_what_cannot_be_asked_is_said(
    terminal: Terminal, args: list[str], code: int, said: str
) -> None:
    done = terminal.run("clients", *args)
    assert (done.code, said in done.err) == (code, True), done
