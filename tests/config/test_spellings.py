"""An entry means the same wherever it stands and whatever client wrote it, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.document import Document
from desktop.config.editor import put_server
from desktop.config.models import AppSettings
from desktop.config.parser import Remarks, read_server, read_servers, remarks_on
from desktop.config.spellings import in_our_variables, in_our_words

SETTINGS = AppSettings()
X = {"command": "x"}


@pytest.mark.parametrize(
    ("entry", "field", "value"),
    [
        ({**X, "environment": {"A": "1"}}, "env", {"A": "1"}),
        ({**X, "envs": {"A": "1"}}, "env", {"A": "1"}),
        ({"url": "https://a.example", "http_headers": {"A": "1"}}, "headers", {"A": "1"}),
        ({"httpUrl": "https://a.example/sse"}, "transport", "http"),
        ({"uri": "https://a.example"}, "url", "https://a.example"),
        ({"url": "https://a.example", "type": "httpStream"}, "transport", "http"),
        ({"url": "https://a.example", "type": "url"}, "transport", "http"),
        ({"url": "https://a.example", "oauth": False}, "oauth", {}),
        ({**X, "excludeTools": ["t"]}, "disabled_tools", ("t",)),
        ({**X, "include_tools": ["t"]}, "enabled_tools", ("t",)),
        ({**X, "isActive": False}, "enabled", False),
        ({**X, "workingDirectory": "/w"}, "cwd", "/w"),
        ({"command": ["npx", "-y", "p"], "args": ["q"]}, "args", ("-y", "p", "q")),
        ({"command": {"path": "p", "args": ["q"], "env": {"A": "1"}}}, "command", "p"),
        ({"command": " python3 "}, "command", "python3"),
        ({"transport": {"type": "stdio", "command": "npx", "args": ["q"]}}, "args", ("q",)),
        ({"transport": {"type": "sse", "url": "https://a.example"}}, "transport", "sse"),
        ({"stdio": {"command": "npx"}}, "command", "npx"),
        (
            {"url": "https://a.example", "requestOptions": {"headers": {"A": "1"}}},
            "headers",
            {"A": "1"},
        ),
        ({**X, "tool_timeout_sec": 90}, "timeout", 90.0),
        ({**X, "startup_timeout_ms": 20_000, "timeout": 60}, "connect_timeout", 20.0),
        ({**X, "initTimeout": 5_000, "timeout": 60}, "timeout", 60.0),
        ({**X, "env_vars": ["A"]}, "env", {"A": "${A}"}),
        (
            {"url": "https://a.example", "bearer_token_env_var": "T"},
            "headers",
            {"Authorization": "Bearer ${T}"},
        ),
        ({**X, "env": {"A": "{env:B}"}}, "env", {"A": "${B}"}),
    ],
)
def test_an_entry_in_our_own_file_may_be_written_for_another_client(
    entry: dict[str, Any], field: str, value: object
) -> None:
    assert getattr(read_server("s", entry, SETTINGS), field) == value
    assert remarks_on(entry) == ()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({**X, "enviroment": {}}, '"enviroment" is not a known key and is not used'),
        ({**X, "arg": []}, 'did you mean "args"?'),
        ({**X, "time_out": 3}, 'did you mean "timeout"?'),
        ({**X, "autoApprove": ["t"]}, '"autoApprove" is not a known key'),
        ({**X, "envFile": ".env"}, '"envFile" is not read'),
        ({**X, "env": {"A": "$(pass show a)"}}, '"env.A" has $(pass show a)'),
        ({**X, "env": {"A": "{file:~/key}"}}, '"env.A" has {file:~/key}'),
        ({**X, "env": {"A_KEY": "<YOUR_KEY>"}}, '"env.A_KEY" still has <YOUR_KEY>'),
        ({**X, "args": ["--key", "your-api-key-here"]}, '"args[1]" still has your-api-key-here'),
        ({**X, "args": ["/path/to/folder"]}, '"args[0]" still has /path/to/folder'),
    ],
)
def test_what_nobody_reads_or_nobody_has_filled_in_is_told(
    entry: dict[str, Any], said: str
) -> None:
    remarks: Remarks = {}
    servers, problems = read_servers(
        Document({"mcpServers": {"s": entry}}), SETTINGS, "file", remarks
    )
    assert "s" in servers
    assert problems == {}
    assert any(said in remark for remark in remarks["s"])


@pytest.mark.parametrize(
    "entry",
    [
        {**X, "description": "d", "icon": "i", "_note": "n", "$schema": "s", "x-own": 1},
        {**X, "args": ["https://a.example/your/api", "<", "a < b > c", "/usr/path/tool"]},
        {**X, "env": {"PRICE": "5$", "RATE": "100%", "T": "{{", "P": "a$B", "F": "%20%"}},
    ],
)
def test_what_is_for_people_or_only_looks_like_a_placeholder_is_not_told(
    entry: dict[str, Any],
) -> None:
    config = read_server("s", entry, SETTINGS)
    assert remarks_on(entry) == ()
    assert config.env == entry.get("env", {})
    assert list(config.args) == entry.get("args", [])


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("{env:A}", "${A}"),
        ("Bearer {env:A_1}", "Bearer ${A_1}"),
        ("$A_KEY", "${A_KEY}"),
        ("Bearer $A_KEY", "Bearer ${A_KEY}"),
        ("{{A}}/{{ env.B }}", "${A}/${B}"),
        (r"%APPDATA%\x", r"${APPDATA}\x"),
        ("${env:A}", "${env:A}"),
        ("${A:-{b}}", "${A:-{b}}"),
    ],
)
def test_variables_of_other_clients_become_ours(written: str, ours: str) -> None:
    assert in_our_variables(written) == ours


def test_two_keys_for_one_thing_must_agree_in_our_own_file_alone() -> None:
    entry = {**X, "env": {"A": "1"}, "environment": {"A": "2"}}
    with pytest.raises(ConfigError, match='"env" and "environment" mean the same'):
        read_server("s", entry, SETTINGS)
    assert in_our_words(entry, is_foreign=True).fields["env"] == {"A": "1"}


@pytest.mark.parametrize(
    ("entry", "change", "after"),
    [
        ({**X, "environment": {"A": "1"}}, {"env": {"A": "2"}}, {**X, "environment": {"A": "2"}}),
        ({**X, "isActive": True}, {"enabled": False}, {**X, "isActive": False}),
        (
            {**X, "startup_timeout_ms": 20_000},
            {"connect_timeout": 5.0},
            {**X, "connectTimeout": 5},
        ),
        (
            {"command": ["x", "a"], "note": 1},
            {"args": ("b",)},
            {"command": "x", "args": ["b"], "note": 1},
        ),
        (
            {"transport": {"type": "stdio", "command": "x"}, "other": 1},
            {"env": {"A": "1"}},
            {"type": "stdio", "command": "x", "other": 1, "env": {"A": "1"}},
        ),
    ],
)
def test_a_change_is_written_where_the_entry_says_it(
    entry: dict[str, Any], change: dict[str, Any], after: dict[str, Any]
) -> None:
    data: dict[str, Any] = {"mcpServers": {"s": entry}}
    old = read_server("s", entry, SETTINGS)
    new = old.changed(**change)
    put_server(data, "s", old, new, SETTINGS)
    assert data["mcpServers"]["s"] == after
    assert read_server("s", data["mcpServers"]["s"], SETTINGS) == new
