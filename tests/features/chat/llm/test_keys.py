"""Keys of providers: found, kept, deleted, and never shown."""

from __future__ import annotations

import pytest

from desktop.config.keyring_access import KeyringError
from desktop.config.providers import KNOWN, checked
from desktop.features.chat.llm.keys import Key, Keys, variables
from tests.config.keyring_backend import (
    BrokenKeyring,
    LockedKeyring,
    MemoryKeyring,
    use,
    use_no_keyring,
)

OPENAI, ANTHROPIC, GEMINI = KNOWN
OWN = checked({"name": "my box", "kind": "openai", "base_url": "http://127.0.0.1:1/v1"})


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    backend = MemoryKeyring()
    use(monkeypatch, backend)
    return backend


async def test_a_key_that_was_stored_is_found_until_it_is_deleted(memory: MemoryKeyring) -> None:
    keys = Keys({})
    assert await keys.find(OPENAI) is None
    await keys.store(OPENAI, " sk-1 \n")
    found = await keys.find(OPENAI)
    assert found
    assert (found.value, found.place) == ("sk-1", "keyring")
    assert await keys.find(ANTHROPIC) is None
    await keys.store(OPENAI, "sk-2")
    found = await keys.find(OPENAI)
    assert found
    assert found.value == "sk-2"
    await keys.delete(OPENAI)
    await keys.delete(OPENAI)
    assert await keys.find(OPENAI) is None
    assert memory.kept == {}


async def test_the_environment_counts_first_and_the_keyring_is_not_asked(
    memory: MemoryKeyring,
) -> None:
    keys = Keys({"OPENAI_API_KEY": "sk-env", "GOOGLE_API_KEY": "g"})
    found = await keys.find(OPENAI)
    assert found == Key("sk-env", "environment", "OPENAI_API_KEY")
    assert (await keys.find(GEMINI)) == Key("g", "environment", "GOOGLE_API_KEY")
    assert memory.reads == 0


async def test_a_found_key_is_not_asked_for_again(memory: MemoryKeyring) -> None:
    keys = Keys({})
    await keys.store(OPENAI, "sk-1")
    await keys.find(OPENAI)
    await keys.find(OPENAI)
    assert memory.reads == 1


@pytest.mark.usefixtures("memory")
async def test_the_key_of_a_provider_is_not_given_to_another_server() -> None:
    keys = Keys({"OPENAI_API_KEY": "sk-env"})
    assert variables(OWN) == ("MY_BOX_API_KEY",)
    assert await keys.find(OWN) is None
    assert (await Keys({"MY_BOX_API_KEY": "k"}).find(OWN)) == Key(
        "k", "environment", "MY_BOX_API_KEY"
    )


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("value", ["", "  ", "two words", "sk-\n1", "schlüssel"])
async def test_what_cannot_be_a_key_is_not_stored(value: str) -> None:
    with pytest.raises(KeyringError, match="one word"):
        await Keys({}).store(OPENAI, value)


async def test_a_machine_without_a_keyring_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    use_no_keyring(monkeypatch)
    assert await Keys({}).find(OPENAI) is None
    with pytest.raises(KeyringError, match="no keyring") as raised:
        await Keys({}).store(OPENAI, "sk-1")
    assert "environment" in raised.value.remedy


async def test_without_a_keyring_a_key_is_kept_for_the_session_where_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_no_keyring(monkeypatch)
    keys = Keys({})
    await keys.store(OPENAI, "sk-1", for_session=True)
    found = await keys.find(OPENAI)
    assert found is not None
    assert (found.value, found.place) == ("sk-1", "session")
    await keys.delete(OPENAI)
    assert await keys.find(OPENAI) is None


async def test_a_keyring_that_fails_is_told_without_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, BrokenKeyring())
    with pytest.raises(KeyringError, match="RuntimeError"):
        await Keys({}).find(OPENAI)
    with pytest.raises(KeyringError, match="OSError") as raised:
        await Keys({}).store(OPENAI, "sk-secret")
    assert "sk-secret" not in str(raised.value)


async def test_a_keyring_that_waits_for_a_person_has_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    locked = LockedKeyring()
    use(monkeypatch, locked)
    with pytest.raises(KeyringError, match="did not respond"):
        await Keys({}, limit=0.05).find(OPENAI)
    locked.let_go.set()


def test_a_key_is_not_shown() -> None:
    assert "sk-1" not in repr(Key("sk-1", "keyring", "x"))


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("深度求索", "SHENDUQIUSUO_API_KEY"),
        ("通义千问", "TONGYIQIANWEN_API_KEY"),
        ("硅基流动-free", "GUIJILIUDONG_FREE_API_KEY"),
        ("Köln box", "KOLN_BOX_API_KEY"),
    ],
)
def test_a_name_in_any_script_has_a_variable_of_its_own(name: str, variable: str) -> None:
    settings = checked({"name": name, "kind": "openai", "base_url": "https://models.example/v1"})
    assert variables(settings) == (variable,)
