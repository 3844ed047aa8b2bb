"""One call as its handler sees it."""

from __future__ import annotations

from builtin_servers.call import Call, Reply
from tests.builtin_command import ignore


def test_a_cancelled_call_says_so_and_ends_a_wait() -> None:
    call = Call({}, ignore)
    assert not call.is_cancelled
    call.cancel()
    assert call.is_cancelled
    assert call.wait_cancelled(60)


def test_progress_goes_to_whoever_reports_it() -> None:
    seen: list[tuple[float, float | None, str]] = []
    call = Call({}, lambda progress, total, text: seen.append((progress, total, text)))
    call.report(1, 2, "half")
    call.report(2)
    assert seen == [(1, 2, "half"), (2, None, "")]


def test_a_reply_is_a_text_unless_it_is_something_to_see_or_hear() -> None:
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    assert Reply("").to_content() == [{"type": "text", "text": ""}]
    assert Reply("", blocks=[image]).to_content() == [image]
    assert Reply("a", blocks=[image]).to_content() == [{"type": "text", "text": "a"}, image]
