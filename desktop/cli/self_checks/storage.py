"""Checks what is stored and loaded: the config file, the keyring, the client of model providers.

The config file is written, read again and compared. The keyring entry is the self-test's own, under
a name that no provider has: a person's entries are not touched. The HTTP client sends nothing.
"""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from desktop.base.paths import builtin_command
from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.config.models import ServerConfig
from desktop.config.providers import ProviderSettings
from desktop.config.store import ConfigStore
from desktop.llm.keys import Keys

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core import Core


async def load_http_client() -> str:
    """Load what asks the model providers, and make a client; sends nothing.

    In a bundle a part of it may be missing: it is imported with the first request.
    """
    module = await asyncio.to_thread(import_module, "desktop.llm.services.http_client")
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


NAME = "self-test"
_UNKNOWN = {"theirs": [1, 2.5, "ü"]}


def prepare_config(file: Path) -> None:
    """Write the file of a person who uses another client, too."""
    file.write_text(json.dumps({"mcpServers": {}, "otherClient": _UNKNOWN}), encoding="utf-8")


async def write_and_read_config(core: Core) -> str:
    """Add a server to the file; it is there for the next run, and so is all that was there.

    Raises:
        CheckFailedError: it is not.
    """
    command, args = builtin_command("calculator")
    wanted = ServerConfig.checked(
        name=NAME, transport="stdio", command=command, args=tuple(args), env={"SELF_TEST": "ü"}
    )
    core.store.add_server(wanted)
    again = ConfigStore(core.store.path, {})
    again.load()
    found = again.servers.get(NAME)
    if found is None or (found.command, found.args, found.env) != (
        command,
        wanted.args,
        wanted.env,
    ):
        raise CheckFailedError(f"{core.store.path} does not contain the server that was written")
    document = json.loads(core.store.path.read_text(encoding="utf-8"))
    if document.get("otherClient") != _UNKNOWN:
        raise CheckFailedError(f"{core.store.path} lost keys of another client")
    return "a server written and read, unknown keys kept"
