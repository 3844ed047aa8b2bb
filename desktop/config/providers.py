"""The model providers that a person configured, under `"mcpDesktop": {"providers": {...}}`.

Never a key: keys are in the keyring or the environment. OpenAI, Anthropic and Gemini themselves are
there without being configured. Must not touch files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import as_object
from desktop.config.editor import app_object
from desktop.config.models import check_name, check_safe_url, check_text, config_error
from desktop.config.parser import APP_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.document import JsonObject

Kind: TypeAlias = Literal["openai", "anthropic", "gemini"]
OpenAIApi: TypeAlias = Literal["chat", "responses"]
Effort: TypeAlias = Literal["minimal", "low", "medium", "high", "max"]
"""As all providers together call it; each is sent the nearest that it knows."""


def find_effort(written: str) -> Effort | None:
    """The effort of this name; None where there is none."""
    return next((each for each in get_args(Effort) if each == written), None)


class ProviderOfKind(NamedTuple):
    """The provider that a kind is named after; `variables` may hold its key, the first set one.

    `origin` is the only one that this key is sent to.
    """

    label: str
    variables: tuple[str, ...]
    origin: str


KINDS: Final[Mapping[Kind, ProviderOfKind]] = {
    "openai": ProviderOfKind("OpenAI", ("OPENAI_API_KEY",), "https://api.openai.com"),
    "anthropic": ProviderOfKind("Anthropic", ("ANTHROPIC_API_KEY",), "https://api.anthropic.com"),
    "gemini": ProviderOfKind(
        "Gemini",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "https://generativelanguage.googleapis.com",
    ),
}
"""The one table of kinds."""


class Preset(NamedTuple):
    """A provider that speaks OpenAI's API, as a person would add it."""

    name: str
    label: str
    base_url: str


PRESETS: Final = (
    # The addresses that each documents for OpenAI's client, read 2026-11-25 to 2026-11-27.
    Preset("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
    Preset("qwen", "通义千问 Qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
    Preset("kimi", "Kimi", "https://api.moonshot.cn/v1"),
    Preset("glm", "智谱 GLM", "https://open.bigmodel.cn/api/paas/v4"),
    Preset("doubao", "火山方舟 Doubao", "https://ark.cn-beijing.volces.com/api/v3"),
    Preset("siliconflow", "硅基流动 SiliconFlow", "https://api.siliconflow.cn/v1"),
    Preset("minimax", "MiniMax", "https://api.minimaxi.com/v1"),
    Preset("modelscope", "魔搭 ModelScope", "https://api-inference.modelscope.cn/v1"),
    Preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
)
LOCAL: Final = (
    Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
    Preset("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1"),
    Preset("llama-server", "llama-server", "http://127.0.0.1:8080/v1"),
)
"""Where servers of a person's own listen, unless they were told otherwise."""


def origin_of(url: str) -> str:
    """Scheme, host and port, as keys and decisions are bound to them; empty for no address."""
    if not url:
        return ""
    parts = urlsplit(url)
    host = parts.hostname or ""
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    port = "" if parts.port in {None, usual} else f":{parts.port}"
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


_CENT: Final = 0.01


class Price(BaseModel):
    """What a million tokens cost."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    input: Annotated[float, Field(ge=0, le=1_000_000)]
    output: Annotated[float, Field(ge=0, le=1_000_000)]
    cached: Annotated[float, Field(ge=0, le=1_000_000)] | None = None
    """Of what the provider had read before; empty: as other input."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"
    """Its three letters in ISO 4217."""

    def of(self, read: int, written: int, cached: int) -> float:
        """What a request comes to. `cached` is a part of `read`."""
        known = min(cached, read)
        cheaper = self.input if self.cached is None else self.cached
        whole = (read - known) * self.input + known * cheaper + written * self.output
        return whole / 1_000_000

    def figure(self, read: int, written: int, cached: int) -> str:
        """The same for a person: to the cent; of less than that, two figures."""
        cost = self.of(read, written, cached)
        return f"{cost:,.2f}" if cost >= _CENT or not cost else f"{cost:.2g}"


class ProviderSettings(BaseModel):
    """One provider of models: whose API it speaks, and where."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        hide_input_in_errors=True,
    )

    name: Annotated[str, AfterValidator(check_name)]
    """Name shown everywhere; at most 64 characters, no colon."""
    kind: Kind
    """Whose API it speaks. Most others, and servers of your own, speak OpenAI's."""
    base_url: Annotated[str, AfterValidator(check_safe_url)] = ""
    """Address of a compatible server, such as `http://localhost:11434/v1` (`http://` only on this
    computer); empty: the provider."""
    model: Annotated[str, AfterValidator(check_text)] = ""
    """Model that new conversations start with; empty: you are asked."""
    api: OpenAIApi | None = None
    """`chat` or `responses`, for `openai`; empty: `responses` of OpenAI, `chat` of others."""

    context_window: Annotated[int, Field(ge=0, le=100_000_000, strict=True)] = 0
    """Tokens that its model reads at most; 0: what the server says, or its provider documents."""
    max_tokens: Annotated[int, Field(ge=0, le=10_000_000, strict=True)] = 0
    """Tokens of one answer at most; 0: what the model can write, as far as that is known."""
    effort: Effort | None = None
    """How much the model thinks; empty: as much as it does by itself."""
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """Only for models that take one; empty: it is not sent."""
    vision: bool | None = None
    """Whether the model sees pictures; empty: what the server says."""
    price: Price | None = None
    """What a million tokens of its model cost; empty: what the server says."""

    @property
    def speaks_responses(self) -> bool:
        """Whether it is asked by OpenAI's Responses, not by Chat Completions."""
        return (self.api or ("chat" if self.base_url else "responses")) == "responses"

    @property
    def is_compatible(self) -> bool:
        """Whether it is another server than the provider whose API it speaks."""
        return bool(self.base_url)

    @property
    def other_origin(self) -> str:
        """Where it is, if that is not where the provider itself is; else empty."""
        origin = origin_of(self.base_url)
        return "" if origin == KINDS[self.kind].origin else origin

    @property
    def label(self) -> str:
        """Whose name an error says."""
        return self.name if self.is_compatible else KINDS[self.kind].label

    @property
    def needs_key(self) -> bool:
        """A compatible server often needs none and accepts any."""
        return not self.is_compatible

    @property
    def may_be_local(self) -> bool:
        """Whether a model may run on a machine of the user's, which takes its time."""
        return self.is_compatible


KNOWN: Final = tuple(ProviderSettings(name=kind, kind=kind) for kind in KINDS)
Providers: TypeAlias = dict[str, ProviderSettings]


def read_providers(data: JsonObject) -> tuple[Providers, list[ConfigError]]:
    """Those of the file, then the known ones that it does not name; a wrong one is told of."""
    found: Providers = {}
    notices: list[ConfigError] = []
    try:
        written = app_object(data, "providers")
    except ConfigError as error:
        written, notices = {}, [error]
    for name, entry in written.items():
        try:
            found[name] = _read(name, entry)
        except ConfigError as error:
            notices.append(
                ConfigError(
                    translatable('Provider "{name}": {reason}', name=name, reason=error.args[0]),
                    remedy=error.remedy,
                )
            )
    return found | {
        provider.name: provider for provider in KNOWN if provider.name not in written
    }, notices


def _read(name: str, entry: object) -> ProviderSettings:
    if (fields := as_object(entry)) is None:
        raise ConfigError(translatable("must be an object that describes one provider"))
    known = {provider.name: provider.kind for provider in KNOWN}
    kind = {"kind": known[name]} if name in known else {}
    return checked({**kind, **fields, "name": name})


def checked(values: Mapping[str, object]) -> ProviderSettings:
    """Build one, or raise a `ConfigError` that names each wrong key in plain words."""
    try:
        return ProviderSettings.model_validate(values)
    except ValidationError as error:
        raise config_error(error) from None


def put_provider(data: JsonObject, settings: ProviderSettings) -> None:
    """Write a provider; keys of its entry that we do not know stay."""
    providers = app_object(data, "providers")
    entry = as_object(providers.get(settings.name)) or {}
    for name, field in ProviderSettings.model_fields.items():
        key, value = field.alias or name, getattr(settings, name)
        if name == "name":
            continue
        if value == field.default:
            entry.pop(key, None)
        else:
            is_group = isinstance(value, BaseModel)
            entry[key] = value.model_dump(exclude_none=True) if is_group else value
    providers[settings.name] = entry
    data.setdefault(APP_KEY, {})["providers"] = providers


def drop_provider(data: JsonObject, name: str) -> None:
    """Take a provider out of the file; raises `ConfigError` where it is not in it."""
    providers = app_object(data, "providers")
    if name not in providers:
        raise ConfigError(translatable('Provider "{name}" is not in the file', name=name))
    del providers[name]
    data[APP_KEY]["providers"] = providers
