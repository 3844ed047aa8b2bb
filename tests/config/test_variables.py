"""Variables are filled in where a server has them, and an unset one is named."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.models import ServerConfig
from desktop.config.variables import expand

STDIO = ServerConfig(name="a", transport="stdio", command="x")
HTTP = ServerConfig(name="a", transport="http", url="https://h")
ENVIRON = {"HOME": "/home/me", "A": "1", "EMPTY": "", "WITH": "${A} $A ~"}


def test_every_field_is_expanded_and_the_original_stays() -> None:
    config = STDIO.changed(
        command="~/${A}",
        args=("${env:A}", "-${A}-"),
        env={"K": "${A}"},
        cwd="~",
        roots=("~/${A}", "b"),
    )
    expanded = expand(config, ENVIRON)
    assert expanded.roots == ("/home/me/1", "b")
    assert (expanded.command, expanded.args) == ("/home/me/1", ("1", "-1-"))
    assert (expanded.env, expanded.cwd) == ({"K": "1"}, "/home/me")
    assert config.args == ("${env:A}", "-${A}-")


def test_a_server_that_names_no_variable_stays_the_same() -> None:
    config = STDIO.changed(args=("$A", "a~b", "{A}"), env={"K": "$A"}, cwd="/x", roots=("/y",))
    assert expand(config, ENVIRON) is config


@pytest.mark.parametrize(
    "config",
    [
        STDIO.changed(command="~/a"),
        STDIO.changed(args=("${A}",)),
        STDIO.changed(env={"K": "${A}"}),
        STDIO.changed(cwd="~"),
        STDIO.changed(cwd="/${A}"),
        STDIO.changed(roots=("/a", "~/b")),
        HTTP.changed(url="https://h/${A}"),
        HTTP.changed(headers={"K": "${A}"}),
        HTTP.changed(oauth={"clientId": "${A}"}),
        HTTP.changed(tls={"ca": "~/a"}),
    ],
)
def test_each_field_is_looked_at(config: ServerConfig) -> None:
    expanded = expand(config, ENVIRON)
    assert expanded != config
    assert "~" not in repr(expanded)
    assert "$" not in repr(expanded)


def test_a_home_is_that_of_this_machine_unless_the_program_runs_another_elsewhere() -> None:
    there = expand(STDIO.changed(command="ssh", args=("host", "~/server.py")), ENVIRON)
    assert there.args == ("host", "~/server.py")
    here = expand(STDIO.changed(env={"DATA": "~/data", "B": "b~/c"}), ENVIRON)
    assert here.env == {"DATA": "/home/me/data", "B": "b~/c"}


@pytest.mark.parametrize("path", ["/opt/x:${PATH}", "/opt/x:$PATH", "/opt/x:${env:PATH}"])
def test_the_own_path_is_put_where_a_config_names_it(path: str) -> None:
    environ = {**ENVIRON, "PATH": "/usr/bin:/bin"}
    assert expand(STDIO.changed(env={"PATH": path}), environ).env["PATH"] == "/opt/x:/usr/bin:/bin"
    config = STDIO.changed(env={"PATH": "~/bin:$PATHS", "OTHER": "$PATH"})
    assert expand(config, environ).env == {"PATH": "/home/me/bin:$PATHS", "OTHER": "$PATH"}


def test_address_and_headers_are_expanded() -> None:
    config = HTTP.changed(url="${API:-https://x}/mcp", headers={"Authorization": "Bearer ${A}"})
    expanded = expand(config, ENVIRON)
    assert (expanded.url, expanded.headers) == ("https://x/mcp", {"Authorization": "Bearer 1"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$A", "$A"),
        ("$HOME/x", "$HOME/x"),
        ("${A}${A}", "11"),
        ("${EMPTY}", ""),
        ("${EMPTY:-d}", "d"),
        ("${NO:-}", ""),
        ("${NO:-a b}", "a b"),
        ("${env:NO:-d}", "d"),
        ("${WITH}", "${A} $A ~"),
        ("${", "${"),
        ("${}", "${}"),
        ("${A", "${A"),
        ("${A%x}", "${A%x}"),
        ("$${A}", "$1"),
        ("~/x", "/home/me/x"),
        ("a~/x", "a~/x"),
        ("~user", "~user"),
        ("${1}", "${1}"),
    ],
)
def test_a_text_is_expanded_once(text: str, expected: str) -> None:
    assert expand(STDIO.changed(args=(text,)), ENVIRON).args == (expected,)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"command": "${NO}"}, '"command" needs the variable NO'),
        ({"args": ("a", "${env:NO}")}, r'"args\[1\]" needs the variable NO'),
        ({"env": {"K": "${NO}"}}, '"env.K" needs the variable NO'),
        ({"cwd": "${NO}/x"}, '"cwd" needs the variable NO'),
        ({"headers": {"H": "${NO}"}}, '"headers.H" needs the variable NO'),
        ({"url": "http://${NO}"}, '"url" needs the variable NO'),
        (
            {"env": {"K": "${input:key}"}},
            r'"env.K" contains \$\{input:key\}, which only another client',
        ),
        ({"args": ("${A:-${B}}",)}, "cannot contain another"),
        ({"command": "${EMPTY}"}, '"command" must name the program'),
    ],
)
def test_what_cannot_be_filled_in_is_named(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        expand(STDIO.changed(**changes), ENVIRON)


def test_an_expanded_value_is_checked_and_not_shown() -> None:
    config = HTTP.changed(url="${URL}")
    with pytest.raises(ConfigError, match='"url" must start with') as caught:
        expand(config, {"URL": "hunter2"})
    assert "hunter2" not in str(caught.value)
    with pytest.raises(ConfigError, match="line break"):
        expand(HTTP.changed(headers={"H": "${B}"}), {"B": "a\r\nb"})


def test_the_home_is_the_systems_where_the_environment_has_none() -> None:
    assert expand(STDIO.changed(cwd="~/x"), {}).cwd != "~/x"
    assert expand(STDIO.changed(command="~nobody-of-this-name/x"), {}).command.startswith("~")
