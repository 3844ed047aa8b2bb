"""What the core side says of saved calls is said in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.features.saved_calls.expectations import differences
from desktop.features.saved_calls.saved_call import Expectations, SavedCall
from desktop.features.saved_calls.saved_call_files import CallFile, list_entries
from desktop.features.saved_calls.saved_call_plan import plan_calls
from desktop.features.saved_calls.snapshots import check_snapshot
from desktop.gui.translations import spoken
from desktop.values.tool_types import ToolResult

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.usefixtures("chinese")
def test_what_is_wrong_with_saved_calls_and_snapshots_is_said(tmp_path: Path) -> None:
    calls = [
        {"name": "list", "tool": "a:b", "arguments": {"id": "${{ creat.id }}"}},
        {"name": "me", "tool": "a:b", "arguments": {"id": "${{ me.id }}"}},
        {"name": "create", "tool": "a:b", "expect": {"snapshot": True}},
    ]
    saved = tuple(SavedCall.model_validate(call) for call in calls)
    plan = plan_calls(list_entries(CallFile(tmp_path / "a.json", saved)))
    assert [spoken(planned.problem) for planned in plan] == [
        "没有名为“creat”的已保存调用；是否指“create”？",
        "这些调用互相等待：'me' 需要 'me'",
        "",
    ]
    finding = check_snapshot(tmp_path / "a.json", saved[2], ToolResult(True, "x"))
    assert spoken(finding.words) == "它还没有快照"
    (missed,) = differences(Expectations(contains=("y",)), ToolResult(True, "x"))
    assert spoken(missed.message) == '输出中没有 "y"：x'
