"""What strangers' bytes go through: one function for each way in, from bytes to nothing.

Each must return, or raise only what its callers are told of. What else it raises, a second of
processor time and a gigabyte of memory are the findings of `python -m tests.fuzz`.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from mcp_types import JSONRPCNotification, JSONRPCResponse, methods
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError

from desktop.base.errors import ConfigError
from desktop.config.document import as_object, parse
from desktop.config.imports.bundles import find_bundle, read_manifest, unpack
from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.file_formats import read_document
from desktop.config.imports.reader import Source, read_address, read_source
from desktop.config.models import AppSettings
from desktop.config.parser import read_servers
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.gui.form.model.form_model import FormModel
from desktop.redaction.policy import redact_text
from desktop.servers.message_log import MessageLog, json_lines
from desktop.servers.repair.answer_repair import repairing_notifications, repairing_results
from desktop.servers.transport.message_stream import MessageReader
from desktop.tools.validation import validate
from desktop.tools.validation.patterns import UncheckedPatternError, matches
from desktop.values.tool_types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SETTINGS = AppSettings()
_METHODS = (
    "initialize",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
)


def messages(data: bytes) -> None:
    """Lines of a server's stdout: read, noted, its results and notifications repaired."""
    _loop().run_until_complete(_read_messages(data))


async def _read_messages(data: bytes) -> None:
    log = MessageLog()
    reader = MessageReader(lambda _: None, lambda _: None, log.tap("fuzz"))
    for line in data.split(b"\n"):
        reader.feed(line)
    reader.end()
    with suppress(anyio.EndOfStream):
        while True:
            found = await reader.receive()
            if not isinstance(found, Exception):
                _use(found.message)
    for message in log.after(0):
        json_lines([message])


def _use(message: object) -> None:
    if isinstance(message, JSONRPCResponse):
        for method in _METHODS:
            with suppress(ValidationError, KeyError):
                check = repairing_results(methods.validate_server_result)
                check(method, LATEST_HANDSHAKE_VERSION, dict(message.result))
    elif isinstance(message, JSONRPCNotification):
        parse_one = repairing_notifications(methods.parse_server_notification)
        with suppress(KeyError, ValidationError):
            parse_one(message.method, LATEST_HANDSHAKE_VERSION, message.params)


def schemas(data: bytes) -> None:
    """`{"schema": ..., "value": ...}`: the form, the check, and what each provider is sent."""
    try:
        given: Any = json.loads(data)
        schema, value = given["schema"], given.get("value")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return
    if as_object(schema) is not None:
        form = FormModel(schema)
        if as_object(value) is not None:
            form.set_value(value)
        form.value()
        form.issues()
        validate(schema, value)
    tool = ToolDefinition("fuzz", "tool", input_schema=schema)
    for api_format in ApiFormat:
        make_wire_tools([tool], api_format)


def patterns(data: bytes) -> None:
    """A pattern and a text, a line each."""
    pattern, _, text = data.decode("utf-8", "replace").partition("\n")
    with suppress(UncheckedPatternError):
        matches(pattern, text * 100)


def texts(data: bytes) -> None:
    """Anything that is redacted before it is kept."""
    redact_text(data.decode("utf-8", "replace"))


def configs(data: bytes) -> None:
    """Our own file."""
    with suppress(ConfigError):
        read_servers(parse(data, "mcp.json"), SETTINGS)


def links(data: bytes) -> None:
    """An install link."""
    with suppress(ConfigError):
        read_address(data.decode("utf-8", "replace"), _places(), SETTINGS)


def yaml(data: bytes) -> None:
    """A file of goose or LibreChat."""
    _import(data, "config.yaml")


def toml(data: bytes) -> None:
    """A file of Codex."""
    _import(data, "config.toml")


def imports(data: bytes) -> None:
    """A JSON file of any other client."""
    _import(data, "mcp.json")


def bundles(data: bytes) -> None:
    """An MCP bundle: its manifest, and all that is in it."""
    file = _import(data, "server.mcpb")
    with tempfile.TemporaryDirectory(dir=file.parent) as folder, suppress(ConfigError):
        read_manifest(file)
        unpack(find_bundle(file, Path(folder), "server"))


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        *(messages, schemas, patterns, texts, configs),
        *(links, yaml, toml, imports, bundles),
    )
}


def _import(data: bytes, name: str) -> Path:
    file = _folder() / name
    file.write_bytes(data)
    with suppress(ConfigError):
        read_document(file)
        read_source(Source(file), _places(), SETTINGS)
    return file


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@cache
def _folder() -> Path:
    """In memory where there is such a place: a file is written for each of a million inputs."""
    base = "/dev/shm" if os.path.isdir("/dev/shm") else None
    return Path(tempfile.mkdtemp(prefix="mcp-desktop-fuzz-", dir=base))


@cache
def _places() -> ClientLocations:
    return ClientLocations(_folder(), {}, "linux", bundles=_folder() / "bundles")
