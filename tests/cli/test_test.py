"""`test`: exit codes, words, documents and reports, with real servers."""

from __future__ import annotations

import json
import signal
from contextlib import closing
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import entry, interrupt
from tests.history.test_run_reports import check_structure

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Done, Terminal

ADDS = {"name": "adds", "tool": "plain:add", "arguments": {"a": 1, "b": 2}}


@pytest.fixture
def plain(terminal: Terminal) -> Terminal:
    terminal.configure(plain=entry("plain", enabled=False))
    return terminal


def saved(terminal: Terminal, name: str, document: Any) -> Path:
    path = terminal.folder / "calls" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def run(terminal: Terminal, *args: object) -> Done:
    return terminal.run("test", *map(str, args))


def test_calls_that_go_as_expected_are_said_in_order_and_exit_0(plain: Terminal) -> None:
    saved(plain, "b.json", {"calls": [ADDS | {"expect": {"contains": "3"}}]})
    saved(plain, "a.json", {"name": "fails", "tool": "plain:fail", "expect": {"error": True}})
    done = run(plain, plain.folder / "calls")
    assert done.code == 0, done
    lines = done.out.splitlines()
    assert lines[0].startswith("passed    fails  (plain:fail)  ")
    assert lines[1].startswith("passed    adds  (plain:add)  ")
    assert lines[-1].startswith("2 passed of 2 in ")
    assert done.err == ""


def test_a_call_that_is_meant_to_be_refused_by_the_server_is_sent_unchecked(
    plain: Terminal,
) -> None:
    refused = {"name": "refused", "tool": "plain:fail", "arguments": {"message": [1]}}
    here = refused | {"expect": {"error": "invalid_arguments"}}
    there = refused | {"name": "there", "validate": False}
    there |= {"expect": {"error": "tool_error", "contains": "[1]"}}
    path = saved(plain, "a.json", [here, there])
    done = run(plain, path, "--json")
    assert done.code == 0, done
    results = [test["result"] for test in done.document["tests"]]
    assert ["unchecked" in result for result in results] == [False, True]
    assert "  (plain:fail, not validated)  " in run(plain, path).out


def test_a_difference_is_said_below_its_call_and_the_rest_still_runs(plain: Terminal) -> None:
    wrong = ADDS | {"name": "wrong", "expect": {"equals": {"": 4}}}
    done = run(plain, saved(plain, "a.json", [wrong, ADDS]))
    assert done.code == 1
    assert "failed    wrong" in done.out
    assert "          the whole: expected 4, got 3" in done.out
    assert "passed    adds" in done.out
    assert "1 passed, 1 failed of 2" in done.out


def test_the_document_has_counts_differences_and_results(plain: Terminal) -> None:
    path = saved(plain, "a.json", [ADDS | {"expect": {"contains": "4"}}])
    done = run(plain, path, "--json")
    document = done.document
    assert (done.code, document["success"], document["failed"], document["passed"]) == (
        1,
        False,
        1,
        0,
    )
    test = document["tests"][0]
    assert (test["file"], test["name"], test["outcome"]) == (str(path), "adds", "failed")
    assert test["differences"][0]["expected"] == "4"
    assert test["result"]["data"]["output"] == "3"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"name": "n"}, "tool is missing"),
        ({"name": "n", "tool": "other:add"}, "No server is named 'other'"),
        (ADDS | {"expect": {"contain": "3"}}, "expect.contain is no expectation"),
    ],
)
def test_a_file_that_is_wrong_is_2_and_no_server_is_started(
    plain: Terminal, document: Any, said: str
) -> None:
    saved(plain, "a.json", ADDS)
    done = run(plain, saved(plain, "b.json", document).parent, "--json")
    assert done.code == 2
    assert said in done.document["error"]["message"]
    assert plain.server_log("plain") == ""


def test_a_path_that_is_not_there_and_wrong_flags_are_2(plain: Terminal) -> None:
    assert "There is no file or folder" in run(plain, "nowhere").err
    assert "No saved calls" in run(plain, saved(plain, "a.json", [])).err
    path = saved(plain, "a.json", ADDS)
    for args in (["--timeout", "-1"], ["--junit", "no/such/folder/r.xml"], []):
        done = run(plain, *([path] if args else []), *args)
        assert done.code == 2, done


def test_a_server_that_is_away_is_3_and_the_others_are_asked(plain: Terminal) -> None:
    plain.configure(plain=entry("plain"), dead=entry("exits_at_start"))
    path = saved(plain, "a.json", [{"name": "x", "tool": "dead:add"}, ADDS])
    done = run(plain, path)
    assert done.code == 3
    assert "no server x" in done.out
    assert "passed    adds" in done.out
    assert "1 passed, 1 no server of 2" in done.out


def test_a_time_limit_is_4_unless_it_was_expected(plain: Terminal) -> None:
    slow = {"name": "slow", "tool": "plain:slow", "arguments": {"seconds": 30}, "timeout": 0.3}
    path = saved(plain, "a.json", slow)
    done = run(plain, path)
    assert (done.code, done.out.split()[:2]) == (4, ["too", "slow"])
    saved(plain, "a.json", slow | {"expect": {"error": "timeout"}})
    assert run(plain, path).code == 0


def test_the_report_is_junit_xml_whatever_the_server_says(plain: Terminal) -> None:
    angry = {"name": "angry", "tool": "plain:fail", "arguments": {"message": "\x1b[31m<&>\x00"}}
    path = saved(plain, "a.json", [ADDS, angry])
    report = plain.folder / "report.xml"
    done = run(plain, path, "--junit", report)
    root = ElementTree.parse(report).getroot()
    check_structure(root)
    assert done.code == 1
    assert "\x1b" not in done.out
    assert (root.attrib["tests"], root.attrib["failures"]) == ("2", "1")


def test_words_are_coloured_where_a_person_looks(plain: Terminal) -> None:
    code, shown = plain.watch("test", str(saved(plain, "a.json", ADDS)))
    assert code == 0
    assert "\x1b[32mpassed" in shown


def test_interrupted_it_cancels_the_call_and_exits_130(plain: Terminal) -> None:
    slow = {"name": "slow", "tool": "plain:slow", "arguments": {"seconds": 30}}
    path = saved(plain, "a.json", [{"name": "first", "tool": "plain:pid"}, slow])
    process = plain.start("test", str(path), "--verbose")
    assert process.stdout is not None
    assert "first" in process.stdout.readline()
    assert interrupt(process, signal.SIGINT) == 130


def test_what_it_called_is_in_the_history(plain: Terminal) -> None:
    import sqlite3

    run(plain, saved(plain, "a.json", ADDS))
    with closing(sqlite3.connect(plain.folder / "data" / "history.sqlite3")) as connection:
        found = connection.execute("SELECT key, origin, outcome FROM calls").fetchall()
    assert found == [("plain:add", "terminal", "done")]
