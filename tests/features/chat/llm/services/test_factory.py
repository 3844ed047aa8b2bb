"""From the settings of a provider to its service."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.config.providers import KINDS, KNOWN, Kind, checked
from desktop.features.chat.llm.completion import CompletionError
from desktop.features.chat.llm.keys import Keys
from desktop.features.chat.llm.services import make_service
from desktop.features.models.formats import ApiFormat
from desktop.features.models.formats.declaration import PROVIDERS
from tests.config.keyring_backend import use_no_keyring
from tests.features.chat.llm.services.asking import KINDS as ASKED_KINDS
from tests.features.chat.llm.services.asking import events, request, retries, told
from tests.features.models.loopback.script import Script, turn

if TYPE_CHECKING:
    from tests.features.models.loopback.server import Loopback

LOCAL = "http://127.0.0.1:11434/v1"


@pytest.mark.parametrize(
    ("fields", "api_format"),
    [
        ({"kind": "openai"}, ApiFormat.OPENAI_RESPONSES),
        ({"kind": "openai", "api": "chat"}, ApiFormat.OPENAI),
        ({"kind": "openai", "base_url": LOCAL}, ApiFormat.OPENAI),
        ({"kind": "openai", "base_url": LOCAL, "api": "responses"}, ApiFormat.OPENAI_RESPONSES),
        ({"kind": "anthropic"}, ApiFormat.ANTHROPIC),
        ({"kind": "gemini"}, ApiFormat.GEMINI),
    ],
)
async def test_the_settings_say_which_api_is_spoken(
    fields: dict[str, str], api_format: ApiFormat
) -> None:
    service = make_service(checked({"name": "mine", **fields}), Keys({}))
    assert (service.name, service.api_format) == ("mine", api_format)


@pytest.mark.parametrize(
    ("api_format", "end"),
    [
        *((ApiFormat.ANTHROPIC, end) for end in ("/", "/v1", "/v1/", "/v1/messages", "/messages/")),
        *((ApiFormat.OPENAI, end) for end in ("/", "/chat/completions", "/models/")),
        *((ApiFormat.OPENAI_RESPONSES, end) for end in ("/responses", "//")),
        *((ApiFormat.GEMINI, end) for end in ("/", "/v1", "/v1/models/")),
    ],
)
async def test_an_address_may_have_the_end_that_a_request_adds(
    api_format: ApiFormat, end: str, loopback: Loopback
) -> None:
    loopback.play(Script([turn("Hello.")]))
    address = loopback.base_url(api_format) + end
    settings = checked({"name": "mine", "base_url": address, **ASKED_KINDS[api_format]})
    service = make_service(settings, Keys({"MINE_API_KEY": "k"}), retries=retries())
    try:
        assert told(await events(service, request())) == "Hello."
    finally:
        await service.close()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_service_whose_format_is_called_after_it(kind: Kind) -> None:
    service = make_service(checked({"name": "mine", "kind": kind}), Keys({}))
    assert PROVIDERS[service.api_format] == KINDS[kind].label


@pytest.mark.parametrize("settings", KNOWN, ids=lambda each: each.name)
async def test_without_a_key_nothing_is_sent_and_it_is_said_where_to_put_one(
    settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_no_keyring(monkeypatch)
    service = make_service(settings, Keys({}))  # type: ignore[arg-type]
    with pytest.raises(CompletionError, match="_API_KEY") as raised:
        await events(service, request())
    assert raised.value.kind == "key"


def test_importing_the_services_imports_no_sdk() -> None:
    code = (
        "import sys, desktop.features.chat.llm.services, desktop.features.chat.llm.keys\n"
        "heavy = {'openai', 'anthropic', 'google.genai', 'httpx2', 'keyring', 'mcp'}\n"
        "raise SystemExit(', '.join(heavy & set(sys.modules)) or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")
