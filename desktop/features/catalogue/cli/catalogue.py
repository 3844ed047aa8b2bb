"""`catalogue`: searches the MCP registry, shows what a server runs and asks for, adds it, updates.

What would be run is printed in full before a yes; what is added is switched off. Asks the registry
of the settings and starts nothing. A secret is typed unseen: never an argument of a command.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from desktop.base.errors import UsageError
from desktop.base.visible_text import escape_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import PROGRAM, Options, add_new_sandbox, make_parser, open_store
from desktop.cli.output import layout, plain
from desktop.config.imports.bundles import MAX_BUNDLE_BYTES
from desktop.config.imports.server_json import BUNDLE
from desktop.config.imports.warnings import finding_words
from desktop.config.keyring_access import KeyringError
from desktop.config.secret_store import SecretStore
from desktop.features.catalogue.bundle import file_name, fits_here, host_of_bundle
from desktop.features.catalogue.catalogue import Catalogue
from desktop.features.catalogue.entry import CatalogueError, NotInRegistryError
from desktop.features.catalogue.install import reason_not_installable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from desktop.cli.output import Console
    from desktop.config.imports.server_json import ServerInput, Way
    from desktop.config.store import ConfigStore
    from desktop.features.catalogue.bundle import FetchedBundle
    from desktop.features.catalogue.catalogue import Update
    from desktop.features.catalogue.entry import CatalogueEntry
    from desktop.features.catalogue.install import Installation

_NOTES: Final = f"""\
NAME is the whole name in the registry, such as io.github.modelcontextprotocol/filesystem. The
registry is that of the settings ("catalogueUrl"). Anybody can publish there: it proves who owns the
name before the slash, not what the server does. Read the command before you add it.

add prints all that would be run, asks for the values that the server needs, and adds it switched
off. Secrets are typed and go to the keyring of this desktop; --set takes one only as a reference,
KEY='${{keyring:NAME}}' or KEY='${{VARIABLE}}'. update does the same and keeps your values.

A bundle (mcpb) is downloaded first, after a yes of its own or with --yes: from a release at GitHub
or GitLab, to a file whose SHA-256 has to be that of the entry.

exit codes:
  0 done   2 wrong usage, or not agreed to (nothing was changed)   3 the registry cannot be asked

examples:
  {PROGRAM} catalogue search filesystem
  {PROGRAM} catalogue show io.github.modelcontextprotocol/filesystem
  {PROGRAM} catalogue add io.github.modelcontextprotocol/filesystem --set allowed_dirs=/tmp
  {PROGRAM} catalogue updates
  {PROGRAM} catalogue update filesystem --yes"""
_HEADER: Final = ("NAME", "VERSION", "RUNS", "DESCRIPTION")
_PAGE: Final = 30
_MAX_SHOWN: Final = 300
_MAX_PAGES: Final = 20
ACTIONS: Final = ("search", "show", "add", "updates", "update")


class CatalogueOptions(Options):
    """What `catalogue` is told."""

    action: str = ""
    words: list[str]
    limit: int | None = None
    way: str | None = None
    name: str | None = None
    set: list[str] | None = None
    secrets: str | None = None
    yes: bool = False


def run(args: list[str], console: Console) -> int:
    options = _parse(args)
    store = open_store(options)
    paths = options.paths
    kept = SecretStore(paths.secret_names)
    command = _Command(options, store, Catalogue(store, kept, bundles=paths.bundles), console)
    try:
        return asyncio.run(command.run())
    except CatalogueError as error:
        console.note(f"{PROGRAM}: {plain(str(error))}")
        if console.as_json:
            failure = {"type": type(error).__name__, "message": str(error), "code": "unreachable"}
            console.document({"success": False, "data": None, "error": failure})
        is_wrong = isinstance(error, NotInRegistryError)
        return Exit.USAGE if is_wrong else Exit.UNREACHABLE


def _parse(args: list[str]) -> CatalogueOptions:
    parser = make_parser("catalogue", COMMANDS["catalogue"], _NOTES)
    parser.add_argument("action", metavar="|".join(ACTIONS), choices=ACTIONS)
    parser.add_argument("words", metavar="WORD|NAME|SERVER", nargs="*")
    parser.add_argument("--limit", metavar="N", type=int, help="results at most (30)")
    parser.add_argument(
        "--way",
        metavar="KIND",
        help="npm, pypi, oci, mcpb, streamable-http, ..., or a bundle's file",
    )
    parser.add_argument("--name", metavar="NAME", help="what it is called here")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", help="a value it asks for; repeatable"
    )
    parser.add_argument(
        "--secrets",
        metavar="keyring|plain",
        choices=("keyring", "plain"),
        help="where secrets are kept",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_new_sandbox(parser)
    options = parser.parse(args, CatalogueOptions())
    options.limit = _PAGE if options.limit is None else options.limit
    if not 1 <= options.limit <= _MAX_SHOWN:
        raise UsageError(f"--limit must be between 1 and {_MAX_SHOWN}.")
    if options.action in {"show", "add", "update"} and len(options.words) != 1:
        raise UsageError(
            "NAME is missing." if not options.words else "Only one NAME can be given.",
            remedy=f"Use: {PROGRAM} catalogue {options.action} NAME",
        )
    return options


class _Command(Struct, frozen=True):
    """One run of the command."""

    options: CatalogueOptions
    store: ConfigStore
    catalogue: Catalogue
    console: Console

    async def run(self) -> int:
        match self.options.action:
            case "search":
                return await self._search(" ".join(self.options.words))
            case "show":
                return self._show(await self.catalogue.show(self.options.words[0]))
            case "add":
                return await self._add(await self.catalogue.show(self.options.words[0]))
            case "updates":
                return self._list(await self.catalogue.updates())
            case _:
                return await self._update(self.options.words[0])

    async def _search(self, words: str) -> int:
        limit = self.options.limit or _PAGE
        found: list[CatalogueEntry] = []
        skipped, cursor = 0, ""
        for _ in range(_MAX_PAGES):
            page = await self.catalogue.search(words, cursor)
            found += page.entries
            skipped, cursor = skipped + page.skipped, page.cursor
            if not cursor or len(found) >= limit:
                break
        is_more = bool(cursor) or len(found) > limit
        if self.console.as_json:
            servers = [entry_to_json(entry, self.catalogue) for entry in found[:limit]]
            document = {"servers": servers, "more": is_more, "skipped": skipped}
            self.console.document({"registry": self.catalogue.address, **document})
            return Exit.DONE
        self._print_found(found[:limit], words)
        if is_more:
            self.console.note(f"\nThere are more. Add a word, or use --limit up to {_MAX_SHOWN}.")
        if skipped:
            self.console.note(f"{skipped} entries could not be read and are left out.")
        return Exit.DONE

    def _print_found(self, found: Sequence[CatalogueEntry], words: str) -> None:
        if not found:
            self.console.note(
                f"{plain(self.catalogue.address)} has nothing that matches {plain(words)!r}. "
                "It looks for the words as they stand, in names and descriptions: try one word."
            )
            return
        rows = [
            [cell(entry.name), cell(entry.version), kinds(entry), cell(entry.description)]
            for entry in found
        ]
        header, *lines = layout(_HEADER, rows, self.console.width)
        self.console.write(self.console.paint(header, "bold"))
        self.console.write("\n".join(lines))
        self.console.note(f"\nTo see what one runs: {PROGRAM} catalogue show NAME")

    def _show(self, entry: CatalogueEntry) -> int:
        if self.console.as_json:
            self.console.document(entry_to_json(entry, self.catalogue, is_whole=True))
            return Exit.DONE
        self._print_entry(entry)
        for way in entry.ways if entry.status != "deleted" else ():
            self._print_way(entry, way)
        if not entry.ways:
            self.console.write("\nIt names neither a package nor an address.")
        if entry.status == "deleted":
            return Exit.DONE
        self.console.note(f"\nTo add it, switched off: {PROGRAM} catalogue add {plain(entry.name)}")
        return Exit.DONE

    def _print_entry(self, entry: CatalogueEntry) -> None:
        console = self.console
        console.write(console.paint(f"{cell(entry.label)}  {cell(entry.version)}", "bold"))
        console.write(cell(entry.description))
        for name, text in (
            ("name", entry.name),
            ("publisher", entry.publisher),
            ("published", entry.published),
            ("repository", entry.repository),
            ("website", entry.website),
        ):
            if text:
                console.write(f"  {name}: {cell(text)}")
        self._print_status(entry)

    def _print_status(self, entry: CatalogueEntry) -> None:
        if entry.status == "active":
            return
        since = f" since {entry.status_changed}" if entry.status_changed else ""
        words = f"! {entry.status}{since}. {entry.status_message}".strip()
        colour = "red" if entry.status == "deleted" else "yellow"
        self.console.write(self.console.paint(f"  {cell(words)}", colour))

    def _print_way(self, entry: CatalogueEntry, way: Way) -> None:
        console = self.console
        console.write(f"\n{console.paint(cell(way.kind or '?'), 'bold')}")
        if reason := reason_not_installable(way):
            console.write(console.paint(f"  not installable here: {cell(reason)}", "yellow"))
            return
        if way.is_packed:
            self._print_download(way)
            return
        self._print_plan(self.catalogue.plan(entry, way, {}))
        for asked in way.inputs:
            console.write(f"  asks for {cell(input_words(asked))}")

    def _print_download(self, way: Way) -> None:
        for line in download_lines(way, self.catalogue.mirror):
            self.console.write(f"  {line}")
        self.console.write("  A bundle: what it runs and asks for is known once it is downloaded.")

    def _print_plan(self, plan: Installation) -> None:
        for detail in plan.details:
            self.console.write(f"  {plain(detail.place)}: {plain(detail.value)}")
        for warning in plan.warnings:
            mark = "! " if warning.is_warning else ""
            words = f"  {mark}{plain(finding_words(warning))}"
            colour = "red" if warning.is_severe else "yellow"
            self.console.write(self.console.paint(words, colour) if mark else words)

    async def _add(self, entry: CatalogueEntry) -> int:
        if entry.status == "deleted":
            words = f"{plain(entry.name)} was removed from the registry."
            raise UsageError(words, remedy=cell(entry.status_message))
        way = self._way(entry)
        if not self.console.as_json:
            self._print_entry(entry)
        if not way.is_packed:
            return await self._apply(entry, way, self._given(way))
        return await self._with_bundle(
            way, lambda fetched: self._apply(entry, fetched.way, self._given(fetched.way), fetched)
        )

    async def _with_bundle(self, way: Way, use: Callable[[FetchedBundle], Awaitable[int]]) -> int:
        """Download the bundle of a way after a yes, and use it; its packed file does not stay."""
        if not self.console.as_json:
            self.console.write("\nIt would download:")
            self._print_download(way)
        if not self._is_agreed(
            f"Download it from {plain(host_of_bundle(way, self.catalogue.mirror))}"
        ):
            if self.console.as_json:
                download = download_to_json(way, self.catalogue.mirror)
                self.console.document({"download": download, "applied": False})
            return Exit.USAGE
        try:
            fetched = await self.catalogue.fetch(way, self._show_progress)
        finally:
            self.console.clear_status()
        self.console.note(f"Downloaded, and the hash is right: {plain(way.sha256)}")
        try:
            return await use(fetched)
        finally:
            fetched.discard()

    def _show_progress(self, done: int, total: int) -> None:
        self.console.status(f"Downloading: {size_words(done, total)} (Ctrl+C cancels)")

    async def _apply(
        self,
        entry: CatalogueEntry,
        way: Way,
        answers: dict[str, str | list[str]],
        fetched: FetchedBundle | None = None,
        server: str = "",
    ) -> int:
        answers |= self._asked(way, answers)
        plan = self.catalogue.plan(
            entry,
            way,
            answers,
            name=self.options.name or "",
            server=server,
            to_keyring=self.options.secrets != "plain",
            sandbox=self.options.chosen_sandbox,
        )
        if not self.console.as_json:
            self.console.write("\nIt would run:" if not way.is_remote else "\nIt would reach:")
            self._print_plan(plan)
        if plan.unanswered:
            raise UsageError(
                "Still needed: " + ", ".join(plain(asked.key) for asked in plan.unanswered),
                remedy="Type them on a terminal, or use --set KEY=VALUE (a secret as a reference).",
            )
        name = plain(plan.config.name)
        words = f"Update {name}" if server else f"Add {name}, switched off"
        is_agreed = self._is_agreed(words)
        if is_agreed:
            await self._write(plan, server, fetched)
        if self.console.as_json:
            document = plan_to_json(plan)
            self.console.document({**document, "applied": is_agreed})
        return Exit.DONE if is_agreed else Exit.USAGE

    async def _write(self, plan: Installation, server: str, fetched: FetchedBundle | None) -> None:
        try:
            name = await self.catalogue.add(plan, server=server, fetched=fetched)
        except KeyringError as error:
            raise KeyringError(
                f"{error.args[0]} Nothing was changed.",
                remedy="To keep the secrets in the config file as plain text: --secrets plain",
            ) from None
        for secret in plan.secrets:
            self.console.note(f"Stored in the keyring: {plain(secret.name)}")
        if fetched is not None:
            self.console.note(f"Unpacked into {plain(str(fetched.bundle.folder))}")
        version = plain(plan.entry.version)
        if server:
            self.console.note(f"{plain(name)} is at {version} now.")
            return
        self.console.note(
            f"{plain(name)} {version} was added to {plain(str(self.store.path))}, switched off."
        )

    def _is_agreed(self, words: str) -> bool:
        if self.options.yes:
            return True
        if self.console.as_json or not self._can_ask:
            self.console.note(f"Nothing was changed. With --yes it would: {words}")
            return False
        self.console.note(f"{words}? [y/N]")
        if sys.stdin.readline().strip().lower() in {"y", "yes"}:
            return True
        self.console.note("Nothing was changed.")
        return False

    @property
    def _can_ask(self) -> bool:
        return sys.stdin.isatty() and sys.stderr.isatty()

    def _way(self, entry: CatalogueEntry) -> Way:
        """The way that was named, else the first that can be used here, and is for this system."""
        reasons = [(way, reason_not_installable(way)) for way in entry.ways]
        if (named := self.options.way) is not None:
            reasons = [pair for pair in reasons if named in {pair[0].kind, file_name(pair[0])}]
        ways = (way for way, reason in reasons if not reason)
        usable = min(ways, key=lambda way: not fits_here(way), default=None)
        if usable is not None:
            return usable
        if not reasons:
            known = kinds(entry) or "none"
            raise UsageError(f"{plain(entry.name)} has no such way.", remedy=f"Ways: {known}.")
        lines = [f"{way.kind or '?'}: {reason}" for way, reason in reasons]
        raise UsageError(
            f"{plain(entry.name)} cannot be added here.", remedy=plain("\n".join(lines))
        )

    def _given(self, way: Way) -> dict[str, str | list[str]]:
        """The values of `--set`; a secret among them would be seen by every program."""
        inputs = {asked.key: asked for asked in way.inputs}
        found: dict[str, str | list[str]] = {}
        for word in self.options.set or ():
            key, assigned, value = word.partition("=")
            if not assigned or not key:
                raise UsageError("--set has no =.", remedy="Use --set KEY=VALUE.")
            if (asked := inputs.get(key)) is None:
                known = ", ".join(inputs) or "nothing"
                raise UsageError(
                    f"It does not ask for {plain(key)!r}.", remedy=f"It asks for: {plain(known)}."
                )
            if asked.is_secret and "${" not in value:
                raise UsageError(
                    f"{plain(key)} is a secret and cannot be passed as an argument.",
                    remedy="Type it when asked, or keep it with `mcp-desktop secret set NAME` and "
                    f"use --set {plain(key)}='${{keyring:NAME}}'.",
                )
            before = found.get(key, [])
            repeated = [*(before if isinstance(before, list) else [before]), value]
            found[key] = repeated if asked.is_repeated else value
        return found

    def _asked(self, way: Way, known: dict[str, str | list[str]]) -> dict[str, str | list[str]]:
        """What a person types; nothing where nobody can."""
        if self.options.yes or self.console.as_json or not self._can_ask:
            return {}
        answers: dict[str, str | list[str]] = {}
        for asked in way.inputs:
            if known.get(asked.key):
                continue
            words = plain(input_words(asked))
            if asked.is_secret:
                answers[asked.key] = getpass.getpass(f"{words}: ")
                continue
            self.console.note(f"{words}:")
            typed = sys.stdin.readline().strip()
            answers[asked.key] = typed.split(os.pathsep) if asked.is_repeated else typed
        return {key: answer for key, answer in answers.items() if answer}

    def _list(self, updates: Sequence[Update]) -> int:
        if self.console.as_json:
            self.console.document({"updates": [update_to_json(update) for update in updates]})
            return Exit.DONE
        for update in updates:
            self._print_update(update)
        if not self.catalogue.installed:
            self.console.note("No server was added from the catalogue.")
        elif not updates:
            self.console.note("Every server from the catalogue is at its newest version.")
        elif any(update.is_offered for update in updates):
            self.console.note(f"\nTo take one: {PROGRAM} catalogue update SERVER")
        return Exit.DONE

    def _print_update(self, update: Update) -> None:
        console = self.console
        versions = f"{update.installed} -> {update.version}" if update.is_offered else ""
        title = f"{plain(update.server)}  {cell(versions or update.installed)}"
        console.write(console.paint(title, "bold"))
        if update.problem:
            console.write(console.paint(f"  {cell(update.problem)}", "yellow"))
        if update.entry is not None:
            self._print_status(update.entry)
        for change in update.differences:
            before, after = change.ours or "(nothing)", change.theirs or "(nothing)"
            console.write(f"  {cell(change.place)}: {cell(before)} -> {cell(after)}")
        for asked in update.wanted:
            console.write(f"  newly asks for {cell(input_words(asked))}")

    async def _update(self, server: str) -> int:
        if server not in self.catalogue.installed:
            known = ", ".join(self.catalogue.installed) or "none"
            message = f"{plain(server)!r} was not added from the catalogue."
            raise UsageError(message, remedy=f"These were: {known}.")
        found = next((one for one in await self.catalogue.updates() if one.server == server), None)
        if found is None:
            self.console.note(f"{plain(server)} is at its newest version.")
            if self.console.as_json:
                self.console.document({"name": server, "applied": False})
            return Exit.DONE
        if not self.console.as_json:
            self._print_update(found)
        if found.entry is None or found.way is None or not found.is_offered:
            raise UsageError(f"{plain(server)} cannot be updated.", remedy=cell(found.problem))
        if not found.way.is_packed:
            return await self._take(found)
        return await self._with_bundle(found.way, lambda fetched: self._open(found, fetched))

    async def _open(self, update: Update, fetched: FetchedBundle) -> int:
        opened = await self.catalogue.open_update(update, fetched)
        if not self.console.as_json:
            self._print_update(opened)
        return await self._take(opened, fetched)

    async def _take(self, update: Update, fetched: FetchedBundle | None = None) -> int:
        if update.entry is None or update.way is None or not update.is_offered:
            raise UsageError(
                f"{plain(update.server)} cannot be updated.", remedy=cell(update.problem)
            )
        before = {
            key: answer if isinstance(answer, str) else list(answer)
            for key, answer in update.answers.items()
        }
        answers = {**before, **self._given(update.way)}
        return await self._apply(update.entry, update.way, answers, fetched, update.server)


def cell(text: str) -> str:
    return plain(escape_hidden(text)).replace("\n", " ")


def kinds(entry: CatalogueEntry) -> str:
    return cell(", ".join(dict.fromkeys(way.kind or "?" for way in entry.ways)))


def input_words(asked: ServerInput) -> str:
    """`KEY (secret, required): description`, as a person is asked for it."""
    notes = ["secret"] if asked.is_secret else []
    notes += ["required"] if asked.is_required and asked.default is None else []
    notes += [f"several, divided by {os.pathsep}"] if asked.is_repeated else []
    notes += [f"one of {', '.join(asked.choices)}"] if asked.choices else []
    notes += [f"else {asked.default}"] if asked.default is not None else []
    notes += [f"such as {asked.placeholder}"] if asked.placeholder else []
    about = f" ({'; '.join(notes)})" if notes else ""
    return escape_hidden(
        f"{asked.key}{about}" + (f": {asked.description}" if asked.description else "")
    )


def entry_to_json(
    entry: CatalogueEntry, catalogue: Catalogue, *, is_whole: bool = False
) -> dict[str, Any]:
    """A whole one says what each way asks for and uses, too."""
    return {
        "name": entry.name,
        "version": entry.version,
        "title": entry.title or None,
        "description": entry.description,
        "publisher": entry.publisher,
        "status": entry.status,
        "statusMessage": entry.status_message or None,
        "statusChanged": entry.status_changed or None,
        "published": entry.published or None,
        "repository": entry.repository or None,
        "website": entry.website or None,
        "ways": [way_to_json(entry, way, catalogue, is_whole=is_whole) for way in entry.ways],
    }


def way_to_json(
    entry: CatalogueEntry, way: Way, catalogue: Catalogue, *, is_whole: bool
) -> dict[str, Any]:
    reason = reason_not_installable(way)
    document: dict[str, Any] = {
        "kind": way.kind,
        "installable": not reason,
        "reason": reason or None,
    }
    if way.kind == BUNDLE:
        document["download"] = download_to_json(way, catalogue.mirror)
    if not is_whole:
        return document
    inputs = [input_to_json(asked) for asked in way.inputs]
    is_unknown = bool(reason) or way.is_packed or entry.status == "deleted"
    plan = None if is_unknown else plan_to_json(catalogue.plan(entry, way, {}))
    return {**document, "inputs": inputs, "uses": plan["uses"] if plan is not None else []}


def input_to_json(asked: ServerInput) -> dict[str, Any]:
    return {
        "key": asked.key,
        "description": asked.description,
        "required": asked.is_required,
        "secret": asked.is_secret,
        "repeated": asked.is_repeated,
        "default": asked.default,
        "choices": list(asked.choices),
        "format": asked.format,
    }


def plan_to_json(plan: Installation) -> dict[str, Any]:
    return {
        "name": plan.config.name,
        "entry": plan.entry.name,
        "version": plan.entry.version,
        "kind": plan.way.kind,
        "enabled": plan.config.enabled,
        "uses": [{"place": detail.place, "value": detail.value} for detail in plan.details],
        "warnings": [finding_words(warning) for warning in plan.warnings],
        "secrets": [secret.name for secret in plan.secrets],
    }


def update_to_json(update: Update) -> dict[str, Any]:
    return {
        "server": update.server,
        "installed": update.installed,
        "version": update.version or None,
        "offered": update.is_offered,
        "problem": update.problem or None,
        "differences": [
            {"place": change.place, "ours": change.ours, "theirs": change.theirs}
            for change in update.differences
        ],
        "wanted": [input_to_json(asked) for asked in update.wanted],
    }


def download_to_json(way: Way, mirror: str) -> dict[str, Any]:
    """`host` is the one that is asked: the mirror's where there is one."""
    host = host_of_bundle(way, mirror)
    return {"address": way.identifier, "host": host, "sha256": way.sha256 or None}


def download_lines(way: Way, mirror: str) -> Iterator[str]:
    """What a download asks and is held to; no registry knows the size."""
    yield f"address: {plain(escape_hidden(way.identifier))}"
    yield f"host: {plain(escape_hidden(host_of_bundle(way, mirror)))}"
    yield f"size: known when it begins, at most {MAX_BUNDLE_BYTES // 1024 // 1024} MB"
    yield f"SHA-256: {plain(way.sha256)}"


def size_words(done: int, total: int) -> str:
    """`1.2 of 3.4 MB`."""
    so_far = f"{done / 1_000_000:.1f}"
    return f"{so_far} of {total / 1_000_000:.1f} MB" if total else f"{so_far} MB"
