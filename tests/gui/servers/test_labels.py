from __future__ import annotations

import pytest

from builtin_servers.catalog import CATALOG
from desktop.config.models import ServerConfig
from desktop.gui.servers import labels
from desktop.gui.servers.labels import description_label
from desktop.servers.connection import ServerConnection
from desktop.servers.state import Phase, ServerState
from tests.live_servers import surroundings


@pytest.mark.parametrize("name", CATALOG)
def test_each_built_in_server_is_described_as_the_catalogue_does(name: str) -> None:
    assert description_label(name) == CATALOG[name].description


def test_a_name_that_is_none_of_ours_has_no_words() -> None:
    assert description_label("github") == ""


def program(*args: str) -> ServerConfig:
    return ServerConfig(name="x", transport="stdio", command="npx", args=args)


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        (program("-y", "pkg"), "npx -y pkg"),
        (program("--api-key", "sk-1"), "npx --api-key ‹redacted›"),
        (program("--token=sk-1", "a b"), "npx --token=‹redacted› 'a b'"),
        (program("-e", "GITHUB_TOKEN=ghp", "MODE=x"), "npx -e GITHUB_TOKEN=‹redacted› MODE=x"),
        (
            ServerConfig(name="x", transport="http", url="https://me:pw@host/mcp?api_key=1&page=2"),
            "https://‹redacted›@host/mcp?api_key=‹redacted›&page=2",
        ),
    ],
)
def test_a_command_line_or_an_address_is_shown_without_its_secrets(
    config: ServerConfig, shown: str
) -> None:
    assert labels.target_label(config) == shown


@pytest.mark.parametrize(
    ("phase", "words", "tone"),
    [
        ("failed", "Failed, next attempt at ", "danger"),
        ("reconnecting", "Reconnecting, next attempt at ", "warning"),
    ],
)
def test_a_server_that_is_away_says_when_it_is_tried_again(
    phase: Phase, words: str, tone: str
) -> None:
    connection = ServerConnection(program(), surroundings())
    connection.state = ServerState(phase, "away", 6, 5, next_attempt_at=0.0)
    assert labels.state_label(connection) == (words + connection.state.next_attempt, tone, "")


def test_a_short_error_leaves_out_the_sentence_that_announces_what_follows() -> None:
    assert labels.short_error("x exited with code 3. Last output:\nboom") == "x exited with code 3."
    assert labels.short_error("nothing answers\nCheck it.") == "nothing answers"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(5, "< 1 min"), (61, "1 min"), (7500, "2 h 5 min"), (200000, "2 d 7 h")],
)
def test_an_uptime_is_shown_in_its_two_largest_units(seconds: float, shown: str) -> None:
    assert labels.uptime_label(seconds) == shown


def test_figures_have_as_many_digits_as_they_are_worth() -> None:
    assert labels.memory_label(8_640_000) == "8.6 MB"
    assert labels.memory_label(1_234_000_000) == "1,234 MB"
    assert labels.seconds_label(0.0123) == "12 ms"
    assert labels.seconds_label(2.34) == "2.3 s"
