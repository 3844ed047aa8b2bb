"""`mcp-desktop tasks` against a server that keeps its tasks in a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.features.tasks.cli.tasks import to_mcp
from desktop.servers.task_calls import TaskState
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

KEPT = {
    "task-1": {"name": "stuck", "left": 2, "state": "working"},
    "task-2": {"name": "work", "left": 0, "state": "completed"},
    "task-3": {"name": "broken", "left": 0, "state": "failed"},
}


@pytest.fixture
def tasks(terminal: Terminal) -> Terminal:
    kept = terminal.folder / "tasks.json"
    kept.write_text(json.dumps(KEPT), encoding="utf-8")
    terminal.configure(
        builder=entry("task_server", "--keep", str(kept), "--page", "2", era="legacy"),
        plain=entry("plain", era="legacy"),
    )
    return terminal


def test_the_tasks_of_all_servers_are_listed_with_all_pages(tasks: Terminal) -> None:
    done = tasks.run("tasks")
    assert done.code == 0
    header, *lines = done.out.splitlines()
    assert header.split() == ["SERVER", "TASK", "STATUS", "UPDATED", "MESSAGE"]
    assert [line.split()[:3] for line in lines] == [
        ["builder", "task-1", "working"],
        ["builder", "task-2", "completed"],
        ["builder", "task-3", "failed"],
    ]


def test_the_document_has_them_as_the_protocol_writes_them(tasks: Terminal) -> None:
    document = tasks.run("tasks", "--json").document
    assert document["failed"] == {}
    assert document["tasks"][0] == {
        "server": "builder",
        "taskId": "task-1",
        "status": "working",
        "statusMessage": "2 left",
        "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": "2026-01-01T00:00:00Z",
        "ttl": 60_000,
    }


def test_the_result_of_a_task_that_an_earlier_run_began_is_fetched(tasks: Terminal) -> None:
    done = tasks.run("tasks", "--server", "builder", "--result", "task-2")
    assert (done.code, done.out) == (0, "completed\n")
    failed = tasks.run("tasks", "--server", "builder", "--result", "task-3", "--json")
    assert failed.code == 1
    assert failed.document["error"]["message"] == "failed"


def test_a_task_is_ended(tasks: Terminal) -> None:
    done = tasks.run("tasks", "--server", "builder", "--cancel", "task-1")
    assert (done.code, done.out) == (0, "cancelled: 2 left\n")
    listed = tasks.run("tasks", "--json").document["tasks"]
    assert listed[0]["status"] == "cancelled"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--server", "builder", "--cancel", "nothing"], 1, "no such task"),
        (["--server", "plain", "--result", "x"], 2, "plain has no tasks."),
        (["--result", "x"], 2, "Choose the server of the task with --server."),
        (["--server", "builder", "--result", "x", "--cancel", "x"], 2, "not both"),
        (["--server", "nobody"], 2, "nobody"),
    ],
)
def test_what_cannot_be_done_is_said(
    tasks: Terminal, words: list[str], code: int, said: str
) -> None:
    done = tasks.run("tasks", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_without_any_task_that_is_said(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain", era="legacy"))
    assert "No tasks." in terminal.run("tasks").err
    terminal.configure()
    assert "No server is switched on." in terminal.run("tasks").err


def test_what_is_not_known_of_a_task_is_left_out() -> None:
    assert to_mcp(TaskState("a", "working")) == {"taskId": "a", "status": "working"}
