"""Calls as lines that a program reads, without secrets."""

from __future__ import annotations

import json

from desktop.gui.activity.calls_export import json_lines
from desktop.redaction.redactor import Redaction
from desktop.tool_types import ToolResult
from tests.gui.activity.calls import Made


def test_a_line_has_facts_steps_arguments_and_result() -> None:
    made = Made()
    call = made.start(text="t0ken", a=1)
    made.step(call, step="sent", elapsed=0.1, detail="to t0ken")
    made.finish(call, ToolResult(success=True, output="t0ken!"))
    made.start()
    text = "".join(json_lines(made.recent.calls.values(), lambda _: Redaction(["t0ken"])))
    assert "t0ken" not in text
    first, second = (json.loads(line) for line in text.splitlines())
    assert (first["tool"], first["state"], first["seconds"]) == ("server:tool", "success", 0.25)
    assert first["arguments"] == {"text": "‹redacted›", "a": 1}
    assert [step["step"] for step in first["steps"]] == ["started", "sent", "finished"]
    assert first["result"]["data"]["output"] == "‹redacted›!"
    assert (second["state"], second["seconds"], second["result"]) == ("running", None, None)
