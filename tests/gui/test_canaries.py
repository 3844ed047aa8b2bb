"""What a server and this machine know in confidence is in nothing that is kept, shown or handed on.

Canaries are planted wherever people have secrets. A window runs with them, calls tools that give
all away and crashes; a terminal beside it does the same. Then they are searched for everywhere.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)

from desktop.app import WindowApp
from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.diagnostics.crash_reports import CrashReports
from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.session_info import SessionInfo
from desktop.features.chat.agent.transcript import Transcript
from desktop.features.models.messages import (
    AssistantMessage,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.gui.servers.page import ServersPage
from desktop.redaction.policy import PLACEHOLDER
from desktop.values.tool_types import ToolCall
from tests.cli.terminal import entry
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from desktop.core import Core
    from desktop.values.tool_types import ToolResult
    from tests.conftest import ExpectedLogs

MAX_ROWS = 12
MAX_COLUMNS = 12  # a list model does not say how many it has
ROOT = Path(__file__).parent.parent.parent
CANARIES: dict[str, str] = {}
"""Each value by what it was planted as."""


def canary(place: str, shape: str = "{}") -> str:
    """A value that no rule can know by its own form, unless `shape` gives it one."""
    value = shape.format(f"c4nary{len(CANARIES):02}Zq7Lw9")
    CANARIES[place] = value
    return value


MACHINE = {
    name: canary(f"variable {name}")
    for name in (
        *("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY"),
        *("MYSQL_PWD", "DB_PASS", "REDISCLI_AUTH", "MY_AUTH", "JWT", "SESSION_COOKIE"),
        *("SENTRY_DSN", "DATABASE_DSN", "SLACK_WEBHOOK", "npm_config__auth", "MACHINE_TOKEN"),
        *("SLACK_WEBHOOK_URL", "PGPASSWORD"),
    )
} | {
    "DATABASE_URL": f"postgres://app:{canary('variable DATABASE_URL')}@db.example/app",
    "REPORT_URL": f"https://m.example/?access_token={canary('variable with a URL')}",
}
"""What this machine's environment holds; no server may have any of it unasked."""
ENV = {
    name: canary(f"env {name}")
    for name in ("API_TOKEN", "MY_PASSWORD", "CLIENT_SECRET", "MYSQL_PWD", "PRIVATE_KEY", "MY_PAT")
} | {
    "DATABASE_URL": f"postgres://u:{canary('env DATABASE_URL')}@h.example/db",
    "MIRROR": f"https://m.example/simple?access_token={canary('env with a URL')}",
    "PLAIN": canary("env with the shape of a token", "ghp_{}"),
    "FILLED": "${MACHINE_TOKEN}",
}
ARGUMENTS = [
    *("--api-key", canary("argument after an option")),
    f"--password={canary('argument with =')}",
    f"https://u:{canary('argument with user info')}@h.example/x",
    f"https://h.example/x?token={canary('argument with a query')}",
    canary("argument with the shape of a token", "xoxb-{}"),
    f"Authorization: Bearer {canary('argument with a header')}",
]
HEADERS = {
    "Authorization": f"Bearer {canary('header Authorization')}",
    "X-Api-Key": canary("header X-Api-Key"),
    "Cookie": f"sid={canary('header Cookie')}",
    "X-Custom": canary("header with the shape of a token", "glpat-{}"),
}
URL = f"http://u:{canary('URL password')}@127.0.0.1:9/mcp?api_key={canary('URL query')}"
CALLED: dict[str, Any] = {
    name: canary(f"tool argument {name}")
    for name in (
        *("password", "token", "api_key", "client_secret", "authToken", "my-secret", "hf_token"),
        *("auth", "jwt", "otp", "user_pass", "db_password2", "secretValue"),
    )
} | {
    "headers": f"Authorization: Bearer {canary('tool argument with a header')}",
    "text": f"error: token={canary('tool argument with a name in a text')}",
    "url": f"https://h.example/x?access_token={canary('tool argument with a query')}",
    "target": f"https://u:{canary('tool argument with user info')}@h.example/",
}
SAID = {
    "result with a name": "error: token={}",
    "result with a query": "GET https://h.example/x?access_token={} failed",
    "result with user info": "https://u:{}@h.example/",
    "result with JSON": '{{"api_key": "{}"}}',
    "result with a header": "Authorization: Bearer {}",
    "result with a token": "use ghp_{} for it",
    "result with a key": "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
}
SAY = "\n".join(text.format(canary(name)) for name, text in SAID.items())


@dataclass
class Search:
    """What was looked through, and which canaries were where."""

    looked_at: list[str] = field(default_factory=list[str])
    found: list[str] = field(default_factory=list[str])

    def look(self, where: str, text: str) -> None:
        self.looked_at.append(where)
        self.found += [f"{where}: {name}" for name, value in CANARIES.items() if value in text]


def configure(folder: Path) -> Paths:
    leaky = entry("leaky", *ARGUMENTS, env={**ENV, "GIVEN": " ".join(ENV)})
    other = entry("leaky", "--environment", folder / "environment")
    remote = {"type": "http", "url": URL, "headers": HEADERS, "connectTimeout": 5}
    servers = {"leaky": leaky, "other": other, "remote": remote}
    (folder / "config").mkdir()
    (folder / "config" / "mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    return Paths(folder / "config" / "mcp.json", folder / "data")


@pytest.fixture
async def running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[WindowApp, Core]]:
    """The window, all its servers settled."""
    for name, value in MACHINE.items():
        monkeypatch.setenv(name, value)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    app = WindowApp(application, configure(tmp_path))
    ready: asyncio.Future[Core] = asyncio.get_running_loop().create_future()

    async def then(_: WindowApp, core: Core) -> None:
        ready.set_result(core)

    app.crash_reports = CrashReports(app.paths.crashes, app.paths.logs)
    app.show()
    run = spawn(app.run(then), "app")
    yield app, await asyncio.wait_for(ready, LIMIT)
    app.quit()
    await asyncio.wait_for(run, LIMIT)
    app.window.deleteLater()


async def terminal(paths: Paths, *args: str) -> str:
    """All that a command prints."""
    command = [sys.executable, "-m", "desktop", *args]
    where = ["--config", str(paths.config), "--data-dir", str(paths.data)]
    done = await asyncio.to_thread(
        subprocess.run, [*command, *where], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    return (done.stdout + done.stderr).decode(errors="replace")


def texts_of(widget: QWidget) -> Iterator[str]:
    """What can be read in a window, tool tips and what a screen reader says included."""
    for part in (widget, *widget.findChildren(QWidget)):
        yield from (part.toolTip(), part.accessibleName(), part.accessibleDescription())
        if isinstance(part, QLabel | QLineEdit | QAbstractButton):
            yield part.text()
        elif isinstance(part, QPlainTextEdit | QTextEdit):
            yield part.toPlainText()
        elif isinstance(part, QComboBox):
            yield from (part.itemText(row) for row in range(part.count()))
        elif isinstance(part, QAbstractItemView):
            model = part.model()
            for row in range(model.rowCount(part.rootIndex())):
                for column in range(MAX_COLUMNS):
                    yield str(model.index(row, column, part.rootIndex()).data())


async def look_at_window(app: WindowApp, search: Search) -> None:
    """Every page but Tools: there a person sees the result of a call as it is."""
    clipboard = QGuiApplication.clipboard()
    for page_id in (page for page in app.window.page_ids if page != "tools"):
        app.window.show_page(page_id)
        page = app.window.page(page_id)
        assert page is not None
        await turns(20)
        if isinstance(page, ServersPage):
            for name in ("leaky", "remote", "other"):
                page.list.select(name)
                await turns(20)
                search.look(f"page servers, {name}", "\n".join(texts_of(page)))
        for view in page.findChildren(QAbstractItemView):
            model = view.model()
            for row in range(min(model.rowCount(), MAX_ROWS)):
                view.setCurrentIndex(model.index(row, 0))
                await turns(2)
                search.look(f"page {page_id}, {type(view).__name__}", "\n".join(texts_of(page)))
        search.look(f"page {page_id}", "\n".join(texts_of(page)))
        for button in page.findChildren(QPushButton):
            if button.text().startswith("Copy") and button.isEnabled():
                clipboard.clear()
                button.click()
                await turns(2)
                search.look(f"clipboard, {page_id}: {button.text()}", clipboard.text())


def look_at_processes(search: Search) -> None:
    """The argument lists of all but the server that has to be given its own."""
    for process in psutil.Process().children(recursive=True):
        words = process.cmdline()
        if not any(word.endswith("leaky.py") for word in words):
            search.look(f"argument list of {process.name()}", "\0".join(words))


def look_at_files(folder: Path, search: Search) -> None:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            search.look(str(file.relative_to(folder)), file.read_bytes().decode(errors="replace"))
        if file.suffix == ".sqlite3":
            with closing(sqlite3.connect(file)) as database:
                search.look(f"{file.name} as SQL", "\n".join(database.iterdump()))


async def write_transcript(core: Core, folder: Path, result: ToolResult) -> None:
    """A chat in which the tool was called; its secrets are known as the session's are."""
    about = SessionInfo("0" * 12, datetime.now(UTC), "openai", "model", title=SAY)
    secrets = SessionSecrets(core.registry, lambda: core.traffic.redaction().secrets)
    transcript = Transcript(folder / "s.jsonl", about, secrets, exists=False)
    transcript.add(UserMessage(f"look:\n{SAY}"))
    request = ToolRequest("1", "mcp__leaky__tell", json.dumps({**CALLED, "say": SAY}))
    transcript.add(AssistantMessage(f"I see {SAY}", (request,), f"hm {SAY}"))
    transcript.add(ToolMessage((ToolAnswer("1", "mcp__leaky__tell", result),)))
    await transcript.close()


def crash(app: WindowApp, known: str) -> None:
    """As an exception that nobody caught, with the log behind it."""
    assert app.crash_reports is not None
    error = ValueError(f"{SAY} {json.dumps(CALLED)} {known}")
    app.crash_reports.write(error, f"in the loop: {SAY}")


async def test_sixty_canaries_are_found_nowhere(
    running: tuple[WindowApp, Core], tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    app, core = running
    expected_logs.allow(".*")
    assert len(CANARIES) >= 60
    search = Search()
    results = [
        await core.executor.run(ToolCall(f"leaky:{name}", {**CALLED, "say": SAY}))
        for name in ("tell", "fail")
    ]
    assert SAY in results[0].output, "the tool did give all away"
    await write_transcript(core, tmp_path / "data" / "sessions", results[0])
    crash(app, " ".join(ENV[name] for name in ("API_TOKEN", "MY_PASSWORD")))
    while core.history.is_writing:
        await core.history.page(count=1)
    await look_at_window(app, search)
    look_at_processes(search)
    for command in (
        ("doctor",),
        ("doctor", "--json"),
        *(("export", "--format", name) for name in ("mcpServers", "vscode")),
        ("servers",),
        ("servers", "--json"),
        ("processes", "--json"),
    ):
        search.look(" ".join(command), await terminal(core.paths, *command))
    trace, arguments = str(tmp_path / "data" / "trace"), json.dumps({**CALLED, "say": SAY})
    await terminal(core.paths, "call", "leaky:tell", "--args", arguments, "--trace", trace)
    environment = (tmp_path / "environment").read_text("utf-8")
    search.look("environment of a child", environment)
    look_at_files(tmp_path / "data", search)
    assert any(PLACEHOLDER in file.read_text("utf-8") for file in core.paths.crashes.iterdir())
    assert len(search.looked_at) > 50
    assert not search.found, "\n".join(dict.fromkeys(search.found))
