"""Tinyproxy as companies put such a thing before the net: it wants a name and a password.

Ends with the context.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from tests import peers
from tests.peers.listening import free_ports, listening

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_CONFIG = """\
Port {port}
Listen 127.0.0.1
LogFile "{log}"
LogLevel Connect
PidFile "{folder}/tinyproxy.pid"
BasicAuth user secret
"""


@contextlib.contextmanager
def serving(folder: Path) -> Generator[tuple[str, Path]]:
    """The address with name and password, and the file with a line for each connection."""
    port, _ = free_ports()
    config, log = folder / "tinyproxy.conf", folder / "tinyproxy.log"
    config.write_text(_CONFIG.format(port=port, log=log, folder=folder), encoding="utf-8")
    with listening([peers.tinyproxy(), "-d", "-c", str(config)], port):
        yield f"http://user:secret@127.0.0.1:{port}", log
