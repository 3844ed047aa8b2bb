"""`trust`: shows all that a new or changed server would be started with, and after a yes trusts it.

Without a name it lists those that wait for a yes. Nothing is started. What is shown is never cut;
hidden characters are written as escapes, and secrets of this machine are covered.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from desktop.base.visible_text import mark_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser, open_store
from desktop.cli.output import plain
from desktop.cli.runner import find_server
from desktop.config.imports.dangers import dangers_of
from desktop.config.imports.warnings import finding_words

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.store import ConfigStore
    from desktop.config.trust import LaunchDifference

_NOTES = """\
A server that was added or changed in the config file by hand or by another program is not started
until you approve its command or address once. Servers that you add or edit in the window or import
need no further approval.
Exit code 2 if it is not approved: asking needs a terminal, or --yes.

examples:
  mcp-desktop trust
  mcp-desktop trust github
  mcp-desktop trust github --yes"""
_HIDDEN = "another value (hidden)"


class TrustOptions(Options):
    """What `trust` is told."""

    server: str | None = None
    yes: bool = False


def run(args: list[str], console: Console) -> int:
    parser = make_parser("trust", COMMANDS["trust"], _NOTES)
    parser.add_argument(
        "server", metavar="SERVER", nargs="?", help="default: list servers that await approval"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    options = parser.parse(args, TrustOptions())
    store = open_store(options)
    if store.trust_problem is not None:
        console.note(plain(str(store.trust_problem)))
    if options.server is None:
        return _list(store, console)
    return _review(store, options.server, console, is_agreed=options.yes)


def _list(store: ConfigStore, console: Console) -> int:
    if console.as_json:
        console.document({"untrusted": [_to_json(store, name) for name in store.untrusted]})
        return Exit.DONE
    for name in store.untrusted:
        _print(store, name, console)
    if not store.untrusted:
        console.note("No server awaits your approval.")
    return Exit.DONE


def _review(store: ConfigStore, name: str, console: Console, *, is_agreed: bool) -> int:
    config = find_server(store, name)
    if name not in store.untrusted:
        if console.as_json:
            console.document({"name": name, "trusted": True, "status": "trusted", "uses": []})
        console.note(f"{plain(mark_hidden(name))} is already approved.")
        return Exit.DONE
    described = _to_json(store, name)
    if not console.as_json:
        _print(store, name, console)
    if is_agreed := is_agreed or _agreed(name, console):
        store.trust_server(config)
        console.note(f"{plain(mark_hidden(name))} is approved.")
    if console.as_json:
        console.document({**described, "trusted": is_agreed})
    return Exit.DONE if is_agreed else Exit.USAGE


def _agreed(name: str, console: Console) -> bool:
    if console.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        console.note("Nothing was changed: asking needs a terminal. Use --yes to approve it.")
        return False
    console.note(f"Approve {plain(mark_hidden(name))}? [y/N]")
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return True
    console.note("Nothing was changed.")
    return False


def _print(store: ConfigStore, name: str, console: Console) -> None:
    untrusted = store.untrusted[name]
    state = "is new" if untrusted.is_new else "has changed"
    console.write(f"{console.paint(plain(mark_hidden(name)), 'bold')} {state}")
    for difference in store.differences(name):
        for line in _lines(difference, is_new=untrusted.is_new):
            console.write(f"  {plain(line)}")
    for danger in dangers_of(untrusted.config):
        mark = "! " if danger.is_warning else ""
        console.write(f"  {mark}{plain(finding_words(danger))}")


def _lines(difference: LaunchDifference, *, is_new: bool) -> list[str]:
    place, before, now = difference.place, difference.before, difference.now
    if is_new or not difference.is_changed:
        return [f"  {place}: {now}"]
    if before == now:
        return [f"  {place}: {now}", f"~ {place}: {_HIDDEN}"]
    lines = [] if before is None else [f"- {place}: {before}"]
    return lines if now is None else [*lines, f"+ {place}: {now}"]


def _to_json(store: ConfigStore, name: str) -> dict[str, Any]:
    untrusted = store.untrusted[name]
    return {
        "name": name,
        "trusted": False,
        "status": "new" if untrusted.is_new else "changed",
        "uses": [
            {
                "place": difference.place,
                "before": difference.before,
                "now": difference.now,
                "changed": difference.is_changed,
            }
            for difference in store.differences(name)
        ],
        "warnings": [finding_words(danger) for danger in dangers_of(untrusted.config)],
    }
