"""Finds the PATH and the variables of the person's login shell: an icon gives the system's alone.

The shell is asked once, in the background, within a time limit. Whatever the shell's own files do,
the answer is a usable PATH; if there is none, the folders where programs usually are stand in. It
runs before there is a guardian: a watcher in the shell's group kills that group when the app dies.
On Windows the registry is read instead. Must not change this process's environment.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import secrets
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.later_patterns import compile_later
from desktop.base.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from io import FileIO

_IN_HOME = (
    *(".local/bin", ".cargo/bin", ".volta/bin", ".bun/bin", ".deno/bin", "bin", ".asdf/shims"),
    *(".local/share/mise/shims", ".local/share/pnpm", ".local/share/fnm/aliases/default/bin"),
    *(".npm-global/bin", ".yarn/bin", ".pyenv/shims", ".nodenv/shims", "go/bin"),
)
_IN_SYSTEM = ("/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/snap/bin")
_ALIASES = 5
_REGISTRY = {
    "machine": (
        "HKEY_LOCAL_MACHINE",
        r"SYSTEM\CurrentControlSet\Control\Session Manager\Environment",
    ),
    "user": ("HKEY_CURRENT_USER", "Environment"),
}
"""Where Windows keeps the variables of new sessions."""


def usual_folders(home: Path) -> Iterator[Path]:
    """Those that exist, the person's own first."""
    folders = [home / name for name in _IN_HOME]
    if (node := nvm_default(home / ".nvm")) is not None:
        folders.append(node)
    folders += [type(home)(name) for name in (*_IN_SYSTEM, "/usr/bin", "/bin")]
    yield from (folder for folder in folders if folder.is_dir())


def nvm_default(nvm: Path) -> Path | None:
    """The `bin` of the Node.js that nvm would choose; the newest where its alias names no one."""
    try:
        versions = sorted((nvm / "versions" / "node").iterdir(), key=_version)
    except OSError:
        return None
    wanted = _alias(nvm, "default").removeprefix("v")
    fitting = [v for v in versions if f"{v.name.removeprefix('v')}.".startswith(f"{wanted}.")]
    chosen = fitting or versions
    return chosen[-1] / "bin" if chosen else None


def _alias(nvm: Path, name: str) -> str:
    """What an alias means, through others (`default` -> `lts/*` -> `lts/jod` -> `v22.1.0`)."""
    for _ in range(_ALIASES):
        if ".." in name.split("/") or name.startswith("/") or "\0" in name:
            break
        try:
            name = (nvm / "alias" / name).read_text("utf-8", errors="replace").strip()
        except OSError:
            break
    return name


def _version(folder: Path) -> list[int]:
    return [int(part) for part in re.findall(r"\d{1,9}", folder.name)]


LIMIT = 5.0
_MAX_OUTPUT_BYTES = 1024 * 1024
# What common shell frameworks would do at their start, and nobody is there to see.
_QUIET = {"DISABLE_AUTO_UPDATE": "true", "ZSH_TMUX_AUTOSTART": "false", "TERM": "dumb"}
# The standard input is a pipe that only the app holds: its end is that of the app.
_WATCHED = """
exec 3<&0 </dev/null
(trap '' HUP INT TERM; read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 &
exec "$0" -ilc "$1" 3<&-
"""
_NETWORK = compile_later(
    r"(?i:https?|all|no)_(?i:proxy)|(?i:npm_config_)\w+|UV_\w*(INDEX|MIRROR)\w*|NODE_EXTRA_CA_CERTS"
    r"|PIP_(EXTRA_)?INDEX_URL|(SSL_CERT|REQUESTS_CA)_\w+|HF_ENDPOINT|GOPROXY"
)
"""Variables that say how the network is reached from here."""
_NAME = compile_later("[A-Za-z_][A-Za-z0-9_]*")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Answer:
    path: str
    variables: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


class ShellPath:
    """The PATH a terminal of this person would have, resolved once for all who ask.

    And its variables: a config may name them; servers get those alone that say how the network is
    reached, where an icon started the app.
    The folders where programs usually are come last: a shell may add them late, or not at all.
    """

    def __init__(
        self, environ: Mapping[str, str], shell: str | None = None, limit: float = LIMIT
    ) -> None:
        """Args: shell: program to ask instead of the login shell. limit: seconds it may take."""
        self._environ = environ
        self._shell = shell
        self._limit = limit
        self._task: asyncio.Task[_Answer] | None = None

    def start(self) -> asyncio.Task[_Answer]:
        """Ask now, once, so that the answer is there when the first server needs it."""
        if self._task is None:
            self._task = spawn(self._resolve(), "login shell PATH")
        return self._task

    async def get(self) -> str:
        """The PATH; every caller waits for the same run, and none can cancel it for the others."""
        task = self.start()
        await asyncio.wait({task})
        return self._fallback() if task.cancelled() else task.result().path

    @property
    def known(self) -> str | None:
        """The PATH, where it is already there."""
        return None if (answer := self._answer) is None else answer.path

    @property
    def variables(self) -> Mapping[str, str]:
        """All variables of the shell, where it has answered already."""
        return {} if (answer := self._answer) is None else answer.variables

    @property
    def network(self) -> Mapping[str, str]:
        """Those that say how the network is reached: proxies, mirrors, certificates."""
        found = self.variables
        return {name: found[name] for name in found if _NETWORK.fullmatch(name)}

    @property
    def _answer(self) -> _Answer | None:
        task = self._task
        if task is None or not task.done() or task.cancelled():
            return None
        return task.result()

    async def close(self) -> None:
        """End a run that has not answered yet; its shell is killed."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=1.0)

    async def _resolve(self) -> _Answer:
        if sys.platform == "win32":
            return _Answer(self._fallback())
        shell = self._shell or self._environ.get("SHELL") or _login_shell()
        try:
            found = await asyncio.wait_for(_ask(shell, self._environ), self._limit)
        except TimeoutError:
            logger.warning("%s did not tell its PATH within %.1f s", shell, self._limit)
        except (OSError, ValueError) as error:
            logger.warning("%s cannot be asked for its PATH: %s", shell, error)
        else:
            if found.path:
                return _Answer(join_paths(found.path, self._fallback()), found.variables)
            logger.warning("%s did not tell its PATH", shell)
        return _Answer(self._fallback())

    def _fallback(self) -> str:
        own = self._environ.get("PATH", "")
        if sys.platform == "win32":
            return join_paths(own, registry_path(_read_registry))
        home = Path(self._environ.get("HOME") or Path.home())
        return join_paths(own, *(str(folder) for folder in usual_folders(home)))


@lru_cache(maxsize=64)
def join_paths(*paths: str) -> str:
    """One PATH: each absolute folder once, in order. A relative one would follow the server."""
    folders = (folder for path in paths for folder in path.split(os.pathsep))
    return os.pathsep.join(dict.fromkeys(_absolute(folders)))


def _absolute(folders: Iterable[str]) -> Iterable[str]:
    return (folder for folder in folders if Path(folder).is_absolute())


def registry_path(read: Callable[[str, str], str]) -> str:
    """The PATH that a new session of Windows would have: the system's, then the person's.

    That of the app is the one of its sign-in: what was installed since is not in it.

    Args:
        read: the value of the variable that is named second, of "machine" or "user"; empty where
            there is none. `%NAME%` in it is put in already.
    """
    return os.pathsep.join(filter(None, (read(whose, "Path") for whose in ("machine", "user"))))


def _read_registry(whose: str, name: str) -> str:
    if sys.platform != "win32":
        return ""
    import winreg

    root, key = _REGISTRY[whose]
    try:
        with winreg.OpenKey(getattr(winreg, root), key) as opened:
            value, _ = winreg.QueryValueEx(opened, name)
    except OSError:
        return ""
    return winreg.ExpandEnvironmentStrings(str(value))


def _login_shell() -> str:
    if sys.platform == "win32":
        return ""
    import pwd

    with suppress(KeyError):
        return pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"
    return "/bin/sh"


async def _ask(shell: str, environ: Mapping[str, str]) -> _Answer:
    """Run the shell as a login terminal would and let `/bin/sh` tell, as any can start it."""
    mark = f"mcp-desktop-{secrets.token_hex(8)}"
    told = 'echo "$PATH"; /usr/bin/env -0 2>/dev/null || /usr/bin/env'
    script = f"echo {mark}; /bin/sh -c '{told}'; echo {mark}"
    # A pipe of our own: asyncio's would be waited for as long as any grandchild holds it.
    with ExitStack() as files:
        pipe, output = _pipe(files)
        guard, _held = _pipe(files)
        process = _start(shell, script, environ, guard, output)
        try:
            guard.close()
            output.close()
            path, _, rest = (await _between(pipe, mark.encode())).partition("\n")
            return _Answer(path, _variables(rest))
        finally:
            with suppress(ProcessLookupError, PermissionError):
                if sys.platform != "win32":
                    os.killpg(process.pid, signal.SIGKILL)
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, process.wait))


def _variables(told: str) -> dict[str, str]:
    """What `env` told; a value of several lines is cut where it has no `env -0`."""
    pairs = told.split("\0" if "\0" in told else "\n")
    found = (pair.partition("=") for pair in pairs)
    return {name: value for name, equals, value in found if equals and _NAME.fullmatch(name)}


def _pipe(files: ExitStack) -> tuple[FileIO, FileIO]:
    """Both ends, closed with `files` at the latest."""
    reader, writer = os.pipe()
    return (
        files.enter_context(os.fdopen(reader, "rb", buffering=0)),
        files.enter_context(os.fdopen(writer, "wb", buffering=0)),
    )


def _start(
    shell: str, script: str, environ: Mapping[str, str], guard: FileIO, output: FileIO
) -> subprocess.Popen[bytes]:
    _check(shell)
    # Not asyncio's: cancelled in its start, it reaps a shell that has just ended, and its own
    # watcher then warns of an unknown child.
    return subprocess.Popen(  # noqa: S603 - the person's own shell
        ["/bin/sh", "-c", _WATCHED, shell, script],
        env={**environ, **_QUIET},
        stdin=guard,
        stdout=output,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _check(shell: str) -> None:
    """The watcher would be started in any case. Raises `OSError`."""
    if not (os.path.isfile(shell) and os.access(shell, os.X_OK)):
        raise FileNotFoundError(errno.ENOENT, "it is no program")


async def _between(pipe: FileIO, mark: bytes) -> str:
    """Output between the two marks, empty if it ends before; never waits for the pipe to close."""
    stream = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), pipe
    )
    output = b""
    try:
        while len(output) < _MAX_OUTPUT_BYTES and (chunk := await stream.read(65536)):
            output += chunk
            match output.split(mark + b"\n"):
                case [_, path, *_, _]:
                    return os.fsdecode(path)
                case _:
                    pass
        return ""
    finally:
        transport.close()
