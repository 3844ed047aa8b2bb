"""OpenAI Responses, as far as a conversation with tools goes."""

from __future__ import annotations

from typing import Any

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback.exchange import Reply, Request, Turn, Wire, named_event, pieces
from tests.features.models.loopback.openai_chat import refusal
from tests.features.models.loopback.pairs import Said, unpaired
from tests.features.models.provider_rules import violations


def _violations(request: Request) -> list[str]:
    body = request.body
    found = violations(ApiFormat.OPENAI_RESPONSES, body.get("tools", []))
    items: list[Any] = [] if isinstance(body["input"], str) else body["input"]
    for item in items:
        if item.get("type") == "function_call_output" and not (item["call_id"] and item["output"]):
            found.append("input: a function_call_output needs call_id and output")
        if item.get("type") == "reasoning" and not item.get("encrypted_content"):
            found.append("input: an item that was not persisted")
        if len(item.get("call_id", "")) > 64:
            found.append("input: call_id is too long, at most 64")
    return found + unpaired(map(_said, items))


def _said(item: dict[str, Any]) -> Said:
    match item.get("type"):
        case "function_call":
            return Said([item["call_id"]])
        case "function_call_output":
            return Said(answers=[item["call_id"]])
        case _:
            return Said(is_other=item.get("type") != "reasoning")


def _answer(request: Request) -> Reply:
    text: Any = {"type": "output_text", "text": "ok", "annotations": []}
    message: Any = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [text],
    }
    return Reply(
        {
            "id": "resp_1",
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": request.body["model"],
            "output": [message],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
    )


def _response(request: Request, status: str, output: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": request.body["model"],
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        **more,
    }


def _reasoning(turn: Turn, index: int) -> tuple[Any, list[dict[str, Any]]]:
    summary = [{"type": "summary_text", "text": turn.thinking}]
    item: Any = {"type": "reasoning", "id": f"rs_{turn.number}", "summary": summary}
    item["encrypted_content"] = f"sealed_{turn.number}"
    where: Any = {"output_index": index, "item_id": item["id"], "summary_index": 0}
    kind = "response.reasoning_summary_text.delta"
    return item, [{"type": kind, **where, "delta": part} for part in pieces(turn.thinking)]


def _message(turn: Turn, index: int) -> tuple[Any, list[dict[str, Any]]]:
    refused = turn.stop == "refused"
    content: Any = (
        {"type": "refusal", "refusal": turn.text}
        if refused
        else {"type": "output_text", "text": turn.text, "annotations": []}
    )
    item: Any = {"type": "message", "id": f"msg_{turn.number}", "role": "assistant"}
    item |= {"status": "completed", "content": [content]}
    where: Any = {"output_index": index, "item_id": item["id"], "content_index": 0}
    kind = f"response.{'refusal' if refused else 'output_text'}.delta"
    return item, [{"type": kind, **where, "delta": part} for part in pieces(turn.text)]


def _call(turn: Turn, number: int, index: int) -> tuple[Any, list[dict[str, Any]]]:
    call, item_id = turn.calls[number], f"fc_{turn.number}_{number}"
    item: Any = {"type": "function_call", "id": item_id, "call_id": turn.call_id(number)}
    item |= {"name": call.name, "arguments": call.text, "status": "completed"}
    where: Any = {"output_index": index, "item_id": item_id}
    kind = "response.function_call_arguments.delta"
    return item, [{"type": kind, **where, "delta": part} for part in pieces(call.text)]


def _ended(turn: Turn, request: Request, output: list[Any]) -> dict[str, Any]:
    usage: Any = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    usage["input_tokens_details"] = {"cached_tokens": 2}
    usage["output_tokens_details"] = {"reasoning_tokens": 0}
    reasons = {"length": "max_output_tokens", "filtered": "content_filter"}
    if (reason := reasons.get(turn.stop)) is None:
        done = _response(request, "completed", output, usage=usage)
        return {"type": "response.completed", "response": done}
    details = {"reason": reason}
    response = _response(request, "incomplete", output, usage=usage, incomplete_details=details)
    return {"type": "response.incomplete", "response": response}


def _stream(turn: Turn, request: Request) -> list[bytes]:
    items: list[tuple[Any, list[dict[str, Any]]]] = []
    if turn.thinking:
        items.append(_reasoning(turn, 0))
    if turn.text:
        items.append(_message(turn, len(items)))
    for number in range(len(turn.calls)):
        items.append(_call(turn, number, len(items)))
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": _response(request, "in_progress", [])}
    ]
    for index, (item, deltas) in enumerate(items):
        empty: Any = {"summary": [], "content": [], "arguments": "", "encrypted_content": None}
        begun: Any = item | {key: empty[key] for key in empty if key in item}
        events.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        events += deltas
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append(_ended(turn, request, [item for item, _ in items]))
    return [named_event({**event, "sequence_number": i}) for i, event in enumerate(events)]


WIRE = Wire(lambda path: path.endswith("/responses"), _violations, refusal, _answer, _stream)
