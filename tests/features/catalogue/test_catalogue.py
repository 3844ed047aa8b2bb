"""From a search to a server that is switched off, and from a new version to a click."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.imports.dangers import dangers_of
from desktop.config.keyring_access import KeyringError
from desktop.config.secret_store import SERVICE
from desktop.features.catalogue.entry import CatalogueError
from tests.config.keyring_backend import use_no_keyring
from tests.features.catalogue.registry_stub import send

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.server import BaseHTTPRequestHandler

    from desktop.config.store import ConfigStore
    from desktop.features.catalogue.catalogue import Catalogue
    from tests.config.keyring_backend import MemoryKeyring
    from tests.features.catalogue.registry_stub import RegistryStub

WEATHER = "com.example.weather/mcp"


async def add_weather(catalogue: Catalogue, key: str = "k-secret-1") -> str:
    entry = await catalogue.show(WEATHER)
    answers = {"WEATHER_API_KEY": key, "region": "eu"}
    return await catalogue.add(catalogue.plan(entry, entry.ways[0], answers))


def written(store: ConfigStore, name: str) -> dict[str, Any]:
    return json.loads(store.path.read_text("utf-8"))["mcpServers"][name]


async def test_a_search_leads_to_a_server_that_is_off_with_its_key_in_the_keyring(
    catalogue: Catalogue, store: ConfigStore, keyring: MemoryKeyring
) -> None:
    page = await catalogue.search(" forecasts ")
    assert [entry.name for entry in page.entries] == [WEATHER]
    assert await add_weather(catalogue) == "weather"
    assert written(store, "weather") == {
        "command": "npx",
        "args": ["-y", "@example/weather-mcp@1.2.0", "--region", "eu"],
        "env": {
            "WEATHER_API_KEY": "${keyring:weather.WEATHER_API_KEY}",
            "WEATHER_UNITS": "celsius",
        },
        "catalogue": {
            "name": WEATHER,
            "version": "1.2.0",
            "kind": "npm",
            "registry": catalogue.address,
        },
        "enabled": False,
    }
    assert keyring.kept == {(SERVICE, "weather.WEATHER_API_KEY"): "k-secret-1"}
    assert "k-secret-1" not in store.path.read_text("utf-8")


async def test_nothing_is_asked_before_somebody_searches(
    catalogue: Catalogue, registry: RegistryStub
) -> None:
    assert catalogue.installed == {}
    assert await catalogue.updates() == []
    assert registry.asked == []


async def test_what_still_needs_a_value_is_not_added(
    catalogue: Catalogue, store: ConfigStore
) -> None:
    with pytest.raises(ConfigError, match="Still needed: WEATHER_API_KEY"):
        await add_weather(catalogue, "")
    assert not store.servers


async def test_without_a_keyring_nothing_is_written(
    catalogue: Catalogue, store: ConfigStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_no_keyring(monkeypatch)
    with pytest.raises(KeyringError):
        await add_weather(catalogue)
    assert not store.servers
    entry = await catalogue.show(WEATHER)
    plan = catalogue.plan(entry, entry.ways[0], {"WEATHER_API_KEY": "k"}, to_keyring=False)
    await catalogue.add(plan)
    assert written(store, "weather")["env"]["WEATHER_API_KEY"] == "k"


async def test_a_second_one_gets_a_free_name_and_a_secret_of_its_own(
    catalogue: Catalogue, keyring: MemoryKeyring
) -> None:
    assert [await add_weather(catalogue, "first"), await add_weather(catalogue, "second")] == [
        "weather",
        "weather-weather",
    ]
    assert sorted(keyring.kept.values()) == ["first", "second"]


async def test_a_name_that_is_taken_is_refused_before_a_secret_is_kept(
    catalogue: Catalogue, keyring: MemoryKeyring
) -> None:
    await add_weather(catalogue)
    entry = await catalogue.show(WEATHER)
    with pytest.raises(ConfigError, match="already exists"):
        catalogue.plan(entry, entry.ways[0], {"WEATHER_API_KEY": "other"}, name="weather")
    assert list(keyring.kept.values()) == ["k-secret-1"]


async def test_a_registry_whose_pages_lead_to_themselves_ends(
    catalogue: Catalogue, registry: RegistryStub
) -> None:
    document: dict[str, Any] = {"servers": [], "metadata": {"nextCursor": "again"}}
    registry.answer = lambda handler: send(handler, 200, json.dumps(document).encode())
    first = await catalogue.search("x")
    assert first.cursor == "again"
    assert (await catalogue.search("x", first.cursor)).cursor == ""


async def test_servers_that_the_registry_has_deleted_are_not_offered(
    catalogue: Catalogue, registry: RegistryStub
) -> None:
    registry.set_status(WEATHER, "deleted")
    assert (await catalogue.search("forecasts")).entries == ()


async def test_an_update_is_seen_with_what_it_changes_and_what_it_wants(
    catalogue: Catalogue, store: ConfigStore, registry: RegistryStub, keyring: MemoryKeyring
) -> None:
    await add_weather(catalogue)
    assert await catalogue.updates() == []
    packages = registry.servers[2]["server"]["packages"]
    newer = {
        **packages[0],
        "version": "1.3.0",
        "environmentVariables": [
            *packages[0]["environmentVariables"],
            {"name": "STATION", "isRequired": True},
        ],
    }
    registry.publish(WEATHER, "1.3.0", packages=[newer])
    (update,) = await catalogue.updates()
    assert (update.server, update.installed, update.version) == ("weather", "1.2.0", "1.3.0")
    assert [asked.key for asked in update.wanted] == ["STATION"]
    assert [(change.place, change.theirs) for change in update.differences] == [
        ("args", "-y @example/weather-mcp@1.3.0 --region eu")
    ]
    assert written(store, "weather")["catalogue"]["version"] == "1.2.0"

    store.set_enabled("weather", True)
    assert update.entry is not None
    assert update.way is not None
    answers = {**update.answers, "STATION": "42"}
    plan = catalogue.plan(update.entry, update.way, answers, server="weather")
    assert plan.secrets == ()
    assert ("env.WEATHER_API_KEY", "${keyring:weather.WEATHER_API_KEY}") in [
        (detail.place, detail.value) for detail in plan.details
    ]
    await catalogue.add(plan, server="weather")
    after = written(store, "weather")
    assert after["args"] == ["-y", "@example/weather-mcp@1.3.0", "--region", "eu"]
    assert after["env"]["WEATHER_API_KEY"] == "${keyring:weather.WEATHER_API_KEY}"
    assert after["env"]["STATION"] == "42"
    assert after["catalogue"]["version"] == "1.3.0"
    assert store.servers["weather"].enabled
    assert await catalogue.updates() == []


async def test_what_a_person_added_by_hand_survives_an_update(
    catalogue: Catalogue, store: ConfigStore, registry: RegistryStub
) -> None:
    await add_weather(catalogue)
    mine = store.servers["weather"]
    env = {**mine.env, "MINE": "1"}
    store.replace_server("weather", mine.changed(env=env, timeout=7, disabled_tools=("x",)))
    packages = registry.servers[2]["server"]["packages"]
    registry.publish(WEATHER, "2.0.0", packages=[{**packages[0], "version": "2.0.0"}])
    (update,) = await catalogue.updates()
    assert update.entry is not None
    assert update.way is not None
    plan = catalogue.plan(update.entry, update.way, update.answers, server="weather")
    config = plan.config
    assert (config.env["MINE"], config.timeout, config.disabled_tools) == ("1", 7, ("x",))


CHANGES: dict[str, Callable[[RegistryStub], None]] = {
    "removed this server": lambda stub: stub.set_status(WEATHER, "deleted"),
    "no longer maintains": lambda stub: stub.set_status(WEATHER, "deprecated"),
    "same way": lambda stub: stub.publish(WEATHER, "2", packages=[]),
    "does not have this": lambda stub: stub.servers.clear(),
}


@pytest.mark.parametrize("problem", CHANGES)
async def test_what_is_no_update_is_said(
    catalogue: Catalogue, registry: RegistryStub, problem: str
) -> None:
    await add_weather(catalogue)
    entry = await catalogue.show("io.github.modelcontextprotocol/time")
    await catalogue.add(catalogue.plan(entry, entry.ways[0], {}))
    CHANGES[problem](registry)
    if not registry.servers:
        with pytest.raises(CatalogueError, match=problem):
            await catalogue.updates()
        return
    (update,) = await catalogue.updates()
    assert problem in update.problem
    assert not update.is_offered


async def test_a_server_of_another_registry_is_not_looked_for_in_this_one(
    catalogue: Catalogue, store: ConfigStore, registry: RegistryStub
) -> None:
    await add_weather(catalogue)
    store.update_settings(catalogue_url="https://registry.example.com")
    (update,) = await catalogue.updates()
    assert registry.address in update.problem


@pytest.mark.parametrize(
    "address",
    [
        "http://registry.example.com",
        "ftp://x.example",
        "https://user:pass@x.example",
        "https://x.example/?a=b",
        "http://127.0.0.1.evil.example",
        "",
    ],
)
def test_an_address_that_is_not_safe_is_refused(store: ConfigStore, address: str) -> None:
    with pytest.raises(ConfigError):
        store.update_settings(catalogue_url=address)


async def test_an_update_that_would_read_a_variable_of_this_machine_is_refused(
    catalogue: Catalogue, store: ConfigStore, registry: RegistryStub
) -> None:
    await add_weather(catalogue)
    package = registry.servers[2]["server"]["packages"][0]
    worse = {**package, "packageArguments": [{"type": "positional", "value": "${HOME}"}]}
    registry.publish(WEATHER, "6.6.6", packages=[worse])
    (update,) = await catalogue.updates()
    assert not update.is_offered
    assert "same way" in update.problem
    assert not list(dangers_of(store.servers["weather"]))[1:]


async def test_one_that_does_not_answer_leaves_the_other_updates(
    catalogue: Catalogue, registry: RegistryStub
) -> None:
    await add_weather(catalogue)
    entry = await catalogue.show("io.github.modelcontextprotocol/time")
    await catalogue.add(catalogue.plan(entry, entry.ways[0], {}))
    registry.publish(WEATHER, "1.2.1")

    def break_time(handler: BaseHTTPRequestHandler) -> bool:
        return "time" in handler.path and send(handler, 500, b"")

    registry.answer = break_time
    found = await catalogue.updates()
    assert [(update.server, update.is_offered) for update in found] == [
        ("weather", True),
        ("time", False),
    ]
