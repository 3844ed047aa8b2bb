from __future__ import annotations

import pytest

from desktop.config.covering import covered_command, covered_text, is_secret


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("npx", "--api-key", "sk-1"), "npx --api-key ••••"),
        (("npx", "--token=sk-1", "a b"), "npx --token=•••• 'a b'"),
        (("docker", "-e", "GITHUB_TOKEN=ghp", "MODE=x"), "docker -e GITHUB_TOKEN=•••• MODE=x"),
        (("pg", "postgresql://me:pw@host/db"), "pg postgresql://••••@host/db"),
        (
            ("sh", "-c", "npx server --api-key sk-1 --port 1"),
            "sh -c 'npx server --api-key •••• --port 1'",
        ),
        (("x", "--auth-file", "--verbose"), "x --auth-file ••••"),
    ],
)
def test_a_command_line_is_shown_without_its_secrets(words: tuple[str, ...], shown: str) -> None:
    assert covered_command(words) == shown


def test_an_address_is_shown_without_its_secrets() -> None:
    shown = "https://••••@host/mcp?api_key=••••&page=2"
    assert covered_text("https://me:pw@host/mcp?api_key=1&page=2") == shown


@pytest.mark.parametrize("name", ["API_KEY", "githubToken", "Authorization", "MY_PAT", "db_passwd"])
def test_names_of_secrets_are_known(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize("name", ["PATH", "LOG_LEVEL", "COMPATIBLE", "HOME"])
def test_ordinary_names_are_no_secrets(name: str) -> None:
    assert not is_secret(name)
