"""What a server is doing and what it says about itself. Holds values; decides nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from desktop.base.errors import NextStep, ServerError
    from desktop.values.tool_types import JsonObject

Phase: TypeAlias = Literal[
    "stopped", "untrusted", "starting", "connected", "reconnecting", "failed"
]
"""`untrusted`: it was to be started, but a person has to agree to its command or address first."""


UNAUTHORIZED = 401
"""The HTTP status of a refusal that asks for a sign-in."""


class Challenge(Struct, frozen=True):
    """The refusal of a server that asks for a sign-in.

    `status` is 401, or 403 where the tokens allow too little; `header` the server's
    `WWW-Authenticate`, empty where it sent none.
    """

    status: int = 401
    header: str = ""

    @property
    def wants_more(self) -> bool:
        """Whether somebody is signed in, and has to allow more."""
        return self.status != UNAUTHORIZED


class Problem(Struct, frozen=True):
    """A failure in its parts: what happened in one line or few, what to do, what was written last.

    Untrusted text is in `headline` and `output`; `steps` are what a button could do.
    """

    headline: str
    remedy: str = ""
    output: str = ""
    steps: tuple[NextStep, ...] = ()

    @classmethod
    def of(cls, error: ServerError) -> Problem:
        return cls(str(error.args[0]), error.remedy, error.output, error.steps)


class ServerState(Struct, frozen=True):
    """Phase of one connection and what a person should know of it.

    `error` says what happened and what to do. `is_new`: of an untrusted server, whether nobody ever
    agreed to it, or to what it was before. `attempt` counts reconnections; after the first
    `attempts` of them they are slow, and `next_attempt_at` (seconds since the epoch) says when.
    `connect_seconds` is how long the last successful connect took, listing included. `challenge` is
    there where a person has to sign in for the server to go on. `problem` is `error` in its parts,
    where they are known.
    """

    phase: Phase = "stopped"
    error: str = ""
    attempt: int = 0
    attempts: int = 0
    connect_seconds: float | None = None
    next_attempt_at: float | None = None
    is_new: bool = False
    challenge: Challenge | None = None
    problem: Problem | None = None

    @property
    def is_starting(self) -> bool:
        """Whether it may be connected in a moment."""
        is_quick = self.phase == "reconnecting" and self.next_attempt_at is None
        return self.phase == "starting" or is_quick

    @property
    def next_attempt(self) -> str:
        """The time of day of the next slow attempt; empty while none is planned."""
        if self.next_attempt_at is None:
            return ""
        return time.strftime("%H:%M:%S", time.localtime(self.next_attempt_at))

    @property
    def words(self) -> str:
        """The state as the terminal shows it; the window translates the phase itself."""
        if self.phase in {"failed", "untrusted"} and self.error:
            return f"{self.phase}: {self.error}"
        if self.phase == "reconnecting" and self.next_attempt:
            return f"reconnecting (next attempt at {self.next_attempt})"
        if self.phase == "reconnecting" and self.attempt <= self.attempts:
            return f"reconnecting ({self.attempt} of {self.attempts})"
        return self.phase


class Capabilities(Struct, frozen=True):
    """What a server declares that it offers. Some offer more than they declare.

    `subscriptions`: it tells of changes of single resources. `completions`: it proposes values.
    `tasks`: its tools can run as tasks. `tool_changes`: it tells when its list of tools changes.
    """

    tools: bool = False
    resources: bool = False
    subscriptions: bool = False
    prompts: bool = False
    completions: bool = False
    logging: bool = False
    tasks: bool = False
    tool_changes: bool = False


class ServerInfo(Struct, frozen=True):
    """What a server says of itself: untrusted, bounded, empty where it says nothing.

    `icons` are as the protocol writes them; nobody may load what they lead to.
    """

    name: str = ""
    title: str = ""
    version: str = ""
    instructions: str = ""
    protocol: str = ""
    icons: tuple[JsonObject, ...] = ()
