import pytest

from desktop.servers.state import ServerState


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (ServerState(), "stopped"),
        (ServerState("connected", connect_seconds=0.2), "connected"),
        (ServerState("failed", error="uvx was not found"), "failed: uvx was not found"),
        (ServerState("failed"), "failed"),
        (ServerState("reconnecting", attempt=2, attempts=5), "reconnecting (2 of 5)"),
    ],
)
def test_a_state_says_itself_in_words(state: ServerState, words: str) -> None:
    assert state.words == words
