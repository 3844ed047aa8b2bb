"""The list of stored chats, as a run first sees it: CPU by how many and how large they are."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.features.chat.agent.session_file import VERSION, encode, seal
from desktop.features.chat.agent.session_info import SessionInfo
from desktop.features.chat.agent.session_store import SessionStore
from desktop.features.models.messages import Image, UserMessage
from tests.benchmarks.harness import Row, compare

if TYPE_CHECKING:
    from desktop.features.models.messages import Message

RUNS = 9
FEW, MANY = 10, 2_000
LARGE, PICTURES, PICTURE_BYTES = 8, 4, 7_000_000
"""Chats of 37 MB each, whose description is at their beginning."""


def _write(folder: Path, count: int, *messages: Message) -> SessionStore:
    """So many chats of these messages, each said once."""
    made = SessionStore(folder)
    folder.mkdir()
    said = "".join(f"{seal(json.dumps(encode(message, {})))}\n" for message in messages)
    for number in range(count):
        name = f"20261120-120000-{number:06x}"
        about = SessionInfo(name, datetime(2026, 11, 20, tzinfo=UTC), "openai", "m", title="A chat")
        described = {"type": "session", "version": VERSION, **about.to_json()}
        made.file(name).write_text(f"{seal(json.dumps(described))}\n{said}", "utf-8")
    return made


def _first_look(folder: Path, count: int) -> float:
    began = time.process_time()
    listed = asyncio.run(SessionStore(folder).list())
    used = time.process_time() - began
    if [one.about.title for one in listed] != ["A chat"] * count:
        raise RuntimeError("not all chats were listed")
    return used


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        few, many, large, small = (Path(name, each) for each in ("few", "many", "large", "small"))
        question = UserMessage("What is this?")
        picture = UserMessage("And this?", (Image(bytes(PICTURE_BYTES), "image/png"),))
        _write(few, FEW, question)
        _write(many, MANY, question)
        _write(small, LARGE, question)
        _write(large, LARGE, *[picture] * PICTURES)
        never = _first_look(large, LARGE)
        size = sum(file.stat().st_size for file in large.glob("*.jsonl")) // LARGE // 1_000_000
        counted = compare(RUNS, partial(_first_look, many, MANY), partial(_first_look, few, FEW))
        sized = compare(
            RUNS, partial(_first_look, large, LARGE), partial(_first_look, small, LARGE)
        )
    what = f"list of {LARGE} chats of {size} MB, CPU"
    return [
        counted.row(f"list of {MANY:,} chats, CPU, against {FEW}", "<= 100 x"),
        sized.row(f"{what}, against small ones", "<= 2 x"),
        Row(f"{what}, never listed before", never * 1e3, None, "ms", ""),
    ]
