from __future__ import annotations

import json

import pytest

from desktop.config.export import export_servers
from desktop.config.models import ServerConfig

LOCAL = ServerConfig(
    name="git-hub",
    transport="stdio",
    command="npx",
    args=("-y", "pkg", "--token", "tok-1111", "--api-key=tok-2222", "${SET}"),
    env={"GITHUB_TOKEN": "ghp_333333333333", "LEVEL": "2", "OWN": "${OWN}"},
    cwd="/w",
    enabled=False,
)
REMOTE = ServerConfig(
    name="remote",
    transport="http",
    url="https://me:pw4444@x.example/mcp?api_key=tok-5555&page=1",
    headers={"Authorization": "Bearer tok-6666", "X-Team": "7"},
)
SECRETS = ("tok-1111", "tok-2222", "333333", "pw4444", "tok-5555", "tok-6666")


@pytest.mark.parametrize("form", ["mcpServers", "vscode", "windsurf", "gemini"])
def test_no_secret_is_in_what_is_given_away(form: str) -> None:
    export = export_servers([LOCAL, REMOTE], form)  # type: ignore[arg-type]
    text = json.dumps(export.data)
    assert not [secret for secret in SECRETS if secret in text]
    assert len(export.replaced) == 5


def test_a_variable_stands_in_the_place_of_each_secret() -> None:
    export = export_servers([LOCAL, REMOTE])
    assert export.data == {
        "mcpServers": {
            "git-hub": {
                "command": "npx",
                "args": [
                    *("-y", "pkg", "--token", "${GIT_HUB_TOKEN}"),
                    *("--api-key=${GIT_HUB_API_KEY}", "${SET}"),
                ],
                "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN}", "LEVEL": "2", "OWN": "${OWN}"},
                "cwd": "/w",
                "disabled": True,
            },
            "remote": {
                "type": "http",
                "url": "https://${REMOTE_SECRET}@x.example/mcp?api_key=${REMOTE_SECRET}&page=1",
                "headers": {"Authorization": "Bearer ${REMOTE_AUTHORIZATION}", "X-Team": "7"},
            },
        }
    }
    assert [(one.server, one.place, one.variable) for one in export.replaced][:2] == [
        ("git-hub", "args[3]", "GIT_HUB_TOKEN"),
        ("git-hub", "args[4]", "GIT_HUB_API_KEY"),
    ]


def test_a_password_in_the_url_of_a_variable_is_a_secret_too() -> None:
    env = {"DATABASE_URL": "postgres://me:pa55word@host/db", "PAGE": "https://host/?page=2"}
    server = ServerConfig.checked(name="a", transport="stdio", command="x", env=env)
    export = export_servers([server])
    assert export.data["mcpServers"]["a"]["env"] == {**env, "DATABASE_URL": "${DATABASE_URL}"}
    assert [masked.place for masked in export.replaced] == ["env.DATABASE_URL"]


def test_secrets_are_written_when_they_are_asked_for() -> None:
    export = export_servers([LOCAL, REMOTE], with_secrets=True)
    text = json.dumps(export.data)
    assert all(secret in text for secret in SECRETS)
    assert export.replaced == []


def test_vs_code_asks_for_what_is_left_out() -> None:
    data = export_servers([LOCAL], "vscode").data
    assert [one["id"] for one in data["inputs"]] == [
        *("GIT_HUB_TOKEN", "GIT_HUB_API_KEY", "GITHUB_TOKEN")
    ]
    server = data["servers"]["git-hub"]
    assert server["type"] == "stdio"
    assert server["env"] == {
        "GITHUB_TOKEN": "${input:GITHUB_TOKEN}",
        "LEVEL": "2",
        "OWN": "${env:OWN}",
    }
    assert "inputs" not in export_servers([LOCAL], "vscode", with_secrets=True).data


def test_a_built_in_server_is_started_by_our_own_command_elsewhere() -> None:
    ours = ServerConfig(name="sums", transport="stdio", builtin="calculator", args=("--x",))
    entry = export_servers([ours]).data["mcpServers"]["sums"]
    assert entry == {"command": "mcp-desktop", "args": ["builtin", "calculator", "--x"]}


def test_each_client_gets_the_address_under_its_own_key() -> None:
    def keys(form: str) -> set[str]:
        export = export_servers([REMOTE], form)  # type: ignore[arg-type]
        return set(export.data["mcpServers"]["remote"])

    assert keys("windsurf") == {"serverUrl", "headers"}
    assert keys("gemini") == {"httpUrl", "headers"}
    sse = REMOTE.changed(transport="sse")
    assert "url" in export_servers([sse], "gemini").data["mcpServers"]["remote"]
