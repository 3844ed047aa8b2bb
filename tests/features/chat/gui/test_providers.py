from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import DesktopError
from desktop.config.providers import ProviderSettings
from desktop.features.chat.gui.providers import ModelProviders
from desktop.features.chat.llm.keys import Keys
from desktop.features.models.formats import ApiFormat
from desktop.features.models.model_facts import LearnedFacts
from tests.config.keyring_backend import BrokenKeyring, MemoryKeyring, use

if TYPE_CHECKING:
    from desktop.core import Core


SERVER = ProviderSettings(name="local", kind="openai", base_url="http://localhost:1/v1")


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    made = MemoryKeyring()
    use(monkeypatch, made)
    return made


@pytest.fixture
def known(core: Core, keyring: MemoryKeyring) -> ModelProviders:
    return ModelProviders(core.store, Keys({"ANTHROPIC_API_KEY": "from-outside"}), LearnedFacts())


async def test_where_each_key_is_becomes_known_and_never_the_key(known: ModelProviders) -> None:
    known.save(SERVER)
    assert known.key_place("openai") == "unknown"
    await known.set_key("gemini", "sk-secret")
    await known.look_for_keys()
    places = {one.name: known.key_place(one.name) for one in known.all()}
    assert places == {
        "local": "unneeded",
        "openai": "missing",
        "anthropic": "environment",
        "gemini": "keyring",
    }
    assert known.key_name("anthropic") == "ANTHROPIC_API_KEY"
    assert known.key_name("openai") == "OPENAI_API_KEY"
    assert "sk-secret" not in repr(vars(known)["_places"]) + repr(vars(known)["_names"])


async def test_a_stored_key_can_be_forgotten(known: ModelProviders, keyring: MemoryKeyring) -> None:
    await known.set_key("openai", "sk-1")
    assert list(keyring.kept.values()) == ["sk-1"]
    await known.set_key("openai", "")
    assert (keyring.kept, known.key_place("openai")) == ({}, "missing")


async def test_removing_a_provider_takes_its_key_along(
    known: ModelProviders, keyring: MemoryKeyring, core: Core
) -> None:
    known.save(SERVER)
    await known.set_key("local", "sk-2")
    assert known.is_removable("local")
    await known.remove("local")
    assert keyring.kept == {}
    assert "local" not in core.store.providers
    assert not known.is_removable("openai")


async def test_changes_are_told(known: ModelProviders) -> None:
    told: list[str] = []
    known.changed.connect(lambda: told.append("changed"))
    known.save(SERVER)
    assert told
    assert known.get("local") == SERVER


async def test_each_is_asked_in_its_format(known: ModelProviders) -> None:
    known.save(SERVER)
    formats = {one.name: known.api_format(one.name) for one in known.all()}
    assert formats == {
        "local": ApiFormat.OPENAI,
        "openai": ApiFormat.OPENAI_RESPONSES,
        "anthropic": ApiFormat.ANTHROPIC,
        "gemini": ApiFormat.GEMINI,
    }
    for name, api_format in formats.items():
        service = known.service(name)
        assert (service.name, service.api_format) == (name, api_format)
        await service.close()


async def test_a_provider_that_is_gone_is_a_failure_in_words(known: ModelProviders) -> None:
    with pytest.raises(DesktopError, match="no model provider"):
        known.service("gone")


async def test_a_keyring_that_fails_is_no_key_and_the_reason_is_known(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, BrokenKeyring())
    known = ModelProviders(core.store, Keys({}), LearnedFacts())
    await known.look_for_keys()
    assert known.key_place("openai") == "missing"
    assert known.problem
