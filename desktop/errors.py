"""The few error types of the core, each made for whoever catches it.

A message says what happened, to which server, and what to do. A failing tool is not here: it is a
`ToolResult`. Imports nothing of the project but the sentences they are said in.
"""

from desktop.translatable import join_texts


class DesktopError(Exception):
    """A failure to tell a person of: `str(error)` is a sentence, `remedy` the next step."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        """Args: message: what happened, to what. remedy: what to do about it, or empty."""
        super().__init__(message)
        self.remedy = remedy

    def __str__(self) -> str:
        return join_texts("\n", str(self.args[0]), self.remedy)


class ConfigError(DesktopError):
    """The configuration cannot be read or written; `line` and `column` count from 1 where known."""

    def __init__(
        self, message: str, *, line: int | None = None, column: int | None = None, remedy: str = ""
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.line = line
        self.column = column


class ServerError(DesktopError):
    """A server cannot be reached or broke the protocol; `server` is its name in the config."""

    def __init__(self, server: str, message: str, *, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.server = server


class ServerTimeoutError(ServerError):
    """A server did not answer within its limit."""


class ToolNotFoundError(DesktopError):
    """No enabled tool has this name; the message lists the nearest ones."""


class UsageError(DesktopError):
    """A command or its arguments are wrong; nothing was sent anywhere."""
