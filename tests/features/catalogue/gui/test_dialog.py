"""The catalogue as a person uses it: with the keyboard, over a registry on this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from desktop.config.models import Sandbox, SandboxProposal
from desktop.config.secret_store import SERVICE, SecretStore
from desktop.features.catalogue.gui.dialog import CatalogueDialog
from desktop.gui.widgets.focus_guard import focus_guard_of
from tests.config.keyring_backend import use_no_keyring
from tests.features.catalogue.registry_stub import send
from tests.gui.waiting import happens, noted, turns

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.config.store import ConfigStore
    from desktop.features.catalogue.catalogue import Catalogue
    from desktop.gui.theme import Theme
    from tests.config.keyring_backend import MemoryKeyring
    from tests.features.catalogue.registry_stub import RegistryStub

WEATHER = "com.example.weather/mcp"
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def dialog(page: QWidget, theme: Theme, catalogue: Catalogue, tmp_path: Path) -> CatalogueDialog:
    secrets = SecretStore(tmp_path / "data" / "secrets.json")
    made = CatalogueDialog(page, theme, catalogue, secrets)
    made.open()
    return made


async def search(dialog: CatalogueDialog, words: str) -> None:
    """Type words and press Enter."""
    dialog.found.search_box.clear()
    QTest.keyClicks(dialog.found.search_box, words)
    answered = happens(dialog.settled)
    QTest.keyClick(dialog.found.search_box, Qt.Key.Key_Return)
    await answered
    await turns()


async def written(dialog: CatalogueDialog) -> None:
    """Until what was asked for is written or refused."""
    while dialog.is_keeping:
        await turns()


def shown(dialog: CatalogueDialog) -> list[str]:
    return [row.entry.label for row in dialog.found.rows]


def servers(store: ConfigStore) -> dict[str, Any]:
    return json.loads(store.path.read_text("utf-8"))["mcpServers"]


async def test_nothing_is_asked_until_a_person_searches(
    dialog: CatalogueDialog, registry: RegistryStub
) -> None:
    dialog.look_for_updates()
    QTest.keyClicks(dialog.found.search_box, "weather")
    await turns()
    assert registry.asked == []
    assert not dialog.act.isEnabled()
    dialog.browse.click()
    while dialog.is_searching:
        await turns()
    assert len(shown(dialog)) > 1, "all there is can be looked through"


async def test_from_a_search_to_a_server_by_keys_alone(
    dialog: CatalogueDialog, store: ConfigStore, keyring: MemoryKeyring
) -> None:
    added = noted(dialog.added)
    await search(dialog, "forecasts")
    assert shown(dialog) == ["Weather of Example"]
    QTest.keyClick(dialog.found.search_box, Qt.Key.Key_Down)
    QTest.keyClick(dialog.found.view, Qt.Key.Key_Return)
    assert dialog.entry.form is not None
    row = dialog.entry.form.fields.row_at(("WEATHER_API_KEY",))
    assert row is not None
    field = row.field.target()
    assert dialog.focusWidget() is field
    QTest.keyClicks(field, "k-secret-1")
    await turns()
    QTest.keyClick(field, Qt.Key.Key_Return, CONTROL)
    await written(dialog)
    assert added == [("weather", "")]
    assert servers(store)["weather"]["enabled"] is False
    assert servers(store)["weather"]["env"]["WEATHER_API_KEY"] == (
        "${keyring:weather.WEATHER_API_KEY}"
    )
    assert keyring.kept == {(SERVICE, "weather.WEATHER_API_KEY"): "k-secret-1"}


async def test_the_whole_command_is_shown_before_and_follows_the_form(
    dialog: CatalogueDialog, store: ConfigStore
) -> None:
    await search(dialog, "forecasts")
    assert "npx -y @example/weather-mcp@1.2.0\n" in dialog.entry.command.toPlainText()
    assert dialog.entry.form is not None
    changed = happens(dialog.entry.changed)
    dialog.entry.form.set_value({"WEATHER_API_KEY": "k-secret-1", "region": "eu"})
    await changed
    text = dialog.entry.command.toPlainText()
    assert text.splitlines()[0] == "command: npx -y @example/weather-mcp@1.2.0 --region eu"
    assert "k-secret-1" not in text
    assert dialog.secrets.text() == "Keep in the keyring: weather.WEATHER_API_KEY"
    dialog.entry.ways.setCurrentIndex(1)
    assert dialog.entry.command.toPlainText().startswith("command: docker run -i --rm --mount")
    dialog.entry.ways.setCurrentIndex(2)
    assert dialog.entry.command.toPlainText().startswith("url: https://${TENANT}.weather")
    assert not servers(store)


async def test_what_is_required_is_asked_for_before_anything_is_written(
    dialog: CatalogueDialog, store: ConfigStore
) -> None:
    await search(dialog, "forecasts")
    QTest.mouseClick(dialog.act, LEFT)
    assert dialog.error.text() == "Fill in what it requires: WEATHER_API_KEY"
    assert dialog.isVisible()
    assert not servers(store)


async def test_the_button_that_adds_never_gets_the_focus_by_itself(
    dialog: CatalogueDialog, store: ConfigStore
) -> None:
    await search(dialog, "time")
    assert dialog.act.isEnabled()
    assert focus_guard_of(dialog.act) is not None
    for widget in (dialog.found.search_box, dialog.found.view, dialog.entry.name):
        QTest.keyClick(widget, Qt.Key.Key_Return)
    await turns()
    assert not dialog.act.hasFocus()
    assert not servers(store)


async def test_a_server_that_asks_for_nothing_is_added_under_the_name_that_was_typed(
    dialog: CatalogueDialog, store: ConfigStore
) -> None:
    await search(dialog, "little")
    dialog.entry.name.setText("tiny")
    QTest.mouseClick(dialog.act, LEFT)
    await written(dialog)
    assert servers(store)["tiny"]["url"] == "https://mcp.example.com/sse"


async def test_a_name_that_is_taken_leaves_the_dialog_open(
    dialog: CatalogueDialog, store: ConfigStore
) -> None:
    await search(dialog, "little")
    dialog.entry.name.setText("bad:name")
    assert "separates server and tool" in dialog.error.text()
    QTest.mouseClick(dialog.act, LEFT)
    assert dialog.isVisible()
    assert not servers(store)


async def test_what_cannot_be_installed_says_why_and_has_no_form(dialog: CatalogueDialog) -> None:
    await search(dialog, "bundle")
    assert "Its publisher no longer maintains it." in dialog.entry.status.text()
    dialog.entry.ways.setCurrentIndex(1)
    assert dialog.entry.reason.text().startswith("Not installable here. No program here runs")
    assert not dialog.act.isEnabled()
    dialog.entry.ways.setCurrentIndex(1)
    assert "“cargo”" in dialog.entry.reason.text()


async def test_more_is_loaded_when_it_is_asked_for(
    dialog: CatalogueDialog, registry: RegistryStub
) -> None:
    for number in range(40):
        registry.publish(WEATHER, "1", name=f"com.example/many-{number}", title=f"Many {number}")
    await search(dialog, "many")
    assert (len(shown(dialog)), dialog.found.more.isHidden()) == (30, False)
    answered = happens(dialog.settled)
    QTest.mouseClick(dialog.found.more, LEFT)
    await answered
    assert (len(shown(dialog)), dialog.found.more.isHidden()) == (40, True)
    assert dialog.found.view.currentIndex().row() == 30


async def test_a_registry_that_does_not_answer_is_said_in_words_with_a_next_step(
    dialog: CatalogueDialog, registry: RegistryStub
) -> None:
    registry.answer = lambda handler: send(handler, 200, b"<html>hotel</html>")
    await search(dialog, "weather")
    assert "not that of an MCP registry" in dialog.found.message.text()
    assert "Settings" in dialog.found.message.text()
    registry.answer = lambda _: False
    await search(dialog, "weather")
    assert shown(dialog) == ["Weather of Example"]
    await search(dialog, "nothing like this")
    assert "Nothing matches “nothing like this”" in dialog.found.message.text()
    assert not dialog.act.isEnabled()


async def test_the_newer_search_takes_the_place_of_the_older(
    dialog: CatalogueDialog, registry: RegistryStub
) -> None:
    def slow(handler: Any) -> bool:
        return "slow" in handler.path and bool(registry.stopped.wait(20))

    registry.answer = slow
    dialog.search("slow")
    await turns()
    older = dialog._task  # pyright: ignore[reportPrivateUsage]
    await search(dialog, "weather")
    assert shown(dialog) == ["Weather of Example"]
    assert older is not None
    assert older.cancelled()


async def test_text_of_a_registry_is_never_markup(
    dialog: CatalogueDialog, registry: RegistryStub
) -> None:
    words = "<img src='file:///etc/passwd'><b>bold</b>\u202e"
    registry.publish(WEATHER, "9\u202e", title=words, description=words, websiteUrl=words)
    await search(dialog, "bold")
    for label in (dialog.entry.title, dialog.entry.origin, dialog.entry.links):
        assert "⟨U+202E⟩" in label.text()
    labels = [label for label in dialog.findChildren(QLabel) if "<b>" in label.text()]
    assert labels
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}


async def test_without_a_keyring_a_secret_is_kept_for_the_session_or_written_where_chosen(
    dialog: CatalogueDialog, store: ConfigStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_no_keyring(monkeypatch)
    await search(dialog, "forecasts")
    assert dialog.entry.form is not None
    changed = happens(dialog.entry.changed)
    dialog.entry.form.set_value({"WEATHER_API_KEY": "k-1"})
    await changed
    dialog.accept()
    await written(dialog)
    assert servers(store)["weather"]["env"]["WEATHER_API_KEY"].startswith("${keyring:")


@pytest.fixture
async def installed(catalogue: Catalogue) -> str:
    entry = await catalogue.show(WEATHER)
    plan = catalogue.plan(entry, entry.ways[0], {"WEATHER_API_KEY": "k-1", "region": "eu"})
    return await catalogue.add(plan)


@pytest.mark.usefixtures("installed")
async def test_an_update_is_seen_when_the_catalogue_is_opened_and_taken_by_a_click(
    dialog: CatalogueDialog, store: ConfigStore, registry: RegistryStub
) -> None:
    package = registry.servers[2]["server"]["packages"][0]
    registry.publish(WEATHER, "1.3.0", packages=[{**package, "version": "1.3.0"}])
    answered = happens(dialog.settled)
    dialog.look_for_updates()
    await answered
    note = dialog.entry.update_note.text()
    assert note.startswith("“weather” is at 1.2.0; 1.3.0 is available.\nargs: now -y @example")
    assert "weather-mcp@1.3.0 --region eu" in note
    assert dialog.act.text() == "Update to 1.3.0"
    assert dialog.entry.form is not None
    assert dialog.entry.form.value()["region"] == "eu"
    assert servers(store)["weather"]["catalogue"]["version"] == "1.2.0"
    added = noted(dialog.added)
    QTest.mouseClick(dialog.act, LEFT)
    await written(dialog)
    assert added == [("weather", "1.3.0")]
    assert servers(store)["weather"]["args"][1] == "@example/weather-mcp@1.3.0"


@pytest.mark.usefixtures("installed")
async def test_a_server_that_the_registry_removed_is_shown_without_a_way_to_take_it(
    dialog: CatalogueDialog, registry: RegistryStub
) -> None:
    registry.set_status(WEATHER, "deleted")
    answered = happens(dialog.settled)
    dialog.look_for_updates()
    await answered
    assert "removed this server" in dialog.entry.update_note.text()
    assert not dialog.act.isEnabled()


@pytest.mark.usefixtures("installed")
async def test_a_server_that_cannot_be_looked_up_is_named_beside_the_others(
    dialog: CatalogueDialog, store: ConfigStore, registry: RegistryStub
) -> None:
    moved = store.servers["weather"].changed(name="moved", catalogue={"name": "com.example/gone"})
    store.add_server(moved)
    answered = happens(dialog.settled)
    dialog.look_for_updates()
    await answered
    words = dialog.found.message.text()
    assert words.startswith("Could not be looked up:\nmoved: ")
    assert "does not have this" in words
    registry.set_status(WEATHER, "deleted")
    answered = happens(dialog.settled)
    dialog.look_for_updates()
    await answered
    assert shown(dialog) == ["Weather of Example"]
    assert dialog.error.text().startswith("moved: ")


@pytest.mark.usefixtures("installed")
async def test_what_is_here_already_is_marked_and_no_news_is_said(
    dialog: CatalogueDialog, badge_words: Callable[[CatalogueDialog], list[str]]
) -> None:
    answered = happens(dialog.settled)
    dialog.look_for_updates()
    await answered
    assert "newest version" in dialog.found.message.text()
    await search(dialog, "forecasts")
    assert badge_words(dialog) == ["Added"]


@pytest.fixture
def badge_words() -> Callable[[CatalogueDialog], list[str]]:
    return lambda dialog: [
        badge.words for row in dialog.found.rows for badge in dialog.found.badges(row)
    ]


@pytest.mark.parametrize("is_ticked", [True, False])
async def test_a_new_server_starts_in_the_sandbox_that_is_offered_unless_it_is_unticked(
    dialog: CatalogueDialog, store: ConfigStore, monkeypatch: pytest.MonkeyPatch, is_ticked: bool
) -> None:
    offered = SandboxProposal(Sandbox(preset="folders"))
    monkeypatch.setattr(store, "sandbox_for", lambda _: offered)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    await search(dialog, "forecasts")
    box = dialog.entry.sandbox.box
    assert "sandbox: folders" in dialog.entry.command.toPlainText()
    if not is_ticked:
        box.toggle()
        assert "sandbox" not in dialog.entry.command.toPlainText()
    assert dialog.entry.form is not None
    dialog.entry.form.set_value({"WEATHER_API_KEY": "k-secret-1", "region": "eu"})
    plan = dialog.entry.plan(to_keyring=False)
    assert plan is not None
    assert plan.config.sandbox.is_on is is_ticked
