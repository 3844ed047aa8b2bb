"""Keeps notes from one call to the next: create gives out an id, which read and delete need.

`--version 2` answers `read` with the words of the note in another case and one member more.
"""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Call, Server, Tool, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

notes: dict[str, str] = {}
is_later = option("version") == "2"


def answer(value: Json) -> Json:
    return {"content": [{"type": "text", "text": "done"}], "structuredContent": value}


def refuse(text: str) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": True}


def create(call: Call) -> Json:
    # Another one in each process: who expects a certain id, is found out.
    name = f"note-{id(notes):x}-{len(notes) + 1}"
    notes[name] = str(call.arguments.get("text", ""))
    return answer({"id": name, "number": len(notes), "token": f"tok_{name}_secret", "tags": ["a"]})


def read(call: Call) -> Json:
    name = call.arguments["id"]
    if name not in notes:
        return refuse(f"there is no note {name}")
    note: Json = {"id": name, "text": notes[name].upper() if is_later else notes[name]}
    return answer(note | ({"pinned": False} if is_later else {}))


def delete(call: Call) -> Json:
    name = call.arguments["id"]
    if notes.pop(name, None) is None:
        return refuse(f"there is no note {name}")
    return answer({"deleted": name, "left": len(notes)})


def count(_: Call) -> str:
    return str(len(notes))


def sign_in(call: Call) -> str:
    return f"signed in with {call.arguments.get('token')}"


def dump(call: Call) -> Json:
    """A result of so many members of a thousand characters."""
    size = int(call.arguments.get("thousands", 1))
    return answer({"id": "big", "rows": ["x" * 1000 for _ in range(size)]})


TOOLS = [
    Tool("create", create, {"text": "string"}),
    Tool("read", read, {"id": "string"}),
    Tool("delete", delete, {"id": "string"}),
    Tool("count", count),
    Tool("sign_in", sign_in, {"token": "string"}),
    Tool("dump", dump, {"thousands": "integer", "id": "string"}),
]
Server("notes", TOOLS).serve()
