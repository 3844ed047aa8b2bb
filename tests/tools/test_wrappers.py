"""A wrapped tool is a tool, a view of a registry is one: renamed, chosen from, asked about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from desktop.errors import ToolNotFoundError
from desktop.tool_types import Decision, ErrorCode
from desktop.tools.registry import ToolRegistry
from desktop.tools.wrappers import Approved, Filtered, Prefixed
from tests.live_servers import error_of
from tests.tools.one_tool import OneTool

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject, Origin, ToolDefinition


@dataclass
class Asked:
    """Answers as it was told and remembers what it was asked."""

    decision: Decision
    heard: list[tuple[str, JsonObject, str, Origin]] = field(default_factory=list[Any])

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        self.heard.append((definition.key, arguments, call_id, origin))
        return self.decision


def keys(view: ToolRegistry | Filtered) -> list[str]:
    return [tool.definition.key for tool in view.all()]


async def test_a_prefixed_tool_has_another_key_and_runs_as_before() -> None:
    tool = OneTool("web", "search")
    registry = ToolRegistry()
    registry.set_server("web", [tool, Prefixed(tool, "old_")])
    assert keys(registry) == ["web:search", "web:old_search"]
    result = await registry.find("old_search").execute({"q": 1}, call_id="7", timeout=3)
    assert result.output == "web:search"
    assert tool.calls == [({"q": 1}, "7", 3)]


async def test_what_is_approved_is_sent_as_it_was_approved() -> None:
    tool = OneTool("files", "delete")
    asked = Asked(Decision(True, {"path": "b"}))
    approved = Approved(tool, asked)
    assert approved.definition is tool.definition
    result = await approved.execute({"path": "a"}, call_id="7", timeout=3)
    assert result.success
    assert asked.heard == [("files:delete", {"path": "a"}, "7", "agent")]
    assert tool.calls == [({"path": "b"}, "7", 3)]


@pytest.mark.parametrize("reason", ["", "Not this file."])
async def test_what_is_denied_is_not_sent_and_the_reason_is_told(reason: str) -> None:
    tool = OneTool("files", "delete")
    denied = Approved(tool, Asked(Decision(False, {}, reason)), origin="terminal")
    code, message = error_of(await denied.execute({"path": "a"}))
    assert code is ErrorCode.DENIED
    why = f": {reason}" if reason else "."
    assert message == f"The call of files:delete was not allowed; nothing was sent{why}"
    assert tool.calls == []


def test_a_filtered_view_has_what_is_kept_alone() -> None:
    registry = ToolRegistry()
    registry.set_server("web", [OneTool("web", "search"), OneTool("web", "fetch")])
    registry.set_server("files", [OneTool("files", "search")])
    view = Filtered(registry, lambda tool: tool.server == "web")
    assert keys(view) == ["web:search", "web:fetch"]
    assert view.find("search").definition.key == "web:search"
    assert view.find("web:fetch") is view.get("web:fetch")
    assert view.get("files:search") is None
    with pytest.raises(ToolNotFoundError, match="There is no tool 'files:search'"):
        view.find("files:search")


def test_a_filtered_view_follows_the_registry_and_views_can_be_stacked() -> None:
    registry = ToolRegistry()
    view = Filtered(registry, lambda tool: tool.name != "b")
    narrow = Filtered(view, lambda tool: tool.name != "a")
    seen: list[list[str]] = []
    narrow.changed.connect(lambda: seen.append(keys(narrow)))
    registry.set_server("s", [OneTool("s", name) for name in "abc"])
    registry.set_enabled("s:c", False)
    assert seen == [["s:c"], []]
