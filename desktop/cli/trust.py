"""`trust`: shows all that is new or changed in the config, and after one yes trusts it.

Without a name it is about all that waits for a yes. Nothing is started. What is shown is never cut;
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
    from collections.abc import Sequence

    from desktop.cli.output import Console
    from desktop.config.store import ConfigStore
    from desktop.config.trust import LaunchDifference

_NOTES = """\
What was added or changed in the app's own config file by hand or by another program (a server, a
built-in server that it switches on, where a provider is) is not started or asked until you approve
it once. What you add or edit in the window or import, --config FILE and MCP_SERVERS are your word.
A job without a terminal approves with --yes, or trusts all for one run: --trust on the command that
it runs, or MCP_DESKTOP_TRUST=1.
Exit code 2 if one that you name is not approved: asking needs a terminal, or --yes.

examples:
  mcp-desktop trust
  mcp-desktop trust github provider:local
  mcp-desktop trust --yes"""
_HIDDEN = "another value (hidden)"


class TrustOptions(Options):
    """What `trust` is told."""

    names: Sequence[str] = ()
    yes: bool = False


def run(args: list[str], console: Console) -> int:
    parser = make_parser("trust", COMMANDS["trust"], _NOTES)
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="a server, or provider:NAME; default: all of them"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    options = parser.parse(args, TrustOptions())
    store = open_store(options)
    if store.trust_problem is not None:
        console.note(plain(str(store.trust_problem)))
    names = list(dict.fromkeys(options.names)) or list(store.untrusted)
    for name in names:
        _require(store, name)
    waiting = [name for name in names if name in store.untrusted]
    described = [_to_json(store, name) for name in names]
    if not console.as_json:
        for name in waiting:
            _print(store, name, console)
    is_named = bool(options.names)
    is_agreed = not waiting or options.yes or _agreed(waiting, console, is_named=is_named)
    if is_agreed:
        store.agree([store.untrusted[name].config for name in waiting])
        _say(names, waiting, console)
        described = [{**each, "trusted": True} for each in described]
    if console.as_json:
        is_one = len(options.names) == 1
        console.document(described[0] if is_one else {"untrusted": described})
    # A list alone is no question.
    return Exit.DONE if is_agreed or not is_named else Exit.USAGE


def _require(store: ConfigStore, name: str) -> None:
    if name.removeprefix("provider:") not in store.providers or name in store.servers:
        find_server(store, name, only_configured=True)


def _say(names: list[str], waiting: list[str], console: Console) -> None:
    for name in names:
        state = "is approved." if name in waiting else "is already approved."
        console.note(f"{plain(mark_hidden(name))} {state}")
    if not names:
        console.note("Nothing awaits your approval.")


def _agreed(names: list[str], console: Console, *, is_named: bool) -> bool:
    if console.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        if is_named:
            console.note("Nothing was changed: asking needs a terminal. Use --yes to approve it.")
        return False
    what = plain(mark_hidden(names[0])) if len(names) == 1 else f"all {len(names)}"
    console.note(f"Approve {what}? [y/N]")
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
    if (untrusted := store.untrusted.get(name)) is None:
        return {"name": name, "trusted": True, "status": "trusted", "uses": []}
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
