"""A PostgreSQL of one test: a new, empty cluster that listens on a Unix socket alone.

PostgreSQL refuses to run as root, so that root's runs as the user of Debian's package. Ends, and
leaves no file, with the context.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resources.packaging.setup_env import is_root

if TYPE_CHECKING:
    from collections.abc import Generator

LIMIT = 30.0
OWNER = "postgres"


def programs() -> Path | None:
    """The folder of initdb and postgres, the newest; None where they are not installed."""
    if sys.platform == "win32":
        return None
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    return max(installed, key=lambda folder: float(folder.parent.name), default=None)


@contextlib.contextmanager
def serving() -> Generator[str]:
    """The URL of the database, with its one user; the folder of the socket is that user's own."""
    found = programs()
    assert found is not None, "postgres is not installed"
    with tempfile.TemporaryDirectory(prefix="mcp-desktop-postgres-") as name:
        folder = Path(name)
        data = folder / "data"
        run: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL}
        if is_root():
            shutil.chown(folder, OWNER, OWNER)
            run |= {"user": OWNER, "group": OWNER, "extra_groups": []}
        options = ("--no-sync", "--no-locale", "-E", "UTF8", "-A", "trust", "-U", "tests")
        made = [str(found / "initdb"), "-D", str(data), *options]
        subprocess.run(made, check=True, timeout=LIMIT, **run)
        with _running([str(found / "postgres"), "-D", str(data), *_settings(folder)], folder, run):
            yield f"postgresql://tests@localhost/postgres?host={folder}"


def _settings(folder: Path) -> list[str]:
    values = ("listen_addresses=", "fsync=off", "shared_buffers=1MB", "log_min_messages=fatal")
    values += (f"unix_socket_directories={folder}", "dynamic_shared_memory_type=mmap")
    return [word for value in values for word in ("-c", value)]


@contextlib.contextmanager
def _running(command: list[str], folder: Path, run: dict[str, Any]) -> Generator[None]:
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **run)
    try:
        over = time.monotonic() + LIMIT
        while not _is_ready(folder):
            assert process.poll() is None, "postgres ended before it was ready"
            assert time.monotonic() < over, "postgres did not become ready"
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
        yield
    finally:
        process.send_signal(signal.SIGINT)  # "fast": its clients are not waited for
        try:
            process.wait(LIMIT)
        finally:
            process.kill()


def _is_ready(folder: Path) -> bool:
    """Its last line says so; the file is there before it is whole."""
    try:
        return (folder / "data" / "postmaster.pid").read_text().rstrip().endswith("\nready")
    except OSError:
        return False
