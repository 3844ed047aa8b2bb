"""The few error types of the core, each made for whoever catches it.

A message says what happened, to which server, and what to do. A failing tool is not here: it is a
`ToolResult`. Imports nothing of the project but the sentences they are said in.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from desktop.base.translatable import join_texts, translatable

StepKind: TypeAlias = Literal[
    "edit", "use_command", "take_apart", "use_url", "install", "set_variable", "keep_secret"
]
"""To edit the server, to use another command, to install a product, to set a variable or secret."""


class NextStep(Struct, frozen=True):
    """What could be done about an error with one click.

    `subject` is the command, the product, the variable or the secret; `address` where a product is
    had. A name that a server wrote itself is untrusted text.
    """

    kind: StepKind
    subject: str = ""
    address: str = ""


class DesktopError(Exception):
    """A failure to tell a person of: `str(error)` is a sentence, `remedy` the next step."""

    def __init__(self, message: str, *, remedy: str = "", steps: tuple[NextStep, ...] = ()) -> None:
        """Args: message: what happened, to what. remedy: what to do about it, or empty.

        steps: the same for buttons, the best first.
        """
        super().__init__(message)
        self.remedy, self.steps = remedy, steps

    def __str__(self) -> str:
        return join_texts("\n", str(self.args[0]), self.remedy)


class ConfigError(DesktopError):
    """The configuration cannot be read or written; `line` and `column` count from 1 where known."""

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        remedy: str = "",
        steps: tuple[NextStep, ...] = (),
    ) -> None:
        super().__init__(message, remedy=remedy, steps=steps)
        self.line = line
        self.column = column


class ServerError(DesktopError):
    """A server cannot be reached or broke the protocol; `server` is its name in the config.

    `output` is what it wrote last, where that says more than the message.
    """

    def __init__(
        self,
        server: str,
        message: str,
        *,
        remedy: str = "",
        steps: tuple[NextStep, ...] = (),
        output: str = "",
    ) -> None:
        super().__init__(message, remedy=remedy, steps=steps)
        self.server, self.output = server, output

    def __str__(self) -> str:
        wrote = translatable("Last output:\n{tail}", tail=self.output) if self.output else ""
        return join_texts("\n", str(self.args[0]), wrote, self.remedy)


class ServerTimeoutError(ServerError):
    """A server did not answer within its limit."""


class ToolNotFoundError(DesktopError):
    """No enabled tool has this name; the message lists the nearest ones."""


class UsageError(DesktopError):
    """A command or its arguments are wrong; nothing was sent anywhere."""
