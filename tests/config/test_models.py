"""The typed values refuse what cannot be, in words a person knows.

What pydantic finds is told in plain words, all of it at once, never with a value.

Each check passes what is good unchanged; what it refuses is tested through the models.
"""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from desktop.base.errors import ConfigError
from desktop.config.models import (
    AppSettings,
    HistorySettings,
    KeepDays,
    ServerConfig,
    check_environment,
    check_headers,
    check_name,
    check_text,
    check_url,
    config_error,
)
from desktop.config.providers import ProviderSettings

if TYPE_CHECKING:
    from pydantic import BaseModel


def test_all_findings_are_told_with_the_keys_as_spelled() -> None:
    with pytest.raises(ValidationError) as caught:
        ServerConfig.model_validate(
            {"name": "a", "type": "http", "url": "hunter2", "timeout": 9999, "env": {"A": 1}}
        )
    error = config_error(caught.value, {"url": "serverUrl"})
    assert error.args[0] == (
        '"env.A" must be text; "serverUrl" must start with http:// or https:// and name a host; '
        '"timeout" must be at most 3600'
    )
    assert error.remedy == "Times are in seconds here; some other clients use milliseconds."
    assert "hunter2" not in str(error)


@pytest.mark.parametrize("name", ["theme", "language"])
def test_a_choice_names_what_may_be_chosen(name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        AppSettings.model_validate({name: 3})
    assert f"\"{name}\" must be one of 'system'" in str(config_error(caught.value))


def test_good_values_pass_unchanged() -> None:
    assert check_name("my server") == "my server"
    assert check_text("a\nb\t${X} 时间") == "a\nb\t${X} 时间"
    assert check_environment({"A_b": "", "x.y": "a=b"}) == {"A_b": "", "x.y": "a=b"}
    assert check_headers({"X-A": "a b;"}) == {"X-A": "a b;"}


@pytest.mark.parametrize(
    ("said", "transport"),
    [
        ({"command": "npx"}, "stdio"),
        ({"builtin": "time"}, "stdio"),
        ({"url": "https://x.test/mcp"}, "http"),
        ({"url": "https://x.test/sse?a=b"}, "sse"),
        ({"url": "https://x.test/sse", "transport": "http"}, "http"),
    ],
)
def test_a_server_needs_no_transport_where_the_rest_says_it(
    said: dict[str, str], transport: str
) -> None:
    assert ServerConfig.model_validate({"name": "a", **said}).transport == transport


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://h",
        "https://user@h:8080/a?b=c#d",
        "http://[::1]:3000/mcp",
        "http://例え/",
        "${URL}",
    ],
)
def test_good_addresses_pass(url: str) -> None:
    assert check_url(url) == url


@pytest.mark.parametrize(
    "url", ["h", "//h", "http:/h", "HTTP//h", "javascript:1", "http://:80", "http://h\u2028"]
)
def test_bad_addresses_do_not(url: str) -> None:
    with pytest.raises(ValueError):
        check_url(url)


def test_a_server_has_the_documented_limits_and_is_enabled_unless_told() -> None:
    config = ServerConfig(name="a", transport="stdio", command="npx")
    assert (config.timeout, config.connect_timeout, config.enabled) == (120.0, 30.0, True)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": " "}, '"name" must not be empty'),
        ({"name": "x" * 65}, '"name" must have at most 64 characters, it has 65'),
        ({"name": "a:b"}, 'must not contain ":"'),
        ({"name": "a\nb"}, "control characters"),
        ({"name": "a\u202eb"}, "control characters"),
        ({"transport": "carrier pigeon"}, '"type" must be one of'),
        ({"command": "  "}, '"command" must name the program'),
        ({"command": "a\0"}, '"command" must not contain a zero character'),
        ({"args": ("\ud800",)}, r'"args\[0\]" must not contain half'),
        ({"env": {"A=B": "1"}}, '"env" has a variable with an empty name'),
        ({"headers": {"A B": "1"}}, '"headers" has a header name'),
        (
            {"headers": {"A": "zwölf"}},
            '"headers" has a non-ASCII character in the value of A, which',
        ),
        ({"headers": {"A": "1\r\nB: 2"}}, '"headers" has a line break in the value of A'),
        ({"transport": "http"}, '"url" must have the address'),
        ({"transport": "http", "url": "ftp://host"}, '"url" must start with http'),
        ({"transport": "http", "url": "http://"}, "name a host"),
        ({"transport": "http", "url": "http://h:99999"}, "not a valid address"),
        ({"transport": "http", "url": "http://h/a b"}, "must not contain spaces"),
        ({"timeout": 0}, '"timeout" must be at least 1'),
        ({"timeout": 60000}, "Times are in seconds here"),
        ({"timeout": float("nan")}, '"timeout" must be a number'),
        ({"connect_timeout": 601}, '"connectTimeout" must be at most 600'),
        ({"roots": (" ",)}, r'"roots\[0\]" must not be empty'),
        ({"roots": ("/a", "https://h/x")}, r'"roots\[1\]" must be a folder on this computer'),
        ({"roots": ("file://h/x",)}, r'"roots\[0\]" must be on this computer'),
        ({"roots": ("file:///a#b",)}, r'"roots\[0\]" must have .* %23 for each #'),
        ({"era": "2024"}, '"era" must be one of'),
        ({"enabled": "perhaps"}, '"enabled" must be true or false'),
        ({"colour": "red"}, '"colour" is not a known key'),
    ],
)
def test_a_wrong_value_is_named_by_its_key(values: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        ServerConfig.checked(**{"name": "a", "transport": "stdio", "command": "npx"} | values)


@pytest.mark.parametrize("name", ["时间", "my server 2.0", "a/b", "👩‍💻", "x" * 64])
def test_a_name_is_otherwise_free(name: str) -> None:
    assert ServerConfig(name=name, transport="stdio", command="x").name == name


def test_no_secret_is_in_an_error_or_a_representation() -> None:
    config = ServerConfig(
        name="a",
        transport="stdio",
        command="x",
        env={"KEY": "hunter2"},
        headers={"Authorization": "hunter2"},
    )
    assert "hunter2" not in repr(config)
    with pytest.raises(ConfigError) as caught:
        config.changed(env={"": "hunter2"}, args="hunter2", url="hunter2")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_an_address_with_a_variable_is_checked_after_its_expansion() -> None:
    assert ServerConfig(name="a", transport="http", url="${API:-https://x}/mcp").url


def test_a_changed_copy_is_checked() -> None:
    assert AppSettings().changed(theme="dark").theme == "dark"
    with pytest.raises(ConfigError, match='"callTimeout" must be at least 1'):
        AppSettings().changed(call_timeout=0)


def documented(model: type[BaseModel]) -> list[str]:
    """Names of the fields with a docstring under them."""
    [definition] = ast.parse(inspect.getsource(model)).body
    assert isinstance(definition, ast.ClassDef)
    return [
        node.target.id
        for node, below in pairwise(definition.body)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(below, ast.Expr)
    ]


@pytest.mark.parametrize(
    "model", [ServerConfig, AppSettings, HistorySettings, KeepDays, ProviderSettings]
)
def test_every_field_has_its_line_in_the_manual(model: type[BaseModel]) -> None:
    assert documented(model) == list(model.model_fields)
