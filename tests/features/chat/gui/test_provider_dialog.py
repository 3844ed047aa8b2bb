from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.base.errors import ConfigError
from desktop.config.providers import KINDS, Kind, Preset, ProviderSettings
from desktop.features.chat.gui.providers_section import CHOICES, ProviderDialog
from desktop.features.chat.llm.services.factory import find_local
from desktop.features.models.formats import ApiFormat
from tests.features.chat.agent.scripted import Scripted
from tests.features.chat.gui.conftest import FakeProviders
from tests.features.models.loopback.server import Loopback
from tests.gui.waiting import happens
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

    Open = Callable[..., ProviderDialog]


@pytest.fixture
def providers() -> FakeProviders:
    made = FakeProviders(Scripted([]))
    made.known["openai"] = ProviderSettings(name="openai", kind="openai")
    return made


@pytest.fixture
def opened(qtbot: QtBot, theme: Theme, providers: FakeProviders) -> Open:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()

    def make(name: str = "") -> ProviderDialog:
        dialog = ProviderDialog(parent, providers, name)
        dialog.open()
        return dialog

    return make


async def _press(dialog: ProviderDialog, button: str) -> None:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    dialog.settled.connect(lambda: done.done() or done.set_result(None))
    getattr(dialog, button).click()
    await asyncio.wait_for(done, LIMIT)


async def test_a_compatible_server_is_added_with_its_key(
    opened: Open, providers: FakeProviders
) -> None:
    dialog = opened()
    dialog.kind.setCurrentIndex(CHOICES.index("compatible"))
    dialog.name.setText("local")
    dialog.address.setText("http://localhost:11434/v1")
    dialog.model.setText("qwen")
    dialog.key.setText(" sk-1 ")
    await _press(dialog, "save")
    assert providers.known["local"] == ProviderSettings(
        name="local", kind="openai", base_url="http://localhost:11434/v1", model="qwen"
    )
    assert providers.keys == {"local": "sk-1"}


async def test_a_key_is_never_shown(opened: Open, providers: FakeProviders) -> None:
    providers.places["openai"] = "keyring"
    providers.keys["openai"] = "sk-secret"
    dialog = opened("openai")
    assert dialog.key.text() == ""
    assert dialog.key.echoMode() == QLineEdit.EchoMode.Password
    assert not dialog.forget.isHidden()
    await _press(dialog, "forget")
    assert providers.keys["openai"] == ""
    dialog.reject()


async def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    opened: Open, providers: FakeProviders
) -> None:
    dialog = opened()
    dialog.kind.setCurrentIndex(CHOICES.index("compatible"))
    dialog.name.setText("local")
    await _press(dialog, "save")
    assert "address" in dialog.error.text()
    dialog.address.setText("no address")
    await _press(dialog, "save")
    assert dialog.error.isVisible()
    dialog.address.setText("http://localhost:1")
    dialog.name.setText("openai")
    dialog.key.setText("sk-1")
    providers.refusal = ConfigError("The file cannot be written.")
    dialog.name.setText("local")
    await _press(dialog, "save")
    assert dialog.error.text() == "The file cannot be written."
    assert (dialog.name.text(), dialog.key.text()) == ("local", "sk-1")
    assert providers.keys == {}
    dialog.reject()


async def test_a_second_save_goes_on_where_the_key_could_not_be_kept(
    opened: Open, providers: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(name: str, key: str) -> None:
        raise ConfigError("The keyring did not answer.")

    dialog = opened()
    dialog.kind.setCurrentIndex(CHOICES.index("compatible"))
    dialog.name.setText("local")
    dialog.address.setText("http://localhost:1")
    dialog.key.setText("sk-1")
    with monkeypatch.context() as patched:
        patched.setattr(providers, "set_key", refuse)
        await _press(dialog, "save")
    assert dialog.error.text() == "The keyring did not answer."
    await _press(dialog, "save")
    assert providers.keys == {"local": "sk-1"}


async def test_each_kind_can_be_chosen_and_a_compatible_server(opened: Open) -> None:
    dialog = opened()
    words = [dialog.kind.itemText(at) for at in range(dialog.kind.count())]
    labels = [kind.label for kind in KINDS.values()]
    assert words == [*labels, "OpenAI-compatible server"]
    dialog.reject()


async def test_the_fields_follow_the_kind(opened: Open) -> None:
    dialog = opened()
    dialog.kind.setCurrentIndex(CHOICES.index("anthropic"))
    assert not dialog.address.isVisible()
    assert not dialog.api.isVisible()
    dialog.kind.setCurrentIndex(CHOICES.index("compatible"))
    assert dialog.address.isVisible()
    assert dialog.api.isVisible()
    dialog.reject()


@pytest.mark.parametrize("address", ["", "https://proxy.example/v1"])
@pytest.mark.parametrize("kind", KINDS)
async def test_a_provider_that_is_opened_and_saved_is_as_it_was(
    opened: Open, providers: FakeProviders, kind: Kind, address: str
) -> None:
    before = ProviderSettings(
        name="mine",
        kind=kind,
        base_url=address,
        model="a-model",
        context_window=8_192,
        max_tokens=4_096,
        effort="low",
        temperature=0.5,
        vision=False,
    )
    providers.known["mine"] = before
    dialog = opened("mine")
    assert dialog.address.isVisible() is bool(address)
    await _press(dialog, "save")
    assert providers.known["mine"] == before


async def test_a_known_provider_keeps_its_name(opened: Open, providers: FakeProviders) -> None:
    dialog = opened("openai")
    assert dialog.name.isReadOnly()
    dialog.model.setText("gpt-x")
    await _press(dialog, "save")
    assert providers.known["openai"].model == "gpt-x"


async def test_a_known_provider_is_filled_in_and_the_key_is_all_that_is_asked(
    opened: Open, providers: FakeProviders
) -> None:
    dialog = opened()
    words = [dialog.presets.box.itemText(at) for at in range(dialog.presets.box.count())]
    assert "DeepSeek" in words
    dialog.presets.box.setCurrentIndex(words.index("DeepSeek"))
    dialog.presets.box.activated.emit(words.index("DeepSeek"))
    dialog.key.setText("sk-1")
    await _press(dialog, "save")
    added = providers.known["deepseek"]
    assert (added.kind, added.base_url) == ("openai", "https://api.deepseek.com/v1")
    assert providers.keys == {"deepseek": "sk-1"}


async def test_what_runs_on_this_computer_is_asked_for_its_models_without_a_key() -> None:
    with Loopback() as server:
        address = server.base_url(ApiFormat.OPENAI)
        here = (
            Preset("ollama", "Ollama", "http://127.0.0.1:9/v1"),
            Preset("lm-studio", "LM Studio", address),
        )
        found = await find_local(here)
        assert [(preset.name, models) for preset, models in found] == [
            ("lm-studio", ["gpt-x", "gpt-y"])
        ]
        assert server.last.headers["Authorization"] == "Bearer none"


async def test_a_found_server_fills_the_dialog(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback() as server:
        here = Preset("lm-studio", "LM Studio", server.base_url(ApiFormat.OPENAI))
        monkeypatch.setattr(find_local, "__defaults__", ((here,),))
        dialog = opened()
        await happens(dialog.presets.looked)
        assert dialog.presets.box.itemText(1) == "LM Studio, on this computer: gpt-x"
        dialog.presets.box.activated.emit(1)
        assert dialog.address.text() == here.base_url
        assert dialog.model.text() == "gpt-x"
        dialog.reject()


async def test_a_provider_that_is_edited_has_no_presets(
    opened: Open, providers: FakeProviders
) -> None:
    dialog = opened("openai")
    assert not dialog.presets.box.isVisible()
    dialog.reject()
