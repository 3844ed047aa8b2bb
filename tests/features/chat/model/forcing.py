"""A proxy before the model's server that lets a model of this size call tools.

    with Forcing(engine.url) as proxy:
        proxy.plan = [Call("calculator__calculate"), None]     # a call of this tool, then words

A model of 135 million parameters does not choose a tool by itself. Where the plan names one, the
proxy asks for JSON that its schema allows, which the engine holds the model to, and passes that on
as a call. The arguments are the model's own. What is not planned is answered in words. With
`chooses` a question is answered by a call of the tool whose name the model chooses, and its result
in words.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]
SECONDS: Final = 300.0
"""How long the engine may take for one answer."""
CALL_TOKENS, WORD_TOKENS = 96, 24
TELLS: Final = "You have tools. To call one, answer with JSON: its name and arguments.\n"
SHOWN: Final = 80
"""Characters of a description that the model is told."""


@dataclass(frozen=True)
class Call:
    """A call that the model makes next; of `pinned` arguments it is left no choice."""

    tool: str
    pinned: Mapping[str, str] = field(default_factory=dict[str, str])


class Forcing:
    """`asked` are the bodies as the app sent them, `counts` the tokens that the engine counted."""

    def __init__(self, upstream: str, *, chooses: bool = False) -> None:
        self.upstream = urlsplit(upstream).netloc
        self.chooses = chooses
        self.plan: list[Call | None] = []
        self.asked: list[Json] = []
        self.counts: list[int] = []
        self.refused: list[str] = []
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Handler,), {"proxy": self})
        )
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next_call(self) -> Call | None:
        return self.plan.pop(0) if self.plan else None


def plain_messages(body: Json) -> list[Json]:
    """The conversation in words alone, for an engine that knows no tools."""
    tools = [each["function"] for each in body.get("tools", ())]
    listed = [f"{tool['name']}: {tool.get('description', '')[:SHOWN]}" for tool in tools]
    told = [TELLS + "\n".join(listed)] if listed else []
    messages: list[Json] = []
    for each in body["messages"]:
        match each["role"]:
            case "system":
                told.insert(0, each["content"])
            case "tool":
                messages.append({"role": "user", "content": f"Result: {each['content']}"})
            case "assistant" if each.get("tool_calls"):
                calls = [call["function"] for call in each["tool_calls"]]
                messages.append({"role": "assistant", "content": json.dumps(calls)})
            case _:
                messages.append(each)
    system = [{"role": "system", "content": "\n\n".join(told)}] if told else []
    return [*system, *messages]


def call_schema(body: Json, call: Call) -> Json:
    """What a call of the tool looks like, in the part of JSON Schema that the engine knows."""
    tool = next(t["function"] for t in body["tools"] if t["function"]["name"] == call.tool)
    arguments = _known(tool["parameters"])
    arguments["properties"] |= {key: {"const": value} for key, value in call.pinned.items()}
    named = {"name": {"const": call.tool}, "arguments": arguments}
    return {"type": "object", "properties": named}


def _known(schema: Json) -> Json:
    """What is required of an object, and short texts: a small model finds no end by itself."""
    if values := schema.get("enum"):
        return {"enum": values}
    match schema.get("type"):
        case "object":
            given, required = schema.get("properties", {}), schema.get("required", ())
            chosen = {key: _known(given[key]) for key in given if key in required}
            return {"type": "object", "properties": chosen}
        case "array":
            return {"type": "array", "items": _known(schema.get("items", {})), "maxItems": 3}
        case "number" | "integer" | "boolean" | "null" as kind:
            return {"type": kind}
        case _:
            return {"type": "string", "maxLength": 40}


def _events(answer: Json, tool: str) -> list[Json]:
    """A whole answer as the stream that llama-server makes of a call."""
    base = {"id": answer["id"], "object": "chat.completion.chunk", "model": answer["model"]}
    choice = answer["choices"][0]
    text, finish = choice["message"]["content"], choice["finish_reason"]
    try:
        arguments = json.dumps(json.loads(text)["arguments"])
    except (ValueError, KeyError):  # cut off: the half of it
        arguments = text.partition('"arguments":')[2].strip() or "{"
    else:
        finish = "tool_calls"
    function = {"name": tool, "arguments": arguments}
    call = {"index": 0, "id": f"call_{answer['id'][-9:]}", "type": "function", "function": function}
    deltas: list[tuple[Json, str | None]] = [
        ({"role": "assistant", "content": None}, None),
        ({"tool_calls": [call]}, None),
        ({}, finish),
    ]
    events = [
        base | {"choices": [{"index": 0, "delta": delta, "finish_reason": why}]}
        for delta, why in deltas
    ]
    return [*events, base | {"choices": [], "usage": answer["usage"]}]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    proxy: Forcing

    def do_GET(self) -> None:
        status, content = self._ask("GET", None)
        if self.path == "/props":  # the tools are taken here
            content = json.dumps({**json.loads(content), "chat_template_caps": {}}).encode()
        self._tell(status, content)

    def do_POST(self) -> None:
        body: Json = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.proxy.asked.append(body)
        sent: Json = {**body, "max_tokens": CALL_TOKENS, "messages": plain_messages(body)}
        sent.pop("tools", None)
        is_asked = self.proxy.chooses and body["messages"][-1]["role"] == "user"
        call = self._chosen(body, sent) if is_asked else self.proxy.next_call()
        if call is None:
            self._stream(sent | {"max_tokens": WORD_TOKENS})
            return
        schema = {"name": "call", "schema": call_schema(body, call)}
        sent["stream"] = False
        sent["response_format"] = {"type": "json_schema", "json_schema": schema}
        self._call(sent, call.tool)

    def _chosen(self, body: Json, sent: Json) -> Call:
        """The tool whose name the model says where it may say nothing else."""
        names = [each["function"]["name"] for each in body["tools"]]
        schema = {"type": "object", "properties": {"name": {"enum": names}}}
        wanted = {"type": "json_schema", "json_schema": {"name": "choice", "schema": schema}}
        _, content = self._ask("POST", sent | {"stream": False, "response_format": wanted})
        return Call(json.loads(json.loads(content)["choices"][0]["message"]["content"])["name"])

    def _call(self, sent: Json, tool: str) -> None:
        status, content = self._ask("POST", sent)
        answer = json.loads(content)
        if status != HTTPStatus.OK:
            self.proxy.refused.append(answer["error"]["message"])
            self._tell(status, content)
            return
        self.proxy.counts.append(answer["usage"]["prompt_tokens"])
        events = [json.dumps(event) for event in _events(answer, tool)]
        stream = "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"])
        self._tell(status, stream.encode(), "text/event-stream")

    def _stream(self, sent: Json) -> None:
        connection = HTTPConnection(self.proxy.upstream, timeout=SECONDS)
        try:
            connection.request("POST", self.path, json.dumps(sent))
            answer = connection.getresponse()
            self._begin(answer.status, answer.headers["Content-Type"])
            while piece := answer.read1(65_536):
                self.wfile.write(piece)
                self.wfile.flush()
        except (OSError, HTTPException):
            self.close_connection = True  # either side is gone: so is the other
        finally:
            connection.close()

    def _ask(self, method: str, sent: Json | None) -> tuple[int, bytes]:
        connection = HTTPConnection(self.proxy.upstream, timeout=SECONDS)
        try:
            connection.request(method, self.path, json.dumps(sent) if sent else None)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _tell(self, status: int, content: bytes, content_type: str = "application/json") -> None:
        self._begin(status, content_type)
        self.wfile.write(content)

    def _begin(self, status: int, content_type: str) -> None:
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the requests are kept."""
