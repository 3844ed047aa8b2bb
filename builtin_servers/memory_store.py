"""What the memory server remembers: a graph in one SQLite file that several processes may share.

Every change is a transaction in write-ahead mode, so a crash loses at most what was not answered
yet. A damaged file is set aside under another name, never overwritten, and that is reported.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import time
from contextlib import closing, contextmanager, suppress

from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
    from typing import Any

    Record = dict[str, Any]
    Graph = dict[str, list[Record]]

VERSION = 1
_MAX_LOCK_SECONDS = 10.0
_FILE_SUFFIXES = ("", "-wal", "-shm")

_TABLES = """
CREATE TABLE IF NOT EXISTS entity (name TEXT PRIMARY KEY, type TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS observation (
    id INTEGER PRIMARY KEY,
    entity TEXT NOT NULL REFERENCES entity (name) ON DELETE CASCADE,
    content TEXT NOT NULL,
    UNIQUE (entity, content)
);
CREATE TABLE IF NOT EXISTS relation (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL REFERENCES entity (name) ON DELETE CASCADE,
    target TEXT NOT NULL REFERENCES entity (name) ON DELETE CASCADE,
    type TEXT NOT NULL,
    UNIQUE (source, target, type)
);
CREATE INDEX IF NOT EXISTS relation_target ON relation (target);
"""
_INDEX = """
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, entity UNINDEXED);
DELETE FROM words;
INSERT INTO words SELECT name || ' ' || type, name FROM entity;
INSERT INTO words SELECT content, entity FROM observation;
CREATE TRIGGER entity_words AFTER INSERT ON entity BEGIN
    INSERT INTO words VALUES (new.name || ' ' || new.type, new.name);
END;
CREATE TRIGGER observation_words AFTER INSERT ON observation BEGIN
    INSERT INTO words VALUES (new.content, new.entity);
END;
CREATE TRIGGER observation_unwords AFTER DELETE ON observation BEGIN
    DELETE FROM words WHERE entity = old.entity AND text = old.content;
END;
CREATE TRIGGER entity_unwords AFTER DELETE ON entity BEGIN
    DELETE FROM words WHERE entity = old.name;
END;
"""
_TRIGGERS = ("entity_words", "observation_words", "observation_unwords", "entity_unwords")
NOTE = "note"
_MAX_NAMES_PER_QUERY = 500
_MAX_QUERY_WORDS = 50
_CONTAINING = """
SELECT name FROM entity WHERE instr(fold(name), :part) OR instr(fold(type), :part)
UNION SELECT entity FROM observation WHERE instr(fold(content), :part)
"""


class MemoryDatabase:
    """The file at `path`; `set_aside` is the new path of a damaged one, until it is cleared."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.set_aside = ""
        self._has_index = False
        self._is_checked = False

    @contextmanager
    def open(self) -> Generator[KnowledgeGraph]:
        """One transaction: all changes are kept, or none. Raises `ToolCallError`."""
        try:
            if not self._is_checked:
                self._prepare()
                self._is_checked = True
            with closing(_connect(self.path)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                with connection:
                    yield KnowledgeGraph(connection, has_index=self._has_index)
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                self._is_checked = False  # the next call checks the file and sets it aside
            raise ToolCallError(f"The memory at {self.path} cannot be used: {error}") from error
        except OSError as error:
            raise ToolCallError(
                f"The memory at {self.path} cannot be used: {error.strerror}"
            ) from error

    def _prepare(self) -> None:
        folder = os.path.dirname(self.path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # One process at a time: the second of two would set aside the good new file of the first.
        with _locked(f"{self.path}.lock"):
            try:
                self._has_index = _set_up(self.path)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self.set_aside = self._set_file_aside()
                self._has_index = _set_up(self.path)

    def _set_file_aside(self) -> str:
        aside = f"{self.path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        for suffix in _FILE_SUFFIXES:
            with suppress(FileNotFoundError):
                os.rename(self.path + suffix, aside + suffix)
        return aside


class KnowledgeGraph:
    """Entities, observations about them, and their relations, inside one transaction."""

    def __init__(self, connection: sqlite3.Connection, *, has_index: bool) -> None:
        self._db = connection
        self.has_index = has_index

    def create_entities(self, entities: Iterable[Mapping[str, Any]]) -> list[Record]:
        """Add entities; returns the new ones. An existing one is left unchanged."""
        made: list[Record] = []
        for entity in entities:
            name, kind = _require_name(entity["name"]), entity["entityType"]
            sql = "INSERT OR IGNORE INTO entity VALUES (?, ?)"
            if self._db.execute(sql, [name, kind]).rowcount:
                added = self._observe(name, entity["observations"])
                made.append({"name": name, "entityType": kind, "observations": added})
        return made

    def create_relations(
        self, relations: Iterable[Mapping[str, Any]]
    ) -> tuple[list[Record], list[str]]:
        """Add relations between entities that are there.

        Returns:
            The new relations, and a sentence for each that was left out.

        Raises:
            ToolCallError: Every one was left out.
        """
        made: list[Record] = []
        left_out: list[str] = []
        is_known = False
        sql = "INSERT OR IGNORE INTO relation (source, target, type) VALUES (?, ?, ?)"
        for relation in relations:
            source, target, kind = (relation[key] for key in ("from", "to", "relationType"))
            if unknown := [name for name in (source, target) if not self._has(name)]:
                names = " and ".join(repr(name[:100]) for name in dict.fromkeys(unknown))
                left_out.append(f"{source[:100]} {kind[:100]} {target[:100]}: no entity {names}")
                continue
            is_known = True
            if self._db.execute(sql, [source, target, kind]).rowcount:
                made.append({"from": source, "to": target, "relationType": kind})
        if left_out and not is_known:
            raise ToolCallError("; ".join(left_out[:20]) + "; nothing was changed")
        return made, left_out

    def add_observations(self, additions: Iterable[Mapping[str, Any]]) -> list[Record]:
        """Add observations; returns what is new. Raises `ToolCallError` for an unknown entity."""
        results: list[Record] = []
        for addition in additions:
            name = addition["entityName"]
            self._require([name])
            added = self._observe(name, addition["contents"])
            results.append({"entityName": name, "addedObservations": added})
        return results

    def add_note(self, text: str, title: str) -> str:
        """Add a text; without a title its first line becomes the title. Returns the title."""
        lines = text.strip().splitlines()
        name = _require_name(title or (lines[0][:80] if lines else ""))
        self._db.execute("INSERT OR IGNORE INTO entity VALUES (?, ?)", [name, NOTE])
        self._observe(name, [text])
        return name

    def delete_entities(self, names: Iterable[str]) -> int:
        return sum(
            self._db.execute("DELETE FROM entity WHERE name = ?", [name]).rowcount for name in names
        )

    def delete_observations(self, deletions: Iterable[Mapping[str, Any]]) -> int:
        sql = "DELETE FROM observation WHERE entity = ? AND content = ?"
        return sum(
            self._db.execute(sql, [deletion["entityName"], content]).rowcount
            for deletion in deletions
            for content in deletion["observations"]
        )

    def delete_relations(self, relations: Iterable[Mapping[str, Any]]) -> int:
        sql = "DELETE FROM relation WHERE source = ? AND target = ? AND type = ?"
        return sum(
            self._db.execute(
                sql, [relation["from"], relation["to"], relation["relationType"]]
            ).rowcount
            for relation in relations
        )

    def read_all(self) -> Graph:
        names = [name for (name,) in self._db.execute("SELECT name FROM entity ORDER BY rowid")]
        return self.open_nodes(names)

    def open_nodes(self, names: Sequence[str]) -> Graph:
        """The entities with these names, and every relation of one of them."""
        entities: dict[str, Record] = {}
        relations: dict[int, Record] = {}
        unique = list(dict.fromkeys(names))
        for start in range(0, len(unique), _MAX_NAMES_PER_QUERY):
            part = unique[start : start + _MAX_NAMES_PER_QUERY]
            marks = ", ".join("?" * len(part))
            found: dict[str, Record] = {
                name: {"name": name, "entityType": kind, "observations": []}
                for name, kind in self._db.execute(
                    f"SELECT * FROM entity WHERE name IN ({marks})",  # noqa: S608 - only "?, ?"
                    part,
                )
            }
            sql = f"SELECT entity, content FROM observation WHERE entity IN ({marks}) ORDER BY id"  # noqa: S608
            for name, content in self._db.execute(sql, part):
                found[name]["observations"].append(content)
            entities |= {name: found[name] for name in part if name in found}
            sql = f"SELECT * FROM relation WHERE source IN ({marks}) OR target IN ({marks})"  # noqa: S608
            for key, source, target, kind in self._db.execute(sql, part + part):
                relations[key] = {"from": source, "to": target, "relationType": kind}
        return {
            "entities": list(entities.values()),
            "relations": [relations[key] for key in sorted(relations)],
        }

    def search(self, query: str, max_results: int) -> Graph:
        """Entities with all words of the query, best first, then those that contain the query."""
        words = re.findall(r"\w+", query)[:_MAX_QUERY_WORDS]
        names: list[str] = []
        if self.has_index and words:
            wanted = " ".join(f'"{word}"*' for word in words)
            sql = "SELECT entity FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
            names += [name for (name,) in self._db.execute(sql, [wanted, max_results * 10])]
        names += [
            name for (name,) in self._db.execute(_CONTAINING, {"part": query.strip().casefold()})
        ]
        return self.open_nodes(list(dict.fromkeys(names))[:max_results])

    def _observe(self, name: str, contents: Iterable[str]) -> list[str]:
        sql = "INSERT OR IGNORE INTO observation (entity, content) VALUES (?, ?)"
        return [text for text in contents if self._db.execute(sql, [name, text]).rowcount]

    def _has(self, name: str) -> bool:
        found = self._db.execute("SELECT 1 FROM entity WHERE name = ?", [name])
        return found.fetchone() is not None

    def _require(self, names: Iterable[str]) -> None:
        for name in names:
            if not self._has(name):
                raise ToolCallError(f"There is no entity {name[:100]!r}; nothing was changed")


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_MAX_LOCK_SECONDS, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.create_function("fold", 1, _fold, deterministic=True)
    return connection


def _fold(text: object) -> str:
    return str(text).casefold()


def _set_up(path: str) -> bool:
    """Create or check the tables; returns whether there is a full-text index."""
    is_new = not os.path.exists(path)
    with closing(_connect(path)) as connection:
        if is_new:
            os.chmod(path, 0o600)
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"malformed: {found}")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise ToolCallError(f"The memory at {path} was made by a newer version of mcp-desktop")
        if version < VERSION:
            connection.execute("PRAGMA journal_mode = WAL")
            # IMMEDIATE: a reader that becomes a writer fails at once if another process writes.
            script = f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;"
            connection.executescript(script)
        return _set_up_index(connection)


def _set_up_index(connection: sqlite3.Connection) -> bool:
    """Without FTS5 the triggers would fail: they are dropped, and restored once it is there."""
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.probe USING fts5 (a)")
    except sqlite3.OperationalError:
        for trigger in _TRIGGERS:
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        return False
    sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
    if connection.execute(sql).fetchone()[0] != len(_TRIGGERS):
        connection.executescript(f"BEGIN IMMEDIATE; {_INDEX} COMMIT;")
    return True


def _is_damage(error: sqlite3.Error) -> bool:
    return "malformed" in str(error) or "not a database" in str(error)


@contextmanager
def _locked(path: str) -> Generator[None]:
    """Hold a lock that ends with the process."""
    lock = _import_lock()
    with open(path, "w", encoding="ascii") as file:
        lock(file.fileno())
        yield


def _import_lock() -> Callable[[int], None]:
    if sys.platform == "win32":
        import msvcrt

        return lambda fd: msvcrt.locking(fd, msvcrt.LK_LOCK, 1)  # tries for ten seconds
    import fcntl

    return lambda fd: fcntl.flock(fd, fcntl.LOCK_EX)


def _require_name(text: str) -> str:
    if not text.strip():
        raise ToolCallError("A name is empty; nothing was changed")
    return text
