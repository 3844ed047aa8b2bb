"""One sign-in that a person follows: where it stands, what it waits for, and why it failed.

For whoever shows it: the window, or a driver of tests. The flow itself is `SignIn`'s. Whoever calls
`run` owns the task, and ends the sign-in by cancelling it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

from desktop.base.errors import DesktopError
from desktop.base.signals import Signal
from desktop.servers.oauth.sign_in import PERSON_LIMIT
from desktop.servers.oauth.steps import MAX_STEPS

if TYPE_CHECKING:
    from desktop.servers.oauth.steps import SignInStep
    from desktop.servers.service import McpService

AttemptPhase: TypeAlias = Literal["preparing", "ready", "waiting", "finishing", "failed", "done"]
"""`ready`: the page to sign in at is known, and nobody has opened it yet; `waiting`: somebody has;
`finishing`: they came back, and the tokens are fetched."""


class SignInAttempt:
    """One attempt to sign in to one server. `changed`: phase or steps did."""

    def __init__(self, service: McpService, server: str, *, as_another: bool = False) -> None:
        """Args: as_another: the person wants to choose the account anew."""
        self._service = service
        self._as_another = as_another
        self.server = server
        self.phase: AttemptPhase = "preparing"
        self.url = ""
        """The page to sign in at. It holds the `state` of the flow: for the browser alone."""
        self.problem = ""
        self.ends_at = 0.0
        """Until when the person may come back, in seconds since the epoch."""
        self.steps: list[SignInStep] = []
        self.changed: Signal[[]] = Signal()

    @property
    def host(self) -> str:
        """Whose page it is."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def is_under_way(self) -> bool:
        return self.phase not in {"failed", "done"}

    async def run(self) -> None:
        """Sign in; a failure is in `problem`, and not raised."""
        try:
            await self._service.sign_in(
                self.server,
                show=self._be_ready,
                stepped=self._note,
                as_another=self._as_another,
            )
        except DesktopError as error:
            self.problem = str(error)
            self._move("failed")
        else:
            self._move("done")

    def note_opened(self) -> None:
        """The person was sent to the page."""
        if self.phase == "ready":
            self._move("waiting")

    def _be_ready(self, url: str) -> None:
        self.url = url
        self.ends_at = time.time() + PERSON_LIMIT
        self._move("ready")

    def _note(self, step: SignInStep) -> None:
        if len(self.steps) < MAX_STEPS:
            self.steps.append(step)
        if step.kind == "answer":
            self.phase = "finishing"
        self.changed.send()

    def _move(self, phase: AttemptPhase) -> None:
        self.phase = phase
        self.changed.send()
