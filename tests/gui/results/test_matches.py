from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.results.matches import MOST, Matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


def test_places_come_between_the_turns_and_the_first_is_shown(qtbot: QtBot) -> None:
    matches: Matches[int] = Matches()
    reached: list[object] = []
    matches.reached.connect(reached.append)
    matches.start(iter([None, 3, None, 5, 8]))
    qtbot.waitUntil(lambda: not matches.is_looking)
    assert (matches.found, reached) == ([3, 5, 8], [3])
    for step in (1, 1, 1, -1):
        matches.step(step)
    assert reached == [3, 5, 8, 3, 8]


def test_a_new_search_forgets_the_old_one(qtbot: QtBot) -> None:
    matches: Matches[int] = Matches()
    matches.start(iter([1]))
    matches.start(iter([]))
    qtbot.waitUntil(lambda: not matches.is_looking)
    matches.step(1)
    assert (matches.found, matches.current) == ([], -1)


def test_places_without_end_end(qtbot: QtBot) -> None:
    def endless() -> Iterator[int]:
        while True:
            yield 1

    matches: Matches[int] = Matches()
    matches.start(endless())
    qtbot.waitUntil(lambda: not matches.is_looking)
    assert len(matches.found) == MOST
