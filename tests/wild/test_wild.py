"""`make wild` says of a server what each client says of it; no published server is needed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.server_commands import command
from tests.wild.__main__ import SERVERS
from tests.wild.bounded import run_bounded
from tests.wild.published import InstallError, PublishedServer, read_servers, run
from tests.wild.report import Report
from tests.wild.trials import CLIENTS, Outcome, Results, Trial, try_server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.wild.trials import Client


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it needs process groups")


def trial(ours: Outcome, sdk: Outcome, inspector: Outcome | None = None) -> Trial:
    outcomes: dict[Client, Outcome] = {"ours": ours, "sdk": sdk, "inspector": inspector or sdk}
    return Trial("one", "package", "1.0", outcomes=outcomes)


CONNECTED = Outcome(("a", "b"), 1.0)
FAILED = Outcome(error="no answer")


def test_the_list_has_a_hundred_servers_and_names_each_once() -> None:
    servers = read_servers(SERVERS)
    assert len(servers) >= 100
    assert len({(server.source, server.package) for server in servers}) == len(servers)


def test_an_entry_with_a_misspelt_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "servers.toml").write_text('[one]\nnpm = "one"\nargz = []\n', encoding="utf-8")
    with pytest.raises(ValueError, match="argz"):
        read_servers(tmp_path / "servers.toml")


def test_a_package_with_one_program_is_started_by_it(tmp_path: Path) -> None:
    manifest = tmp_path / "node_modules" / "@some" / "package" / "package.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text('{"bin": {"@some/program": "index.js"}}', encoding="utf-8")
    server = PublishedServer("one", "npm", "@some/package", "", ("{folder}/one.db",))
    assert server.entry(tmp_path, tmp_path / "new") == {
        "command": str(tmp_path / "node_modules" / ".bin" / "program"),
        "args": [str(tmp_path / "new" / "one.db")],
        "env": {},
    }
    manifest.write_text('{"bin": {"program": "index.js", "other": "index.js"}}', encoding="utf-8")
    with pytest.raises(InstallError, match="program, other"):
        server.entry(tmp_path, tmp_path / "new")


@pytest.mark.parametrize(
    ("found", "is_worse"),
    [
        (trial(CONNECTED, CONNECTED), False),
        (trial(CONNECTED, FAILED), False),
        (trial(FAILED, FAILED), False),
        (trial(FAILED, CONNECTED), True),
        (trial(FAILED, FAILED, Outcome()), True),
        (trial(Outcome(("a",)), CONNECTED), True),
    ],
)
def test_ours_is_worse_where_another_client_lists_more(found: Trial, is_worse: bool) -> None:
    assert found.is_worse == is_worse
    assert Report([found]).is_good != is_worse
    assert ("WORSE: one" in str(Report([found]))) == is_worse


def test_a_process_that_ours_leaves_is_told() -> None:
    report = Report([trial(Outcome(("a",), 1.0, left=2), Outcome(("a",), 3.0))])
    assert "| one | 1.0 | 1, 2 left | 1 | 1 | 1.00 / 3.00 / 3.00 |" in str(report)
    assert not report.is_good


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    found = trial(CONNECTED, FAILED)
    Results(tmp_path / "results.jsonl").add(found)
    results = Results(tmp_path / "results.jsonl")
    assert results.find(PublishedServer("one", "npm", "package", "")) == found
    assert results.find(PublishedServer("one", "npm", "another", "")) is None


def test_a_limit_holds_for_what_a_program_has_started() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_bounded(["sh", "-c", "sleep 600 & sleep 600"], 0.2)


def test_a_failing_installer_is_quoted() -> None:
    with pytest.raises(InstallError, match="no such package"):
        run("sh", "-c", "echo no such package >&2; exit 1", limit=20)


@pytest.mark.parametrize("client", [client for client in CLIENTS if client != "inspector"])
def test_a_client_lists_the_tools_of_a_server(tmp_path: Path, client: Client) -> None:
    program, args = command("plain")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "plain").symlink_to(program)
    server = PublishedServer("one", "pypi", "plain", "", tuple(args))
    outcome = try_server(server, tmp_path, tmp_path, [client])[client]
    assert outcome.names
    assert (outcome.error, outcome.left) == ("", 0)


@pytest.mark.parametrize("client", [client for client in CLIENTS if client != "inspector"])
def test_a_server_that_ends_at_once_is_an_error_of_the_client(
    tmp_path: Path, client: Client
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    server = PublishedServer("one", "pypi", "python", "", ("-c", "raise SystemExit(3)"))
    outcome = try_server(server, tmp_path, tmp_path, [client])[client]
    assert outcome.names == ()
    assert outcome.error
