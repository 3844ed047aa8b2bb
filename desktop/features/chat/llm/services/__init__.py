"""The model providers, behind one `CompletionService`. No network before the first request.

`make_service` makes the service of a configured provider. Importing this imports no HTTP library.
"""

from __future__ import annotations

from desktop.features.chat.llm.services.factory import make_service
from desktop.features.chat.llm.services.limits import RequestLimits, RetryPolicy

__all__ = ["RequestLimits", "RetryPolicy", "make_service"]
