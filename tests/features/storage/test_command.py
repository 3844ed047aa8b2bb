"""`mcp-desktop storage` as a person's terminal runs it: a real process, real files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.agent.session_store import SessionStore
from desktop.features.storage.kinds import KINDS
from tests.cli.terminal import Terminal
from tests.features.storage.folder import CHAT, fill, paths_in, write

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.base.paths import Paths

pytestmark = pytest.mark.process


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    made = paths_in(tmp_path)
    fill(made)
    return made


@pytest.fixture
def terminal(paths: Paths, tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_each_kind_has_its_line_with_size_age_and_bound(terminal: Terminal) -> None:
    done = terminal.run("storage")
    assert done.code == 0
    header, *lines = done.out.splitlines()
    assert header.split() == ["KIND", "SIZE", "FILES", "SINCE", "KEPT", "BOUND"]
    assert [line.split()[0] for line in lines] == [kind.key for kind in KINDS]
    (removed,) = [line for line in lines if line.startswith("removed-server-logs")]
    assert "16 B" in removed
    assert "30 days" in removed
    assert removed.endswith("At most 200 files or 100 MB; the oldest go first")
    assert "in 23 files in" in done.err


def test_for_programs_it_is_one_document(terminal: Terminal, paths: Paths) -> None:
    document = terminal.run("storage", "--json").document
    kinds = {each["kind"]: each for each in document["kinds"]}
    assert (document["files"], document["complete"]) == (23, True)
    assert document["bytes"] == sum(each["bytes"] for each in document["kinds"])
    log = kinds["removed-server-logs"]
    assert (log["bytes"], log["files"], log["keepDays"], log["deletable"]) == (16, 2, 30, True)
    assert log["folder"] == str(paths.server_logs)
    assert not kinds["state"]["deletable"]


def test_nothing_is_deleted_where_nobody_can_be_asked(terminal: Terminal, paths: Paths) -> None:
    done = terminal.run("storage", "delete", "removed-server-logs")
    assert (done.code, done.out) == (2, "")
    assert "Use --yes" in done.err
    assert (paths.server_logs / "gone.log").exists()
    assert terminal.run("storage", "delete", "chats", "--json").document["deleted"] == 0


def test_a_person_is_asked_first(terminal: Terminal, paths: Paths) -> None:
    question = "Delete logs of removed servers (16 B)? [y/N]"
    code, shown = terminal.answer([(question, "n")], "storage", "delete", "removed-server-logs")
    assert code == 2
    assert "Nothing was deleted." in shown
    assert (paths.server_logs / "gone.log").exists()
    code, shown = terminal.answer([(question, "y")], "storage", "delete", "removed-server-logs")
    assert code == 0
    assert "Deleted 2 files, 16 B." in shown
    assert not (paths.server_logs / "gone.log").exists()
    assert (paths.server_logs / "my_files.log").exists()


def test_what_could_not_be_deleted_is_said_and_is_the_exit_code(
    terminal: Terminal, paths: Paths
) -> None:
    write(paths.sessions / f"{CHAT % 2}.jsonl")
    lock = SessionStore(paths.sessions).lock(CHAT % 2)
    assert lock.take()
    done = terminal.run("storage", "delete", "chats", "--yes", "--json")
    lock.release()
    assert done.code == 1
    assert done.document == {
        "kind": "chats",
        "deleted": 2,
        "bytes": 16,
        "problems": [f"{CHAT % 2}: The session is open."],
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("delete",), "KIND is missing"),
        (("delete", "state", "--yes"), "Decisions and state are not deleted here"),
        (("delete", "all", "--yes"), "There is no kind 'all'"),
        (("remove", "chats"), "invalid choice"),
    ],
)
def test_what_makes_no_sense_is_refused(
    terminal: Terminal, words: tuple[str, ...], said: str
) -> None:
    done = terminal.run("storage", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
