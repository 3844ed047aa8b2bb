"""Checks what is stored and loaded: the config file, the keyring, the clients of the providers.

The config file is written, read again and compared. The keyring entry is the self-test's own, under
a name that no provider has: a person's entries are not touched. The clients are made with an
invalid key and send nothing: in a bundle one may be missing.
"""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from desktop.cli.self_checks.check import CheckFailedError, CheckSkippedError
from desktop.config.models import ServerConfig
from desktop.config.providers import ProviderSettings
from desktop.config.store import ConfigStore
from desktop.llm.keys import Keys
from desktop.paths import builtin_command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.core import Core

_NO_KEY = "self-test"


def _touch(*parts: object) -> None:
    """They load when they are asked for."""


def _openai() -> None:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(api_key=_NO_KEY)
    _touch(client.chat.completions, client.responses)


def _anthropic() -> None:
    from anthropic import AsyncAnthropic

    _touch(AsyncAnthropic(api_key=_NO_KEY).messages)


def _gemini() -> None:
    from google import genai
    from google.genai import errors, types

    _touch(genai.Client(api_key=_NO_KEY).aio.models, errors, types)


CLIENTS: dict[str, Callable[[], None]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google.genai": _gemini,
}
"""By the package each needs."""


async def load_provider_clients() -> str:
    """Load those that are installed.

    Raises:
        CheckSkippedError: none is.
    """
    found = [package for package in CLIENTS if _is_there(package)]
    if not found:
        raise CheckSkippedError("this installation has no client of a model provider")
    for package in found:
        await asyncio.to_thread(CLIENTS[package])
    return f"loaded: {', '.join(found)}"


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package above it
        return False


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
        raise CheckFailedError(f"{core.store.path} does not hold the server that was written")
    document = json.loads(core.store.path.read_text(encoding="utf-8"))
    if document.get("otherClient") != _UNKNOWN:
        raise CheckFailedError(f"{core.store.path} lost what another client had written")
    return "a server written and read, unknown keys kept"
