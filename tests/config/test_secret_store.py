"""Secrets of servers are in the keyring, filled in at a start, and nowhere else."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError
from desktop.config.export import export_servers
from desktop.config.keyring_access import KeyringError
from desktop.config.models import ServerConfig
from desktop.config.plain_secrets import move_secrets, new_secrets
from desktop.config.secret_store import SecretStore
from desktop.config.variables import expand, secrets_in
from desktop.servers.transport.launch import LaunchResolver
from desktop.servers.transport.login_shell import ShellPath
from tests.config.keyring_backend import MemoryKeyring, use, use_no_keyring

if TYPE_CHECKING:
    from pathlib import Path

LOCAL = ServerConfig(
    name="git hub",
    command="npx",
    args=("--token", "tok-1111", "--api-key=tok-2222"),
    env={"API_KEY": "s3cretValue", "LEVEL": "2", "SSH_KEY": "~/.ssh/id", "REF": "${TOKEN}"},
)
REMOTE = ServerConfig(
    name="web",
    transport="http",
    url="https://x.example/mcp?api_key=tok-5555&page=1",
    headers={"Authorization": "Bearer tok-6666", "X-Team": "7"},
)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    backend = MemoryKeyring()
    use(monkeypatch, backend)
    return backend


@pytest.fixture
def store(tmp_path: Path) -> SecretStore:
    return SecretStore(tmp_path / "data" / "secrets.json")


def resolver(store: SecretStore) -> LaunchResolver:
    return LaunchResolver(os.environ, ShellPath(os.environ, "/bin/sh"), kept=store)


@pytest.mark.usefixtures("memory")
async def test_what_was_kept_is_filled_in_at_a_start_and_known_as_secret(
    store: SecretStore, tmp_path: Path
) -> None:
    await SecretStore(tmp_path / "data" / "secrets.json").put("github.KEY", "s3cret${HOME}")
    config = ServerConfig(name="a", command="x", env={"PLAIN": "a ${keyring:github.KEY} b"})
    launcher = resolver(store)
    await launcher.load_secrets(config)
    assert launcher.expanded(config).env == {"PLAIN": "a s3cret${HOME} b"}
    assert "s3cret${HOME}" in launcher.secrets(config)
    assert store.names() == ["github.KEY"]
    await store.delete("github.KEY")
    assert (store.names(), dict(store.known)) == ([], {})
    assert "s3cret" not in (tmp_path / "data" / "secrets.json").read_text("utf-8")


@pytest.mark.usefixtures("memory")
async def test_a_secret_that_is_missing_names_server_place_and_what_to_do(
    store: SecretStore,
) -> None:
    config = ServerConfig(name="mine", command="x", env={"KEY": "${keyring:no.such}"})
    launcher = resolver(store)
    await launcher.load_secrets(config)
    with pytest.raises(ConfigError) as raised:
        launcher.expanded(config)
    assert 'Server "mine": "env.KEY" needs the secret no.such' in str(raised.value)
    assert "mcp-desktop secret set no.such" in str(raised.value)


async def test_without_a_keyring_a_secret_is_kept_for_the_session_where_that_is_wanted(
    store: SecretStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_no_keyring(monkeypatch)
    assert not await store.put("a.KEY", "s3cret", for_session=True)
    await store.load(["a.KEY"])
    assert dict(store.known) == {"a.KEY": "s3cret"}
    await store.delete("a.KEY")
    assert dict(store.known) == {}


async def test_without_a_keyring_and_with_one_that_forgets_nothing_is_kept(
    store: SecretStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyringError, match="no keyring"):  # the null backend takes all, keeps none
        await store.put("a.KEY", "s3cret")
    use_no_keyring(monkeypatch)
    with pytest.raises(KeyringError, match="no keyring"):
        await store.put("a.KEY", "s3cret")
    assert (store.names(), dict(store.known)) == ([], {})


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("name", "value"), [("", "x"), ("a b", "x"), ("1a", "x"), ("a}", "x"), ("a", ""), ("a", "\0")]
)
async def test_what_could_not_be_found_again_is_not_kept(
    store: SecretStore, name: str, value: str
) -> None:
    with pytest.raises(ConfigError):
        await store.put(name, value)


def test_plain_secrets_are_moved_and_all_else_stays() -> None:
    moved, secrets = move_secrets(LOCAL)
    assert moved.args == (
        "--token",
        "${keyring:git_hub.token}",
        "--api-key=${keyring:git_hub.api-key}",
    )
    assert moved.env == {**LOCAL.env, "API_KEY": "${keyring:git_hub.API_KEY}"}
    kept = {secret.name: secret.value for secret in secrets}
    assert kept == {
        "git_hub.token": "tok-1111",
        "git_hub.api-key": "tok-2222",
        "git_hub.API_KEY": "s3cretValue",
    }
    assert expand(moved, {"TOKEN": "t"}, kept).args == LOCAL.args
    assert "s3cret" not in repr(secrets)
    assert move_secrets(moved) == (moved, [])


def test_of_a_header_the_scheme_and_of_an_address_the_rest_stays() -> None:
    moved, secrets = move_secrets(REMOTE, taken={"web.Authorization"})
    assert moved.url == "https://x.example/mcp?api_key=${keyring:web.secret}&page=1"
    assert moved.headers == {"Authorization": "Bearer ${keyring:web.Authorization2}", "X-Team": "7"}
    assert set(secrets_in(moved)) == {secret.name for secret in secrets}


def test_only_what_did_not_stand_there_before_is_new() -> None:
    typed = LOCAL.changed(env={**LOCAL.env, "OTHER_TOKEN": "tok-9999"})
    secrets = move_secrets(typed)[1]
    assert [secret.name for secret in new_secrets(LOCAL, secrets)] == ["git_hub.OTHER_TOKEN"]


def test_an_export_asks_for_what_is_in_the_keyring_as_for_any_secret() -> None:
    export = export_servers([move_secrets(REMOTE)[0]])
    text = json.dumps(export.data)
    assert "keyring" not in text
    assert "Bearer ${WEB_AUTHORIZATION}" in text
    assert {masked.place for masked in export.replaced} == {"url", "headers.Authorization"}
