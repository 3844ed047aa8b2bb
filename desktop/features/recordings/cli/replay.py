"""`replay`: serves a recording over stdio, in place of the servers that were recorded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import plain

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.servers.recording import RecordedServer, Recording

_NOTES = """\
Make a recording with --record FILE of serve, call or test. Configure the replay in a client as you
would configure the server:
  {"command": "mcp-desktop", "args": ["replay", "session.jsonl"]}

A request is answered as the same request was then, by its arguments; where it came more than once,
in that order, and from then on with the last answer. Anything else is an error that says so.
Secrets were taken out of the recording: any text fits in their place. With several servers in it,
tools are named mcp__SERVER__TOOL, as by serve.

exit codes:
  0 the client left   2 wrong usage, or the file cannot be used   130 interrupted

examples:
  mcp-desktop serve --record session.jsonl
  mcp-desktop replay session.jsonl
  mcp-desktop replay session.jsonl --server files --delays"""


class ReplayOptions(Options):
    """What `replay` is told."""

    file: Path = Path()
    server: str | None = None
    delays: bool = False


def run(args: list[str], console: Console) -> int:
    parser = make_parser("replay", COMMANDS["replay"], _NOTES)
    parser.add_argument("file", metavar="FILE", type=Path, help="a recording")
    parser.add_argument("--server", metavar="NAME", help="this server alone, by its own names")
    parser.add_argument("--delays", action="store_true", help="answer as late as it was then")
    options = parser.parse(args, ReplayOptions())
    from desktop.servers.recording import read_recording

    recording = read_recording(options.file)
    for note in recording.notes:
        console.note(plain(note))
    asyncio.run(_serve(_chosen(recording, options.server), delays=options.delays))
    return Exit.DONE


def _chosen(recording: Recording, name: str | None) -> list[RecordedServer]:
    servers = list(recording.servers.values())
    if name is not None:
        servers = [server for server in servers if server.name == name]
    if not servers:
        known = ", ".join(recording.servers) or "none"
        raise UsageError(
            f"{recording.path} has no server{'' if name is None else f' {name!r}'}.",
            remedy=f"Recorded: {known}.",
        )
    return servers


async def _serve(servers: list[RecordedServer], *, delays: bool) -> None:
    from desktop.features.gateway.client_tools import ClientTools
    from desktop.features.gateway.server.stdio import serve_stdio
    from desktop.features.recordings.replay import ReplayServer

    await serve_stdio(ReplayServer(servers, ClientTools.name_all, delays=delays))
