"""The memory's file: shared, crash-safe, and set aside when it is damaged."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from builtin_servers import notebook as module
from builtin_servers.call import ToolError
from builtin_servers.notebook import Notebook
from tests.builtin_command import builtin
from tests.raw_client import RawClient

if TYPE_CHECKING:
    from pathlib import Path


def names(path: Path) -> list[str]:
    with Notebook(str(path)).open() as db:
        return [name for (name,) in db.execute("SELECT name FROM entity ORDER BY name")]


def add(notebook: Notebook, name: str) -> None:
    with notebook.open() as db:
        db.execute("INSERT INTO entity VALUES (?, 't')", [name])


def test_what_is_kept_is_there_again_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "memory.db"
    add(Notebook(str(path)), "a")
    assert names(path) == ["a"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_change_that_fails_is_not_made_at_all(tmp_path: Path) -> None:
    notebook = Notebook(str(tmp_path / "m.db"))

    def twice() -> None:
        with notebook.open() as db:
            db.execute("INSERT INTO entity VALUES ('a', 't')")
            db.execute("INSERT INTO entity VALUES ('a', 't')")

    with pytest.raises(ToolError, match="UNIQUE"):
        twice()
    assert names(tmp_path / "m.db") == []


@pytest.mark.parametrize("damage", ["garbage", "header", "middle"])
def test_a_damaged_file_is_set_aside_whole(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "m.db"
    notebook = Notebook(str(path))
    for number in range(300):
        add(notebook, f"{number} " + "x" * 100)
    content = bytearray(path.read_bytes())
    if damage == "garbage":
        content = bytearray(b"no database " * 1000)
    elif damage == "header":
        content[:16] = b"x" * 16
    else:
        content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    fresh = Notebook(str(path))
    add(fresh, "new")
    assert fresh.set_aside.startswith(f"{path}.damaged-")
    with open(fresh.set_aside, "rb") as kept:
        assert kept.read() == content
    assert names(path) == ["new"]


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(ToolError, match="newer version"):
        names(path)
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ToolError, match="cannot be used"):
        names(tmp_path / "file" / "m.db")


def test_without_full_text_search_it_writes_and_the_index_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.db"
    add(Notebook(str(path)), "a")
    with monkeypatch.context() as patch:
        patch.setattr(module, "_set_up_index", without_fts)
        add(Notebook(str(path)), "b")
    with Notebook(str(path)).open() as db:
        found = db.execute("SELECT entity FROM words ORDER BY entity").fetchall()
    assert found == [("a",), ("b",)]


def without_fts(connection: sqlite3.Connection) -> bool:
    for trigger in ("entity_words", "observation_words", "observation_unwords", "entity_unwords"):
        connection.execute(f"DROP TRIGGER {trigger}")
    return False


def test_two_processes_write_at_once_and_a_kill_loses_nothing_answered(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with RawClient(builtin("memory", "--file", path)) as one:
        with RawClient(builtin("memory", "--file", path)) as two:
            for client in (one, two):
                client.initialize()
            for number in range(60):
                for client, who in ((one, "one"), (two, "two")):
                    arguments = {"name": "add_note", "arguments": {"text": f"{who} {number}"}}
                    client.send("tools/call", arguments, id=f"{who}{number}")
            answered = [two.read_answer(f"two{number}") for number in range(60)]
            two.process.kill()
        answered += [one.read_answer(f"one{number}") for number in range(60)]
    assert all(not answer["result"]["isError"] for answer in answered)
    assert len(names(path)) == 120
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
