"""Behaves: one tool for each kind of result, and those that a person would call to try a host.

With `--era modern` it speaks 2026-07-28.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import threading
from pathlib import Path

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, PNG_URI, Call, Server, Tool, log, option, text_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

PNG = PNG_URI.partition(",")[2]
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00" + bytes(20)


def add(call: Call) -> str:
    return str(call.arguments["a"] + call.arguments["b"])


def slow(call: Call) -> None:
    """Answers from a thread after `seconds`, with a progress message a step."""
    threading.Thread(target=work, args=(call,), daemon=True).start()


def work(call: Call) -> None:
    steps = int(call.arguments.get("steps", 10))
    pause = threading.Event()
    for step in range(1, steps + 1):
        pause.wait(float(call.arguments.get("seconds", 1)) / steps)
        if call.id in call.server.cancelled:
            log(f"stopped {call.id} at step {step}")
            return
        if call.token is not None:
            progress = {"progressToken": call.token, "progress": step, "total": steps}
            message = {"message": f"step {step} of {steps}"}
            call.server.notify("notifications/progress", progress | message)
    call.server.answer(call.id, text_result(f"done after {steps} steps"))


def fail(call: Call) -> Json:
    return text_result(str(call.arguments.get("message", "it failed")), is_error=True)


def big(call: Call) -> str:
    return "x" * int(call.arguments["bytes"])


def image(_: Call) -> Json:
    return {"content": [{"type": "image", "data": PNG, "mimeType": "image/png"}]}


def audio(_: Call) -> Json:
    data = base64.b64encode(WAV).decode()
    return {"content": [{"type": "audio", "data": data, "mimeType": "audio/wav"}]}


def resource(_: Call) -> Json:
    note = {"uri": "test://note", "mimeType": "text/plain", "text": "a note"}
    link = {"type": "resource_link", "uri": "test://other", "name": "other", "size": 3}
    return {"content": [{"type": "resource", "resource": note}, link]}


def structured(_: Call) -> Json:
    value = {"city": "Paris", "degrees": 21.5, "tags": ["mild", "dry"]}
    return text_result(json.dumps(value)) | {"structuredContent": value}


def broken_structured(_: Call) -> Json:
    value = {"city": "Paris", "degrees": "warm"}
    return text_result(json.dumps(value)) | {"structuredContent": value}


def crash(call: Call) -> None:
    log("crashing as asked")
    os._exit(int(call.arguments.get("code", 1)))


def env(call: Call) -> str:
    return json.dumps({name: os.environ.get(name) for name in call.arguments["names"]})


def pid(_: Call) -> str:
    return str(os.getpid())


def write_file(call: Call) -> str:
    path = Path(call.arguments["path"])
    path.write_text(call.arguments.get("text", "marker"), encoding="utf-8")
    return str(path)


CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "number"}},
    "required": ["city", "degrees"],
}
ADD_SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
}
TOOLS = [
    ECHO,
    Tool("add", add, inputSchema=ADD_SCHEMA),
    Tool("slow", slow, {"seconds": "number", "steps": "integer"}),
    Tool("fail", fail, {"message": "string"}),
    Tool("big", big, {"bytes": "integer"}),
    Tool("image", image),
    Tool("audio", audio),
    Tool("resource", resource),
    Tool("structured", structured, outputSchema=CITY),
    Tool("broken_structured", broken_structured, outputSchema=CITY),
    Tool("crash", crash, {"code": "integer"}),
    Tool("env", env, {"names": "array"}),
    Tool("pid", pid),
    Tool("write_file", write_file, {"path": "string", "text": "string"}),
]
Server("plain", TOOLS, modern=option("era") == "modern").serve()
