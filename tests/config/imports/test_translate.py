from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.imports.clients import app_named
from desktop.config.imports.translate import (
    Variables,
    free_name,
    suggest_name,
    to_ours,
    usable_name,
    variable_name,
)
from desktop.config.models import MAX_NAME_LENGTH, check_name


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"command": "uvx", "args": ["mcp-server-git"]}, "git"),
        ({"command": "npx", "args": ["-y", "@scope/weather-mcp@1.2"]}, "weather"),
        ({"command": "/opt/tools/files.py"}, "files"),
        ({"url": "https://docs.example.com:8080/mcp"}, "docs.example.com"),
    ],
)
def test_a_server_without_a_name_gets_one_from_its_package_or_address(
    entry: dict[str, object], name: str
) -> None:
    assert suggest_name(entry) == name


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("github", "github"),
        ("文件", "文件"),
        ("a:b::c", "a-b-c"),
        ("line\nbreak\x1b[31m", "line-break-[31m"),
        ("\u202etxt", "txt"),
        ("x" * 300, "x" * MAX_NAME_LENGTH),
        ("", "server"),
        (":::", "server"),
        ("\ud800", "server"),
    ],
)
def test_a_name_with_odd_characters_becomes_the_nearest_that_can_be_used(
    name: str, usable: str
) -> None:
    assert usable_name(name) == usable
    check_name(usable_name(name))


def test_a_taken_name_gets_the_client_then_numbers_and_stays_in_the_limit() -> None:
    assert free_name("a", ()) == "a"
    assert free_name("a", {"a"}, "cursor") == "a-cursor"
    assert free_name("a", {"a", "a-cursor"}, "cursor") == "a-cursor-2"
    assert free_name("a", {"a", "a-2"}) == "a-3"
    long = "x" * MAX_NAME_LENGTH
    assert len(free_name(long, {long}, "claude-desktop")) == MAX_NAME_LENGTH


HOME = Path("/home/me")


def filled(text: str, file: str = "/src/app/.vscode/mcp.json", **inputs: object) -> object:
    return Variables(Path(file), HOME, dict(inputs)).fill({"cwd": text})["cwd"]


def test_places_of_the_other_client_become_paths() -> None:
    assert filled("${userHome}/x") == "/home/me/x"
    assert filled("${workspaceFolder}/x") == "/src/app/x"
    assert filled("${workspaceFolderBasename}") == "app"
    assert filled("a${/}b${pathSeparator}") == f"a{os.sep}b{os.sep}"
    assert filled("${__dirname}/x", "/bundle/manifest.json") == "/bundle/x"


def test_outside_of_a_project_the_folder_is_not_guessed() -> None:
    assert filled("${workspaceFolder}", "/home/me/.cursor/mcp.json") == "${workspaceFolder}"
    assert filled("${workspaceFolder}", "/anywhere/mcp.json") == "${workspaceFolder}"


def test_what_is_asked_for_becomes_a_variable_with_its_description() -> None:
    asked = {"api-key": {"description": "Key of X", "password": True, "default": "never"}}
    variables = Variables(None, HOME, dict(asked))
    entry = variables.fill({"env": {"K": "${input:api-key}"}, "other": "${input:api-key}"})
    assert entry == {"env": {"K": "${API_KEY}"}, "other": "${input:api-key}"}
    (finding,) = variables.findings
    assert (finding.kind, finding.place) == ("input", "env.K")
    assert (finding.subject, finding.detail) == ("API_KEY", "Key of X")


def test_a_default_that_is_no_secret_is_kept() -> None:
    assert filled("${input:region}", region={"default": "eu"}) == "${REGION:-eu}"
    assert filled("${user_config.n}", n={"default": 3}) == "${N:-3}"


def test_a_list_of_folders_becomes_several_arguments() -> None:
    inputs = {"dirs": {"multiple": True, "default": ["/a", "${userHome}/b"]}}
    entry = Variables(None, HOME, dict(inputs)).fill({"args": ["x", "${user_config.dirs}"]})
    assert entry["args"] == ["x", "/a", "/home/me/b"]


def test_names_of_variables_are_made_of_anything() -> None:
    assert variable_name("api-key") == "API_KEY"
    assert variable_name("9 lives") == "_9_LIVES"
    assert variable_name("接口 密钥") == "JIEKOU_MIYAO"
    assert variable_name("Schlüssel") == "SCHLUSSEL"
    assert variable_name("ключ") == "KLYUCH"
    assert variable_name("：，") == "VALUE"


def ours(entry: dict[str, Any], app: str = "") -> dict[str, Any]:
    return to_ours(entry, app_named(app))[0]


def left_out(entry: dict[str, Any]) -> str:
    return "".join(
        to_our.subject for to_our in to_ours(entry, None)[1] if to_our.kind == "left_out"
    )


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"cmd": "x", "envs": {"A": "1"}}, {"command": "x", "env": {"A": "1"}}),
        ({"command": ["x", "a"], "environment": {}}, {"command": "x", "args": ["a"], "env": {}}),
        ({"command": {"path": "x", "args": ["a"]}}, {"command": "x", "args": ["a"]}),
        ({"command": "x", "args": "-y 'a b'"}, {"command": "x", "args": ["-y", "a b"]}),
        ({"command": "x", "args": "it's"}, {"command": "x", "args": "it's"}),  # refused later
        ({"httpUrl": "https://x"}, {"url": "https://x", "type": "http"}),
        ({"type": "local", "command": "x"}, {"type": "stdio", "command": "x"}),
        ({"type": "remote", "url": "https://x"}, {"url": "https://x"}),
        ({"cmd": "x", "env_keys": ["K"]}, {"command": "x", "env": {"K": "${K}"}}),
        ({"command": "x", "disabled": True}, {"command": "x", "disabled": True}),
        (
            {"url": "https://x", "env_http_headers": {"X-Key": "KEY"}, "bearer_token_env_var": "T"},
            {"url": "https://x", "headers": {"X-Key": "${KEY}", "Authorization": "Bearer ${T}"}},
        ),
        (
            {"command": "x", "startup_timeout_ms": 20_000, "enabled_tools": ["a"]},
            {"command": "x", "connectTimeout": 20.0, "enabledTools": ["a"]},
        ),
        (
            {"command": "x", "includeTools": ["a"], "excludeTools": ["b"]},
            {"command": "x", "enabledTools": ["a"], "disabledTools": ["b"]},
        ),
    ],
)
def test_the_keys_of_other_clients_become_ours(
    entry: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert ours(entry) == expected


@pytest.mark.parametrize(
    ("written", "app", "seconds"),
    [
        (60, "cline", 60.0),
        (5000, "gemini-cli", 5.0),
        (300000, "", 300.0),
        (0.5, "", 1.0),
        (10**12, "librechat", 3600.0),
        (10**400, "", 3600.0),
    ],
)
def test_times_become_seconds_within_our_limits(written: float, app: str, seconds: float) -> None:
    assert ours({"command": "x", "timeout": written}, app)["timeout"] == seconds


def test_an_address_without_a_type_is_sse_for_gemini_alone() -> None:
    assert ours({"url": "https://x/feed"}, "gemini-cli")["type"] == "sse"
    assert "type" not in ours({"url": "https://x/feed"}, "cursor")


def test_what_has_no_counterpart_is_told_and_notes_are_not() -> None:
    entry: dict[str, Any] = {
        "command": "x",
        "autoApprove": [],
        "sandbox": {},
        "roots": [{"uri": "file:///home"}],
        "description": "d",
        "gallery": True,
    }
    assert left_out(entry) == "autoApprove, roots, sandbox"
    assert left_out({"command": "x"}) == ""


def test_a_file_of_variables_is_told_and_not_read() -> None:
    (finding,) = to_ours({"command": "x", "envFile": "/secret/.env"}, None)[1]
    assert (finding.kind, finding.subject) == ("env_file", "/secret/.env")


def test_a_part_of_the_other_app_cannot_be_taken_over() -> None:
    with pytest.raises(ConfigError, match="part of the other app"):
        to_ours({"type": "builtin", "name": "developer"}, None)
    with pytest.raises(ConfigError, match="part of the other app"):
        to_ours({"type": "extension"}, None)  # Zed's


def test_a_variable_without_braces_is_one_to_some_clients_or_as_a_whole_value() -> None:
    entry = {"env": {"DB": "$DB_URL", "PRICE": "5$"}, "headers": {"Authorization": "Bearer $TOK"}}
    for app in ("gemini-cli", "goose"):
        filled = Variables(None, Path("/home/p"), app=app_named(app)).fill(entry)
        assert filled["env"] == {"DB": "${DB_URL}", "PRICE": "5$"}
        assert filled["headers"] == {"Authorization": "Bearer ${TOK}"}
    filled = Variables(None, Path("/home/p"), app=app_named("cursor")).fill(
        {"env": {"A": "$ONE", "B": "x$ONE", "C": "$lower"}}
    )
    assert filled["env"] == {"A": "${ONE}", "B": "x$ONE", "C": "$lower"}


def test_a_relative_folder_is_meant_from_the_project_or_the_file() -> None:
    home = Path("/home/p")
    entry = {"command": "x", "cwd": "./mcp"}
    in_project = Variables(Path("/work/shop/.gemini/settings.json"), home)
    assert in_project.fill(entry)["cwd"] == "/work/shop/mcp"
    beside = Variables(Path("/work/shop/servers.json"), home)
    assert beside.fill(entry)["cwd"] == "/work/shop/mcp"
    assert beside.fill({"command": "x", "cwd": "/abs"})["cwd"] == "/abs"
