from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.palette.entry_search import MAX_SHOWN, EntrySearch, PaletteEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.features.palette.entry_search import Kind


def entry(title: str, detail: str = "", kind: Kind = "tool") -> PaletteEntry:
    return PaletteEntry(kind, f"{kind}:{title}", title, detail, lambda: None)


def found(search: EntrySearch, query: str) -> list[str]:
    search.look_for(query)
    while not search.is_finished:
        search.more()
    return [each.title for each in search.best()]


def made(*entries: PaletteEntry, recent: tuple[str, ...] = ()) -> EntrySearch:
    search = EntrySearch()
    search.restart(recent)
    search.add(entries)
    return search


def test_pages_and_actions_are_found_by_their_english_names_in_every_language() -> None:
    search = made(
        PaletteEntry("page", "page:settings", "设置", "", lambda: None),
        PaletteEntry("action", "action:add server", "添加服务器…", "", lambda: None),
        PaletteEntry("chat", "chat:settings", "旧对话", "", lambda: None),
    )
    assert found(search, "settings") == ["设置"]
    assert found(search, "add ser") == ["添加服务器…"]


def test_the_place_of_the_words_ranks() -> None:
    search = made(
        entry("other", "aggregate things"),
        entry("disaggregate"),
        entry("db-aggregate"),
        entry("aggregate-db"),
        entry("aggregate"),
    )
    ranked = ["aggregate", "aggregate-db", "db-aggregate", "disaggregate", "other"]
    assert found(search, "aggregate") == ranked
    assert found(search, "AGGREGATE db") == ["aggregate-db", "db-aggregate"]


def test_every_word_has_to_occur_somewhere() -> None:
    search = made(entry("get-sum", "calculator"), entry("get-env", "everything"))
    assert found(search, "sum calc") == ["get-sum"]
    assert found(search, "sum every") == []


def test_what_was_chosen_before_comes_first_among_equals() -> None:
    entries = (entry("get-a"), entry("get-b"), entry("forget"))
    assert found(made(*entries, recent=("tool:get-b",)), "get")[0] == "get-b"
    assert found(made(*entries, recent=("tool:forget",)), "get")[-1] == "forget"
    assert found(made(*entries, recent=("tool:forget", "tool:get-b")), "") == [
        "forget",
        "get-b",
        "get-a",
    ]


def test_without_words_pages_and_actions_come_before_tools() -> None:
    entries = (entry("t"), entry("s", kind="server"), entry("a", kind="action"))
    assert found(made(*entries, entry("p", kind="page")), "") == ["p", "a", "s", "t"]


def test_a_recent_tool_is_found_among_ten_thousand_and_few_are_shown() -> None:
    entries = [entry(f"tool-{number}") for number in range(10_000)]
    shown = found(made(*entries, recent=("tool:tool-9999",)), "")
    assert (shown[0], len(shown)) == ("tool-9999", MAX_SHOWN)


def test_a_slice_ends_before_all_entries_were_taken() -> None:
    taken: list[int] = []

    def entries() -> Iterator[PaletteEntry]:
        for number in range(10_000):
            taken.append(number)
            yield entry(f"tool-{number}")

    search = EntrySearch()
    search.restart(())
    search.add(entries())
    search.more(seconds=0)
    assert not search.is_finished
    assert 0 < len(taken) < 1_000
    assert found(search, "tool-9999") == ["tool-9999"]


def test_what_is_added_while_it_looks_is_found_too() -> None:
    search = made(entry("one"))
    assert found(search, "two") == []
    search.add([entry("two", kind="chat")])
    search.more()
    assert [each.title for each in search.best()] == ["two"]
