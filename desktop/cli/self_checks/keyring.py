"""Whether keys can be kept: one is stored in the keyring, read and deleted, as a provider's is.

It is the self-test's own, under a name that no provider has: a person's entries are not looked at.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.config.providers import ProviderSettings
from desktop.llm.keys import Keys

PROVIDER: Final = ProviderSettings(name="self-test-of-mcp-desktop", kind="openai")
_KEY: Final = "not-a-key"


async def keep_a_key() -> str:
    """Store a key, find it, delete it; answers with the name of the keyring.

    Raises:
        CheckFailedError: what was found is not what was stored.
        CheckSkippedError: there is no keyring here; keys then come from the environment.
        KeyringError: there is one, and it refused or did not answer.
    """
    if find_spec("keyring") is None:
        raise CheckSkippedError("not there: this installation has no keyring module")
    import keyring

    backend = keyring.get_keyring()
    name = f"{type(backend).__module__}.{type(backend).__name__}"
    if getattr(backend, "priority", 0) <= 0:
        raise CheckSkippedError(f"not there: no keyring service answers ({name})")
    await Keys({}).store(PROVIDER, _KEY)
    try:
        found = await Keys({}).find(PROVIDER)
    finally:
        await Keys({}).delete(PROVIDER)
    if found is None or found.value != _KEY:
        raise CheckFailedError(f"{name} does not give back what it was given")
    return f"{name} kept a key and forgot it"
