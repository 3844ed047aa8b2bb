"""A call as a Python program on the official SDK (`mcp` 2.3), to run, change and keep.

No secret is copied: values of a server's environment and headers, and what looks like a secret in
its command line or address, are read from the environment of whoever runs the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.redaction.detect import HIDDEN, covered_arguments, covered_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.config.models import ServerConfig
    from desktop.tool_types import JsonObject

_REFERENCE: Final = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_WHOLE: Final = re.compile(r"((?:[A-Za-z]+ )?)\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
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
    shown = config.url if "${" in config.url else covered_text(config.url)
    return _expression(shown, "SERVER_URL_SECRET")


def _headers(config: ServerConfig) -> str:
    lines = [
        f"        {_text(name)}: {_secret(text, f'HEADER_{name}')},\n"
        for name, text in config.headers.items()
    ]
    return f"{{\n{''.join(lines)}    }}" if lines else "{}"


def _arguments(args: Iterable[str]) -> list[str]:
    written = list(args)
    shown = zip(written, covered_arguments(written), strict=True)
    return [
        _expression(text if "${" in text else covered, f"SERVER_ARG_{number}")
        for number, (text, covered) in enumerate(shown, 1)
    ]


def _secret(text: str, name: str) -> str:
    """A value that may be a secret: only which variable it comes from is told."""
    found = _WHOLE.fullmatch(text)
    if found is None:
        return _variable(re.sub(r"\W", "_", name.upper()) if name.startswith("HEADER_") else name)
    return (f"{_text(found[1])} + " if found[1] else "") + _variable(found[2])


def _expression(text: str, hidden: str) -> str:
    """Text with its `${VAR}`, and what was covered as `hidden`, read from the environment."""
    parts: list[str] = []
    end = 0
    for found in re.finditer(rf"{_REFERENCE.pattern}|{HIDDEN}", text):
        parts.append(_text(text[end : found.start()]))
        parts.append(_variable(found[1] or hidden, found[2]))
        end = found.end()
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
