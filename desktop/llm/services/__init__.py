"""The model providers, behind one `CompletionService`. No network before the first request.

`make_service` makes the service of a configured provider. Importing this imports no HTTP library.
"""

from __future__ import annotations

from desktop.llm.services.factory import make_service
from desktop.llm.services.limits import RequestLimits, RetryPolicy

__all__ = ["RequestLimits", "RetryPolicy", "make_service"]
