"""The app as a client of the official suite: `python -m tests.conformance.client URL`.

Built of the app's own core: connects, makes the calls that the scenario wants, and agrees to every
form with the defaults that it has. The suite names the scenario in the environment and judges the
traffic. Must not do what the app would not do by itself, nor know what is being judged.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import httpx2

from desktop.base.paths import find_paths
from desktop.config.models import ServerConfig
from desktop.core import build_core
from desktop.servers.elicited_form import default_content
from desktop.servers.oauth.errors import SignInError
from desktop.servers.requests import Accepted, Declined, ElicitationRequest
from desktop.values.json_schema import list_of, object_of
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection
    from desktop.servers.requests import Answer, PendingRequest
    from desktop.values.tool_types import JsonObject, ToolDefinition

LIMIT = 20.0
MAX_SIGN_INS = 3
METADATA_URL = "https://conformance-test.local/client-metadata.json"
NAME = "suite"
WANTED = "toolCalls"
ECHO = "json_schema_echo"
"""A tool that wants back what the client made of another tool's schema."""
SAMPLES: dict[str, Any] = {"string": "text", "integer": 1, "number": 1, "boolean": True}


def agree(pending: PendingRequest) -> Answer:
    """Accept a form with its defaults, or with a yes; decline all else."""
    request = pending.request
    if not isinstance(request, ElicitationRequest):
        return Declined()
    fields = object_of(request.schema.get("properties"))
    content = default_content(request.schema)
    required = list_of(request.schema.get("required"))
    return Accepted({name: _sample(fields.get(name)) for name in required} | content)


def sample_arguments(tool: ToolDefinition) -> dict[str, Any]:
    """What the tool's schema requires, by its types."""
    fields = object_of(tool.input_schema.get("properties"))
    required = list_of(tool.input_schema.get("required"))
    return {name: _sample(fields.get(name)) for name in required}


def _sample(schema: object) -> Any:
    return SAMPLES.get(str(object_of(schema).get("type")))


def calls_of(tools: tuple[ToolDefinition, ...], context: JsonObject) -> list[ToolCall]:
    """The calls that the suite names, as they are; else each tool once."""
    if wanted := list_of(context.get(WANTED)):
        return [
            ToolCall(f"{NAME}:{call['name']}", call["arguments"], validate=False) for call in wanted
        ]
    calls = [ToolCall(tool.key, sample_arguments(tool)) for tool in tools if tool.name != ECHO]
    if len(calls) < len(tools):
        calls += [
            ToolCall(f"{NAME}:{ECHO}", {"schema": tool.input_schema})
            for tool in tools
            if tool.name != ECHO
        ]
    return calls


async def run(core: Core, url: str, context: JsonObject) -> bool:
    """Whether the server could be connected."""
    core.requests.answerer = agree
    config = ServerConfig.checked(
        name=NAME, transport="http", url=url, timeout=LIMIT, oauth=oauth_of(context)
    )
    connection = core.service.add_server(config)
    await connection.connect()
    for _ in range(MAX_SIGN_INS):
        if connection.is_connected or not await sign_in(core, connection):
            break
        await connection.connect()
    if not connection.is_connected:
        print(connection.state.words, file=sys.stderr)
        return False
    for call in calls_of(connection.tools, context):
        result = await core.executor.run(call)
        for _ in range(MAX_SIGN_INS):
            if result.success or not await sign_in(core, connection):
                break
            await core.service.connection(NAME).connect()
            result = await core.executor.run(call)
        print(call.key, json.dumps(result.to_json()), file=sys.stderr)
    await read(connection)
    return True


def oauth_of(context: JsonObject) -> dict[str, str]:
    """What the suite tells of the client, as a person writes it into the config."""
    names = {
        "client_id": "clientId",
        "client_secret": "clientSecret",
        "private_key_pem": "privateKey",
        "signing_algorithm": "algorithm",
        "issuer": "issuer",
        "valid_jwt": "assertion",
        "idp_id_token": "assertion",
        "idp_token_endpoint": "idpTokenEndpoint",
        "idp_client_id": "idpClientId",
    }
    found = {ours: str(context[theirs]) for theirs, ours in names.items() if context.get(theirs)}
    if "client-credentials" in os.environ.get("MCP_CONFORMANCE_SCENARIO", ""):
        found["grantType"] = "client_credentials"
    if "assertion" in found:
        found["grantType"] = "jwt_bearer"
    return {"clientMetadataUrl": METADATA_URL} | found


async def sign_in(core: Core, connection: ServerConnection) -> bool:
    """Sign in where the server asks for it; whether that brought something new."""
    challenge = connection.state.challenge
    if challenge is None:
        return False
    try:
        await core.surroundings.sign_ins().sign_in(connection.config, challenge, Redirects())
    except SignInError as error:
        print(error, file=sys.stderr)
        return False
    await connection.disconnect()
    return True


class Redirects:
    """A browser without a person: its pages answer with the way back at once."""

    redirect_uri = "http://localhost:3000/callback"

    async def visit(self, url: str) -> dict[str, str]:
        async with httpx2.AsyncClient(follow_redirects=False) as client:
            answer = await client.get(url)
        back = urlsplit(answer.headers["location"])
        return dict(parse_qsl(back.query))


async def read(connection: ServerConnection) -> None:
    """Read each resource and prompt that the server has."""
    if connection.capabilities.resources:
        for resource in await connection.resources.list():
            await connection.resources.read(resource.uri)
    if connection.capabilities.prompts:
        for prompt in await connection.prompts.list():
            await connection.prompts.get(
                prompt.name, {each.name: "text" for each in prompt.arguments if each.required}
            )


async def main(url: str) -> int:
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    with tempfile.TemporaryDirectory() as folder:
        core = build_core(find_paths(str(Path(folder, "mcp.json")), folder))
        try:
            return 0 if await run(core, url, context) else 1
        finally:
            await core.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
