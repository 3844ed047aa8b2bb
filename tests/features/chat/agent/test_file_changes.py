"""A person sees what a call of the built-in filesystem would make of a file, and of no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.models import ServerConfig
from desktop.features.chat.agent import session_factory
from desktop.features.chat.agent.session_factory import find_file_change
from desktop.features.chat.agent.session_info import Builtin
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.fifos import make_fifo
from tests.tools.people import Person

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.chat.agent.sessions import AgentSessions
    from desktop.tools.approvals import FileChange


def config(*args: str, **changes: Any) -> ServerConfig:
    values = {"name": "files", "transport": "stdio", "builtin": "filesystem", "args": args}
    return ServerConfig.checked(**values | changes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("one\ntwo\nthree\n", "utf-8")
    (tmp_path / "outside.txt").write_text("private\n", "utf-8")
    return tmp_path / "in"


async def change(folder: Path, tool: str, **arguments: Any) -> FileChange | None:
    return await find_file_change(config(str(folder)), tool, arguments)


async def test_a_written_file_is_shown_as_what_changes(folder: Path) -> None:
    found = await change(folder, "write_file", path="a.txt", content="one\n2\nthree\n")
    assert found is not None
    assert (found.path, found.is_new) == (str(folder / "a.txt"), False)
    assert "-two\n+2\n" in found.difference
    assert (folder / "a.txt").read_text("utf-8") == "one\ntwo\nthree\n"


async def test_a_new_file_is_all_new(folder: Path) -> None:
    found = await change(folder, "write_file", path="b.txt", content="hello\n")
    assert found is not None
    assert found.is_new
    assert found.difference.endswith("+hello\n")


async def test_edits_are_applied_as_the_server_would(folder: Path) -> None:
    edits = [{"oldText": "two", "newText": "2"}, {"oldText": "three\n", "newText": ""}]
    found = await change(folder, "edit_file", path="a.txt", edits=edits)
    assert found is not None
    assert "-two\n-three\n+2\n" in found.difference


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"path": "../outside.txt", "content": "x"}),
        ("write_file", {"path": "link.txt", "content": "x"}),
        ("write_file", {"path": "pipe", "content": "x"}),
        ("write_file", {"path": "a.txt"}),
        ("write_file", {"path": "a.txt", "content": 3}),
        ("write_file", {"path": "binary", "content": "x"}),
        ("write_file", {"path": "a.txt", "content": "x\n" * 5_000}),
        ("edit_file", {"path": "a.txt", "edits": [{"oldText": "none", "newText": "x"}]}),
        ("edit_file", {"path": "missing.txt", "edits": []}),
        ("read_file", {"path": "a.txt"}),
    ],
)
async def test_what_cannot_be_told_is_left_to_the_arguments(
    folder: Path, tool: str, arguments: dict[str, Any]
) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "outside.txt")
    (folder / "binary").write_bytes(b"\xff\xfe\0")
    make_fifo(folder / "pipe")
    assert await change(folder, tool, **arguments) is None


async def test_a_file_that_is_too_large_is_not_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_factory, "MAX_COMPARED_LENGTH", 10)
    assert await change(folder, "write_file", path="a.txt", content="x") is None


async def test_other_servers_are_not_looked_into(folder: Path) -> None:
    arguments = {"path": "a.txt", "content": "x"}
    other = ServerConfig.checked(name="files", transport="stdio", command="x", args=(str(folder),))
    assert await find_file_change(other, "write_file", arguments) is None
    assert await find_file_change(None, "write_file", arguments) is None


async def test_the_question_of_a_session_has_the_change(
    sessions: AgentSessions, folder: Path
) -> None:
    write = ("filesystem__write_file", {"path": "a.txt", "content": "new\n"})
    person = Person()
    builtins = [Builtin("filesystem", (str(folder),))]
    model = Scripted([calls(write), says("done")])
    session = await sessions.create(model, "m", person, builtins=builtins)
    await session.ask("go")
    (question,) = person.questions
    assert question.change is not None
    assert question.change.path == str(folder / "a.txt")
    assert (folder / "a.txt").read_text("utf-8") == "new\n"
