"""A client of the gateway: the SDK's own, of either era, over the program's real pipes or HTTP."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx2
import mcp_types as types
from mcp import StdioServerParameters

from desktop.servers.sdk import Client
from desktop.servers.transport.http_sdk import streamable_http_client
from tests.cli.terminal import ROOT
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from tests.cli.terminal import Terminal


@dataclass
class Person:
    """Who sits at the client: what they are asked, what they answer, what they are told."""

    answer: Any = None
    sampled: str = "a poem"
    roots: tuple[str, ...] | None = None
    """What the client names as its folders; None: it does not know roots."""
    asked: list[Any] = field(default_factory=list[Any])
    told: list[str] = field(default_factory=list[str])
    logged: list[Any] = field(default_factory=list[Any])
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def elicit(self, _: Any, params: Any) -> Any:
        self.asked.append(params)
        return self.answer

    async def sample(self, _: Any, params: Any) -> Any:
        self.asked.append(params)
        text = types.TextContent(text=self.sampled)
        return types.CreateMessageResult(role="assistant", content=text, model="test")

    async def list_roots(self, _: Any) -> Any:
        self.asked.append("roots")
        roots = [{"uri": each} for each in self.roots or ()]
        return types.ListRootsResult.model_validate({"roots": roots})

    async def read_log(self, params: Any) -> None:
        self.logged.append(params)

    async def hear(self, message: Any) -> None:
        self.told.append(getattr(message, "method", type(message).__name__))
        self.news.set()

    async def until_told(self, method: str) -> None:
        async with asyncio.timeout(LIMIT):
            while method not in self.told:
                self.news.clear()
                await self.news.wait()


def options(person: Person | None, name: str, mode: str) -> dict[str, Any]:
    given: dict[str, Any] = {
        "mode": mode,
        "client_info": types.Implementation(name=name, version="1"),
        "read_timeout_seconds": LIMIT,
        "cache": None,
    }
    if person is not None:
        given |= {
            "elicitation_callback": person.elicit,
            "sampling_callback": person.sample,
            "message_handler": person.hear,
            "logging_callback": person.read_log,
        }
        if person.roots is not None:
            given["list_roots_callback"] = person.list_roots
    return given


@asynccontextmanager
async def over_stdio(
    terminal: Terminal,
    *args: str,
    person: Person | None = None,
    name: str = "test-client",
    mode: str = "legacy",
) -> AsyncGenerator[Client]:
    """A client that starts the gateway itself."""
    program, *words = terminal.started_by_others("serve", *args)
    started = StdioServerParameters(command=program, args=words, env=terminal.environment, cwd=ROOT)
    async with Client(started, **options(person, name, mode)) as client:
        yield client


@dataclass
class Served:
    """A gateway over HTTP, and how it is reached."""

    url: str
    token: str
    process: asyncio.subprocess.Process

    async def end(self) -> tuple[int, str]:
        """Wait until its process ends; the exit code, and what it said."""
        async with asyncio.timeout(LIMIT):
            _, said = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, said.decode()

    @asynccontextmanager
    async def client(
        self, *, person: Person | None = None, name: str = "test-client", mode: str = "legacy"
    ) -> AsyncGenerator[Client]:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=LIMIT) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, **options(person, name, mode)) as client:
                yield client

    async def post(self, body: str = "{}", **headers: str) -> httpx2.Response:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx2.AsyncClient(timeout=LIMIT) as http:
            return await http.post(self.url, content=body, headers=given)


@asynccontextmanager
async def over_http(
    terminal: Terminal, *args: str, own_interpreter: bool = False
) -> AsyncGenerator[Served]:
    """The gateway on a free port of loopback, ended by a signal. Args: as of `Terminal.start`."""
    words = ("serve", "--http", "0", "--json", *args)
    argv = terminal.argv(words) if own_interpreter else terminal.started_by_others(*words)
    process = await asyncio.create_subprocess_exec(
        *argv,
        env=terminal.environment, cwd=ROOT,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        address = await _document(process)
        file = terminal.folder / "data" / "gateway.token"
        assert address["token_file"] == str(file)
        yield Served(address["url"], file.read_text("utf-8").strip(), process)
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(LIMIT):
            await process.wait()


async def _document(process: asyncio.subprocess.Process) -> Any:
    assert process.stdout is not None
    text = ""
    async with asyncio.timeout(LIMIT):
        while line := await process.stdout.readline():
            text += line.decode()
            if line.startswith(b"}"):
                break
    return json.loads(text)


def texts(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


async def until(holds: Callable[[], object]) -> None:
    """Wait for something outside of this process."""
    deadline = asyncio.get_running_loop().time() + LIMIT
    while not holds():
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.02)
