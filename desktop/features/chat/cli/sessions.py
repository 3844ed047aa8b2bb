"""`sessions`: lists, shows, exports, renames and deletes the stored conversations.

`ask --session ID` continues one. Must not start a server or ask a model.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import layout, plain

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.features.chat.agent.session_store import SessionStore, SessionSummary

_NOTES = """\
Without an ID, lists all conversations, or those that --search finds, the most recent first; with an
ID, prints the conversation as Markdown (--json: the stored messages as JSON). Secret arguments were
never stored. One that cannot be opened is listed with the reason, and can be deleted.

examples:
  mcp-desktop sessions
  mcp-desktop sessions --search invoice
  mcp-desktop sessions 20261120-143000-1a2b3c --output talk.md
  mcp-desktop sessions 20261120-143000-1a2b3c --rename "Release notes"
  mcp-desktop sessions 20261120-143000-1a2b3c --delete"""

_NONE = "No saved conversations yet. Start one: mcp-desktop ask PROMPT"
_NOT_FOUND = "No conversation has this in its title, questions, answers or results."


class SessionsOptions(Options):
    """What `sessions` is told."""

    session: str | None = None
    search: str | None = None
    output: Path | None = None
    rename: str | None = None
    delete: bool = False


def run(args: list[str], console: Console) -> int:
    options = _read(args)
    from desktop.features.chat.agent.session_store import open_session_store

    return asyncio.run(_run(options, open_session_store(options.paths), console))


def _read(args: list[str]) -> SessionsOptions:
    parser = make_parser("sessions", COMMANDS["sessions"], _NOTES)
    parser.add_argument("session", metavar="ID", nargs="?", help="one conversation")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--search",
        metavar="TEXT",
        help="list those with this in title, questions, answers, results",
    )
    what.add_argument("--output", metavar="FILE", type=Path, help="write it to this file")
    what.add_argument("--rename", metavar="TITLE", help="rename it")
    what.add_argument("--delete", action="store_true", help="delete it permanently")
    options = parser.parse(args, SessionsOptions())
    changes = options.output or options.rename is not None or options.delete
    if options.session is None and changes:
        raise UsageError("Which conversation?", remedy="Give its ID; without one all are listed.")
    if options.session is not None and options.search is not None:
        raise UsageError("--search looks through all conversations.", remedy="Leave out the ID.")
    return options


async def _run(options: SessionsOptions, library: SessionStore, console: Console) -> int:
    session = options.session
    if session is None:
        stored = await library.list()
        if options.search is not None:
            stored = await _found(options.search, stored, library, console)
        if stored or console.as_json:
            _list(stored, library, console)
        else:
            console.note(_NONE if options.search is None else _NOT_FOUND)
    elif options.delete:
        if not await asyncio.to_thread(os.path.lexists, library.file(session)):
            raise UsageError(f"There is no session {session}.", remedy="Look at the list.")
        await library.delete(session)
        _done(console, session, "deleted")
    elif options.rename is not None:
        await library.rename(session, options.rename)
        _done(console, session, "renamed")
    else:
        await _show(options, session, library, console)
    return Exit.DONE


async def _show(
    options: SessionsOptions, session: str, library: SessionStore, console: Console
) -> None:
    from desktop.features.chat.agent.session_store import to_json, to_markdown

    opened = await library.read(session)
    if opened.words:
        console.note(opened.words)
    if options.output is not None:
        text = (
            json.dumps(to_json(opened), indent=2, ensure_ascii=False)
            if options.json
            else to_markdown(opened)
        )
        await asyncio.to_thread(_write, options.output, text)
        _done(console, session, "written", file=str(options.output))
    elif options.json:
        console.document(to_json(opened))
    else:
        console.write(plain(to_markdown(opened).rstrip("\n")))


async def _found(
    words: str, stored: list[SessionSummary], library: SessionStore, console: Console
) -> list[SessionSummary]:
    found = await library.search(words)
    if not found.is_whole:
        console.note("The search took too long: older conversations were not searched.")
    return [
        each
        for each in stored
        if words.casefold() in each.about.title.casefold() or each.about.id in found.sessions
    ]


def _list(stored: list[SessionSummary], library: SessionStore, console: Console) -> None:
    if console.as_json:
        listed = [
            {
                **summary.about.to_json(),
                "used": summary.used.isoformat(),
                "bytes": summary.size,
                "file": str(library.file(summary.about.id)),
                "problem": summary.problem,
            }
            for summary in stored
        ]
        console.document({"sessions": listed})
        return
    rows = [
        [
            summary.about.id,
            f"{summary.used:%Y-%m-%d %H:%M}",
            *map(_line, (summary.about.model, _title(summary))),
        ]
        for summary in stored
    ]
    header, *lines = layout(["ID", "USED (UTC)", "MODEL", "TITLE"], rows, console.width)
    console.write(console.paint(header, "bold"))
    console.write("\n".join(lines))


def _title(summary: SessionSummary) -> str:
    """With why it cannot be opened, where it cannot."""
    problem = summary.problem and f"[{summary.problem.partition(chr(10))[0]}]"
    return " ".join(filter(None, (problem, summary.about.title)))


def _line(text: str) -> str:
    return " ".join(plain(text).split())


def _done(console: Console, session: str, what: str, **more: str) -> None:
    if console.as_json:
        console.document({"session": session, "done": what, **more})
    else:
        console.note(f"{session} {what}")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
