"""What is remembered: entities, observations of them, and how they relate. SQL and no more."""

from __future__ import annotations

import re

from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Record = dict[str, Any]
    Graph = dict[str, list[Record]]

NOTE = "note"
_CHUNK = 500


def create_entities(db: sqlite3.Connection, entities: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Those that were not there yet; one that was is left as it is."""
    made: list[Record] = []
    for entity in entities:
        name, kind = _name(entity["name"]), entity["entityType"]
        sql = "INSERT OR IGNORE INTO entity VALUES (?, ?)"
        if db.execute(sql, [name, kind]).rowcount:
            kept = _observe(db, name, entity["observations"])
            made.append({"name": name, "entityType": kind, "observations": kept})
    return made


def create_relations(
    db: sqlite3.Connection, relations: Iterable[Mapping[str, Any]]
) -> list[Record]:
    """Those that were not there yet. Raises `ToolError` for an entity that is not there."""
    made: list[Record] = []
    sql = "INSERT OR IGNORE INTO relation (source, target, type) VALUES (?, ?, ?)"
    for one in relations:
        _require(db, [one["from"], one["to"]])
        if db.execute(sql, [one["from"], one["to"], one["relationType"]]).rowcount:
            made.append({key: one[key] for key in ("from", "to", "relationType")})
    return made


def add_observations(
    db: sqlite3.Connection, additions: Iterable[Mapping[str, Any]]
) -> list[Record]:
    """What was added to each. Raises `ToolError` for an entity that is not there."""
    results: list[Record] = []
    for one in additions:
        _require(db, [one["entityName"]])
        added = _observe(db, one["entityName"], one["contents"])
        results.append({"entityName": one["entityName"], "addedObservations": added})
    return results


def add_note(db: sqlite3.Connection, text: str, title: str) -> str:
    """Keep a text; without a title its first line is one. Returns the title."""
    lines = text.strip().splitlines()
    name = _name(title or (lines[0][:80] if lines else ""))
    db.execute("INSERT OR IGNORE INTO entity VALUES (?, ?)", [name, NOTE])
    _observe(db, name, [text])
    return name


def delete_entities(db: sqlite3.Connection, names: Iterable[str]) -> int:
    return sum(db.execute("DELETE FROM entity WHERE name = ?", [name]).rowcount for name in names)


def delete_observations(db: sqlite3.Connection, deletions: Iterable[Mapping[str, Any]]) -> int:
    sql = "DELETE FROM observation WHERE entity = ? AND content = ?"
    return sum(
        db.execute(sql, [one["entityName"], content]).rowcount
        for one in deletions
        for content in one["observations"]
    )


def delete_relations(db: sqlite3.Connection, relations: Iterable[Mapping[str, Any]]) -> int:
    sql = "DELETE FROM relation WHERE source = ? AND target = ? AND type = ?"
    return sum(
        db.execute(sql, [one["from"], one["to"], one["relationType"]]).rowcount for one in relations
    )


def read_graph(db: sqlite3.Connection) -> Graph:
    names = [name for (name,) in db.execute("SELECT name FROM entity ORDER BY rowid")]
    return open_nodes(db, names)


def open_nodes(db: sqlite3.Connection, names: Sequence[str]) -> Graph:
    """The entities of these names, and every relation that one of them has."""
    entities: dict[str, Record] = {}
    relations: dict[int, Record] = {}
    unique = list(dict.fromkeys(names))
    for start in range(0, len(unique), _CHUNK):
        part = unique[start : start + _CHUNK]
        marks = ", ".join("?" * len(part))
        found: dict[str, Record] = {
            name: {"name": name, "entityType": kind, "observations": []}
            for name, kind in db.execute(f"SELECT * FROM entity WHERE name IN ({marks})", part)  # noqa: S608 - marks alone
        }
        sql = f"SELECT entity, content FROM observation WHERE entity IN ({marks}) ORDER BY id"  # noqa: S608
        for name, content in db.execute(sql, part):
            found[name]["observations"].append(content)
        entities |= {name: found[name] for name in part if name in found}
        sql = f"SELECT * FROM relation WHERE source IN ({marks}) OR target IN ({marks})"  # noqa: S608
        for key, source, target, kind in db.execute(sql, part + part):
            relations[key] = {"from": source, "to": target, "relationType": kind}
    return {
        "entities": list(entities.values()),
        "relations": [relations[key] for key in sorted(relations)],
    }


def search(db: sqlite3.Connection, query: str, most: int, *, has_index: bool) -> Graph:
    """Entities with all words of the query, the best first, then those with the query in them."""
    words = re.findall(r"\w+", query)[:50]
    names: list[str] = []
    if has_index and words:
        wanted = " ".join(f'"{word}"*' for word in words)
        sql = "SELECT entity FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        names += [name for (name,) in db.execute(sql, [wanted, most * 10])]
    names += [name for (name,) in db.execute(_CONTAINING, {"part": query.strip().casefold()})]
    return open_nodes(db, list(dict.fromkeys(names))[:most])


_CONTAINING = """
SELECT name FROM entity WHERE instr(fold(name), :part) OR instr(fold(type), :part)
UNION SELECT entity FROM observation WHERE instr(fold(content), :part)
"""


def _observe(db: sqlite3.Connection, name: str, contents: Iterable[str]) -> list[str]:
    sql = "INSERT OR IGNORE INTO observation (entity, content) VALUES (?, ?)"
    return [one for one in contents if db.execute(sql, [name, one]).rowcount]


def _require(db: sqlite3.Connection, names: Iterable[str]) -> None:
    for name in names:
        if not db.execute("SELECT 1 FROM entity WHERE name = ?", [name]).fetchone():
            raise ToolError(f"There is no entity {name[:100]!r}; nothing was changed")


def _name(text: str) -> str:
    if not text.strip():
        raise ToolError("A name is empty; nothing was changed")
    return text
