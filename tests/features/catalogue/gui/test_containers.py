"""What opens a container to this computer is said before it is added, in words and in red."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QWidget

from desktop.features.catalogue.gui.dialog import CatalogueDialog
from desktop.gui.theme.tokens import PROPERTY
from tests.gui.waiting import happens, turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.features.catalogue.catalogue import Catalogue
    from desktop.gui.theme import Theme
    from tests.features.catalogue.registry_stub import RegistryStub

WEATHER = "com.example.weather/mcp"


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def container(*words: str) -> dict[str, Any]:
    options = [{"type": "positional", "value": word} for word in words]
    return {
        "registryType": "oci",
        "identifier": "docker.io/example/weather:9.0.0",
        "transport": {"type": "stdio"},
        "runtimeArguments": options,
    }


async def show(dialog: CatalogueDialog) -> None:
    answered = happens(dialog.settled)
    dialog.search("weather")
    await answered
    await turns()


async def test_what_gives_away_the_computer_stands_first_and_in_red(
    page: QWidget, theme: Theme, catalogue: Catalogue, registry: RegistryStub
) -> None:
    words = ("--network", "host", "-v", "/:/host", "--privileged")
    registry.publish(WEATHER, "9.0.0", packages=[container(*words)])
    dialog = CatalogueDialog(page, theme, catalogue)
    dialog.open()
    await show(dialog)
    severe = dialog.entry.severe
    assert severe.isVisible()
    assert severe.property(PROPERTY) == "danger"
    assert severe.text().splitlines() == [
        "! args[5]: -v /:/host lets the container take over this computer. Nothing keeps it apart "
        "any more.",
        "! args[7]: --privileged lets the container take over this computer. Nothing keeps it "
        "apart any more.",
    ]
    assert "--network host lets the container share" in dialog.entry.warnings.text()
    assert severe.y() < dialog.entry.warnings.y()


async def test_an_ordinary_container_has_no_warning(
    page: QWidget, theme: Theme, catalogue: Catalogue, registry: RegistryStub
) -> None:
    registry.publish(WEATHER, "9.0.0", packages=[container("--network", "none")])
    dialog = CatalogueDialog(page, theme, catalogue)
    dialog.open()
    await show(dialog)
    assert dialog.entry.severe.isHidden()
    assert dialog.entry.warnings.isHidden()
