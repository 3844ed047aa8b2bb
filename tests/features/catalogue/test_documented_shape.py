"""The documented answers are read field by field, and a status is shown as it is documented.

The shapes and most values are those of the registry's own docs: `ServerResponse`, `Package` and
`Input` of docs/reference/api/openapi.yaml (2025-12-01), and the examples for server.json.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ConfigError
from desktop.features.catalogue.entry import OFFICIAL, read_page, read_server

if TYPE_CHECKING:
    from desktop.features.catalogue.catalogue import Catalogue
    from tests.features.catalogue.registry_stub import RegistryStub

WEATHER = "com.example.weather/mcp"
HASH = "fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce"
SERVER: dict[str, Any] = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.modelcontextprotocol/text-editor",
    "title": "Text editor",
    "description": "MCP Bundle server for advanced text editing capabilities",
    "version": "1.0.2",
    "repository": {
        "url": "https://github.com/modelcontextprotocol/text-editor-mcpb",
        "source": "github",
        "id": "b94b5f7e-c7c6-d760-2c78-a5e9b8a5b8c9",
        "subfolder": "src/everything",
    },
    "websiteUrl": "https://modelcontextprotocol.io/examples",
    "icons": [
        {
            "src": "https://example.com/icon.png",
            "mimeType": "image/png",
            "sizes": ["48x48"],
            "theme": "dark",
        }
    ],
    "packages": [
        {
            "registryType": "mcpb",
            "identifier": "https://github.com/modelcontextprotocol/text-editor-mcpb/releases/"
            "download/v1.0.2/text-editor.mcpb",
            "fileSha256": HASH,
            "transport": {"type": "stdio"},
        },
        {
            "registryType": "oci",
            "registryBaseUrl": "https://docker.io",
            "identifier": "example/database-manager-mcp",
            "version": "3.1.0",
            "runtimeHint": "docker",
            "transport": {"type": "stdio"},
            "runtimeArguments": [
                {"type": "named", "name": "--network", "value": "host"},
                {
                    "type": "named",
                    "name": "-e",
                    "value": "DB_TYPE={db_type}",
                    "isRepeated": True,
                    "variables": {
                        "db_type": {
                            "description": "Type of database",
                            "choices": ["postgres", "mysql"],
                            "isRequired": True,
                        }
                    },
                },
            ],
            "packageArguments": [
                {
                    "type": "positional",
                    "valueHint": "file_path",
                    "format": "filepath",
                    "isRequired": True,
                    "isRepeated": True,
                }
            ],
            "environmentVariables": [
                {
                    "name": "DB_PASSWORD",
                    "description": "Database password",
                    "isRequired": True,
                    "isSecret": True,
                    "placeholder": "secret",
                },
                {"name": "SSL_MODE", "default": "prefer", "choices": ["disable", "prefer"]},
            ],
        },
    ],
    "remotes": [
        {
            "type": "streamable-http",
            "url": "https://{tenant}.example.com/mcp",
            "variables": {"tenant": {"description": "Yours", "isRequired": True}},
            "headers": [{"name": "X-API-Key", "isRequired": True, "isSecret": True}],
        },
        {"type": "sse", "url": "https://mcp-fs.example.com/sse"},
    ],
    "_meta": {
        "io.modelcontextprotocol.registry/publisher-provided": {
            "tool": "publisher-cli",
            "status": "deleted",
        }
    },
}
META: dict[str, Any] = {
    "status": "deprecated",
    "statusMessage": "Please upgrade to version 2.0.0",
    "statusChangedAt": "2023-12-03T10:30:00Z",
    "publishedAt": "2023-12-01T10:30:00Z",
    "updatedAt": "2023-12-01T11:00:00Z",
    "isLatest": True,
}


def response(server: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
    return {"server": {**SERVER, **(server or {})}, "_meta": {OFFICIAL: {**META, **meta}}}


def test_each_field_of_a_server_is_read() -> None:
    entry = read_server(json.dumps(response()).encode())
    assert (entry.name, entry.title, entry.version) == (
        "io.modelcontextprotocol/text-editor",
        "Text editor",
        "1.0.2",
    )
    assert entry.description == SERVER["description"]
    assert (entry.repository, entry.website) == (SERVER["repository"]["url"], SERVER["websiteUrl"])
    assert entry.icons == tuple(SERVER["icons"])
    assert (entry.status, entry.status_message) == ("deprecated", META["statusMessage"])
    assert (entry.status_changed, entry.published, entry.is_latest) == (
        *("2023-12-03", "2023-12-01"),
        True,
    )


def test_each_field_of_packages_and_remotes_is_read() -> None:
    bundle, container, remote, sse = read_server(json.dumps(response()).encode()).ways
    assert (bundle.kind, bundle.sha256, bundle.version) == ("mcpb", HASH, "")
    assert bundle.identifier == SERVER["packages"][0]["identifier"]
    assert (container.hint, container.version, container.source, container.transport) == (
        *("docker", "3.1.0", "https://docker.io"),
        "stdio",
    )
    asked = {each.key: each for each in container.inputs}
    assert list(asked) == ["DB_PASSWORD", "SSL_MODE", "db_type", "file_path"]
    assert (asked["DB_PASSWORD"].is_secret, asked["DB_PASSWORD"].placeholder) == (True, "secret")
    assert (asked["SSL_MODE"].default, asked["SSL_MODE"].choices) == (
        "prefer",
        ("disable", "prefer"),
    )
    assert (asked["db_type"].is_required, asked["db_type"].choices) == (True, ("postgres", "mysql"))
    assert (asked["file_path"].format, asked["file_path"].is_repeated) == ("filepath", True)
    assert [each.key for each in remote.inputs] == ["tenant", "X-API-Key"]
    assert (remote.kind, sse.kind, sse.is_remote) == ("streamable-http", "sse", True)


def test_a_status_counts_only_where_the_registry_says_it() -> None:
    entry = read_server(json.dumps({"server": SERVER}).encode())
    assert (entry.status, entry.is_latest) == ("active", True)
    assert read_server(json.dumps(response(status="frozen")).encode()).status == "active"


def test_a_version_may_be_as_long_as_it_is_documented() -> None:
    page = {"servers": [response({"version": "1" * length}) for length in (255, 256)]}
    read = read_page(json.dumps(page).encode())
    assert [len(entry.version) for entry in read.entries] == [255]
    assert read.skipped == 1


@pytest.mark.parametrize("cursor", [None, ""])
def test_a_page_without_another_one_is_the_last(cursor: str | None) -> None:
    page = {"servers": [response()], "metadata": {"nextCursor": cursor, "count": 1}}
    assert read_page(json.dumps(page).encode()).cursor == ""


async def test_a_search_leaves_out_what_was_deleted_and_older_versions(
    catalogue: Catalogue, registry: RegistryStub
) -> None:
    registry.servers = [
        response({"name": "com.example/old"}, isLatest=False),
        response({"name": "com.example/new"}, status="active"),
        response({"name": "com.example/gone"}, status="deleted"),
    ]
    assert [entry.name for entry in (await catalogue.search("example")).entries] == [
        "com.example/new"
    ]


async def test_one_that_was_deleted_can_be_looked_at_and_not_be_added(
    catalogue: Catalogue, registry: RegistryStub
) -> None:
    registry.set_status(WEATHER, "deleted", statusMessage="It read your mail")
    entry = await catalogue.show(WEATHER)
    assert (entry.status, entry.status_message) == ("deleted", "It read your mail")
    with pytest.raises(ConfigError, match="has removed this server"):
        catalogue.plan(entry, entry.ways[0], {"WEATHER_API_KEY": "k"})


async def test_a_server_that_is_here_is_told_of_its_status_and_of_newer_versions(
    catalogue: Catalogue, registry: RegistryStub
) -> None:
    entry = await catalogue.show(WEATHER)
    await catalogue.add(catalogue.plan(entry, entry.ways[0], {"WEATHER_API_KEY": "k"}))
    assert await catalogue.updates() == []
    registry.set_status(WEATHER, "deprecated", statusMessage="Please upgrade to version 2.0.0")
    (told,) = await catalogue.updates()
    assert not told.is_offered
    assert "no longer maintains" in told.problem
    package = entry_package(registry)
    registry.publish(WEATHER, "2.0.0", packages=[{**package, "version": "2.0.0"}])
    (offered,) = await catalogue.updates()
    assert (offered.is_offered, offered.version) == (True, "2.0.0")
    assert offered.entry is not None
    assert offered.entry.status_message == "Please upgrade to version 2.0.0"
    registry.set_status(WEATHER, "deleted")
    (gone,) = await catalogue.updates()
    assert not gone.is_offered
    assert "has removed this server" in gone.problem


def entry_package(registry: RegistryStub) -> dict[str, Any]:
    (found,) = [each for each in registry.servers if each["server"]["name"] == WEATHER]
    return found["server"]["packages"][0]
