"""Checks of `self-test` for what asks models: the keyring, and the HTTP client of the providers.

The entry of the keyring is the self-test's own, under a name that no provider has: a person's
entries are not touched. The HTTP client sends nothing.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.config.providers import ProviderSettings
from desktop.features.chat.llm.keys import Keys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.cli.self_checks.check import Check


async def load_http_client() -> str:
    """Load what asks the model providers, and make a client; sends nothing.

    In a bundle a part of it may be missing: it is imported with the first request.
    """
    module = await asyncio.to_thread(
        import_module, "desktop.features.chat.llm.services.http_client"
    )
    await module.ProviderHttp("self-test", "https://localhost", {}).close()
    return "loaded: httpx2"


PROVIDER: Final = ProviderSettings(name="self-test-of-mcp-desktop", kind="openai")
_KEY: Final = "not-a-key"


async def store_key() -> str:
    """Store a key, find it, delete it; answers with the name of the keyring.

    Raises:
        CheckFailedError: what was found is not what was stored.
        CheckSkippedError: there is no keyring here; keys then come from the environment.
        KeyringError: there is one, and it refused or did not answer.
    """
    if find_spec("keyring") is None:
        raise CheckSkippedError("missing: this installation has no keyring module")
    import keyring

    backend = keyring.get_keyring()
    name = f"{type(backend).__module__}.{type(backend).__name__}"
    if getattr(backend, "priority", 0) <= 0:
        raise CheckSkippedError(f"unavailable: no keyring service answers ({name})")
    await Keys({}).store(PROVIDER, _KEY)
    try:
        found = await Keys({}).find(PROVIDER)
    finally:
        await Keys({}).delete(PROVIDER)
    if found is None or found.value != _KEY:
        raise CheckFailedError(f"{name} did not return what was stored")
    return f"{name} stored and deleted a key"


CHECKS: Final[Mapping[str, Check]] = {"keyring": store_key, "model clients": load_http_client}
