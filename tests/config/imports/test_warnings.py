from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from desktop.config.imports.warnings import ImportWarning, Kind, finding_words, findings_of
from desktop.config.models import ServerConfig

if TYPE_CHECKING:
    from pathlib import Path


def test_every_kind_has_a_sentence_that_names_its_place() -> None:
    for kind in set(get_args(Kind)) - {"stranger"}:  # it is about all of them
        words = finding_words(ImportWarning(kind, "env.X", "subject", "detail"))
        assert "env.X" in words or "subject" in words
        assert "{" not in words.replace("${VAR}", "")


def server(**values: object) -> ServerConfig:
    return ServerConfig.checked(**{"name": "a", "transport": "stdio", "command": "x", **values})


def found(config: ServerConfig, environ: dict[str, str] | None = None) -> list[tuple[str, str]]:
    return [(one.kind, one.place) for one in findings_of(config, environ or {})]


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"env": {"API_KEY": "abcdef"}}, "env.API_KEY"),
        ({"env": {"PLAIN": "ghp_abcdefgh1234"}}, "env.PLAIN"),
        ({"args": ["--token", "abcdef"]}, "args[1]"),
        ({"args": ["--api-key=abcdef"]}, "args[0]"),
        ({"args": ["sk-abcdefgh1234"]}, "args[0]"),
        ({"transport": "http", "url": "https://me:pw@x.example/mcp"}, "url"),
        ({"transport": "http", "url": "https://x.example/mcp?token=abc"}, "url"),
        (
            {
                "transport": "http",
                "url": "https://x.example",
                "headers": {"Authorization": "Bearer abcdef"},
            },
            "headers.Authorization",
        ),
    ],
)
def test_a_secret_in_plain_text_is_found_and_not_repeated(
    values: dict[str, object], place: str
) -> None:
    config = server(**values)
    assert ("secret", place) in found(config)
    assert not any("abcdef" in repr(one) or "pw@" in repr(one) for one in findings_of(config, {}))


def test_a_variable_is_no_secret_but_told_where_it_is_not_set() -> None:
    config = server(env={"API_KEY": "${KEY}", "B": "${env:B:-x}", "C": "${HOME}"})
    assert found(config, {"HOME": "/h"}) == [("unset", "env.API_KEY")]
    assert found(config, {"HOME": "/h", "KEY": "v"}) == []


def test_what_only_another_client_understands_is_told() -> None:
    config = server(args=["${command:pick}", "${workspaceFolder}/x", "$HOME"])
    assert found(config) == [("foreign", "args[0]"), ("unset", "args[1]")]


def test_a_path_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("")
    config = server(
        command="/no/such/program",
        args=[str(tmp_path / "here"), "/no/such.js", "/c", "https://x.example/a", "C:\\no\\such"],
        cwd="/no/such/folder",
    )
    places = [place for kind, place in found(config) if kind == "missing"]
    assert places == ["command", "args[1]", "args[4]", "cwd"]


def test_a_thousand_findings_are_not_all_told() -> None:
    config = server(env={f"KEY_{n}": "secret-value" for n in range(1000)})
    assert len(findings_of(config, {})) == 40
