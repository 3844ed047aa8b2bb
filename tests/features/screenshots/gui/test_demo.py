"""The example content is read by the parts that it is shown by, and every call is a real one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.core import build_core
from desktop.features.chat.agent.agent import Agent
from desktop.features.screenshots.gui.demo import (
    SESSION,
    SHOWN_CALL,
    SHOWN_PROMPT,
    SHOWN_RESOURCE,
    demo_paths,
    make_calls,
    write_demo,
)
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.values.tool_types import ToolResult


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(write_demo(tmp_path), {"SHELL": "/bin/sh"})
    made.follow_store()
    await made.settle()
    yield made
    await made.close()


async def test_the_calls_of_the_demo_go_well_but_for_the_division_by_zero(core: Core) -> None:
    ended: dict[str, ToolResult] = {}
    core.executor.finished.connect(lambda call, result: ended.update({call.key: result}))
    await make_calls(core)
    shown = await core.executor.run(ToolCall(*SHOWN_CALL))

    assert len(ended) == 8
    assert [key for key, result in ended.items() if not result.success] == ["calculator:calculate"]
    assert "The Night Ferry" in json.dumps(shown.structured)


async def test_what_is_opened_is_there(core: Core) -> None:
    handbook = core.service.connections["handbook"]
    await handbook.resources.list()
    await handbook.prompts.list()
    server, uri = SHOWN_RESOURCE
    assert server == "handbook"
    assert uri in {each.uri for each in handbook.resources.listed}
    assert SHOWN_PROMPT[0] in {each.key for each in handbook.prompts.listed}
    text = await handbook.resources.read(uri)
    assert "stocktaking" in str(text)


async def test_the_stored_conversation_can_be_read_whole(core: Core) -> None:
    opened = await core.part(Agent).sessions.store.read(SESSION)
    assert (opened.dropped, len(opened.messages)) == (0, 6)


def test_nothing_of_it_is_left() -> None:
    with demo_paths() as paths:
        assert paths.config.is_file()
    assert not paths.config.parent.exists()
