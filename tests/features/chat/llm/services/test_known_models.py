"""The app knows a model from what its server says, and acts on it before anything is lost.

Lists and errors as llama-server, vLLM, OpenRouter, LM Studio, Ollama, Anthropic and Gemini have
them, over loopback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.providers import Price, ProviderSettings, checked
from desktop.features.chat.llm.completion import CompletionError, Remark
from desktop.features.chat.llm.keys import Keys
from desktop.features.chat.llm.services import make_service
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.features.models.messages import AssistantMessage as Said
from desktop.features.models.messages import (
    Image,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.features.models.model_facts import LearnedFacts, ModelFacts, documented, named_limit
from desktop.values.tool_types import Content, ToolDefinition, ToolResult
from tests.features.chat.llm.judges.official import official
from tests.features.chat.llm.services.asking import KEY, KINDS, events, load, request, retried, told
from tests.features.models.answer_cases import PNG
from tests.features.models.loopback import models
from tests.features.models.loopback.exchange import Reply, Request
from tests.features.models.loopback.script import Script, failing, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.models.formats import WireTools
    from tests.features.models.loopback.server import Loopback

LLAMA = {
    "id": "smollm2",
    "object": "model",
    "owned_by": "llamacpp",
    "meta": {"n_ctx": 4096, "n_ctx_train": 8192},
    "architecture": {"input_modalities": ["text"]},
}
NO_TOOLS = {
    "default_generation_settings": {"n_ctx": 4096},
    "modalities": {"vision": False},
    "chat_template_caps": {"supports_tools": False, "supports_tool_calls": False},
}
SEES_NOTHING = "image input is not supported - hint: you may need to provide the mmproj"


def listed(*entries: dict[str, Any], **paths: Any) -> Callable[[Request], Reply]:
    """A server that lists these, and has documents at other paths."""

    def reply(request: Request) -> Reply:
        path = request.path.partition("?")[0]
        if path.endswith("/models") and not path.startswith("/api/"):
            return Reply({"object": "list", "data": list(entries), "models": list(entries)})
        found = paths.get(path.strip("/").replace("/", "_"))
        return Reply(found) if found is not None else Reply({"error": "no such path"}, 404)

    return reply


def made(
    loopback: Loopback,
    api_format: ApiFormat = ApiFormat.OPENAI,
    *,
    learned: LearnedFacts | None = None,
    **more: Any,
) -> Any:
    """A service whose server is the loopback, and its settings."""
    address = loopback.base_url(api_format)
    settings = checked({"name": "mine", "baseUrl": address, **KINDS[api_format], **more})
    return make_service(settings, Keys({"MINE_API_KEY": KEY}), learned=learned), settings


async def known(
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
    reply: Callable[[Request], Reply],
    model: str,
    api_format: ApiFormat = ApiFormat.OPENAI,
) -> ModelFacts:
    monkeypatch.setattr(models, "reply", reply)
    learned = LearnedFacts()
    service, settings = made(loopback, api_format, learned=learned)
    try:
        assert model in await service.list_models()
    finally:
        await service.close()
    return learned.of(settings, model)


LISTS: list[tuple[str, Any, str, ModelFacts]] = [
    ("llama-server", listed(LLAMA, props=NO_TOOLS), "smollm2", ModelFacts(4096, 0, False, False)),
    (
        "vllm",
        listed({"id": "v/qwen", "owned_by": "vllm", "max_model_len": 32_768}),
        "v/qwen",
        ModelFacts(32_768),
    ),
    (
        "openrouter",
        listed(
            {
                "id": "z/glm",
                "context_length": 202_752,
                "top_provider": {"max_completion_tokens": 65_536},
                "architecture": {"input_modalities": ["text", "image"]},
                "supported_parameters": ["tools", "temperature"],
                "pricing": {"prompt": "0.0000006", "completion": "0.0000022", "image": "0"},
            }
        ),
        "z/glm",
        ModelFacts(202_752, 65_536, True, True, effort=False, price=Price(input=0.6, output=2.2)),
    ),
    (
        "lm-studio",
        listed(
            {"id": "qwen2-vl", "owned_by": "organization_owner"},
            api_v0_models={
                "data": [
                    {
                        "id": "qwen2-vl",
                        "type": "vlm",
                        "max_context_length": 32_768,
                        "loaded_context_length": 8_192,
                    }
                ]
            },
        ),
        "qwen2-vl",
        ModelFacts(8_192, 0, True),
    ),
    (
        "ollama",
        listed(
            {"id": "qwen2.5:0.5b", "owned_by": "library"},
            api_ps={"models": [{"name": "qwen2.5:0.5b", "context_length": 2_048}]},
        ),
        "qwen2.5:0.5b",
        ModelFacts(2_048),
    ),
]


@pytest.mark.parametrize(("reply", "model", "facts"), [each[1:] for each in LISTS])
async def test_what_a_server_says_of_its_models_is_known(
    reply: Any,
    model: str,
    facts: ModelFacts,
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await known(loopback, monkeypatch, reply, model) == facts


async def test_the_providers_own_lists_are_read(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"id": "claude-z", "max_input_tokens": 1_000_000, "max_tokens": 128_000}
    found = await known(loopback, monkeypatch, listed(entry), "claude-z", ApiFormat.ANTHROPIC)
    assert (found.window, found.output) == (1_000_000, 128_000)
    entry = {
        "name": "models/gemini-z",
        "supportedGenerationMethods": ["generateContent"],
        "inputTokenLimit": 2_000_000,
        "outputTokenLimit": 65_536,
    }
    found = await known(loopback, monkeypatch, listed(entry), "gemini-z", ApiFormat.GEMINI)
    assert (found.window, found.output) == (2_000_000, 65_536)


def test_the_config_counts_before_the_server_and_the_server_before_the_table() -> None:
    settings = ProviderSettings(name="a", kind="openai", context_window=9, vision=True)
    found = LearnedFacts().of(settings, "gpt-5")
    assert (found.window, found.output, found.sees) == (9, 128_000, True)
    assert LearnedFacts().of(None, "gpt-5").window == 400_000


async def test_tools_that_do_not_fit_are_said_before_anything_is_sent(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "reply", listed(LLAMA | {"meta": {"n_ctx": 2048}}))
    script = Script([turn("never")])
    loopback.play(script)
    many = [ToolDefinition("s", f"t{n}", description="word " * 60) for n in range(40)]

    async def heavy(api_format: ApiFormat) -> WireTools:
        return make_wire_tools(many, api_format)

    service, _ = made(loopback)
    with pytest.raises(CompletionError) as raised:
        await events(service, request(model="smollm2", load_tools=heavy))
    await service.close()
    assert raised.value.kind == "tools"
    assert "smollm2 reads 2,048 at most" in str(raised.value)
    assert "Choose fewer tools" in str(raised.value)
    assert script.requests == []


async def test_a_server_that_was_started_with_more_since_is_believed(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script([turn("one"), turn("two")])
    loopback.play(script)
    service, _ = made(loopback)
    monkeypatch.setattr(models, "reply", listed(LLAMA | {"meta": {"n_ctx": 10}}))
    with pytest.raises(CompletionError):
        await events(service, request(model="smollm2", load_tools=load))
    monkeypatch.setattr(models, "reply", listed(LLAMA))
    assert told(await events(service, request(model="smollm2", load_tools=load))) == "one"
    await service.close()


@pytest.mark.parametrize("loaded", [4_096, 0])
async def test_a_model_that_is_loaded_by_its_first_question_has_a_window_from_the_second_on(
    loaded: int, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ollama: until then nobody knows how much of it is loaded. It is not asked for ever."""
    entry, model = {"id": "qwen2.5:0.5b", "owned_by": "library"}, "qwen2.5:0.5b"
    loopback.play(Script([turn("one"), turn("two"), turn("three")]))
    learned = LearnedFacts()
    service, settings = made(loopback, learned=learned)
    for window, known in ((0, 0), (loaded, loaded), (loaded, loaded)):
        running = [{"name": model, "context_length": window}] if window else []
        monkeypatch.setattr(models, "reply", listed(entry, api_ps={"models": running}))
        await events(service, request(model=model, load_tools=load))
        assert learned.of(settings, model).window == known
    await service.close()
    assert sum(each.path == "/api/ps" for each in loopback.requests) == 2


PICTURED = [
    (UserMessage("What is it?", (Image(PNG, "image/png"),)),),
    (
        UserMessage("Look."),
        Said("", (ToolRequest("1", "calculator__add", "{}"),), stop="tools"),
        ToolMessage(
            (
                ToolAnswer(
                    "1",
                    "calculator__add",
                    ToolResult(True, content=(Content("image", data=PNG, mime="image/png"),)),
                ),
            )
        ),
        UserMessage("And now?"),
    ),
]


@pytest.mark.parametrize("messages", PICTURED)
@pytest.mark.parametrize("api_format", ApiFormat)
async def test_a_picture_does_not_end_a_conversation_with_a_model_that_sees_none(
    api_format: ApiFormat, messages: Any, loopback: Loopback
) -> None:
    """The first request learns it, without a retry; the next ones send the note at once."""
    script = Script([failing(500, SEES_NOTHING), turn("one"), turn("two")])
    loopback.play(script)
    learned = LearnedFacts()
    service, settings = made(loopback, api_format, learned=learned)
    model = f"blind-{api_format}-{len(messages)}"
    found = await events(service, request(messages, model=model))
    assert told(found) == "one"
    assert retried(found) == []
    remarks = [event.sentence for event in found if isinstance(event, Remark)]
    assert remarks == [f"{model} does not see pictures: a note is sent in their place."]
    assert learned.of(settings, model).sees is False
    again = await events(service, request(messages, model=model))
    assert told(again) == "two"
    assert not [event for event in again if isinstance(event, Remark)]
    await service.close()
    data = [b"iVBORw0KGgo" in each.raw for each in script.requests]
    assert data == [True, False, False]
    assert b"It was not sent: this model reads text alone." in script.requests[1].raw


async def test_where_the_config_says_that_a_model_sees_the_refusal_of_its_server_is_told(
    loopback: Loopback,
) -> None:
    script = Script([failing(400, SEES_NOTHING)])
    loopback.play(script)
    service, _ = made(loopback, vision=True)
    with pytest.raises(CompletionError, match="image input is not supported"):
        await events(service, request(PICTURED[0], model="blind-by-its-server-alone"))
    await service.close()
    assert len(script.requests) == 1


async def test_what_a_server_says_of_pictures_is_known_before_the_first_request(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "reply", listed(LLAMA))
    script = Script([turn("one")])
    loopback.play(script)
    service, _ = made(loopback)
    await events(service, request(PICTURED[0], model="smollm2"))
    await service.close()
    assert b"iVBORw0KGgo" not in script.requests[0].raw


async def test_a_template_without_tools_is_said_once(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "reply", listed(LLAMA, props=NO_TOOLS))
    loopback.play(Script([turn("one"), turn("two")]))
    service, _ = made(loopback)
    said = [
        event.sentence
        for _ in range(2)
        for event in await events(service, request(model="smollm2", load_tools=load))
        if isinstance(event, Remark)
    ]
    await service.close()
    assert len(said) == 1
    assert "smollm2 is not given your tools" in said[0]


@pytest.mark.parametrize(
    ("words", "window"),
    [
        ("request (2782 tokens) exceeds the available context size (2048 tokens), try", 2_048),
        ("This model's maximum context length is 8192 tokens. However, you requested", 8_192),
        ("prompt is too long: 215000 tokens > 200000 maximum", 200_000),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
         1_048_576),
        ("Range of input length should be [1, 129024]", 129_024),
        ("it failed", 0),
    ],
)  # fmt: skip
async def test_an_overflow_error_that_names_the_window_is_remembered(
    words: str, window: int, loopback: Loopback
) -> None:
    assert named_limit(words) == window
    loopback.play(Script([failing(400, f"{words} context length")]))
    learned = LearnedFacts()
    service, settings = made(loopback, learned=learned)
    model = f"overflow-{window}"
    with pytest.raises(CompletionError):
        await events(service, request(model=model))
    await service.close()
    assert learned.of(settings, model).window == window


async def test_a_question_that_is_too_long_by_itself_is_not_told_to_start_anew(
    loopback: Loopback,
) -> None:
    """Nor is a new conversation of any use where this is one."""
    words = "request (5000 tokens) exceeds the available context size (4096 tokens)"
    loopback.play(Script([failing(400, words), failing(400, words)]))
    service, _ = made(loopback)
    alone = [UserMessage("word " * 5_000)]
    for messages, remedy in ((alone, "Shorten this question"), (PICTURED[1], "Start a new")):
        with pytest.raises(CompletionError) as raised:
            await events(service, request(messages))
        assert raised.value.kind == "context"
        assert remedy in raised.value.remedy
    await service.close()


async def test_anthropic_is_sent_no_temperature_and_the_person_reads_that_once(
    loopback: Loopback,
) -> None:
    """Its API of 2026-10-21 answers 400 to any."""
    loopback.play(script := Script([turn("one"), turn("two")]))
    async with official(ApiFormat.ANTHROPIC, loopback, temperature=0.5) as asked:
        found = [*await events(asked, request()), *await events(asked, request())]
    assert [each.sentence for each in found if isinstance(each, Remark)] == [
        "Anthropic takes no temperature: the one in your config is not sent."
    ]
    assert all("temperature" not in each.body for each in script.requests)


async def test_the_config_sets_output_effort_and_temperature(loopback: Loopback) -> None:
    """Each provider under its own name for it."""
    wanted: dict[ApiFormat, Any] = {
        ApiFormat.OPENAI: {"max_tokens": 9, "temperature": 0.5, "reasoning_effort": "low"},
        ApiFormat.OPENAI_RESPONSES: {
            "max_output_tokens": 9,
            "temperature": 0.5,
            "reasoning": {"effort": "low"},
        },
        ApiFormat.ANTHROPIC: {
            "max_tokens": 9,
            "temperature": 0.5,
            "output_config": {"effort": "low"},
        },
        ApiFormat.GEMINI: {"generationConfig": {"maxOutputTokens": 9, "temperature": 0.5}},
    }
    for api_format, fields in wanted.items():
        script = Script([turn("one")])
        loopback.play(script)
        service, _ = made(loopback, api_format, maxTokens=9, effort="low", temperature=0.5)
        await events(service, request())
        await service.close()
        body = script.requests[0].body
        assert {key: body.get(key) for key in fields} == fields


def test_the_table_is_right_for_todays_models() -> None:
    for model, window, output in (
        ("claude-opus-5-5", 1_000_000, 128_000),
        ("claude-sonnet-5", 1_000_000, 128_000),
        ("claude-fable-5-2", 1_000_000, 128_000),
        ("claude-opus-4-6", 1_000_000, 128_000),
        ("claude-haiku-4-5-20251001", 200_000, 64_000),
        ("claude-sonnet-4-5", 200_000, 64_000),
        ("claude-opus-4-1", 200_000, 32_000),
        ("gpt-5.6", 1_050_000, 128_000),
        ("gpt-6.2-sol", 1_050_000, 128_000),
    ):
        found = documented(model)
        assert (found.window, found.output) == (window, output)
