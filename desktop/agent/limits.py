"""How far an agent may go before a person has to look again. Holds; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The bounds of one `AgentSession.ask`; what is beyond is told to the model or ends the ask."""

    turns: int = 25
    """Requests to the model."""
    seconds: float = 1800.0
    """From the question to the end, without the time that a person takes to approve."""
    calls: int = 16
    """Tool calls of one turn that are run; the model is told of the others."""
    result: int = 40_000
    """Characters of one result that the model is given at once; it can read on in the rest."""
    kept: int = 50_000_000
    """Characters of a session's large results that are kept for that, together."""
