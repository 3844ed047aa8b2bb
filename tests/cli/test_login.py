"""`login` and `logout` against a server that asks for a sign-in, with a browser that agrees."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import urllib.request
import webbrowser
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from desktop.cli.main import run_command
from tests import peers
from tests.config.keyring_backend import MemoryKeyring, use
from tests.http_stub import serving
from tests.oauth_stub import Authorization
from tests.peers.behind_nginx import nginx_running
from tests.peers.listening import free_ports

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    Run = Callable[..., int]

PAGE = Path(__file__).parents[2] / "docs/beyond-one-machine.md"


@contextmanager
def guarding() -> Generator[Authorization]:
    """Such a server on a loop of its own: the command has this thread's."""
    made: list[Authorization] = []
    ready, ended = threading.Event(), threading.Event()

    async def serve() -> None:
        async with serving() as stub:
            made.append(Authorization(stub))
            ready.set()
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield made[0]
    finally:
        ended.set()
        thread.join()


@pytest.fixture
def guarded() -> Iterator[Authorization]:
    with guarding() as made:
        yield made


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    made = MemoryKeyring()
    use(monkeypatch, made)
    return made


@pytest.fixture
def run(
    guarded: Authorization, keyring: MemoryKeyring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run a command in this process."""
    servers = {
        "web": {"url": f"{guarded.stub.address}/mcp", "era": "legacy"},
        "local": {"command": "x"},
    }
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    places = ("--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data"))

    def agree(url: str) -> None:
        asked = dict(parse_qsl(urlsplit(url).query))
        guarded.asked.append(asked)
        back = urlencode({"code": "canary-code", "state": asked["state"]})
        with urllib.request.urlopen(f"{asked['redirect_uri']}?{back}") as page:
            page.read()

    monkeypatch.setattr(webbrowser, "open", agree)
    return lambda *args: run_command([*args, *places])


def test_a_person_signs_in_uses_the_server_and_signs_out(
    run: Run,
    guarded: Authorization,
    keyring: MemoryKeyring,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("call", "web:echo") == 3
    assert "mcp-desktop login web" in capsys.readouterr().err
    assert run("login", "web", "--steps") == 0
    said = capsys.readouterr()
    assert "Signed in to web at 127.0.0.1" in said.out
    assert "canary" not in said.out + said.err
    assert "register: POST" in said.err
    assert run("call", "web:echo", "--json") == 0
    assert json.loads(capsys.readouterr().out)["success"]
    assert run("login", "web") == 0
    assert "needs no sign-in" in capsys.readouterr().out
    assert run("logout", "web") == 0
    assert "Signed out of web, and the token was revoked" in capsys.readouterr().out
    assert keyring.kept == {}
    assert run("call", "web:echo") == 3


def test_a_sign_in_that_is_refused_says_why(
    run: Run, guarded: Authorization, capsys: pytest.CaptureFixture[str]
) -> None:
    guarded.registers = False
    assert run("login", "web", "--json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["signed_in"] is False
    assert "refused to register this app" in document["error"]


def test_nobody_signs_in_to_a_program(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("login", "local") == 2
    assert "is a local program" in capsys.readouterr().err
    assert run("logout", "local") == 0
    assert "Not signed in to local." in capsys.readouterr().out


@peers.needs_nginx
def test_a_person_signs_in_behind_the_nginx_of_the_docs(
    run: Run, guarded: Authorization, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server is `notes` of that page; nginx passes its metadata on, or the error names them."""
    page = PAGE.read_text("utf-8")
    conf, more = re.findall(r"```nginx .*\n((?:.*\n)+?)```", page)
    port, _ = free_ports()
    conf = conf.replace("8080", f"127.0.0.1:{port}")
    conf = conf.replace("127.0.0.1:7001", guarded.stub.address.removeprefix("http://"))
    more = more.replace("127.0.0.1:7001", guarded.stub.address.removeprefix("http://"))
    public = f"http://127.0.0.1:{port}"
    metadata = f"{public}/.well-known/oauth-protected-resource/notes"
    guarded.challenge = f'Bearer resource_metadata="{metadata}"'
    guarded.resource["resource"] = f"{public}/notes"
    web = {"url": f"{public}/notes", "era": "legacy"}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"web": web}}), "utf-8")
    with nginx_running(tmp_path, conf, port):
        assert run("login", "web") == 1
        assert f"{metadata} that the server names cannot be read (404)" in capsys.readouterr().err
    with nginx_running(tmp_path, conf.replace("    location", more + "    location", 1), port):
        assert run("login", "web") == 0
        assert run("call", "web:echo") == 0
        assert run("logout", "web") == 0
        assert "and the token was revoked" in capsys.readouterr().out
