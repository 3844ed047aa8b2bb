"""What is known of a model: how much it reads and writes, whether it sees pictures and calls tools.

In this order: what the config says, what its server said in this run (the list of models, an error
that names the limit), what the providers document of their own models. `LearnedFacts` remembers
what servers said; must not ask them: that is the part of the services.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from desktop.base.later_patterns import compile_later
from desktop.base.signals import Signal
from desktop.config.providers import Price
from desktop.features.models.json_values import as_count, as_list, as_object, as_text

if TYPE_CHECKING:
    from desktop.config.providers import ProviderSettings
    from desktop.features.models.json_values import JsonObject


class ModelFacts(Struct, frozen=True):
    """Tokens are 0, and the others None, where nobody knows."""

    window: int = 0
    """Tokens of a request with its answer."""
    output: int = 0
    """Tokens of an answer."""
    sees: bool | None = None
    """Whether it takes pictures."""
    calls: bool | None = None
    """Whether it is given the tools that are sent."""
    reasoning: bool | None = None
    """Whether it wants `reasoning_content` beside each call; False where it refuses the field."""
    effort: bool | None = None
    """Whether a person can say how much it thinks."""
    price: Price | None = None

    def over(self, other: ModelFacts) -> ModelFacts:
        """These, and where they are silent the `other` ones."""
        return ModelFacts(
            self.window or other.window,
            self.output or other.output,
            other.sees if self.sees is None else self.sees,
            other.calls if self.calls is None else self.calls,
            other.reasoning if self.reasoning is None else self.reasoning,
            other.effort if self.effort is None else self.effort,
            self.price or other.price,
        )


class ListedModel(NamedTuple):
    """A model as its server lists it."""

    name: str
    facts: ModelFacts = ModelFacts()


_MOST: Final = 10_000_000_000
"""Tokens that no model reads: what says more means none."""
_MAX_LEARNED: Final = 20_000


class LearnedFacts:
    """What servers said of their models in this run, by address and model. One for an app."""

    def __init__(self) -> None:
        self._learned: dict[tuple[str, str], ModelFacts] = {}
        self.changed: Signal[[]] = Signal()

    def learn(self, address: str, model: str, facts: ModelFacts) -> None:
        """Remember what a server said; what it said before counts where it is silent now."""
        known = self.said(address, model)
        if (now := facts.over(known)) == known:
            return
        if len(self._learned) >= _MAX_LEARNED:
            self._learned.clear()
        self._learned[address, model] = now
        self.changed.send()

    def said(self, address: str, model: str) -> ModelFacts:
        """What the server at an address said of its model."""
        return self._learned.get((address, model), ModelFacts())

    def of(self, settings: ProviderSettings | None, model: str) -> ModelFacts:
        """All that is known of a model of a provider."""
        if settings is None:
            return documented(model)
        said = self.said(address_of(settings), model)
        return written_facts(settings).over(said).over(documented(model))


def address_of(settings: ProviderSettings) -> str:
    """By what it is remembered what a provider said."""
    return settings.base_url.rstrip("/") or settings.kind


def written_facts(settings: ProviderSettings) -> ModelFacts:
    """What the config says of the model of a provider."""
    return ModelFacts(
        settings.context_window,
        settings.max_tokens,
        settings.vision,
        effort=True if settings.effort is not None else None,
        price=settings.price,
    )


_WINDOW_KEYS: Final = (
    "loaded_context_length",  # LM Studio: of the model as it is loaded
    "max_model_len",  # vLLM, SGLang
    "context_length",  # OpenRouter, Kimi, Together
    "context_window",  # Groq
    "max_context_length",  # LM Studio, Mistral
    "max_input_tokens",  # Anthropic
    "inputTokenLimit",  # Gemini
)
_OUTPUT_KEYS: Final = ("max_completion_tokens", "outputTokenLimit", "max_tokens")


def read_facts(entry: JsonObject) -> ModelFacts:
    """What the entry of a list of models says, in the words of whichever server.

    Read on 2026-11-27 in the documentation of each, and seen of llama-server 11434.
    """
    meta, top = as_object(entry.get("meta")), as_object(entry.get("top_provider"))
    window = _first(meta, ("n_ctx",)) or _first(entry, _WINDOW_KEYS)
    output = _first(top, _OUTPUT_KEYS) or _first(entry, _OUTPUT_KEYS)
    return ModelFacts(
        window,
        output,
        _sees(entry),
        _calls(entry),
        effort=_effort(entry),
        price=_price(as_object(entry.get("pricing"))),
    )


def _first(entry: JsonObject, keys: tuple[str, ...]) -> int:
    counts = (as_count(entry.get(key)) for key in keys)
    return next((count for count in counts if 0 < count < _MOST), 0)


def _sees(entry: JsonObject) -> bool | None:
    modalities = as_list(as_object(entry.get("architecture")).get("input_modalities"))
    if modalities:
        return "image" in modalities
    capabilities = entry.get("capabilities")
    for said in (
        entry.get("supports_image_in"),  # Kimi
        as_object(capabilities).get("vision"),  # Mistral
        as_object(as_object(capabilities).get("image_input")).get("supported"),  # Anthropic
    ):
        if isinstance(said, bool):
            return said
    if "completion" in (able := as_list(capabilities)):  # Ollama
        return "vision" in able
    return {"vlm": True, "llm": False}.get(as_text(entry.get("type")))  # LM Studio


def _calls(entry: JsonObject) -> bool | None:
    parameters = as_list(entry.get("supported_parameters"))
    if parameters:  # OpenRouter
        return "tools" in parameters
    if "completion" in (able := as_list(entry.get("capabilities"))):  # Ollama
        return "tools" in able
    said = as_object(entry.get("capabilities")).get("function_calling")  # Mistral
    if isinstance(said, bool):
        return said
    template = as_object(entry.get("chat_template_caps"))  # /props of llama-server
    said = template.get("supports_tools")
    return said if isinstance(said, bool) else None


def _effort(entry: JsonObject) -> bool | None:
    parameters = as_list(entry.get("supported_parameters"))
    if parameters:  # OpenRouter
        return "reasoning_effort" in parameters or "reasoning" in parameters
    effort = as_object(as_object(entry.get("capabilities")).get("effort"))  # Anthropic
    said = effort.get("supported")
    return said if isinstance(said, bool) else None


def _price(pricing: JsonObject) -> Price | None:
    """OpenRouter: dollars for one token, as a text (openrouter.ai/docs, "Models", 2026-11-27)."""
    read, write, cached = (
        _dollars(pricing.get(key)) for key in ("prompt", "completion", "input_cache_read")
    )
    if read is None or write is None:
        return None
    return Price(input=read, output=write, cached=cached)


def _dollars(value: object) -> float | None:
    """For a million tokens. A price that is below nothing stands for "it depends"."""
    if not isinstance(value, str) or len(value) > _MAX_DIGITS:
        return None
    try:
        price = round(float(value) * 1_000_000, 6)
    except ValueError:
        return None
    return price if 0 <= price < _MOST else None


_MAX_DIGITS: Final = 40
_EFFORT: Final = compile_later(
    # platform.claude.com, "Effort"; platform.openai.com, "Reasoning"; ai.google.dev, "Thinking";
    # all of 2026-11-25.
    r"claude-((opus|sonnet|fable|haiku)-([5-9]|\d\d)(\D|$)|opus-4-[5-9]|sonnet-4-[6-9])"
    r"|gpt-([5-9]|oss)(?!.*-chat)|o[1-9](?!-(mini|preview)(-|$))|o[34]-mini|gemini-[3-9]"
)
_NEW_CLAUDE: Final = r"claude-(opus|sonnet|fable|haiku)-([5-9]|\d\d)(\D|$)"
_DOCUMENTED: Final = tuple(
    (compile_later(pattern), window, output)
    for pattern, window, output in (
        # platform.claude.com, model pages, 2026-11-27.
        (_NEW_CLAUDE, 1_000_000, 128_000),
        (r"claude-opus-4-[6-9]", 1_000_000, 128_000),
        (r"claude-sonnet-4-[6-9]", 1_000_000, 64_000),
        (r"claude-opus-4-5", 200_000, 64_000),
        (r"claude-opus-4", 200_000, 32_000),
        (r"claude-(sonnet|haiku)-4|claude-3-7", 200_000, 64_000),
        (r"claude-3-5", 200_000, 8_192),
        (r"claude-3", 200_000, 4_096),
        (r"claude-(instant|1|2)", 100_000, 4_096),
        (r"claude-", 200_000, 32_000),
        # platform.openai.com, model pages, 2026-11-25.
        (r"gpt-(5\.[6-9]|[6-9])", 1_050_000, 128_000),
        (r"gpt-5", 400_000, 128_000),
        (r"gpt-4\.1", 1_047_576, 32_768),
        (r"(chat)?gpt-4o|gpt-4-turbo|gpt-4-\d{4}-preview|o1-(mini|preview)", 128_000, 0),
        (r"o[1-9](-|$)", 200_000, 100_000),
        (r"gpt-4-32k", 32_768, 0),
        (r"gpt-4(-|$)", 8_192, 0),
        (r"gpt-3\.5-turbo", 16_385, 4_096),
        (r"gemini-1\.5-pro", 2_097_152, 8_192),
        (r"gemini-", 1_048_576, 0),
        # As others repeat them in 2026, not read off the providers' own pages: the lower figure.
        (r"kimi-k2-(0711|instruct$)", 131_072, 0),
        (r"kimi-k[2-9]", 262_144, 0),
        (r"qwen3(\.\d)?(-coder)?-(plus|flash)|qwen-flash", 1_000_000, 0),
        (r"qwen3(\.\d)?-max|qwen3-(coder|next|vl)|qwen3-.*-2507", 262_144, 0),
        (r"qwen-plus|deepseek-(v3|r1)", 131_072, 0),
        (r"glm-(4\.[6-9]|5)", 200_000, 0),
        (r"glm-4\.5", 128_000, 0),
        (r"doubao-seed", 256_000, 0),
        (r"minimax-m[2-9]", 204_800, 0),
        # api-docs.deepseek.com, models and pricing, as quoted on 2026-04-24.
        (r"deepseek-(v4|chat|reasoner)", 1_000_000, 0),
    )
)


def documented(model: str) -> ModelFacts:
    """What a provider documents of its own model, also behind a gateway (`openai/gpt-4o`)."""
    name = model.rpartition("/")[2].lower()
    is_tagged = ":" in name  # of Ollama, which loads as much of a window as it was told
    found = next((each for each in _DOCUMENTED if each[0].match(name) and not is_tagged), None)
    effort = True if _EFFORT.match(name) else None
    return ModelFacts(*(found[1:] if found else (0, 0)), effort=effort)


_LIMITS: Final = (
    compile_later(r"available context size \((\d+) tokens\)"),  # llama-server
    compile_later(r'"n_ctx":\s*(\d+)'),
    compile_later(r"maximum context length is (\d+)"),  # OpenAI, vLLM
    compile_later(r"tokens? > (\d+) maximum"),  # Anthropic
    compile_later(r"maximum number of tokens allowed \(?(\d+)"),  # Gemini
    compile_later(r"input length should be \[1, (\d+)\]"),  # DashScope
    compile_later(r"context (?:window|length|size|limit)(?: of| is|:)? (\d+)"),
)


def named_limit(words: str) -> int:
    """The window that an error names; 0 where it names none."""
    for pattern in _LIMITS:
        if (found := pattern.search(words)) is not None and 0 < int(found[1]) < _MOST:
            return int(found[1])
    return 0
