"""What a stranger's entry could do is said by name; what is ordinary is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pytest

from desktop.config.imports.dangers import dangers_of, registrable_domain
from desktop.config.imports.warnings import Danger, ImportWarning, finding_words
from desktop.config.models import ServerConfig

if TYPE_CHECKING:
    from collections.abc import Iterable


def found(**fields: Any) -> list[tuple[str, str, str]]:
    transport = "http" if "url" in fields else "stdio"
    config = ServerConfig.checked(name="a", transport=transport, **fields)
    return [(danger.kind, danger.place, danger.subject) for danger in dangers_of(config)]


def kinds(dangers: Iterable[tuple[str, str, str]]) -> set[str]:
    return {kind for kind, _, _ in dangers}


@pytest.mark.parametrize(
    ("command", "args", "place"),
    [
        ("sh", ("-c", "x"), "command"),
        ("/bin/bash", ("-lc", "x"), "command"),
        ("zsh", (), "command"),
        (r"C:\Windows\System32\cmd.exe", ("/c", "x"), "command"),
        ("powershell", ("-NoProfile", "-EncodedCommand", "x"), "command"),
        ("pwsh.exe", ("-Command", "x"), "command"),
        ("env", ("A=b", "sh", "-c", "x"), "args[1]"),
        ("docker", ("run", "-i", "image", "sh", "-c", "x"), "args[3]"),
        ("python3.12", ("-c", "x"), "command"),
        ("node", ("--no-warnings", "--eval", "x"), "command"),
        ("deno", ("eval", "x"), "command"),
    ],
)
def test_a_program_within_the_words_is_a_danger(
    command: str, args: tuple[str, ...], place: str
) -> None:
    assert ("shell", place) in {each[:2] for each in found(command=command, args=args)}


@pytest.mark.parametrize(
    "code",
    ["x | sh", "x|bash", "x |sudo /bin/sh -s", "curl${IFS}x", "$(wget x)", "irm x | iex"],
)
def test_what_is_downloaded_and_run_is_a_danger(code: str) -> None:
    assert "download" in kinds(found(command="sh", args=("-c", code)))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("LD_PRELOAD", "code"),
        ("DYLD_INSERT_LIBRARIES", "code"),
        ("NODE_OPTIONS", "code"),
        ("PYTHONPATH", "code"),
        ("PYTHONSTARTUP", "code"),
        ("Path", "code"),
        ("BASH_ENV", "code"),
        ("GIT_SSH_COMMAND", "code"),
        ("npm_config_registry", "packages"),
        ("NPM_CONFIG_REGISTRY", "packages"),
        ("PIP_EXTRA_INDEX_URL", "packages"),
        ("UV_DEFAULT_INDEX", "packages"),
        ("MY_REGISTRY", "packages"),
        ("https_proxy", "network"),
        ("NODE_TLS_REJECT_UNAUTHORIZED", "network"),
    ],
)
def test_variables_that_choose_code_packages_or_connections_are_dangers_by_name(
    name: str, kind: str
) -> None:
    assert found(command="x", env={name: "v"}) == [(kind, f"env.{name}", name)]
    assert (kind, "args[1]", name) in found(command="docker", args=("-e", f"{name}=v"))


@pytest.mark.parametrize("option", ["--index-url", "--registry=https://e.example", "--find-links"])
def test_another_place_of_packages_is_a_danger(option: str) -> None:
    dangers = found(command="uvx", args=(option, "x"))
    assert ("packages", "args[0]", option.partition("=")[0]) in dangers


@pytest.mark.parametrize(
    ("url", "kind", "subject", "owner"),
    [
        ("https://mcp.linear.app/mcp", "host", "mcp.linear.app", "linear.app"),
        ("https://a.b.co.uk/mcp", "host", "a.b.co.uk", "b.co.uk"),
        (
            "https://api.github.com.evil.example/mcp",
            "lookalike",
            "api.github.com.evil.example",
            "evil.example",
        ),
        ("https://github.com@evil.example/", "lookalike", "evil.example", "evil.example"),
        ("https://g\u0456thub.com/", "lookalike", "g\u0456thub.com", "g\u0456thub.com"),
        ("https://xn--gthub-zsf.com/", "lookalike", "xn--gthub-zsf.com", "xn--gthub-zsf.com"),
        ("https://1.2.3.4/mcp", "number", "1.2.3.4", ""),
        ("https://intranet/mcp", "number", "intranet", ""),
    ],
)
def test_the_host_and_who_owns_it_are_marked(url: str, kind: str, subject: str, owner: str) -> None:
    config = ServerConfig.checked(name="a", transport="http", url=url)
    assert list(dangers_of(config)) == [ImportWarning(kind, "url", subject, owner)]  # type: ignore[arg-type]
    within = ServerConfig.checked(name="a", transport="stdio", command="npx", args=("r", url))
    assert list(dangers_of(within)) == [ImportWarning(kind, "args[1]", subject, owner)]  # type: ignore[arg-type]


def test_what_is_not_encrypted_is_said_unless_it_stays_here() -> None:
    assert kinds(found(url="http://x.a.example/mcp")) == {"host", "plaintext"}
    assert found(url="https://a.example/mcp") == []  # its own owner
    for url in ("http://localhost:1/mcp", "http://127.0.0.1:1/mcp", "http://[::1]:1/mcp"):
        assert found(url=url) == []


def test_variables_of_this_machine_are_named_with_whom_they_are_for() -> None:
    program = found(command="x", args=("${A}",), env={"B": "${env:C:-d}"})
    assert program == [("gives", "args[0]", "A"), ("gives", "env.B", "C")]
    config = ServerConfig.checked(
        name="a", transport="http", url="https://h.example/${A}", headers={"X": "Bearer ${B}"}
    )
    sent = [danger for danger in dangers_of(config) if danger.kind == "sends"]
    assert [(each.place, each.subject, each.detail) for each in sent] == [
        ("url", "A", "h.example"),
        ("headers.X", "B", "h.example"),
    ]


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("npx", ("-y", "@modelcontextprotocol/server-memory")),
        ("uvx", ("mcp-server-git", "--repository", "/srv/x")),
        ("python", ("-m", "server")),
        ("node", ("server.js", "-x")),
        ("docker", ("run", "-i", "--rm", "mcp/fetch")),
        ("x", ("--shell", "bash", "--user=me")),
    ],
)
def test_ordinary_commands_are_none(command: str, args: tuple[str, ...]) -> None:
    assert found(command=command, args=args, env={"LOG_LEVEL": "debug", "API_KEY": "x"}) == []


def test_every_danger_has_words_and_is_a_warning() -> None:
    for kind in get_args(Danger):
        warning = ImportWarning(kind, "args[0]", "SUBJECT", "DETAIL")
        assert warning.is_danger
        assert warning.is_warning
        assert finding_words(warning)


def test_a_public_suffix_belongs_to_nobody() -> None:
    assert registrable_domain("github.io") == ""
    assert registrable_domain("Me.GitHub.io.") == "me.github.io"
