"""Calls as JSON lines: facts, steps, arguments and results, bounded and without secrets.

Must not import Qt.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from desktop.redaction.redactor import redacted_result, redacted_text, redacted_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from desktop.redaction.redactor import Redaction
    from desktop.tool_types import CallStep
    from desktop.tools.call_log import LoggedCall


def json_lines(calls: Iterable[LoggedCall], redaction: Callable[[str], Redaction]) -> Iterator[str]:
    """One line a call, each with its newline; `redaction` by the name of the server."""
    for call in calls:
        known = redaction(call.call.key.partition(":")[0])
        yield json.dumps(_document(call, known), ensure_ascii=False, default=str) + "\n"


def _document(call: LoggedCall, redaction: Redaction) -> dict[str, Any]:
    result = call.result
    shown = redacted_result(result, redaction) if result is not None else None
    return {
        "number": call.number,
        "at": datetime.fromtimestamp(call.at, UTC).isoformat(timespec="milliseconds"),
        "tool": redacted_text(call.call.key, redaction),
        "origin": call.call.origin,
        "state": call.outcome or "running",
        "seconds": call.seconds,
        "arguments": redacted_value(call.call.arguments, redaction),
        "steps": [_step(step, redaction) for step in call.steps],
        "result": redacted_value(shown.to_json(), redaction) if shown is not None else None,
    }


def _step(step: CallStep, redaction: Redaction) -> dict[str, Any]:
    told = {"step": step.step, "elapsed": round(step.elapsed, 6)}
    return told | ({"detail": redacted_text(step.detail, redaction)} if step.detail else {})
