"""Model providers in the config file: read tolerantly, written with care, never with a key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

import pytest

from desktop.base.errors import ConfigError
from desktop.config.providers import (
    KINDS,
    KNOWN,
    Kind,
    ProviderSettings,
    checked,
    drop_provider,
    put_provider,
    read_providers,
)
from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://localhost:11434/v1"


def _file(providers: object) -> dict[str, Any]:
    return {"mcpDesktop": {"providers": providers}}


def test_the_known_ones_are_there_without_being_configured() -> None:
    providers, notices = read_providers({})
    assert (list(providers), notices) == (["openai", "anthropic", "gemini"], [])


def test_each_kind_is_in_the_table_and_there_as_a_provider() -> None:
    assert tuple(KINDS) == get_args(Kind)
    assert [(known.name, known.kind) for known in KNOWN] == [(kind, kind) for kind in KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_a_compatible_server_has_its_own_name_and_may_need_no_key(kind: Kind) -> None:
    itself = ProviderSettings(name="mine", kind=kind)
    compatible = ProviderSettings(name="mine", kind=kind, base_url=URL)
    assert (itself.label, itself.needs_key, itself.may_be_local) == (KINDS[kind].label, True, False)
    assert (compatible.label, compatible.needs_key, compatible.may_be_local) == (
        "mine", False, True
    )  # fmt: skip


def test_providers_of_the_file_come_first_and_unknown_keys_are_let_be() -> None:
    written = {"local": {"kind": "openai", "baseUrl": URL, "new": 1}, "gemini": {"model": "g"}}
    providers, notices = read_providers(_file(written))
    assert list(providers) == ["local", "gemini", "openai", "anthropic"]
    assert providers["local"] == ProviderSettings(name="local", kind="openai", base_url=URL)
    assert (providers["gemini"].kind, providers["gemini"].model) == ("gemini", "g")
    assert notices == []


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ({"x": {}}, "kind"),
        ({"x": 3}, "object"),
        ({"x": {"kind": "else"}}, "kind"),
        ({"x": {"kind": "openai", "baseUrl": "ftp://x"}}, "baseUrl"),
        ({"a:b": {"kind": "openai"}}, "name"),
        ([], "object"),
    ],
)
def test_a_wrong_one_is_told_of_and_the_others_count(written: object, word: str) -> None:
    providers, notices = read_providers(_file(written))
    assert set(providers) >= {one.name for one in KNOWN}
    assert [word in str(notice) for notice in notices] == [True]


@pytest.mark.parametrize(
    ("fields", "speaks"),
    [
        ({}, True),
        ({"api": "chat"}, False),
        ({"base_url": URL}, False),
        ({"base_url": URL, "api": "responses"}, True),
    ],
)
def test_openai_itself_is_asked_by_responses_and_others_by_chat(
    fields: dict[str, str], speaks: bool
) -> None:
    assert checked({"name": "x", "kind": "openai", **fields}).speaks_responses is speaks


def test_writing_keeps_keys_that_we_do_not_know() -> None:
    data = _file({"x": {"kind": "openai", "model": "a", "theirs": [1]}})
    put_provider(data, checked({"name": "x", "kind": "openai", "base_url": URL}))
    assert data == _file({"x": {"kind": "openai", "baseUrl": URL, "theirs": [1]}})
    drop_provider(data, "x")
    assert data == _file({})
    with pytest.raises(ConfigError, match='Provider "x" is not in the file'):
        drop_provider(data, "x")


def test_the_store_writes_providers_beside_the_servers(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {}, "theirs": 1}', encoding="utf-8")
    store = ConfigStore(file, {})
    store.load()
    store.set_provider(checked({"name": "local", "kind": "openai", "base_url": URL}))
    assert store.providers["local"].base_url == URL
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["theirs"] == 1
    assert written["mcpDesktop"]["providers"] == {"local": {"kind": "openai", "baseUrl": URL}}
    store.remove_provider("local")
    assert "local" not in store.providers
