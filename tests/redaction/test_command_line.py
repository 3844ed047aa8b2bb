"""A command line is shown without its secrets."""

from __future__ import annotations

import pytest

from desktop.redaction.command_line import redact_command


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("npx", "--api-key", "sk-1"), "npx --api-key ‹redacted›"),
        (("npx", "--token=sk-1", "a b"), "npx --token=‹redacted› 'a b'"),
        (("npx", "--password=a b&c,d"), "npx --password=‹redacted›"),
        (
            ("docker", "-e", "GITHUB_TOKEN=ghp", "MODE=x"),
            "docker -e GITHUB_TOKEN=‹redacted› MODE=x",
        ),
        (("pg", "postgresql://me:pw@host/db"), "pg postgresql://‹redacted›@host/db"),
        (
            ("sh", "-c", "npx server --api-key sk-1 --port 1"),
            "sh -c 'npx server --api-key ‹redacted› --port 1'",
        ),
        (("x", "--auth-file", "--verbose"), "x --auth-file ‹redacted›"),
        (("x", "-H", "X-Api-Key: abcdef"), "x -H 'X-Api-Key: ‹redacted›'"),
        (("x", "--keyboard", "de"), "x --keyboard de"),
    ],
)
def test_a_command_line_is_shown_without_its_secrets(words: tuple[str, ...], shown: str) -> None:
    assert redact_command(words) == shown
