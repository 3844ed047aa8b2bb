"""Whose a process is, from a table alone."""

from __future__ import annotations

from desktop.processes.belonging import assign
from desktop.processes.table import Entry

APP, SERVER, OTHER = 10, 20, 30
ROOTS = {SERVER: "m20", OTHER: "m30"}


def entry(pid: int, parent: int, session: int = 0, group: int = 0) -> Entry:
    return Entry(pid, parent, group, session, "x", "sleeping", 0.0, 0, 1.0)


def belongs(*entries: Entry, markers: dict[int, str] | None = None) -> dict[int, list[int]]:
    always = (entry(1, 0), entry(APP, 1), entry(SERVER, APP), entry(OTHER, APP))
    table = {one.pid: one for one in (*always, *entries)}
    return assign(table, ROOTS, APP, lambda one: (markers or {}).get(one.pid, ""))


def test_all_below_a_server_is_the_servers_and_comes_after_its_parent() -> None:
    members = belongs(entry(22, 21), entry(21, SERVER), entry(23, SERVER))
    assert members == {SERVER: [SERVER, 21, 22, 23], OTHER: [OTHER], APP: [APP]}


def test_a_server_below_another_one_keeps_its_own() -> None:
    table = {one.pid: one for one in (entry(SERVER, 1), entry(OTHER, SERVER), entry(31, OTHER))}
    assert assign(table, ROOTS, None, lambda _: "") == {SERVER: [SERVER], OTHER: [OTHER, 31]}


def test_what_lost_its_parent_is_known_by_its_session_or_its_group() -> None:
    members = belongs(entry(21, 1, session=SERVER), entry(31, 1, group=OTHER), entry(32, 31))
    assert members == {SERVER: [SERVER, 21], OTHER: [OTHER, 31, 32], APP: [APP]}


def test_what_the_app_started_and_no_server_owns_is_the_apps() -> None:
    assert belongs(entry(11, APP), entry(12, 11))[APP] == [APP, 11, 12]


def test_what_came_to_the_app_is_known_by_its_marker() -> None:
    members = belongs(entry(21, APP), entry(22, 21), markers={21: "m20"})
    assert members == {SERVER: [SERVER, 21, 22], OTHER: [OTHER], APP: [APP]}


def test_what_came_to_the_keeper_of_one_server_is_that_servers() -> None:
    guardian, keeper = 11, 12
    members = belongs(
        entry(guardian, APP), entry(keeper, guardian), entry(SERVER, keeper), entry(21, keeper)
    )
    assert members == {SERVER: [SERVER, 21], OTHER: [OTHER], APP: [APP, guardian, keeper]}


def test_what_came_to_a_process_above_several_servers_is_not_guessed() -> None:
    guardian = 11
    members = belongs(
        entry(guardian, APP), entry(SERVER, guardian), entry(OTHER, guardian), entry(21, guardian)
    )
    assert members[APP] == [APP, guardian, 21]


def test_what_belongs_to_nobody_here_is_left_out() -> None:
    assert 40 not in {pid for pids in belongs(entry(40, 1)).values() for pid in pids}


def test_a_table_that_goes_in_circles_is_walked_once() -> None:
    members = belongs(entry(SERVER, 21), entry(21, SERVER))
    assert members[SERVER] == [SERVER, 21]
