"""Checks the config file: it is written, read again and compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop.base.paths import builtin_command
from desktop.cli.self_checks.check import CheckFailedError
from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core import Core


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
