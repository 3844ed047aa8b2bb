"""What both APIs of OpenAI have in common: address, headers and the list of models.

A compatible server (Ollama, LM Studio, llama.cpp, vLLM) is the same with another address.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.llm.json_values import as_objects, as_text
from desktop.llm.services.limits import MAX_MODELS

if TYPE_CHECKING:
    from desktop.llm.services.http_client import ProviderHttp


@dataclass(frozen=True, slots=True)
class OpenAIApi:
    """`base_url` is empty for OpenAI itself."""

    name: str
    label: str
    base_url: str = ""

    @property
    def address(self) -> str:
        return self.base_url or "https://api.openai.com/v1"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"}

    async def list_models(self, http: ProviderHttp, seconds: float) -> list[str]:
        page = await http.fetch("/models", {}, seconds)
        models = as_objects(page.get("data"))[:MAX_MODELS]
        return [name for model in models if (name := as_text(model.get("id")))]
