"""What is remembered, in a real file: shared, crash-safe, and set aside when it is damaged."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from builtin_servers import memory_store
from builtin_servers.framework.tool import ToolCallError
from builtin_servers.memory_store import KnowledgeGraph, MemoryDatabase
from tests.builtin_command import builtin
from tests.raw_client import RawClient

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def entity(name: str, kind: str, *observations: str) -> dict[str, Any]:
    return {"name": name, "entityType": kind, "observations": list(observations)}


def relation(source: str, target: str, kind: str) -> dict[str, str]:
    return {"from": source, "to": target, "relationType": kind}


def names(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    return [node["name"] for node in found["entities"]]


def stored(path: Path) -> list[str]:
    with MemoryDatabase(str(path)).open() as graph:
        return names(graph.read_all())


def add(database: MemoryDatabase, name: str) -> None:
    with database.open() as graph:
        graph.create_entities([entity(name, "t")])


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    """What the file itself has, past the graph."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_what_is_kept_is_there_again_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "memory.db"
    add(MemoryDatabase(str(path)), "a")
    assert stored(path) == ["a"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_change_that_fails_is_not_made_at_all(tmp_path: Path) -> None:
    database = MemoryDatabase(str(tmp_path / "m.db"))

    def fail_halfway() -> None:
        with database.open() as graph:
            graph.create_entities([entity("a", "t")])
            graph.create_relations([relation("a", "Nobody", "knows")])

    with pytest.raises(ToolCallError, match="nothing was changed"):
        fail_halfway()
    assert stored(tmp_path / "m.db") == []


@pytest.mark.parametrize("damage", ["garbage", "header", "middle"])
def test_a_damaged_file_is_set_aside_whole(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "m.db"
    database = MemoryDatabase(str(path))
    for number in range(300):
        add(database, f"{number} " + "x" * 100)
    content = bytearray(path.read_bytes())
    if damage == "garbage":
        content = bytearray(b"no database " * 1000)
    elif damage == "header":
        content[:16] = b"x" * 16
    else:
        content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    fresh = MemoryDatabase(str(path))
    add(fresh, "new")
    assert fresh.set_aside.startswith(f"{path}.damaged-")
    with open(fresh.set_aside, "rb") as kept:
        assert kept.read() == content
    assert stored(path) == ["new"]


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(ToolCallError, match="newer version"):
        stored(path)
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ToolCallError, match="cannot be used"):
        stored(tmp_path / "file" / "m.db")


def test_without_full_text_search_it_writes_and_the_index_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.db"
    add(MemoryDatabase(str(path)), "a")
    with monkeypatch.context() as patch:
        patch.setattr(memory_store, "_set_up_index", without_fts)
        add(MemoryDatabase(str(path)), "b")
    assert stored(path) == ["a", "b"]
    assert query(path, "SELECT entity FROM words ORDER BY entity") == [("a",), ("b",)]


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
    assert len(stored(path)) == 120
    assert query(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    with MemoryDatabase(str(path)).open() as graph:
        graph.create_entities(
            [
                entity("Ada", "person", "wrote the first program", "likes Übermut"),
                entity("Engine", "machine", "was never built"),
                entity("日本語メモ", "note", "東京で会う"),
            ]
        )
        graph.create_relations([relation("Ada", "Engine", "programmed")])
    return path


@pytest.fixture
def graph(path: Path) -> Iterator[KnowledgeGraph]:
    with MemoryDatabase(str(path)).open() as graph:
        yield graph


def test_only_what_is_new_is_made(graph: KnowledgeGraph) -> None:
    new = entity("Babbage", "person", "x", "x")
    made = graph.create_entities([entity("Ada", "other"), new])
    assert made == [entity("Babbage", "person", "x")]
    assert graph.create_relations([relation("Ada", "Engine", "programmed")]) == ([], [])
    added = graph.add_observations([{"entityName": "Ada", "contents": ["x", "likes Übermut"]}])
    assert added == [{"entityName": "Ada", "addedObservations": ["x"]}]


def test_relations_to_what_is_not_there_are_named_and_the_others_kept(
    graph: KnowledgeGraph,
) -> None:
    known, unknown = relation("Engine", "Ada", "made by"), relation("Ada", "Nobody", "knows")
    made, left_out = graph.create_relations([unknown, known])
    assert made == [known]
    assert left_out == ["Ada knows Nobody: no entity 'Nobody'"]
    assert known in graph.read_all()["relations"]


def test_without_a_word_everything_is_found(graph: KnowledgeGraph) -> None:
    assert set(names(graph.search("", 50))) == {"Ada", "Engine", "日本語メモ"}


def test_an_entity_that_is_not_there_is_an_error(graph: KnowledgeGraph) -> None:
    with pytest.raises(ToolCallError, match="no entity 'Nobody'"):
        graph.create_relations([relation("Ada", "Nobody", "knows")])
    with pytest.raises(ToolCallError, match="no entity 'Nobody'"):
        graph.add_observations([{"entityName": "Nobody", "contents": ["x"]}])
    with pytest.raises(ToolCallError, match="name is empty"):
        graph.create_entities([entity(" ", "x")])


@pytest.mark.parametrize("has_index", [True, False])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("program", ["Ada"]),
        ("PROGRAM", ["Ada"]),
        ("first program", ["Ada"]),
        ("übermut", ["Ada"]),
        ("rogra", ["Ada"]),
        ("machine", ["Engine"]),
        ("was", ["Engine"]),
        ("京で", ["日本語メモ"]),
        ('" OR * (', []),
        ("100%_", []),
        ("nothing of this", []),
    ],
)
def test_words_and_parts_of_words_are_found(
    graph: KnowledgeGraph, query: str, found: list[str], has_index: bool
) -> None:
    graph.has_index = has_index
    assert names(graph.search(query, 50)) == found


def test_words_need_not_stand_together_where_there_is_an_index(graph: KnowledgeGraph) -> None:
    assert names(graph.search("program wrote", 50)) == ["Ada"]
    assert len(names(graph.search("e", 1))) == 1


def test_the_relations_of_what_is_found_come_with_it(graph: KnowledgeGraph) -> None:
    found = graph.open_nodes(["Engine", "Nobody", "Engine"])
    assert found == {
        "entities": [entity("Engine", "machine", "was never built")],
        "relations": [relation("Ada", "Engine", "programmed")],
    }
    assert len(graph.read_all()["entities"]) == 3


def test_what_is_deleted_is_gone_with_all_that_hangs_on_it(path: Path) -> None:
    gone = [{"entityName": "Ada", "observations": ["likes Übermut", "never said"]}]
    with MemoryDatabase(str(path)).open() as graph:
        assert graph.delete_observations(gone) == 1
        assert names(graph.search("übermut", 5)) == []
        assert graph.delete_relations([relation("Ada", "Engine", "other")]) == 0
        assert graph.delete_entities(["Ada", "Nobody"]) == 1
        assert graph.read_all()["relations"] == []
        assert names(graph.search("program", 5)) == []
    assert query(path, "SELECT count(*) FROM words WHERE entity = 'Ada'") == [(0,)]


def test_a_note_is_kept_under_its_title_or_first_line(graph: KnowledgeGraph) -> None:
    assert graph.add_note("buy milk\nand bread", "") == "buy milk"
    assert graph.add_note("and eggs", "buy milk") == "buy milk"
    assert names(graph.search("bread", 5)) == ["buy milk"]
    (note,) = graph.open_nodes(["buy milk"])["entities"]
    assert note == entity("buy milk", "note", "buy milk\nand bread", "and eggs")


def test_thousands_are_read(graph: KnowledgeGraph) -> None:
    graph.create_entities([entity(f"e{n}", "t", "o") for n in range(3000)])
    assert len(graph.read_all()["entities"]) == 3003
