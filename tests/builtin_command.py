"""The command that serves a built-in server without the app: as bare as the app starts it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builtin_servers.framework.schema import find_problems
from builtin_servers.framework.tool import CallContext
from builtin_servers.launch import make_server

if TYPE_CHECKING:
    from builtin_servers.framework.tool import ToolReply

ROOT = str(Path(__file__).parent.parent)


def builtin(name: str, *arguments: object) -> tuple[str, list[str]]:
    given = [str(argument) for argument in arguments]
    return run_code(f"from builtin_servers.launch import run; sys.exit(run({name!r}, {given!r}))")


class InProcess:
    """A built-in server's tools without its process: what a handler answers or raises."""

    def __init__(self, name: str, *arguments: object) -> None:
        self.server = make_server(name, [str(argument) for argument in arguments])

    def __call__(self, tool: str, **arguments: Any) -> ToolReply:
        declared = self.server.tools[tool]
        assert find_problems(declared.input_schema, arguments) == []
        return declared.handler(CallContext(arguments, ignore))

    def structured(self, tool: str, **arguments: Any) -> Any:
        return self(tool, **arguments).structured


def ignore(progress: float, total: float | None, message: str) -> None:
    """Takes a call's progress where a test has no use for it."""


def run_code(code: str) -> tuple[str, list[str]]:
    """A Python process that finds the project and, of all else, the standard library only."""
    path = f"import sys; sys.path.insert(0, {ROOT!r}); "
    return sys.executable, ["-I", "-S", "-c", path + code]
