"""`MCP_SERVERS` adds servers, as JSON or as a file; what is wrong with it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.config.environment_servers import read_environment
from desktop.config.models import AppSettings

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = AppSettings()
TEXT = '{"mcpServers": {"a": {"command": "x",},}} // comment'


def test_json_and_a_file_mean_the_same(path: Path) -> None:
    path.write_text(TEXT, "utf-8")
    for value in (TEXT, f"  {TEXT}\n", str(path), f" {path} "):
        servers, problems, notices = read_environment({"MCP_SERVERS": value}, SETTINGS)
        assert servers["a"].source == "environment"
        assert (problems, notices) == ({}, [])


@pytest.mark.parametrize("environ", [{}, {"MCP_SERVERS": ""}, {"MCP_SERVERS": " \n"}])
def test_without_it_there_is_nothing(environ: dict[str, str]) -> None:
    assert read_environment(environ, SETTINGS) == ({}, {}, [])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("{", "MCP_SERVERS: its JSON is not valid JSON"),
        ("/no/such/file", "there is no file"),
        ("a\0b", "there is no file"),
        ("/", "is not a file"),
        ('[{"command": "x"}]', "must be a JSON object"),
        ('{"servers": {}, "mcpServers": {}}', "both"),
        ("x" * 5000, "MCP_SERVERS"),
        ("{\udcff}", "not valid JSON"),
    ],
)
def test_a_wrong_value_is_told_of_with_a_remedy(value: str, words: str) -> None:
    servers, _, notices = read_environment({"MCP_SERVERS": value}, SETTINGS)
    assert servers == {}
    assert words in str(notices[0])
    assert notices[0].remedy


def test_one_wrong_server_is_its_own_problem() -> None:
    value = '{"a": {"command": "x"}, "b": {}}'
    servers, problems, notices = read_environment({"MCP_SERVERS": value}, SETTINGS)
    assert ([*servers], [*problems], notices) == (["a"], ["b"], [])
