"""The well-behaved part of every test server: a line loop over stdin and stdout, no dependencies.

A script builds a `Server`, replaces the answers it wants to get wrong in `server.answers` and calls
`serve`. All take `--protocol V`, the version to answer `initialize` with, and `--icons N`: it
declares one that is far too long, then so many. Started as `python -S -I script.py`, so each script
first puts the project on `sys.path`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from threading import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeGuard

    Json = dict[str, Any]
    Handler = Callable[[Json], object]

LIFE = 120
"""Seconds after which whatever is meant to be left behind ends by itself."""

MODERN = "2026-07-28"
WAIT = "wait"
"""A tool that every server has, lists nowhere and never answers."""
PNG_URI = (  # one red pixel
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)


class Tool:
    """A declaration and a handler; the handler's text becomes a text content."""

    def __init__(
        self,
        name: str,
        handler: Callable[[Call], Json | str | None],
        properties: Mapping[str, str] | None = None,
        **extra: object,
    ) -> None:
        self.name = name
        self.handler = handler
        schema: Json = {
            "type": "object",
            "properties": {key: {"type": kind} for key, kind in (properties or {}).items()},
        }
        self.declaration: Json = {"name": name, "description": f"The tool {name}."}
        self.declaration |= {"inputSchema": schema} | extra


class Call:
    """One `tools/call`: its id, arguments and progress token."""

    def __init__(self, server: Server, message: Json) -> None:
        params: Json = message.get("params") or {}
        meta: Json = params.get("_meta") or {}
        self.server = server
        self.id: int | str = message["id"]
        self.arguments: Json = params.get("arguments") or {}
        self.token: object = meta.get("progressToken")


class Server:
    """One connection; `answers` maps a method to what gives its result, None meaning no answer."""

    def __init__(self, name: str, tools: Sequence[Tool] = (), *, modern: bool = False) -> None:
        self.name = name
        self.tools = list(tools)
        self.modern = modern
        self.cancelled: set[int | str] = set()
        self._lock = Lock()
        self.answers: dict[str, Handler] = {
            "initialize": self.initialize,
            "ping": lambda _: {},
            "tools/list": self.list_tools,
            "tools/call": self.call_tool,
        }
        if modern:
            self.answers["server/discover"] = self.discover

    def serve(self) -> None:
        """Answer until the input ends."""
        for line in sys.stdin.buffer:
            self.receive(json.loads(line))

    def receive(self, message: Json) -> None:
        method = message.get("method", "")
        if method == "notifications/cancelled":
            self.cancelled.add(message["params"]["requestId"])
            log(f"cancelled {message['params']['requestId']}")
        elif "id" in message and method in self.answers:
            result = self.answers[method](message)
            if result is not None:
                self.answer(message["id"], result)
        elif "id" in message:
            self.refuse(message["id"], -32601, f"method not found: {method}")

    def answer(self, request_id: object, result: object) -> None:
        if self.modern and is_object(result):
            result = {"resultType": "complete"} | result
        self.send({"jsonrpc": "2.0", "id": request_id, "result": result})

    def refuse(self, request_id: object, code: int, text: str) -> None:
        error = {"code": code, "message": text}
        self.send({"jsonrpc": "2.0", "id": request_id, "error": error})

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, message: object) -> None:
        self.send_bytes(json.dumps(message).encode())

    def send_bytes(self, line: bytes) -> None:
        """One line, whatever is in it."""
        with self._lock:
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()

    def initialize(self, message: Json) -> object:
        wanted = option("protocol") or message["params"]["protocolVersion"]
        return self._introduce() | {"protocolVersion": wanted}

    def discover(self, _: Json) -> object:
        return self._introduce() | {"supportedVersions": [MODERN]} | _CACHE

    def list_tools(self, message: Json) -> object:
        tools = [tool.declaration for tool in self.tools]
        return {"tools": tools} | (_CACHE if self.modern else {})

    def call_tool(self, message: Json) -> object:
        wanted = message["params"]["name"]
        if wanted == WAIT:
            return None
        for tool in self.tools:
            if tool.name == wanted:
                result = tool.handler(Call(self, message))
                return text_result(result) if isinstance(result, str) else result
        return self.refuse(message["id"], -32602, f"unknown tool: {wanted}")

    def _introduce(self) -> Json:
        capabilities = {"tools": {"listChanged": True}}
        info: Json = {"name": self.name, "version": "1.0"}
        if wanted := int(option("icons", "0")):
            long = {"src": "data:image/png;base64," + "A" * 300_000}
            info["icons"] = [long] + [{"src": PNG_URI, "mimeType": "image/png"}] * wanted
        return {"capabilities": capabilities, "serverInfo": info}


def text_result(text: str, *, is_error: bool = False) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def is_object(value: object) -> TypeGuard[Json]:
    return isinstance(value, dict)


def echo(call: Call) -> str:
    return str(call.arguments.get("message", ""))


ECHO = Tool("echo", echo, {"message": "string"})


def log(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def option(name: str, default: str = "") -> str:
    """The value of `--name VALUE` on the command line."""
    flag = f"--{name}"
    return sys.argv[sys.argv.index(flag) + 1] if flag in sys.argv else default


def limit_life() -> None:
    """For a process that will not end when it should: SIGALRM's default action ends it."""
    assert sys.platform != "win32"
    signal.alarm(LIFE)


def wait_forever() -> None:
    """Until a signal ends the process; SIGALRM at the latest."""
    assert sys.platform != "win32"
    limit_life()
    while True:
        signal.pause()


def child_argv(ready: int) -> list[str]:
    """The command of a child that does nothing and carries this server's marker.

    It closes the file descriptor `ready` once it runs: only then its command line can be seen.
    """
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")
    marker = option("marker", "unmarked")
    return [sys.executable, "-S", "-I", script, "--marker", marker, "--ready", str(ready)]


def start_children(count: int = 1, *, stdout: int | None = -3, new_session: bool = False) -> None:
    """Start children and return once all of them run; -3 is `subprocess.DEVNULL`."""
    import subprocess

    reader, writer = os.pipe()
    for _ in range(count):
        subprocess.Popen(
            child_argv(writer),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            pass_fds=(writer,),
            start_new_session=new_session,
        )
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)


def fork_children(count: int) -> None:
    """As many children with this server's own command line; a new interpreter each costs more."""
    assert sys.platform != "win32"
    for _ in range(count):
        if os.fork() == 0:
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nothing, descriptor)
            wait_forever()


_CACHE = {"ttlMs": 0, "cacheScope": "private"}
