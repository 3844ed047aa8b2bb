"""What counts as a secret, and what only sounds like one."""

from __future__ import annotations

import pytest

from desktop.redaction.detect import (
    covered_command,
    covered_text,
    is_secret,
    is_secret_name,
    is_secret_schema,
    is_secret_value,
    snake,
)


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


@pytest.mark.parametrize(
    "name",
    ["password", "apiKey", "X-API-Key", "client_secret", "Authorization", "dbPassword", "token",
     "access token", "secretKey", "Cookie", "githubToken", "connectionString"],
)  # fmt: skip
def test_these_names_stand_for_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["key", "max_tokens", "author", "page_token", "keywords", "sessions", "tokenizer", "secretary",
     "primaryKey", "passwordless"],
)  # fmt: skip
def test_these_are_ordinary_arguments(name: str) -> None:
    assert not is_secret_name(name)


def test_a_schema_can_say_so_itself() -> None:
    assert is_secret_schema({"type": "string", "writeOnly": True})
    assert is_secret_schema({"type": "string", "format": "password"})
    assert not is_secret_schema({"type": "string", "format": "email", "writeOnly": "yes"})


@pytest.mark.parametrize(
    "text",
    ["Bearer abcdefghij", "ghp_0123456789abcdefghij", "sk-proj-0123456789abc",
     "AKIAIOSFODNN7EXAMPLE",
     " eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
)  # fmt: skip
def test_values_in_the_form_of_keys_are_known(text: str) -> None:
    assert is_secret_value(text)


@pytest.mark.parametrize("text", ["bearer of news", "sk-short", "hello", "", "basic ideas"])
def test_other_texts_are_not(text: str) -> None:
    assert not is_secret_value(text)


def test_names_are_read_in_every_spelling() -> None:
    assert {snake(name) for name in ("apiKey", "api-key", "API Key", "api.key")} == {"api_key"}
