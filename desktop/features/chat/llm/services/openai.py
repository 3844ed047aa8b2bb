"""What both APIs of OpenAI have in common: address, headers and the list of models.

A compatible server (Ollama, LM Studio, llama.cpp, vLLM) is the same with another address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from desktop.features.chat.llm.services.errors import ProviderError
from desktop.features.chat.llm.services.limits import MAX_MODELS
from desktop.features.models.json_values import as_count, as_object, as_objects, as_text
from desktop.features.models.model_facts import ListedModel, ModelFacts, read_facts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.features.chat.llm.services.http_client import ProviderHttp
    from desktop.features.models.json_values import JsonObject

    _AskMore: TypeAlias = Callable[
        [ProviderHttp, str, list[ListedModel], float], Awaitable[list[ListedModel]]
    ]

OWN_SECONDS: Final = 3.0
"""For what one kind of server tells beyond the list: without it, less is known."""


class OpenAIApi(Struct, frozen=True):
    """`base_url` is empty for OpenAI itself."""

    name: str
    label: str
    base_url: str = ""

    @property
    def address(self) -> str:
        return self.base_url or "https://api.openai.com/v1"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"}

    async def list_models(self, http: ProviderHttp, seconds: float) -> list[ListedModel]:
        page = await http.fetch("/models", {}, seconds)
        models = as_objects(page.get("data"))[:MAX_MODELS]
        found = [
            ListedModel(name, read_facts(model))
            for model in models
            if (name := as_text(model.get("id")))
        ]
        if self.base_url and (owner := _owner(models)) is not None:
            return await owner(http, self.base_url, found, min(seconds, OWN_SECONDS))
        return found


def _owner(models: list[JsonObject]) -> _AskMore | None:
    """How a server of this machine tells more than OpenAI's list has room for."""
    if any(as_object(model.get("meta")) for model in models[:1]):
        return _ask_llama
    owners = {as_text(model.get("owned_by")) for model in models}
    return {"library": _ask_ollama, "organization_owner": _ask_lm_studio}.get(
        next(iter(owners), "") if len(owners) == 1 else ""
    )


def _root(base_url: str) -> str:
    return base_url.rstrip("/").removesuffix("/v1")


async def _ask_llama(
    http: ProviderHttp, base_url: str, found: list[ListedModel], seconds: float
) -> list[ListedModel]:
    """llama-server: whether its chat template has room for tools, and its real window."""
    props = await _fetch(http, f"{_root(base_url)}/props", seconds)
    said = as_object(props.get("default_generation_settings"))
    vision = as_object(props.get("modalities")).get("vision")
    facts = ModelFacts(
        as_count(said.get("n_ctx")), sees=vision if isinstance(vision, bool) else None
    ).over(read_facts(props))
    return [ListedModel(model.name, facts.over(model.facts)) for model in found]


async def _ask_ollama(
    http: ProviderHttp, base_url: str, found: list[ListedModel], seconds: float
) -> list[ListedModel]:
    """Ollama: the window of the models that are loaded (docs/api.md, `/api/ps`)."""
    running = await _fetch(http, f"{_root(base_url)}/api/ps", seconds)
    windows = {
        as_text(model.get("name")): read_facts(model) for model in as_objects(running.get("models"))
    }
    return [
        ListedModel(model.name, windows.get(model.name, model.facts).over(model.facts))
        for model in found
    ]


async def _ask_lm_studio(
    http: ProviderHttp, base_url: str, found: list[ListedModel], seconds: float
) -> list[ListedModel]:
    """LM Studio: its own list (REST API v0), with the window of what is loaded."""
    page = await _fetch(http, f"{_root(base_url)}/api/v0/models", seconds)
    more = {as_text(model.get("id")): read_facts(model) for model in as_objects(page.get("data"))}
    return [
        ListedModel(model.name, more.get(model.name, model.facts).over(model.facts))
        for model in found
    ]


async def _fetch(http: ProviderHttp, url: str, seconds: float) -> JsonObject:
    """What is there; nothing where it is another server after all."""
    try:
        return await http.fetch(url, {}, seconds)
    except ProviderError:
        return {}
