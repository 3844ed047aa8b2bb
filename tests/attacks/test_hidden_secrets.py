"""A secret that is written in an unusual way is covered in what is shown, traced and kept."""

from __future__ import annotations

import asyncio
import json
import os
import re
from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.cli.call import write_trace
from desktop.cli.output import Console
from desktop.core import build_core
from desktop.processes.tracker import McpProcessTracker
from desktop.redaction.policy import find_secret_values, redact_text
from desktop.servers.recording import Recorder
from desktop.values.tool_types import ToolCall
from tests.server_commands import command

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hunter22Zx"


TEXTS = {
    "pass": f'{{"pass": "{SECRET}"}}',
    "pw": f"pw={SECRET}",
    "pin": f"pin={SECRET}",
    "code in an address": f"https://app.example/callback?code={SECRET}&state=x",
    "code in a form": f"grant_type=authorization_code&code={SECRET}&redirect_uri=x",
    "%3D": f"https://h.example/?next=%3Fclient_secret%3D{SECRET}",
    "%253D": f"client_secret%253D{SECRET}",
    "zero width": f"token\u200b={SECRET}",
    "two of no width": f"token\u2060\ufeff: {SECRET}",
    "user and port": f"me:{SECRET}@db.example:5432",
    "user and address": f"psql root:{SECRET}@10.0.0.1/x",
    "user and localhost": f"me:{SECRET}@localhost",
}
NAMES = ("pass", "pw", "pin")
"""Of arguments whose values are secrets, whatever they look like."""


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_secret_in_an_unusual_place_is_covered(text: str) -> None:
    assert SECRET not in redact_text(text)
    assert any(SECRET in value for value in find_secret_values(text))  # the history goes by these


async def call_with_each(folder: Path) -> dict[str, str]:
    """What is written where of a call for each text, which the server says back; by places."""
    paths = Paths(folder / "mcp.json", folder / "data")
    program, args = command("plain")
    servers = {"plain": {"command": program, "args": args}}
    paths.config.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    core = build_core(paths, {**os.environ, "SHELL": "/bin/sh"})
    recorder = Recorder(core.traffic, folder / "recording.jsonl")
    try:
        core.follow_store()
        await core.settle()
        for title, text in TEXTS.items():
            result = await core.executor.run(
                ToolCall("plain:echo", {"message": f"{title} is {text}"})
            )
            assert SECRET in result.output, "the server does say it back"
        for name in NAMES:
            await core.executor.run(ToolCall("plain:echo", {"message": "x", name: f"{SECRET}!"}))
        write_trace(core.traffic, folder / "trace.jsonl", Console())
        while core.history.is_writing:
            await core.history.page(count=1)
        page = await core.history.page(count=100)
        records = [await core.history.get(call.id) for call in page.calls]
    finally:
        recorder.close()
        await core.close()
    database = b"".join(file.read_bytes() for file in paths.history.parent.glob("history*"))
    return {
        "history": f"{records}\n{database.decode(errors='replace')}",
        "trace": (folder / "trace.jsonl").read_text("utf-8"),
        "recording": (folder / "recording.jsonl").read_text("utf-8"),
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(McpProcessTracker, "_instance", McpProcessTracker())
        return asyncio.run(call_with_each(tmp_path_factory.mktemp("secrets")))


@pytest.mark.parametrize("title", TEXTS)
@pytest.mark.parametrize("place", ["history", "trace", "recording"])
def test_no_file_has_it(written: dict[str, str], place: str, title: str) -> None:
    lines = [line for line in re.split(r"\n|Record\(", written[place]) if f"{title} is" in line]
    assert lines, "the call is there"
    assert not [line for line in lines if SECRET in line]


@pytest.mark.parametrize("place", ["history", "trace", "recording"])
def test_no_file_has_what_an_argument_of_such_a_name_held(
    written: dict[str, str], place: str
) -> None:
    assert all(re.search(rf"['\"]{name}['\"]", written[place]) for name in NAMES)
    assert SECRET not in written[place]


@pytest.mark.parametrize(
    "text",
    [
        "mailto:somebody@mail.example",
        "npm:react@18.2.0",
        "pass=12 fail=0",
        "status code=200&more",
        "at 10:30 bob@mail.example",
        "name:tag@sha256:abcdef",
    ],
)
def test_what_looks_alike_stays(text: str) -> None:
    assert redact_text(text) == text
    assert find_secret_values(text) == []
