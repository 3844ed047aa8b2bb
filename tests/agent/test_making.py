"""A session that cannot be made leaves nothing behind."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.agent.about import Builtin
from desktop.agent.making import make_session
from desktop.errors import UsageError
from desktop.tasks import spawn
from tests.agent.scripted import Person, Scripted
from tests.agent.test_about import ABOUT
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from desktop.agent.session import AgentSession
    from desktop.agent.sessions import AgentSessions, SessionContext


def making(
    sessions: AgentSessions, shared: SessionContext, *builtins: Builtin
) -> Coroutine[Any, Any, AgentSession]:
    from dataclasses import replace

    about = replace(ABOUT, builtins=builtins)
    return make_session(
        shared,
        sessions.library,
        sessions.approvals,
        about,
        (),
        Scripted([]),
        Person(),
        None,
        exists=False,
    )


async def test_its_parts_fit_and_go_with_it(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    session = await making(sessions, shared, Builtin("calculator"))
    assert not sessions.library.lock(session.id).take()
    assert [one.owner for one in shared.surroundings.tracker.tracked] == ["calculator"]
    await session.close()
    lock = sessions.library.lock(session.id)
    assert lock.take()
    lock.release()
    assert shared.surroundings.tracker.tracked == ()


async def test_a_built_in_that_is_none_is_refused_before_anything_starts(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    with pytest.raises(UsageError, match="no built-in server"):
        await making(sessions, shared, Builtin("calculator"), Builtin("none"))
    lock = sessions.library.lock(ABOUT.id)
    assert lock.take()
    lock.release()


async def test_being_cancelled_ends_what_was_started_and_lets_go(
    sessions: AgentSessions, shared: SessionContext
) -> None:
    tracker = shared.surroundings.tracker
    made = spawn(making(sessions, shared, Builtin("silent")), "make")
    await until(tracker.added, lambda: tracker.tracked)
    made.cancel()
    with pytest.raises(asyncio.CancelledError):
        await made
    assert tracker.tracked == ()
    lock = sessions.library.lock(ABOUT.id)
    assert lock.take()
    lock.release()
