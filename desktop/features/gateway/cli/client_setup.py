"""`serve --clients`, `--install` and `--uninstall CLIENT`: our entry in other clients' files.

The terminal's half of the clients' page. Starts nothing; writes to no file without saying where the
file as it was is kept. Prints no secret: what is shown of a file is without them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.base.errors import UsageError
from desktop.cli.exit_codes import Exit
from desktop.cli.output import plain
from desktop.config.imports.clients import APPS, ClientLocations, app_named
from desktop.features.gateway.entries.client_files import ClientFiles
from desktop.features.gateway.entries.forms import FORMS, GatewayCommand, HttpAccess

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.imports.clients import App
    from desktop.features.gateway.cli.serve_options import ServeOptions
    from desktop.features.gateway.entries.client_files import ClientStatus, PlannedChange
    from desktop.features.gateway.entries.forms import Access

_STATES = {
    "connected": "connected",
    "other": "has another entry of this name",
    "found": "found",
    "absent": "not found",
    "unreadable": "cannot be read",
}


def set_up(options: ServeOptions, console: Console) -> int:
    """Do what the flags say; raises `DesktopError` where that is not possible."""
    paths = options.paths
    here = ClientLocations.here(project=Path.cwd())
    files = ClientFiles(here, GatewayCommand.own(paths))
    if options.clients:
        _list(files.look(), console)
        return Exit.DONE
    app = _app(options.install or options.uninstall or "")
    if files.status(app).state == "absent" and FORMS[app.key].in_project:
        words = f"There is no file of {app.title} in this folder."
        raise UsageError(words, remedy="Go to the folder that it is run from.")
    if options.uninstall:
        change = files.disconnect(app)
    else:
        change = files.connect(app, _access(app, options))
    backup, is_closed = None, change.is_closed
    if not options.dry_run and not change.is_empty:
        backup = files.apply(change)
    _tell(change, None if backup is None else str(backup), options, console)
    if is_closed and not change.is_empty:
        console.note(plain(f"{change.path} has the token in it: only you can read it from now on."))
    return Exit.DONE


def _app(name: str) -> App:
    app = app_named(name)
    if app is None or app.key not in FORMS:
        known = ", ".join(each.key for each in APPS if each.key in FORMS)
        raise UsageError(f"No client {plain(name)!r} is known.", remedy=f"There are: {known}.")
    return app


def _access(app: App, options: ServeOptions) -> Access | None:
    """How the client is to reach the gateway; None: it starts it."""
    if options.http is None:
        return None
    if FORMS[app.key].http is None:
        raise UsageError(f"{app.title} takes no address in its file.", remedy="Leave --http out.")
    if options.http == 0:
        raise UsageError("--http needs a port of its own: the file has to name it.")
    from desktop.features.gateway.address import url_of
    from desktop.features.gateway.token import read_token

    token = read_token(options.paths.data)
    return HttpAccess(url_of(options.http), token)


def _list(clients: list[ClientStatus], console: Console) -> None:
    if console.as_json:
        console.document({"clients": [_document(client) for client in clients]})
        return
    width = max(len(client.app.key) for client in clients)
    for client in clients:
        words = _STATES[client.state]
        if client.error is not None:
            words += f": {client.error}"
        console.write(plain(f"{client.app.key:{width}}  {words}"))
        if client.state != "absent":
            console.write(plain(f"{'':{width}}  {client.path}"))


def _document(client: ClientStatus) -> dict[str, Any]:
    over = "http" if isinstance(client.access, HttpAccess) else "stdio"
    return {
        "client": client.app.key,
        "title": client.app.title,
        "file": str(client.path),
        "state": client.state,
        "over": None if client.access is None else over,
        "error": None if client.error is None else str(client.error),
        "backups": [str(backup) for backup in client.backups],
    }


def _tell(
    change: PlannedChange, backup: str | None, options: ServeOptions, console: Console
) -> None:
    if console.as_json:
        console.document(
            {
                "client": change.app.key,
                "file": str(change.path),
                "written": not change.is_empty and not options.dry_run,
                "difference": change.difference,
                "backup": backup,
            }
        )
        return
    if change.is_empty:
        console.write(plain(f"{change.path} is that way already."))
        return
    for line in change.difference.splitlines():
        console.write(plain(line))
    done = "would be written" if options.dry_run else "written"
    console.note(plain(f"{change.path}: {done}."))
    if backup is not None:
        console.note(plain(f"The file as it was: {backup}"))
    if not options.dry_run:
        console.note(f"Restart {change.app.title}, or reload its servers, for this to count.")
