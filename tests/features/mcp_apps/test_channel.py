"""The loopback channel, by a client that is no browser: who is let in, and what holds beyond."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from desktop.features.mcp_apps.limits import BURST, MAX_BATCH, MAX_MESSAGE
from desktop.features.mcp_apps.views import MAX_VIEWS
from desktop.values.tool_types import ToolCall
from resources.packaging.setup_env import is_root
from tests.features.mcp_apps.looking import Looking, looking, script, until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.features.mcp_apps.views import AppView

HELLO: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ui/initialize", "params": {}}
READY: dict[str, Any] = {"jsonrpc": "2.0", "method": "ui/notifications/initialized", "params": {}}


class Page:
    """What our page does, without a browser and without its manners."""

    def __init__(self, view: AppView, http: httpx2.AsyncClient) -> None:
        self.view, self.http = view, http
        self.origin = view.url.rpartition("/")[0].rpartition("/")[0]
        self.secret = "none"
        self.frame = ""

    async def post(self, path: str, body: bytes = b"", **headers: str) -> httpx2.Response:
        told = {"origin": self.origin, "authorization": f"Bearer {self.secret}"} | headers
        return await self.http.post(self.view.url + path, content=body, headers=told)

    async def open(self) -> None:
        answer = await self.post("open", b"{}")
        assert answer.status_code == 200, answer.text
        self.secret, self.frame = answer.json()["secret"], answer.json()["frame"]

    async def say(self, *messages: Any) -> int:
        lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
        return (await self.post("send", b"\n".join(lines))).status_code

    async def hear(self, count: int) -> list[dict[str, Any]]:
        """The next messages for the app."""
        heard: list[dict[str, Any]] = []
        headers = {"origin": self.origin, "authorization": f"Bearer {self.secret}"}
        url = self.view.url + "receive"
        async with self.http.stream("POST", url, headers=headers) as answer:
            assert answer.status_code == 200
            async for line in answer.aiter_lines():
                heard.append(json.loads(line))
                if len(heard) == count:
                    break
        return heard


@pytest.fixture
async def person(tmp_path: Path) -> AsyncGenerator[Looking]:
    servers = {"hostile": script("hostile_app", "--what", "still"), "other": script("plain")}
    async with looking(tmp_path, with_browser=False, **servers) as made:
        yield made


@pytest.fixture
async def page(person: Looking) -> AsyncGenerator[Page]:
    view = await person.show("hostile:show", {"a": 1})
    async with httpx2.AsyncClient(trust_env=False) as http:
        yield Page(view, http)


async def test_the_app_is_greeted_and_given_its_call(page: Page) -> None:
    await page.open()
    assert await page.say(HELLO, READY) == 204
    hello, given, result = await page.hear(3)
    about = hello["app"]["result"]
    assert about["protocolVersion"] == "2026-01-26"
    assert about["hostContext"]["theme"] == "light"
    assert about["hostContext"]["toolInfo"]["tool"]["name"] == "show"
    assert about["hostCapabilities"]["sandbox"] == {"permissions": {}, "csp": {}}
    assert given["app"]["params"] == {"arguments": {"a": 1}}
    assert result["app"]["method"] == "ui/notifications/tool-result"
    assert result["app"]["params"]["content"] == [{"type": "text", "text": "Shown."}]
    await until(page.view, lambda: page.view.phase == "open")


async def test_nothing_is_told_to_an_app_that_has_not_said_hello(page: Page) -> None:
    await page.open()
    await page.say(READY, {"jsonrpc": "2.0", "id": 7, "method": "ping"})
    assert await page.hear(1) == [{"app": {"jsonrpc": "2.0", "id": 7, "result": {}}}]


async def test_a_page_of_elsewhere_is_refused(page: Page) -> None:
    assert (await page.post("open", b"{}", origin="https://evil.example")).status_code == 403
    assert (await page.post("open", b"{}", origin="null")).status_code == 403
    bare = await page.http.post(page.view.url + "open", content=b"{}")
    assert bare.status_code == 403
    await page.open()
    for host in ("evil.example", "localhost", "127.0.0.1"):
        assert (await page.http.get(page.view.url, headers={"host": host})).status_code == 403
        assert (await page.http.get(page.frame, headers={"host": host})).status_code == 403


async def test_who_guesses_or_comes_second_is_refused(page: Page) -> None:
    assert (await page.http.get(page.origin + "/")).status_code == 404
    assert (await page.http.get(page.origin + "/guess/host.js")).status_code == 404
    assert (await page.post("receive")).status_code == 401
    await page.open()
    frame_token = page.frame.rstrip("/").rpartition("/")[2]
    assert (await page.http.get(f"{page.origin}/{frame_token}/")).status_code == 404
    second = Page(page.view, page.http)
    assert (await second.post("open", b"{}")).status_code == 409
    assert (await second.post("send", b"{}")).status_code == 401
    assert (await second.post("send", b"{}", authorization="Bearer")).status_code == 401
    again = await page.post("open", json.dumps({"secret": page.secret}).encode())
    assert again.status_code == 200


async def test_the_app_is_under_a_policy_without_any_network(page: Page) -> None:
    await page.open()
    app = await page.http.get(page.frame, headers={"sec-fetch-dest": "iframe"})
    policy = app.headers["content-security-policy"].split("; ")
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    assert "frame-src 'none'" in policy
    assert f"frame-ancestors {page.origin}" in policy
    assert "sandbox allow-scripts allow-forms" in policy
    assert "Hostile" in app.text
    alone = await page.http.get(page.frame, headers={"sec-fetch-dest": "document"})
    assert alone.status_code == 403
    ours = await page.http.get(page.view.url)
    assert "frame-ancestors 'none'" in ours.headers["content-security-policy"]
    assert "script-src 'self'" in ours.headers["content-security-policy"]


async def test_only_what_was_allowed_is_in_the_policy(person: Looking) -> None:
    view = await person.show("hostile:show", with_domains=True)
    async with httpx2.AsyncClient(trust_env=False) as http:
        page = Page(view, http)
        await page.open()
        policy = (await http.get(page.frame)).headers["content-security-policy"]
    assert "connect-src https://api.example.com;" in policy
    assert "script-src 'unsafe-inline' https://cdn.example.com;" in policy
    assert view.resource.refused == (
        "http://127.0.0.1:1",
        "https://*.com",
        "*",
        "7",
        "https://cdn.example.com/'; script-src *",
    )


async def test_too_much_is_refused_and_said(page: Page) -> None:
    await page.open()
    pings = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(1000)]
    await page.say(HELLO, *pings)
    heard = [one["app"] for one in await page.hear(1001)]
    refused = [one for one in heard if "error" in one]
    assert len(refused) >= 1000 - BURST - 100
    assert {one["error"]["code"] for one in refused} == {-32000}
    assert page.view.notes.keys() == {"Refused: too many messages."}


async def test_messages_that_are_none_cost_nothing_but_a_word(page: Page) -> None:
    await page.open()
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    large = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "x" * MAX_MESSAGE})
    assert await page.say(b"no json", b"[1]", b"\xff\xfe", deep, large.encode()) == 204
    assert (await page.post("send", b"x" * (MAX_BATCH + 1))).status_code == 413
    await page.say(HELLO)
    assert (await page.hear(1))[0]["app"]["id"] == 1
    assert page.view.notes == {
        "Refused: a message is not JSON-RPC.": 4,
        f"Refused: a message has more than {MAX_MESSAGE} bytes.": 1,
    }


async def test_a_view_that_is_closed_is_gone_and_the_server_stays(
    person: Looking, page: Page
) -> None:
    await page.open()
    page.view.close()
    await page.view.closed()
    with pytest.raises(httpx2.ConnectError):
        await page.http.get(page.view.url)
    with pytest.raises(httpx2.ConnectError):
        await page.http.get(page.frame)
    result = await person.core.executor.run(ToolCall("hostile:echo", {"message": "there"}))
    assert result.output == "there"
    assert person.apps.views == ()


async def test_a_view_ends_with_its_page(person: Looking, page: Page) -> None:
    await page.open()
    await page.say(HELLO, READY)
    await page.hear(1)
    await until(page.view, lambda: page.view.phase == "closed")
    assert page.view.why == "The page was closed."


async def test_the_oldest_of_too_many_views_is_closed(person: Looking) -> None:
    first = await person.show("hostile:show")
    for _ in range(MAX_VIEWS):
        await person.show("hostile:show")
    assert first.phase == "closed"
    assert len(person.apps.views) == MAX_VIEWS


async def test_a_call_that_waits_for_the_person_ends_with_the_view(
    person: Looking, page: Page
) -> None:
    person.decide = lambda _: "once"
    view = page.view
    await page.open()
    view.changed.connect(lambda: view.close() if view.questions else None)
    person.asked.extend(view.questions)
    call = {"name": "echo", "arguments": {"message": "x"}}
    await page.say(HELLO, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
    await until(view, lambda: view.phase == "closed")
    await view.closed()
    assert view.questions == {}


STEAL = """
import os, socket, sys
os.setuid(65534)
_, _, host, token, _ = sys.argv[1].split("/")
name, port = host.split(":")
with socket.socket() as opened:
    opened.connect((name.encode(), int(port)))
    head = [f"POST /{token}/open HTTP/1.1", f"Host: {host}", f"Origin: http://{host}"]
    head += ["Content-Length: 2", "", "{}"]
    opened.sendall("\\r\\n".join(head).encode())
    print(opened.recv(100).split()[1].decode())
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not is_root(), reason="needs a second user of the machine"
)
async def test_another_user_who_reads_the_address_in_the_process_table_does_not_get_the_view(
    page: Page,
) -> None:
    thief = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-c", STEAL, page.view.url, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await thief.communicate()
    assert out.split() == [b"403"]
    await page.open()
