"""`test`: exit codes, words, documents and reports, with real servers."""

from __future__ import annotations

import json
import signal
from contextlib import closing
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from tests import peers
from tests.cli.terminal import command_of, entry, interrupt
from tests.features.saved_calls.test_run_reports import check_structure

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Done, Terminal

ADDS = {"name": "adds", "tool": "plain:add", "arguments": {"a": 1, "b": 2}}


@pytest.fixture
def plain(terminal: Terminal) -> Terminal:
    terminal.configure(plain=entry("plain"))
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


CREATE: dict[str, Any] = {"name": "create", "tool": "notes:create", "arguments": {"text": "milk"}}
ID = "${{ create.id }}"
READ: dict[str, Any] = {
    "name": "read",
    "tool": "notes:read",
    "arguments": {"id": ID},
    "expect": {"equals": {"text": "milk"}},
}
DELETE: dict[str, Any] = {
    "name": "delete",
    "tool": "notes:delete",
    "arguments": {"id": ID},
    "after": ["read"],
}


@pytest.fixture
def notes(terminal: Terminal) -> Terminal:
    terminal.configure(notes=entry("notes"))
    terminal.environment.pop("CI", None)
    return terminal


def test_a_note_is_created_read_and_deleted_whatever_the_order_of_the_files(
    notes: Terminal,
) -> None:
    saved(notes, "a.json", [DELETE | {"expect": {"equals": {"left": 0}}}, READ])
    saved(notes, "b.json", CREATE)
    done = run(notes, notes.folder / "calls")
    assert done.code == 0, done
    assert [line.split()[1] for line in done.out.splitlines()[:3]] == ["create", "read", "delete"]


def test_what_needs_a_call_that_failed_is_skipped_and_that_is_said(notes: Terminal) -> None:
    wrong = CREATE | {"expect": {"equals": {"number": 9}}}
    report, summary = notes.folder / "r.xml", notes.folder / "s.md"
    path = saved(notes, "a.json", [wrong, READ])
    done = run(notes, path, "--junit", report, "--markdown", summary)
    assert done.code == 1
    assert "skipped   read  (notes:read)\n          it needs the result of 'create'" in done.out
    assert "1 failed, 1 skipped of 2" in done.out
    check_structure(ElementTree.parse(report).getroot())
    assert "| read | notes\\:read | ⏭️ skipped |" in summary.read_text("utf-8")


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ([READ], "no saved call is named 'create'"),
        ([CREATE | {"arguments": {"text": "${{ read.text }}"}}, READ], "wait for each other"),
        ([CREATE | {"arguments": {"text": "${{ read"}}], "has no }}"),
        ([CREATE, CREATE], "two calls have the name 'create'"),
    ],
)
def test_what_cannot_be_ordered_is_2_and_no_server_is_started(
    notes: Terminal, calls: list[Any], said: str
) -> None:
    done = run(notes, saved(notes, "a.json", calls), "--json")
    assert done.code == 2
    assert said in done.document["error"]["message"]
    assert notes.server_log("notes") == ""


def test_a_snapshot_is_written_where_asked_shown_where_it_differs_and_never_in_ci(
    notes: Terminal,
) -> None:
    path = saved(notes, "a.json", [CREATE, READ | {"expect": {"snapshot": {"ignore": "id"}}}])
    stored = path.parent / "a.snapshots" / "read.json"
    missing = run(notes, path)
    assert (missing.code, stored.exists()) == (1, False)
    assert "write it with --update-snapshots" in missing.out
    notes.environment["CI"] = "true"
    refused = run(notes, path, "--update-snapshots")
    assert (refused.code, stored.exists()) == (2, False)
    del notes.environment["CI"]
    assert "snapshots written: 1" in run(notes, path, "--update-snapshots").out
    assert run(notes, path.parent).code == 0
    later = f"--server=notes={command_of('notes', '--version', 2)}"
    done = run(notes, path, later)
    assert done.code == 1
    assert '-     "text": "milk"' in done.out
    assert '+     "text": "MILK"' in done.out
    updated = run(notes, path, later, "--update-snapshots")
    assert updated.code == 0
    assert '+     "text": "MILK"' in updated.out
    assert run(notes, path, later).code == 0


def test_snapshots_that_no_call_uses_are_listed_and_go_only_when_that_is_asked(
    notes: Terminal,
) -> None:
    kept = CREATE | {"expect": {"snapshot": {"ignore": ["id", "token"]}}}
    path = saved(notes, "a.json", [kept, kept | {"name": "old"}])
    assert run(notes, path, "--update-snapshots").code == 0
    folder = path.parent / "a.snapshots"
    saved(notes, "a.json", [kept])
    done = run(notes, path)
    assert "1 snapshot used by no saved call any more:" in done.out
    assert "old.json" in done.out
    assert run(notes, path, "--json").document["leftover_snapshots"] == [str(folder / "old.json")]
    notes.environment["CI"] = "true"
    assert run(notes, path, "--remove-leftover-snapshots").code == 2
    del notes.environment["CI"]
    assert sorted(each.name for each in folder.iterdir()) == ["create.json", "old.json"]
    assert "1 snapshot removed:" in run(notes, path, "--remove-leftover-snapshots").out
    assert [each.name for each in folder.iterdir()] == ["create.json"]
    assert run(notes, path, "--json").document["leftover_snapshots"] == []


def test_two_versions_are_shown_side_by_side_without_any_config(notes: Terminal) -> None:
    notes.config.unlink()
    plain_read: dict[str, Any] = READ | {"expect": None}
    del plain_read["expect"]
    path = saved(notes, "a.json", [CREATE, plain_read, DELETE])
    given = [f"--server=v{n}={command_of('notes', '--version', n)}" for n in (1, 2)]
    args = [path, *given, "--against", "v1", "--against", "v2"]
    done = run(notes, *args)
    assert done.code == 0, done
    table = done.out.partition("\n\n")[2].splitlines()
    assert [line.split() for line in table[:4]] == [
        ["call", "v1", "v2"],
        ["create", "passed", "passed"],
        ["read", "passed", "differs"],
        ["delete", "passed", "passed"],
    ]
    assert "read: v2 differs from v1" in done.out
    assert run(notes, *args, "--same").code == 1
    document = run(notes, *args, "--json").document
    assert (document["passed"], document["differs"]) == (6, 1)
    assert {test["server"] for test in document["tests"]} == {"v1", "v2"}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--against", "other=notes"], "no server of that name"),
        (["--against", "gone"], "No server is named 'gone'"),
        (["--against", "notes", "--against", "notes"], "twice"),
        (["--server", "notes="], "is not NAME, NAME=COMMAND"),
        (["--server", "notes='"], "--server notes"),
        (["--from", "x.jsonl"], "--record FILE alone"),
        (["--against", "notes", "--against", "b", "--update-snapshots"], "of one server"),
    ],
)
def test_servers_that_are_given_wrong_are_2(notes: Terminal, args: list[str], said: str) -> None:
    done = run(notes, saved(notes, "a.json", CREATE), *args)
    assert done.code == 2, done
    assert said in done.err


@pytest.mark.parametrize("origin", ["recording", "history"])
def test_a_session_becomes_saved_calls_that_pass_on_a_server_with_other_ids(
    notes: Terminal, origin: str
) -> None:
    path, session = saved(notes, "a.json", [CREATE, READ, DELETE]), notes.folder / "s.jsonl"
    assert run(notes, path, "--record", session).code == 0
    made = notes.folder / "made.json"
    source = ["--from", session] if origin == "recording" else ["--server", "notes"]
    done = run(notes, "--record", made, *source)
    assert done.code == 0, done
    assert "3 saved calls written" in done.out
    calls = json.loads(made.read_text("utf-8"))["calls"]
    assert [call["arguments"] for call in calls] == [{"text": "milk"}, {"id": ID}, {"id": ID}]
    again = run(notes, made)
    assert again.code == 0, again
    refused = run(notes, "--record", made, *source)
    assert refused.code == 2
    assert "exists already" in refused.err


def test_without_calls_there_is_nothing_to_record(notes: Terminal) -> None:
    made = notes.folder / "made.json"
    done = run(notes, "--record", made)
    assert (done.code, made.exists()) == (2, False)
    assert run(notes).code == 2


def test_what_it_called_is_in_the_history(plain: Terminal) -> None:
    import sqlite3

    run(plain, saved(plain, "a.json", ADDS))
    with closing(sqlite3.connect(plain.folder / "data" / "history.sqlite3")) as connection:
        found = connection.execute("SELECT key, origin, outcome FROM calls").fetchall()
    assert found == [("plain:add", "terminal", "done")]


@pytest.mark.real_servers
@peers.needs_memory
def test_the_published_memory_server_is_tested_from_creation_to_deletion(
    terminal: Terminal,
) -> None:
    program, *args = peers.memory_command()
    env = {"MEMORY_FILE_PATH": str(terminal.folder / "memory.json")}
    terminal.configure(memory={"command": program, "args": args, "env": env})
    terminal.environment.pop("CI", None)
    ada = {"name": "Ada", "entityType": "person", "observations": ["wrote programs"]}
    name = "${{ create.entities[0].name }}"
    calls = [
        {"name": "create", "tool": "memory:create_entities", "arguments": {"entities": [ada]}},
        {
            "name": "open",
            "tool": "memory:open_nodes",
            "arguments": {"names": [name]},
            "expect": {
                "snapshot": True,
                "matches": {"properties": {"entities": {"minItems": 1}}},
                "equals": {"entities[0].name": name},
            },
        },
        {
            "name": "delete",
            "tool": "memory:delete_entities",
            "arguments": {"entityNames": [name]},
            "after": ["open"],
        },
    ]
    path = saved(terminal, "memory.json", calls)
    assert run(terminal, path, "--update-snapshots").code == 0
    done = run(terminal, path)
    assert done.code == 0, done
    assert "3 passed of 3" in done.out
