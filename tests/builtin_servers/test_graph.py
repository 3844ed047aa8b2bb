"""Entities, observations and relations in a real file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from builtin_servers import graph
from builtin_servers.call import ToolError
from builtin_servers.notebook import Notebook

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with Notebook(str(tmp_path / "m.db")).open() as connection:
        graph.create_entities(
            connection,
            [
                entity("Ada", "person", "wrote the first program", "likes Übermut"),
                entity("Engine", "machine", "was never built"),
                entity("日本語メモ", "note", "東京で会う"),
            ],
        )
        graph.create_relations(connection, [relation("Ada", "Engine", "programmed")])
        yield connection


def entity(name: str, kind: str, *observations: str) -> dict[str, Any]:
    return {"name": name, "entityType": kind, "observations": list(observations)}


def relation(source: str, target: str, kind: str) -> dict[str, str]:
    return {"from": source, "to": target, "relationType": kind}


def names(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    return [one["name"] for one in found["entities"]]


def test_only_what_is_new_is_made(db: sqlite3.Connection) -> None:
    new = entity("Babbage", "person", "x", "x")
    made = graph.create_entities(db, [entity("Ada", "other"), new])
    assert made == [entity("Babbage", "person", "x")]
    assert graph.create_relations(db, [relation("Ada", "Engine", "programmed")]) == []
    added = graph.add_observations(db, [{"entityName": "Ada", "contents": ["x", "likes Übermut"]}])
    assert added == [{"entityName": "Ada", "addedObservations": ["x"]}]


def test_an_entity_that_is_not_there_is_an_error(db: sqlite3.Connection) -> None:
    with pytest.raises(ToolError, match="no entity 'Nobody'"):
        graph.create_relations(db, [relation("Ada", "Nobody", "knows")])
    with pytest.raises(ToolError, match="no entity 'Nobody'"):
        graph.add_observations(db, [{"entityName": "Nobody", "contents": ["x"]}])
    with pytest.raises(ToolError, match="name is empty"):
        graph.create_entities(db, [entity(" ", "x")])


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
    db: sqlite3.Connection, query: str, found: list[str], has_index: bool
) -> None:
    assert names(graph.search(db, query, 50, has_index=has_index)) == found


def test_words_need_not_stand_together_where_there_is_an_index(db: sqlite3.Connection) -> None:
    assert names(graph.search(db, "program wrote", 50, has_index=True)) == ["Ada"]
    assert len(names(graph.search(db, "e", 1, has_index=True))) == 1


def test_the_relations_of_what_is_found_come_with_it(db: sqlite3.Connection) -> None:
    found = graph.open_nodes(db, ["Engine", "Nobody", "Engine"])
    assert found == {
        "entities": [entity("Engine", "machine", "was never built")],
        "relations": [relation("Ada", "Engine", "programmed")],
    }
    assert len(graph.read_graph(db)["entities"]) == 3


def test_what_is_deleted_is_gone_with_all_that_hangs_on_it(db: sqlite3.Connection) -> None:
    gone = [{"entityName": "Ada", "observations": ["likes Übermut", "never said"]}]
    assert graph.delete_observations(db, gone) == 1
    assert names(graph.search(db, "übermut", 5, has_index=True)) == []
    assert graph.delete_relations(db, [relation("Ada", "Engine", "other")]) == 0
    assert graph.delete_entities(db, ["Ada", "Nobody"]) == 1
    assert graph.read_graph(db)["relations"] == []
    assert names(graph.search(db, "program", 5, has_index=True)) == []
    assert db.execute("SELECT count(*) FROM words WHERE entity = 'Ada'").fetchone() == (0,)


def test_a_note_is_kept_under_its_title_or_first_line(db: sqlite3.Connection) -> None:
    assert graph.add_note(db, "buy milk\nand bread", "") == "buy milk"
    assert graph.add_note(db, "and eggs", "buy milk") == "buy milk"
    assert names(graph.search(db, "bread", 5, has_index=True)) == ["buy milk"]
    (note,) = graph.open_nodes(db, ["buy milk"])["entities"]
    assert note == entity("buy milk", "note", "buy milk\nand bread", "and eggs")


def test_thousands_are_read(db: sqlite3.Connection) -> None:
    graph.create_entities(db, [entity(f"e{n}", "t", "o") for n in range(3000)])
    assert len(graph.read_graph(db)["entities"]) == 3003
