"""The model providers: one conversation neutral of provider, each SDK imported on first use.

`make_service` gives a `desktop.llm.completion.CompletionService`. Importing this imports no SDK.
"""

from __future__ import annotations

from desktop.llm.services.limits import Limits
from desktop.llm.services.making import make_service
from desktop.llm.services.retries import Retries

__all__ = ["Limits", "Retries", "make_service"]
