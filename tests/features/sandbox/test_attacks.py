"""What a hostile server gets through, outside of a sandbox and inside of each.

`python -m tests.features.sandbox.test_attacks` prints the table of docs/sandbox.md.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from desktop.base.paths import Paths
from desktop.config.models import ServerConfig
from desktop.features.sandbox import bubblewrap
from desktop.features.sandbox.bubblewrap import confine
from desktop.processes.process import LaunchSpec

if sys.platform != "linux":
    raise pytest.skip.Exception("needs bubblewrap", allow_module_level=True)

if TYPE_CHECKING:
    from collections.abc import Generator

HOSTILE = Path(__file__).with_name("hostile.py")
PRESETS: dict[str, Any] = {
    "off": "off",
    "folders": "folders",
    "one host": {"preset": "folders", "network": ["api.example.com"]},
    "no-network": "no-network",
    "strict": "strict",
}
SECRET = "s3cr3t-of-another-process"
NETWORK = {
    *("reach 127.0.0.1", "reach ::1", "reach an abstract socket", "see the interfaces"),
    *("send a datagram to the internet", "send one to a cloud's metadata"),
}
"""What the network brings, where a server has it."""
pytestmark = pytest.mark.skipif(
    (program := bubblewrap.find()) is None or bool(bubblewrap.why_not(program)),
    reason="needs bubblewrap, and a system that lets it work",
)


class Field:
    """A home with what is worth an attack, sockets and a process; all of it for one test."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.home = folder / "home"
        self.paths = Paths(self.home / ".config/app/mcp.json", self.home / ".local/share/app")
        self.allowed = self.home / "Documents/shared"
        self.program = folder / "program/hostile.py"
        self.other = self.paths.data / "sandbox/other/home"
        self.temporary = self._temporary(stack, "/tmp")
        var = self._temporary(stack, "/var/tmp")
        self._fill()
        self.victim = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", "input()", "victim"],
                stdin=subprocess.PIPE,
                env={**os.environ, "TOKEN": SECRET},
            )
        )
        stack.callback(self.victim.kill)
        listening = [self._listen(stack, socket.AF_INET, ("127.0.0.1", 0))]
        listening.append(self._listen(stack, socket.AF_INET6, ("::1", 0)))
        abstract = f"attacked-{os.getpid()}"
        path = self._socket_in_tmp(stack)
        self._listen(stack, socket.AF_UNIX, "\0" + abstract)
        self._listen(stack, socket.AF_UNIX, path)
        with chdir(self.paths.data):  # a path of a socket is short
            self._listen(stack, socket.AF_UNIX, "app.sock")
        self.aim: dict[str, Any] = {
            "home": str(self.home),
            "data": str(self.paths.data),
            "config": str(self.paths.config),
            "other": str(self.other),
            "allowed": str(self.allowed),
            "program": str(self.program),
            "temporary": str(self.temporary),
            "var_temporary": str(var),
            "port": listening[0].getsockname()[1],
            "port6": listening[1].getsockname()[1],
            "abstract": abstract,
            "socket": path,
            "bus": path,
            "victim": self.victim.pid,
            "secret": SECRET,
            "daemon": f"900.{os.getpid()}",
            "watched": [],
        }

    def _fill(self) -> None:
        for name in (
            *(".ssh/id_ed25519", ".aws/credentials", ".bash_history", ".bashrc"),
            *(".local/share/keyrings/login.keyring", "Documents/letter.txt"),
        ):
            self._write(self.home / name)
        for file in (self.paths.config, self.paths.data / "history.sqlite3", self.other / "token"):
            self._write(file)
        self.allowed.mkdir()
        (self.allowed / "way_out").symlink_to(self.home / ".ssh/id_ed25519")
        self._write(self.program, HOSTILE.read_text("utf-8"))

    @staticmethod
    def _write(file: Path, text: str = "secret\n") -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    @classmethod
    def _temporary(cls, stack: ExitStack, folder: str) -> Path:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder)), "secret")
        cls._write(made)
        return made

    @staticmethod
    def _socket_in_tmp(stack: ExitStack) -> str:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        return str(Path(folder, "s"))

    @staticmethod
    def _listen(stack: ExitStack, family: int, address: Any) -> socket.socket:
        listening = stack.enter_context(socket.socket(family))
        listening.bind(address)
        listening.listen(16)
        return listening

    def attack(self, preset: str) -> set[str]:
        """The names of the attacks that got through; what they wrote counts where it is here."""
        before = self._written()
        aim = {**self.aim, "watched": [*before]}
        config = ServerConfig.checked(
            name="hostile",
            command=sys.executable,
            sandbox=PRESETS[preset],
            roots=(str(self.allowed),),
        )
        environment = {"HOME": str(self.home), "PATH": os.defpath}
        arguments = ("-I", str(self.program), json.dumps(aim))
        launch = LaunchSpec(sys.executable, arguments, environment, str(self.home))
        if preset != "off":
            launch = confine(config, launch, self.paths)
        done = subprocess.run(
            [launch.command, *launch.args],
            env=dict(launch.environment),
            cwd="/",
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
            start_new_session=True,
        )
        assert done.returncode == 0, done.stderr
        through = set(json.loads(done.stdout))
        if "leave a process behind" in through and not self._end_daemon(is_inside=preset != "off"):
            through.remove("leave a process behind")
        changed = {place for place, text in self._written().items() if text != before[place]}
        return {
            name
            for name in through
            if not name.startswith("write ") or not self._writes_here(name) or changed
        }

    def _writes_here(self, name: str) -> bool:
        return "~" in name or "its" in name or "this" in name or "another" in name or "/tmp" in name

    def _written(self) -> dict[str, bytes]:
        """All that an attack may write to, as it is now."""
        places = (
            *(self.home / ".bashrc", self.home / ".ssh/authorized_keys"),
            self.home / ".config/autostart/x.desktop",
            *(self.paths.config, self.paths.data / "calls/x.json", self.other / "x"),
            *(self.program, self.temporary),
        )
        return {str(each): each.read_bytes() if each.exists() else b"" for each in places}

    def _end_daemon(self, *, is_inside: bool) -> bool:
        """Whether it was left behind; ends it."""
        found = [
            each
            for each in psutil.process_iter(["cmdline"])
            if self.aim["daemon"] in (each.info["cmdline"] or ())
        ]
        # Those of a sandbox end with its first process, a moment after that was waited for.
        _, left = psutil.wait_procs(found, 2 if is_inside else 0)
        for each in left:
            each.kill()
        return bool(left)


@contextmanager
def a_field() -> Generator[Field]:
    # Below the home of the tests: /tmp is hidden as a whole, which would make it too easy.
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=Path.home()))
        yield Field(Path(folder), stack)


@pytest.mark.process
def test_of_a_hostile_server_nothing_gets_through_but_the_network_that_it_was_given() -> None:
    with a_field() as field:
        outside = field.attack("off")
        assert len(outside) > 20
        assert field.attack("folders") <= NETWORK
        assert field.attack("one host") == set()
        assert field.attack("no-network") == set()
        assert field.attack("strict") == set()


def main() -> None:
    with a_field() as field:
        through = {preset: field.attack(preset) for preset in PRESETS}
    sys.path.insert(0, str(HOSTILE.parent))
    sys.argv[1:] = [json.dumps(field.aim)]
    from hostile import ATTACKS

    print("| attack | " + " | ".join(PRESETS) + " |\n|---|" + "---|" * len(PRESETS))
    for name in ATTACKS:
        marks = ("through" if name in through[preset] else "stopped" for preset in PRESETS)
        print(f"| {name} | {' | '.join(marks)} |")
    print({preset: len(found) for preset, found in through.items()}, "of", len(ATTACKS))


if __name__ == "__main__":
    main()
