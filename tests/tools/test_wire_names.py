"""A wire name is legal, stands for one tool alone, and depends on nothing but that tool."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.tools import wire_names as module
from desktop.tools.wire_names import WireNames, wire_name

RULE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,62}")
PIECES = (
    *("a", "b", "_", "__", "-", ".", "/", " ", ":", "\0", "mcp", "s_", "server", "A", "7"),
    *(
        "工具",
        "文件",
        "🔧",
        "👩‍🔧",
        "é",
        "İ",
        "\ud800",
        "x" * 20,
        "y" * 64,
        "z" * 128,
        "0123456789",
    ),
    *("0123456789", "_0123456789", "_deadbeef00", "mcp__"),
)
ADVERSARIAL = (
    (("a_", "b"), ("a", "_b")),
    (("a", "_b"), ("a__b", "")),
    (("a", "b__c"), ("a__b", "c")),
    (("a", "b.c"), ("a", "b/c")),
    (("a", "b.c"), ("a", "b_c")),
    (("文件", "读"), ("工具", "读")),
    (("a", "b" * 128), ("a", "b" * 127)),
    (("a", "b\0c"), ("a\0b", "c")),
    (("a b", "c"), ("a-b", "c")),
    (("", "ab"), ("a", "b")),
    (("docs", "x" * 70 + "1"), ("docs", "x" * 70 + "2")),
)
# Two tools whose hashes agree in the ten digits that a name has.
CLASH = (("docs", "寉亇一"), ("docs", "埀代一"))

texts = st.one_of(
    st.text(max_size=8),
    st.lists(st.sampled_from(PIECES), max_size=5).map("".join),
)
pairs = st.tuples(texts, texts)


@pytest.mark.parametrize(
    ("server", "tool", "direct", "name"),
    [
        ("github", "create_issue", False, "mcp__github__create_issue"),
        ("my-server", "read-file", False, "mcp__my-server__read-file"),
        ("a", "b__c", False, "mcp__a__b__c"),
        ("calculator", "add", True, "calculator__add"),
        ("7zip", "list", False, "mcp__7zip__list"),
    ],
)
def test_a_name_that_fits_is_kept_readable(server: str, tool: str, direct: bool, name: str) -> None:
    assert wire_name(server, tool, direct=direct) == name


@pytest.mark.parametrize(
    ("server", "tool", "direct", "start"),
    [
        ("My Files", "read/file.v2", False, "mcp__My_Files__read_file_v2_"),
        ("文件", "读取", False, "mcp__WenJian__DuQu_"),
        ("文件", "读取", True, "WenJian__DuQu_"),
        ("复读机", "weather_query", False, "mcp__FuDuJi__weather_query_"),
        ("Погода", "få", False, "mcp__Pogoda__fa_"),
        ("\u200b", "read", False, "mcp__server__read_"),
        ("a__b", "c", False, "mcp__a_b__c_"),
        ("mcp", "a__b", True, "s_mcp__a__b_"[:7]),
        ("7zip", "list", True, "s_7zip__list_"),
        ("docs", "tail_0123456789", False, "mcp__docs__tail_0123456789_"),
        ("x" * 64, "y" * 128, False, "mcp__" + "x" * 20 + "__yyy"),
    ],
)
def test_a_name_that_does_not_fit_keeps_what_can_be_read(
    server: str, tool: str, direct: bool, start: str
) -> None:
    name = wire_name(server, tool, direct=direct)
    assert name.startswith(start)
    assert re.search(r"_[0-9a-f]{10}$", name)
    assert RULE.fullmatch(name)


@given(pairs, st.booleans())
def test_every_name_is_legal_and_the_same_each_time(pair: tuple[str, str], direct: bool) -> None:
    name = wire_name(*pair, direct=direct)
    assert RULE.fullmatch(name)
    assert wire_name(*pair, direct=direct) == name


@given(pairs, pairs, st.booleans(), st.booleans())
def test_two_tools_never_share_a_name(
    one: tuple[str, str], other: tuple[str, str], one_direct: bool, other_direct: bool
) -> None:
    same = one == other and one_direct == other_direct
    names = wire_name(*one, direct=one_direct), wire_name(*other, direct=other_direct)
    assert (names[0] == names[1]) is same


@given(st.lists(pairs, max_size=12), st.lists(pairs, max_size=12))
def test_a_name_does_not_depend_on_the_other_tools(
    some: list[tuple[str, str]], others: list[tuple[str, str]]
) -> None:
    alone, together = WireNames(some), WireNames([*others, *some])
    for server, tool in some:
        name = alone.name(server, tool)
        assert together.name(server, tool) == name == wire_name(server, tool)
        assert together.find(name) == (server, tool)


@pytest.mark.parametrize(("one", "other"), ADVERSARIAL)
@pytest.mark.parametrize("direct", [False, True])
def test_names_that_were_made_to_meet_do_not(
    one: tuple[str, str], other: tuple[str, str], direct: bool
) -> None:
    assert wire_name(*one, direct=direct) != wire_name(*other, direct=direct)


def test_a_hundred_thousand_adversarial_tools_have_as_many_legal_names() -> None:
    chance = random.Random(7)
    some = ["".join(chance.choices(PIECES, k=chance.randint(1, 4))) for _ in range(420)]
    tools = set(itertools.product(sorted(set(some)), repeat=2))
    names = {wire_name(*tool, direct=direct) for tool in tools for direct in (False, True)}
    assert len(tools) > 100_000
    assert len(names) == 2 * len(tools)
    assert all(map(RULE.fullmatch, names))


def test_where_two_hashes_agree_both_get_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "in_ascii", str)  # letters that nobody can read
    assert wire_name(*CLASH[0]) == wire_name(*CLASH[1])
    names = WireNames([*CLASH, ("docs", "read")])
    long = [names.name(*tool) for tool in CLASH]
    assert [names.find(name) for name in long] == list(CLASH)
    assert all(RULE.fullmatch(name) and re.search("_[0-9a-f]{32}$", name) for name in long)
    assert names.name("docs", "read") == "mcp__docs__read"
    assert names.find(wire_name(*CLASH[0])) is None


def test_a_kept_name_never_looks_like_one_with_a_long_hash() -> None:
    long = WireNames(CLASH).name(*CLASH[0]).removeprefix("mcp__docs__").removeprefix("mcp__docs")
    assert wire_name("docs", long) not in set(WireNames(CLASH))


def test_a_sessions_own_servers_have_names_without_the_services_prefix() -> None:
    names = WireNames([("clock", "now"), ("github", "now")], direct={"clock"})
    assert list(names) == ["clock__now", "mcp__github__now"]
    assert len(names) == 2
    assert names.find("clock__now") == ("clock", "now")


def test_a_name_in_another_case_is_understood_where_only_one_is_meant() -> None:
    names = WireNames([("Web", "Fetch"), ("web", "search"), ("web", "Search")])
    assert names.find("MCP__WEB__FETCH") == ("Web", "Fetch")
    assert names.find("mcp__web__Search") == ("web", "Search")
    assert names.find("mcp__web__SEARCH") is None


@pytest.mark.parametrize("said", ["mcp__web__serch", "search", "", "\0", "web__search" * 10_000])
def test_an_unknown_name_is_answered_with_what_there_is_nearest_first(said: str) -> None:
    names = WireNames([*((f"s{n}", "tool") for n in range(400)), ("web", "search")])
    assert names.find(said) is None
    answer = names.unknown(said)
    assert len(answer) < 2_000
    if said in {"mcp__web__serch", "search"}:
        assert "Available: mcp__web__search, " in answer


def test_without_tools_the_answer_says_so() -> None:
    assert WireNames([]).unknown("x") == "Unknown tool 'x'; no tools are available."
    assert "Available: mcp__a__b." in WireNames([("a", "b")]).unknown("x")
