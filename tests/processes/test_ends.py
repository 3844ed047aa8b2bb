from __future__ import annotations

from desktop.processes.ends import KEPT, RecentEnds
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import tracked_server


async def test_an_end_is_remembered_with_its_owner_and_how_it_came() -> None:
    tracker = McpProcessTracker()
    ends, told = RecentEnds(tracker), list[int]()
    ends.changed.connect(lambda: told.append(1))
    tracked, _ = await tracked_server(tracker, "plain")
    await tracker.close_connection(tracked)
    (end,) = ends.ends
    assert (end.owner, end.pid, end.how) == ("plain", tracked.process.pid, "closed")
    assert end.at >= tracked.started_at
    assert told == [1]


async def test_only_the_last_ones_are_kept_the_latest_first() -> None:
    tracker = McpProcessTracker()
    ends = RecentEnds(tracker)
    tracked, _ = await tracked_server(tracker, "plain")
    for _ in range(KEPT + 5):
        tracker.removed.send(tracked, "forced")
    await tracker.close_connection(tracked)
    assert len(ends.ends) == KEPT
    assert ends.ends[0].how == "closed"
