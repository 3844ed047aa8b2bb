"""Rows stay what they are from one snapshot to the next."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from desktop.gui.processes import page
from desktop.gui.processes.page import ProcessesModel
from desktop.processes.snapshot import ProcessGroup, ProcessInfo, Snapshot
from desktop.processes.tracker import ServerExit

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.processes.tracker import CloseOutcome, ExitCause


def make_observed(state: str = "sleeping") -> ProcessInfo:
    me = psutil.Process(os.getpid())
    return ProcessInfo(
        me, 7, None, "node", "/bin/n x", "node x", "a", 7500.0, 1.25, 5_000_000, state
    )


def make_group(count: int, shown: int) -> ProcessGroup:
    return ProcessGroup("server", "a", (make_observed(),) * shown, count, 12.6, 10_000_000)


def test_a_process_is_a_row_of_six_cells() -> None:
    cells = page.process_cells(make_observed())
    assert cells == ("node x", "7", "a", "2 h 5 min", "1.2 %", "5.0 MB")


def test_a_state_that_matters_is_said_behind_the_command() -> None:
    assert page.process_cells(make_observed("zombie"))[0] == "node x  (exited, not yet reaped)"


@pytest.mark.parametrize(
    ("count", "shown", "said"),
    [(1, 1, "1 process"), (3, 3, "3 processes"), (5000, 2, "2 of 5,000 processes")],
)
def test_a_group_says_how_many_it_has(count: int, shown: int, said: str) -> None:
    assert page.group_cells(make_group(count, shown))[2] == said


def test_the_total_is_one_line() -> None:
    app = ProcessGroup("app", "x", (make_observed(),), 1, None, 80_000_000)
    assert page.total_label(Snapshot(app, ())) == "The app itself 80 MB"
    both = page.total_label(Snapshot(app, (make_group(2, 2), make_group(1, 1))))
    assert both == "2 servers, 3 processes, 20 MB; the app itself 80 MB"
    one = page.total_label(Snapshot(app, (make_group(1, 1),)))
    assert one == "1 server, 1 process, 10 MB; the app itself 80 MB"


@pytest.mark.parametrize(
    ("cpu", "said"), [(None, ""), (0.0, "0.0 %"), (9.96, "10.0 %"), (250.4, "250 %")]
)
def test_cpu_has_as_many_digits_as_it_is_worth(cpu: float | None, said: str) -> None:
    assert page.cpu_label(cpu) == said


@pytest.mark.parametrize(
    ("outcome", "cause", "code", "said", "tone"),
    [
        ("closed", "server", 0, "Ended by itself", "muted"),
        ("closed", "server", None, "Ended by itself", "muted"),
        ("closed", "server", 3, "Exited with code 3", "warning"),
        ("closed", "server", -11, "Ended by signal 11", "warning"),
        ("closed", "app", 0, "Stopped", "muted"),
        ("closed", "app", 1, "Stopped", "muted"),
        ("forced", "app", -9, "Stopped by force", "warning"),
        ("closed", "person", -9, "Ended by you", "muted"),
        ("left", "app", None, "Could not be ended", "danger"),
    ],
)
def test_an_end_says_who_had_it_end(
    outcome: CloseOutcome, cause: ExitCause, code: int | None, said: str, tone: str
) -> None:
    label = page.exit_label(ServerExit("a", 7, outcome, 0.0, cause, code))
    assert (label.text, label.tone) == (said, tone)


def test_keepers_are_told_apart_from_the_app() -> None:
    app = ProcessGroup("app", "x", (make_observed(),), 1, None, 80_000_000)
    keepers = ProcessGroup("keepers", "k", (make_observed(),), 1, None, 9_000_000)
    label = page.total_label(Snapshot(app, (make_group(1, 1),), keepers))
    assert label == "1 server, 1 process, 10 MB; the app itself 80 MB, its keepers 9.0 MB"


def test_a_time_of_day_is_shown_to_the_second() -> None:
    assert len(page.time_label(0.0)) == len("00:00:00")


ME = psutil.Process(os.getpid())


class Younger(psutil.Process):
    """Another process that has the PID of this one."""

    def create_time(self) -> float:
        return ME.create_time() + 1


def observed(pid: int, parent: int | None = None, **more: object) -> ProcessInfo:
    one = ProcessInfo(ME, pid, parent, "x", "/bin/x", "x", "files", 1.0, None, 10, "sleeping")
    return replace(one, **more)


def group(owner: str, *processes: ProcessInfo) -> ProcessGroup:
    return ProcessGroup("server", owner, processes, len(processes), None, 10)


def snapshot(*servers: ProcessGroup) -> Snapshot:
    return Snapshot(ProcessGroup("app", "mcp-desktop", (observed(1),), 1, None, 10), servers)


@pytest.fixture
def table(theme: Theme) -> ProcessesModel:
    return ProcessesModel(theme)


def texts(table: ProcessesModel, parent: QModelIndex | None = None, column: int = 0) -> list[str]:
    above = parent if parent is not None else QModelIndex()
    return [str(table.index(row, column, above).data()) for row in range(table.rowCount(above))]


def test_a_new_server_comes_before_the_app(table: ProcessesModel) -> None:
    table.show_snapshot(snapshot(group("a", observed(2))))
    table.show_snapshot(snapshot(group("a", observed(2)), group("b", observed(3))))
    assert texts(table) == ["a", "b", "mcp-desktop"]


def test_a_server_that_comes_back_has_its_old_place(table: ProcessesModel) -> None:
    both = snapshot(group("a", observed(2)), group("B", observed(3)))
    table.show_snapshot(both)
    table.show_snapshot(snapshot(group("B", observed(3))))
    table.show_snapshot(both)
    assert texts(table) == ["a", "B", "mcp-desktop"]


def test_what_is_gone_leaves_and_the_others_keep_their_rows(table: ProcessesModel) -> None:
    table.show_snapshot(snapshot(group("a", observed(2)), group("b", observed(3), observed(4, 3))))
    b = QPersistentModelIndex(table.index(1, 0))
    table.show_snapshot(snapshot(group("b", observed(3))))
    assert texts(table) == ["b", "mcp-desktop"]
    assert b.isValid()
    assert b.row() == 0


def test_a_row_is_new_once(table: ProcessesModel) -> None:
    first = snapshot(group("a", observed(2), observed(3, 2)))
    assert len(table.show_snapshot(first)) == 5
    assert table.show_snapshot(first) == []


def test_a_process_whose_parent_died_moves_up(table: ProcessesModel) -> None:
    table.show_snapshot(snapshot(group("a", observed(2), observed(3, 2), observed(4, 3))))
    table.show_snapshot(snapshot(group("a", observed(2), observed(4))))
    assert texts(table, table.index(0, 0), 1) == ["2", "4"]


def test_two_servers_of_one_name_are_two_rows(table: ProcessesModel) -> None:
    table.show_snapshot(snapshot(group("a", observed(2)), group("a", observed(3))))
    assert texts(table) == ["a", "a", "mcp-desktop"]


def test_a_pid_that_another_process_has_now_is_another_row(table: ProcessesModel) -> None:
    table.show_snapshot(snapshot(group("a", observed(2))))
    before = QPersistentModelIndex(table.index(0, 0, table.index(0, 0)))
    table.show_snapshot(snapshot(group("a", observed(2, process=Younger()))))
    assert not before.isValid()


def test_a_row_knows_its_process(table: ProcessesModel) -> None:
    table.show_snapshot(snapshot(group("a", observed(2))))
    server = table.row_at(table.index(0, 3))
    child = table.row_at(table.index(0, 3, table.index(0, 0)))
    assert server is not None
    assert child is not None
    assert (server.process, server.root) == (None, child.process)
    assert table.row_at(QModelIndex()) is None


def test_colours_follow_the_theme(table: ProcessesModel, theme: Theme) -> None:
    table.show_snapshot(snapshot(group("a", observed(2))))
    index = table.index(0, 1, table.index(0, 0))
    light = index.data(Qt.ItemDataRole.ForegroundRole)
    theme.set_scheme("dark")
    assert index.data(Qt.ItemDataRole.ForegroundRole) != light
    theme.set_scheme("light")


def test_a_process_that_got_a_younger_parent_goes_together_with_that(
    table: ProcessesModel,
) -> None:
    table.show_snapshot(snapshot(group("a", observed(2)), group("b", observed(5))))
    table.show_snapshot(snapshot(group("a", observed(4), observed(2, 4)), group("b", observed(5))))
    table.show_snapshot(snapshot(group("b", observed(5))))
    assert texts(table) == ["b", "mcp-desktop"]
