from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from desktop.config.imports.clients import ClientLocations, app_named
from desktop.config.imports.plan import ImportPlan, differences, make_plans
from desktop.config.imports.reader import Source, read_source
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.spellings import looks_like_server
from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from pathlib import Path

    Entries = dict[str, Any]

OURS = ServerConfig(
    name="a", transport="stdio", command="npx", args=("-y", "x"), env={"TOKEN": "secret-one"}
)


def test_a_server_that_is_started_the_same_way_has_none() -> None:
    other = OURS.changed(name="b", enabled=False, timeout=5, disabled_tools=("x",))
    assert differences(OURS, other) == []


def test_each_place_is_told_with_both_values() -> None:
    found = differences(OURS, OURS.changed(args=("-y", "y"), cwd="/w"))
    assert [(one.place, one.ours, one.theirs) for one in found] == [
        ("args", "-y x", "-y y"),
        ("cwd", "", "/w"),
    ]


def test_another_secret_is_told_without_either() -> None:
    (found,) = differences(OURS, OURS.changed(env={"TOKEN": "secret-two"}))
    assert found.is_secret
    assert "secret-" not in repr(found)
    (gone,) = differences(OURS, OURS.changed(env={}))
    assert (gone.is_secret, gone.theirs) == (False, "")
    changed = OURS.changed(args=("--api-key", "secret-three"))
    assert "secret-three" not in repr(differences(OURS, changed))


def test_a_huge_value_is_cut() -> None:
    (found,) = differences(OURS, OURS.changed(command="x" * 10_000))
    assert len(found.theirs) < 300


BUILTIN = ServerConfig(name="time", transport="stdio", command="t", source="builtin")


def plan(folder: Path, places: ClientLocations, ours: Entries, theirs: Entries) -> ImportPlan:
    (folder / "ours.json").write_text(json.dumps({"mcpServers": ours}))
    (folder / "theirs.json").write_text(json.dumps({"mcpServers": theirs}))
    store = ConfigStore(folder / "ours.json", {}, [BUILTIN])
    store.load()
    source = Source(folder / "theirs.json", app_named("cursor"))
    return make_plans([read_source(source, places, AppSettings())], store)[0]


def test_each_server_is_new_the_same_different_or_invalid(
    tmp_path: Path, places: ClientLocations
) -> None:
    made = plan(
        tmp_path,
        places,
        {
            "same": {"command": "a"},
            "different": {"command": "a", "args": ["1"]},
            "other": {"url": "https://x"},
        },
        {
            "new": {"command": "n"},
            "same": {"command": "a", "env": {}, "disabled": True},
            "different": {"command": "a", "args": ["2"]},
            "twin": {"url": "https://x"},
            "wrong": {"args": []},
        },
    )
    by_name = {server.name: server for server in made.servers}
    assert {name: (one.status, one.target) for name, one in by_name.items()} == {
        "new": ("new", "new"),
        "same": ("same", "same"),
        "different": ("different", "different-cursor"),
        "twin": ("same", "other"),
        "wrong": ("invalid", "wrong"),
    }
    assert [difference.place for difference in by_name["different"].differences] == ["args"]
    assert 'needs "command"' in by_name["wrong"].reason


def test_what_is_chosen_arrives_switched_off_unless_asked(
    tmp_path: Path, places: ClientLocations
) -> None:
    made = plan(
        tmp_path, places, {"a": {"command": "1"}}, {"a": {"command": "2"}, "b": {"command": "3"}}
    )
    assert [(one.name, one.enabled) for one in made.chosen({"b"}, enable=False)] == [("b", False)]
    both = made.chosen({"a-cursor", "b", "unknown"}, enable=True)
    assert [(one.name, one.enabled) for one in both] == [("a-cursor", True), ("b", True)]


def test_a_built_in_server_is_not_hidden_by_an_import(
    tmp_path: Path, places: ClientLocations
) -> None:
    (one,) = plan(tmp_path, places, {}, {"time": {"command": "mine"}}).servers
    assert (one.status, one.target) == ("new", "time-cursor")


def test_two_built_in_servers_are_not_the_same_one(tmp_path: Path, places: ClientLocations) -> None:
    made = plan(
        tmp_path,
        places,
        {"one": {"builtin": "calculator"}},
        {"a": {"builtin": "fetch"}, "b": {"builtin": "calculator"}},
    )
    assert [(server.status, server.target) for server in made.servers] == [
        ("new", "a"),
        ("same", "one"),
    ]


def test_the_name_of_a_wrong_entry_of_ours_is_taken_too(
    tmp_path: Path, places: ClientLocations
) -> None:
    (one,) = plan(tmp_path, places, {"a": {"args": 3}}, {"a": {"command": "x"}}).servers
    assert (one.status, one.target) == ("new", "a-cursor")


def test_names_are_free_across_sources_and_within_one(
    tmp_path: Path, places: ClientLocations, store: ConfigStore
) -> None:
    text = {"a:": {"command": "1"}, "a": {"command": "2"}}
    (tmp_path / "one.json").write_text(json.dumps({"mcpServers": text}))
    (tmp_path / "two.json").write_text(json.dumps({"mcpServers": {"a": {"command": "3"}}}))
    reads = [
        read_source(Source(tmp_path / name), places, AppSettings())
        for name in ("one.json", "two.json")
    ]
    plans = make_plans(reads, store)
    assert [server.target for made in plans for server in made.servers] == ["a", "a-2", "a-3"]


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=6)
    | st.sampled_from(
        [
            "${input:x}",
            "${workspaceFolder}",
            "${a",
            "stdio",
            "https://a:b@c/?token=d",
            "--token",
            "/n/o",
        ]
    )
)
KEYS = st.text(max_size=4) | st.sampled_from(
    ["command", "args", "env", "url", "headers", "type", "timeout", "cwd", "envFile", "env_keys"]
)
ENTRIES = st.dictionaries(
    KEYS,
    LEAVES
    | st.lists(LEAVES, max_size=3)
    | st.dictionaries(st.text(max_size=3), LEAVES, max_size=2),
    max_size=5,
)


def test_one_entry_that_nobody_named_is_one_server_and_not_its_keys(
    tmp_path: Path, places: ClientLocations, store: ConfigStore
) -> None:
    entry: Entries = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}
    (tmp_path / "one.json").write_text(json.dumps({"mcpServers": entry}))
    (made,) = make_plans([read_source(Source(tmp_path / "one.json"), places, AppSettings())], store)
    assert [server.target for server in made.servers] == ["memory"]
    assert [server.status for server in made.servers] == ["new"]


@example(servers={"uri": "0"})
@example(servers={"url": "x", "b": {"command": "y"}})
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(servers=st.dictionaries(st.text(max_size=4), LEAVES | ENTRIES, min_size=1, max_size=4))
def test_whatever_stands_in_a_file_is_a_plan_of_all_of_it(
    tmp_path: Path, places: ClientLocations, store: ConfigStore, servers: Entries
) -> None:
    (tmp_path / "any.json").write_text(json.dumps({"mcpServers": servers}))
    read = read_source(Source(tmp_path / "any.json"), places, AppSettings())
    (made,) = make_plans([read], store)
    is_one = looks_like_server(servers) and not any(map(looks_like_server, servers.values()))
    assert len(made.servers) == (1 if is_one else len(servers))
    everything = {server.target for server in made.servers}
    chosen = made.chosen(everything, enable=False)
    assert len({one.name for one in chosen}) == len(chosen)
