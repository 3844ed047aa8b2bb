"""A server as a command line or a program gives it, without a config: `NAME=COMMAND`, `NAME=URL`.

Must not look whether there is such a program or address.
"""

from __future__ import annotations

from pydantic import ValidationError

from desktop.base.command_line import split_words
from desktop.base.errors import ConfigError, UsageError
from desktop.base.paths import current_folder
from desktop.config.models import ServerConfig


def parse_server(text: str) -> ServerConfig:
    """The server; a command runs in the current folder.

    Raises:
        UsageError: it cannot be understood.
    """
    name, _, command = (part.strip() for part in text.partition("="))
    if not (name and command):
        raise UsageError(f"{text!r} is not NAME=COMMAND or NAME=URL.")
    try:
        if command.startswith(("http://", "https://")):
            return ServerConfig.checked(name=name, transport="http", url=command, source="given")
        program, *arguments = split_words(command)
        return ServerConfig.checked(
            name=name,
            transport="stdio",
            command=program,
            args=tuple(arguments),
            cwd=current_folder(),  # given here, and not of a config
            source="given",
        )
    except (ValueError, ConfigError, ValidationError) as error:
        raise UsageError(f"{name}: {error}.") from None
