"""A call written for elsewhere: a terminal command, a Python program, a JSON-RPC message.

- `mcp-desktop call`: reads back as exactly the same arguments. `key=value` where the schema leaves
  no doubt, `key:=JSON` elsewhere, `--args` where a key cannot stand alone; nothing that a terminal
  would act on is written as it is.
- A program on the official SDK (`mcp` 2.3), to run and change. No secret is copied: values of a
  server's environment and headers, and what looks like a secret in its command line or address, are
  read from the environment of whoever runs the program.
- The `tools/call` message that a client sends. Source: MCP specification 2025-11-25, server/tools.

Pure text: must not run or send anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.command_line import quoted
from desktop.base.later_patterns import compile_later
from desktop.redaction.command_line import redact_words
from desktop.redaction.policy import PLACEHOLDER, redact_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.config.models import ServerConfig
    from desktop.values.tool_types import JsonObject


def plain_json(value: Any, indent: int | None = None) -> str:
    """JSON as it can be read; with escapes where a character could not be seen or pasted."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    is_plain = all(char.isprintable() or char == "\n" for char in text)
    return text if is_plain else json.dumps(value, indent=indent)


def request_text(tool: str, arguments: JsonObject) -> str:
    """The `tools/call` request; `tool` is the name at its server."""
    params = {"name": tool, "arguments": dict(arguments)}
    return plain_json({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, 2)


_MAX_LENGTH: Final = 100_000
"""Linux takes at most 128 KiB in one argument."""
_MAX_NUMBER_LENGTH: Final = 300
_PARTS: Final = 16


def terminal_command(key: str, arguments: JsonObject, schema: JsonObject) -> str:
    """The command for a shell of this system.

    Args:
        key: `server:tool`.
        arguments: what the command has to give the tool, value for value.
        schema: the tool's input schema, by which the command will read its words.

    Raises:
        ValueError: the tool's name has characters that no terminal can be given, or the
            arguments are too long for a command.
    """
    if not key.isprintable():
        raise ValueError("the tool's name has control characters")
    words = ["mcp-desktop", "call"]
    pairs = [_pair(name, value, schema) for name, value in arguments.items()]
    if None in pairs:
        words += ["--args", plain_json(dict(arguments))]
    words += ["--"] if key.startswith("-") else []
    words.append(key)
    if None not in pairs:
        words += [pair for pair in pairs if pair is not None]
    if max(map(len, words)) > _MAX_LENGTH:
        raise ValueError("the arguments are too long for a command line")
    return " ".join(map(quoted, words))


def _pair(name: str, value: Any, schema: JsonObject) -> str | None:
    """One word for one argument; None where its key would be read as something else."""
    declared = _mapping(schema.get("properties"))
    is_plain = name.isprintable() and "=" not in name and not name.endswith(":")
    if not name or name[0] in "-@" or not is_plain or ("." in name and name not in declared):
        return None
    text = _plain_text(value, _mapping(declared.get(name)))
    return f"{name}={text}" if text is not None else f"{name}:={plain_json(value)}"


def _plain_text(value: Any, spec: Mapping[str, Any]) -> str | None:
    """What stands for the value without JSON around it, None where that could be misread."""
    if isinstance(value, str):
        return value if _takes_text(spec) and value.isprintable() else None
    kind = spec.get("type")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = (
        (kind == "boolean" and isinstance(value, bool))
        or (kind == "integer" and is_number and isinstance(value, int))
        or (kind == "number" and is_number)
    )
    text = plain_json(value) if fits and not _is_mixed(spec) else ""
    return text if 0 < len(text) < _MAX_NUMBER_LENGTH else None


def _takes_text(spec: Mapping[str, Any]) -> bool:
    """Whether text is among the types that the schema itself, or one of its branches, names."""
    branches = [
        _mapping(branch)
        for key in ("allOf", "anyOf", "oneOf")
        if isinstance(spec.get(key), list)
        for branch in cast("list[Any]", spec[key])[:_PARTS]
    ]
    kinds = [part.get("type") for part in (spec, *branches)]
    return any(kind == "string" or (isinstance(kind, list) and "string" in kind) for kind in kinds)


def _is_mixed(spec: Mapping[str, Any]) -> bool:
    return any(key in spec for key in ("$ref", "allOf", "anyOf", "oneOf"))


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


_REFERENCE: Final = compile_later(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_WHOLE: Final = compile_later(r"((?:[A-Za-z]+ )?)\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
_SCRIPT: Final = """\
# Needs: pip install "mcp>=2.3"
{notes}import asyncio
{imports}
TOOL = {tool}
ARGUMENTS = {arguments}


async def main() -> None:
{body}        result = await client.call_tool(TOOL, ARGUMENTS, read_timeout_seconds={timeout:g})
    for part in result.content:
        print(part.text if part.type == "text" else part)
    if result.structured_content is not None:
        print(result.structured_content)
    if result.is_error:
        raise SystemExit(1)


asyncio.run(main())
"""


def python_script(config: ServerConfig, tool: str, arguments: JsonObject) -> str:
    """The program.

    Args:
        config: the server as the person wrote it, with its `${VAR}` not filled in.
        tool: the tool's name at that server.
        arguments: what it is called with; copied as it is.

    Raises:
        ValueError, RecursionError: the arguments cannot be written as Python.
    """
    parts = {"stdio": _stdio, "http": _http, "sse": _sse}[config.transport](config)
    imports, body = parts
    needs = sorted(set(re.findall(r'os\.environ\["(\w+)"\]', body)))
    if "os." in body:
        imports = ["import os", *imports]
    note = f"# Not copied, set these in your environment first: {', '.join(needs)}\n"
    return _SCRIPT.format(
        notes=note if needs else "",
        imports="\n".join(_spaced(imports)) + "\n",
        tool=_text(tool),
        arguments=_literal(arguments),
        timeout=config.timeout,
        body=body,
    )


def _stdio(config: ServerConfig) -> tuple[list[str], str]:
    args = "".join(f"            {each},\n" for each in _arguments(config.args))
    env = "".join(
        f"            {_text(name)}: {_secret(text, name)},\n" for name, text in config.env.items()
    )
    lines = [
        "    server = StdioServerParameters(",
        f"        command={_path(config.command)},",
        f"        args=[\n{args}        ]," if args else "        args=[],",
        f"        env={{\n            **os.environ,\n{env}        }},",
        *([f"        cwd={_path(config.cwd)},"] if config.cwd else []),
        "    )",
        "    async with Client(server) as client:\n",
    ]
    return ["from mcp import Client, StdioServerParameters"], "\n".join(lines)


def _http(config: ServerConfig) -> tuple[list[str], str]:
    if not config.headers:
        return ["from mcp import Client"], f"    async with Client({_address(config)}) as client:\n"
    lines = [
        f"    url = {_address(config)}",
        f"    headers = {_headers(config)}",
        "    timeout = httpx2.Timeout(30, read=None)",
        "    async with (",
        "        httpx2.AsyncClient(headers=headers, timeout=timeout) as http,",
        "        Client(streamable_http_client(url, http_client=http)) as client,",
        "    ):\n",
    ]
    imports = [
        "import httpx2",
        "from mcp import Client",
        "from mcp.client.streamable_http import streamable_http_client",
    ]
    return imports, "\n".join(lines)


def _sse(config: ServerConfig) -> tuple[list[str], str]:
    lines = [
        f"    headers = {_headers(config)}",
        f"    server = sse_client({_address(config)}, headers=headers)",
        "    async with Client(server) as client:\n",
    ]
    return ["from mcp import Client", "from mcp.client.sse import sse_client"], "\n".join(lines)


def _spaced(imports: list[str]) -> list[str]:
    """The standard library, a blank line, the rest."""
    own = [line for line in imports if line == "import os"]
    return [*own, "", *(line for line in imports if line != "import os")]


def _address(config: ServerConfig) -> str:
    shown = config.url if "${" in config.url else redact_text(config.url)
    return _expression(shown, "SERVER_URL_SECRET")


def _headers(config: ServerConfig) -> str:
    lines = [
        f"        {_text(name)}: {_secret(text, f'HEADER_{name}')},\n"
        for name, text in config.headers.items()
    ]
    return f"{{\n{''.join(lines)}    }}" if lines else "{}"


def _arguments(args: Iterable[str]) -> list[str]:
    written = list(args)
    shown = zip(written, redact_words(written), strict=True)
    return [
        _expression(text if "${" in text else covered, f"SERVER_ARG_{number}")
        for number, (text, covered) in enumerate(shown, 1)
    ]


def _secret(text: str, name: str) -> str:
    """A value that may be a secret: only which variable it comes from is told."""
    match = _WHOLE.fullmatch(text)
    if match is None:
        return _variable(re.sub(r"\W", "_", name.upper()) if name.startswith("HEADER_") else name)
    return (f"{_text(match[1])} + " if match[1] else "") + _variable(match[2])


def _expression(text: str, hidden: str) -> str:
    """Text with its `${VAR}`, and what was covered as `hidden`, read from the environment."""
    parts: list[str] = []
    end = 0
    for match in re.finditer(rf"{_REFERENCE.pattern}|{PLACEHOLDER}", text):
        parts.append(_text(text[end : match.start()]))
        parts.append(_variable(match[1] or hidden, match[2]))
        end = match.end()
    parts.append(_text(text[end:]))
    return " + ".join(part for part in parts if part != '""') or '""'


def _variable(name: str, default: str | None = None) -> str:
    if default is not None:
        return f"(os.environ.get({_text(name)}) or {_text(default)})"
    return f"os.environ[{_text(name)}]"


def _path(text: str) -> str:
    written = _expression(text, "SERVER_COMMAND")
    return f"os.path.expanduser({written})" if text.startswith("~") else written


def _literal(value: Any, indent: str = "") -> str:
    """A JSON value as Python writes it, an entry a line."""
    inner = f"{indent}    "
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value).items()
        lines = [f"{_text(name)}: {_literal(each, inner)}" for name, each in members]
    elif isinstance(value, list):
        lines = [_literal(each, inner) for each in cast("list[Any]", value)]
    else:
        return _text(value) if isinstance(value, str) else repr(value)
    start, end = "{}" if isinstance(value, Mapping) else "[]"
    body = "".join(f"{inner}{line},\n" for line in lines)
    return f"{start}\n{body}{indent}{end}" if lines else start + end


def _text(text: str) -> str:
    """A Python literal in double quotes; `repr` escapes whatever cannot be seen."""
    # The double quote in front makes `repr` choose single ones, so that it leaves ours to us.
    return '"' + repr('"' + text)[2:-1].replace("\\'", "'").replace('"', '\\"') + '"'
