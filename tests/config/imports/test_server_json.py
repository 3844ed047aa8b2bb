from __future__ import annotations

from typing import Any

from desktop.config.imports import server_json

BRAVE = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.example/brave-search",
    "description": "Search",
    "version": "1.0.2",
    "packages": [
        {
            "registryType": "npm",
            "identifier": "@example/brave-search",
            "version": "1.0.2",
            "transport": {"type": "stdio"},
            "runtimeArguments": [{"type": "named", "name": "--quiet"}],
            "packageArguments": [
                {"type": "positional", "valueHint": "mode", "default": "web"},
                {"type": "named", "name": "--region", "valueHint": "region", "isRequired": True},
                {
                    "type": "named",
                    "name": "--log",
                    "value": "{level}",
                    "variables": {"level": {"default": "info"}},
                },
                {"type": "positional", "valueHint": "optional"},
            ],
            "environmentVariables": [
                {"name": "BRAVE_API_KEY", "isRequired": True, "isSecret": True},
                {"name": "BRAVE_SAFE", "default": "strict"},
                {"name": "BRAVE_OTHER"},
            ],
        }
    ],
}


def test_an_npm_package_is_run_by_npx_with_its_arguments() -> None:
    ((name, entry),) = server_json.entries(BRAVE)
    assert name == "brave-search"
    assert entry["command"] == "npx"
    assert entry["args"] == [
        *("--quiet", "-y", "@example/brave-search@1.0.2", "web"),
        *("--region", "${REGION}", "--log", "info"),
    ]
    assert entry["env"] == {"BRAVE_API_KEY": "${BRAVE_API_KEY}", "BRAVE_SAFE": "strict"}


def test_several_ways_are_told_apart_by_their_names() -> None:
    data: dict[str, Any] = {
        "name": "io.example/x",
        "packages": [
            {"registryType": "pypi", "identifier": "x-mcp"},
            {
                "registryType": "oci",
                "identifier": "docker.io/x/mcp",
                "version": "2",
                "environmentVariables": [{"name": "TOKEN", "isRequired": True}],
            },
        ],
        "remotes": [
            {
                "type": "streamable-http",
                "url": "https://{tenant}.example/mcp",
                "variables": {"tenant": {"isRequired": True}},
                "headers": [{"name": "X-Key", "value": "Bearer {key}", "variables": {"key": {}}}],
            }
        ],
    }
    found = dict(server_json.entries(data))
    assert found["x-pypi"] == {"command": "uvx", "args": ["x-mcp"], "env": {}}
    assert found["x-oci"]["args"] == ["run", "-i", "--rm", "-e", "TOKEN", "docker.io/x/mcp:2"]
    remote = found["x-streamable-http"]
    assert remote["url"] == "https://${TENANT}.example/mcp"
    assert remote["headers"] == {"X-Key": "Bearer ${KEY}"}


def test_the_older_snake_case_is_read_too() -> None:
    data = {
        "name": "x",
        "packages": [
            {
                "registry_type": "nuget",
                "identifier": "X.Mcp",
                "runtime_hint": "dnx",
                "environment_variables": [{"name": "K", "is_required": True}],
            }
        ],
    }
    assert dict(server_json.entries(data)) == {
        "x": {"command": "dnx", "args": ["X.Mcp"], "env": {"K": "${K}"}}
    }


def test_wrong_shapes_inside_are_left_out() -> None:
    assert not server_json.is_server_json({"packages": [], "name": 3})
    data = {"name": "x", "packages": [7, {"registryType": "npm", "packageArguments": {"a": 1}}]}
    assert [name for name, _ in server_json.entries(data)] == ["x"]


def test_the_options_of_a_container_stand_behind_run_and_before_the_image() -> None:
    mount = {"type": "named", "name": "--mount", "value": "type=bind,src=/a,dst=/b"}
    package: dict[str, Any] = {
        "registryType": "oci",
        "identifier": "docker.io/x/fs:1",
        "runtimeArguments": [mount],
        "packageArguments": [{"type": "positional", "value": "/b"}],
        "environmentVariables": [{"name": "KEY", "isRequired": True}],
    }
    ((_, made),) = server_json.entries({"name": "io.x/fs", "packages": [package]})
    words = "docker run -i --rm --mount type=bind,src=/a,dst=/b -e KEY docker.io/x/fs:1 /b"
    assert [made["command"], *made["args"]] == words.split()
    package["runtimeArguments"] = [{"type": "positional", "value": "run"}, mount]
    ((_, made),) = server_json.entries({"name": "io.x/fs", "packages": [package]})
    assert made["args"][:2] == ["run", "--mount"]
