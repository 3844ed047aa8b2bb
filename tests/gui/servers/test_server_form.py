from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest

from desktop.base.errors import ConfigError
from desktop.config.models import ServerConfig
from desktop.gui.servers.server_form import ServerForm, TransportChoice
from tests.gui.drag_and_drop import drag_over, drop

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_choice_is_told_and_one_by_the_program_is_not(qtbot: QtBot) -> None:
    choice, told = TransportChoice(), list[str]()
    qtbot.addWidget(choice)
    choice.changed.connect(told.append)
    choice.choose("sse")
    assert choice.chosen == "sse"
    choice.buttons["http"].click()
    assert choice.chosen == "http"
    assert told == ["http"]


PROGRAM = ServerConfig(
    name="files",
    transport="stdio",
    command="npx",
    args=("-y", "two\nlines", ""),
    env={"API_KEY": "secret"},
    cwd="/tmp",
    timeout=1.5,
    disabled_tools=("a",),
)
REMOTE = ServerConfig(
    name="docs", transport="sse", url="https://x/sse", headers={"Authorization": "Bearer x"}
)


@pytest.fixture
def form(theme: Theme, qtbot: QtBot) -> ServerForm:
    form = ServerForm(theme)
    qtbot.addWidget(form)
    form.show()
    return form


BUILTIN = ServerConfig(name="sums", transport="stdio", builtin="calculator")


@pytest.mark.parametrize("config", [PROGRAM, REMOTE, BUILTIN])
def test_a_server_that_nobody_changed_comes_back_as_it_was(
    form: ServerForm, config: ServerConfig
) -> None:
    form.show_config(config)
    assert form.config(config) == config


def test_what_starts_a_built_in_server_is_shown_and_cannot_be_typed_over(
    form: ServerForm,
) -> None:
    form.show_config(BUILTIN)
    QTest.keyClicks(form.command, "npx ")
    assert not form.command.isEnabled()
    form.take_apart()
    assert form.command.text() == "mcp-desktop builtin calculator"
    assert not form.transport.buttons["http"].isEnabled()
    assert form.config(None) == BUILTIN
    form.show_config(PROGRAM)
    QTest.keyClicks(form.command, "x")
    assert form.config(PROGRAM).command == "npxx"


def test_the_other_transport_hides_its_fields_and_forgets_nothing(form: ServerForm) -> None:
    form.show_config(PROGRAM)
    QTest.mouseClick(form.transport.buttons["http"], Qt.MouseButton.LeftButton)
    form.transport.buttons["http"].click()
    assert form.fields["command"].isHidden()
    assert not form.fields["url"].isHidden()
    form.url.setText("https://example.com")
    assert form.config(None).command == ""
    form.transport.buttons["stdio"].click()
    assert form.config(None).args == PROGRAM.args


def test_a_whole_command_line_is_taken_apart_when_its_field_is_left(form: ServerForm) -> None:
    form.name.setText("x")
    form.args.setPlainText("--more")
    line = "TOKEN=t npx -y @modelcontextprotocol/server-everything"
    for letter in line:
        QTest.keyClicks(form.command, letter)
        form.config(None)  # the dialog reads the form while a person types
    assert form.command.text() == line
    QTest.keyClick(form.command, Qt.Key.Key_Return)
    config = form.config(None)
    assert config.command == "npx"
    assert config.args == ("-y", "@modelcontextprotocol/server-everything", "--more")
    assert config.env == {"TOKEN": "t"}
    assert form.config(None) == config


def test_a_variable_that_is_there_twice_is_refused_at_its_field(form: ServerForm) -> None:
    form.show_config(PROGRAM)
    form.env.add_row("API_KEY", "other")
    with pytest.raises(ConfigError) as caught:
        form.config(PROGRAM)
    assert form.show_error(caught.value) == ""
    assert "twice" in form.fields["env"].error


def test_every_field_has_an_accessible_name(form: ServerForm) -> None:
    for field in form.fields.values():
        control = field.control.focusProxy() or field.control
        assert field.control.accessibleName() or control.accessibleName()


def test_folders_that_are_dropped_are_told_to_the_server_each_once(
    form: ServerForm, tmp_path: Path
) -> None:
    form.show_config(PROGRAM.changed(roots=("/a",)))
    file = tmp_path / "file.txt"
    file.write_text("")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in (tmp_path, tmp_path, file)])
    edit = form.roots.edit
    takes = drag_over(edit.viewport(), data)
    drop(edit.viewport(), data)

    assert takes
    assert form.config(PROGRAM).roots == ("/a", str(tmp_path))


def test_a_level_of_log_messages_is_chosen_or_left_to_the_server(form: ServerForm) -> None:
    form.show_config(PROGRAM.changed(log_level="error"))
    shown = form.log_level.level
    form.log_level.choose(None)

    assert shown == "error"
    assert form.config(PROGRAM).log_level is None


def test_a_server_with_folders_and_a_level_comes_back_as_it_was(form: ServerForm) -> None:
    config = PROGRAM.changed(roots=("file:///a", "b c"), log_level="debug")
    form.show_config(config)

    assert form.config(config) == config


def sandboxed(sandbox: object) -> ServerConfig:
    return ServerConfig.checked(name="maps", command="npx", sandbox=sandbox)


@pytest.mark.parametrize(
    "sandbox",
    [
        *("off", "folders", "no-network", "strict"),
        {"preset": "strict", "network": True},
        {"preset": "folders", "network": ["a.example.com", "*.example.org:8443"]},
        {"preset": "no-network", "read": ["/srv/a b"], "write": ["/srv/c"]},
    ],
)
def test_a_sandbox_that_nobody_changed_comes_back_as_it_was(
    form: ServerForm, sandbox: object
) -> None:
    form.show_config(sandboxed(sandbox))
    assert form.config(sandboxed(sandbox)).sandbox == sandboxed(sandbox).sandbox


def test_hosts_and_folders_are_typed_where_a_sandbox_is_on(form: ServerForm) -> None:
    form.show_config(sandboxed("off"))
    assert form.sandbox.hosts.isHidden() or not form.sandbox.hosts.isVisible()
    QTest.keyClick(form.sandbox.preset, Qt.Key.Key_Down)
    assert form.sandbox.preset.currentData() == "folders"
    assert form.sandbox.hosts.isVisible()
    QTest.keyClicks(form.sandbox.hosts, "API.github.com, *.example.com")
    QTest.keyClicks(form.sandbox.write.edit, "/srv/notes")
    sandbox = form.config(None).sandbox
    assert sandbox.hosts == ("api.github.com", "*.example.com")
    assert sandbox.write == ("/srv/notes",)
    form.sandbox.preset.setCurrentIndex(0)
    assert not form.config(None).sandbox.is_on


def test_a_host_that_is_none_is_said_at_the_line(form: ServerForm) -> None:
    form.show_config(sandboxed("folders"))
    QTest.keyClicks(form.sandbox.hosts, "localhost")
    with pytest.raises(ConfigError) as refused:
        form.config(None)
    form.show_error(refused.value)
    assert "nothing of this machine" in form.fields["sandbox"].error
    assert form.sandbox.hosts.text() == "localhost"


def test_limits_are_typed_in_one_line_and_what_is_wrong_is_said_at_it(form: ServerForm) -> None:
    config = ServerConfig.checked(name="maps", command="npx", limits="memory=512 MB, cpu=50")
    form.show_config(config)
    assert form.config(config) == config
    form.limits.clear()
    QTest.keyClicks(form.limits, "memory=2 GB, processes=80")
    assert form.config(config).limits.in_file == {"memory": "2 GB", "processes": 80}
    for wrong in ("2 GB", "memory=2"):
        form.limits.setText(wrong)
        with pytest.raises(ConfigError) as refused:
            form.config(config)
        form.show_error(refused.value)
        assert form.fields["limits"].error.startswith("Must be")


def test_another_preset_decides_the_network_again(form: ServerForm) -> None:
    form.show_config(sandboxed({"preset": "strict", "network": True}))
    form.sandbox.preset.setCurrentIndex(2)
    assert form.config(None).sandbox == sandboxed("no-network").sandbox
