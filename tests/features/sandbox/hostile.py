"""A hostile program: tries what a server in a sandbox must not do, and prints what got through.

Its one argument is a JSON object with what there is to be attacked. Standard library alone.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

if sys.platform != "linux":
    raise SystemExit("the sandbox is for Linux")

AIM = json.loads(sys.argv[1])
HOME, DATA, OTHER = Path(AIM["home"]), Path(AIM["data"]), Path(AIM["other"])
libc = ctypes.CDLL(None, use_errno=True)


def read(path: str | Path) -> bool:
    return bool(Path(path).read_bytes())


def append(path: str | Path) -> bool:
    with Path(path).open("a", encoding="utf-8") as file:
        file.write("# attacked\n")
    return str(path) in AIM["watched"]


def create(path: str | Path) -> bool:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    return append(path)


def open_to_write(path: str, more: int = 0) -> bool:
    """Opens and writes nothing: outside of a sandbox it is this machine's."""
    os.close(os.open(path, os.O_WRONLY | more))
    return True


def connect(family: int, address: Any, kind: int = socket.SOCK_STREAM) -> bool:
    with socket.socket(family, kind) as sock:
        sock.settimeout(2)
        sock.connect(address)
        if kind == socket.SOCK_DGRAM:
            sock.send(b"x")
        return kind != socket.SOCK_DGRAM or family == socket.AF_UNIX


def send_to(address: str) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        return sock.sendto(b"", (address, 9)) == 0


def raw_socket() -> bool:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return True


def packet_socket() -> bool:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    return True


def interfaces() -> bool:
    return any(name != "lo" for _, name in socket.if_nameindex())


def call(name: str, *arguments: object) -> bool:
    done = getattr(libc, name)(*arguments)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return True


def sees_others() -> bool:
    return any(
        AIM["secret"].encode() in each.read_bytes()
        for each in Path("/proc").glob("[0-9]*/environ")
        if int(each.parent.name) != os.getpid()
    )


def kill_victim() -> bool:
    os.kill(AIM["victim"], 0)
    words = Path(f"/proc/{AIM['victim']}/cmdline").read_bytes()
    return b"victim" in words


def daemonise() -> bool:
    """Leaves a process behind that nobody waits for; the test looks whether it is still there."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            os.execv("/bin/sleep", ["/bin/sleep", AIM["daemon"]])
        os._exit(0)
    return True


def through_root_of_init() -> bool:
    return read(Path("/proc/1/root") / str(HOME / ".ssh/id_ed25519").lstrip("/"))


def set_id_program() -> bool:
    copy = Path(AIM["allowed"] or "/tmp") / "sh"
    copy.write_bytes(Path("/bin/sh").read_bytes())
    copy.chmod(0o4755)
    said = subprocess.run([copy, "-pc", "id -u; cat /etc/shadow"], capture_output=True, timeout=5)
    return b"root:" in said.stdout


def ask_the_bus() -> bool:
    return connect(socket.AF_UNIX, AIM["bus"])


def type_into_the_terminal() -> bool:
    import fcntl
    import termios

    with open("/dev/tty", "rb") as tty:
        fcntl.ioctl(tty, termios.TIOCSTI, b"x")
    return True


ATTACKS = {
    # --- reads
    "read ~/.ssh/id_ed25519": lambda: read(HOME / ".ssh/id_ed25519"),
    "read ~/.aws/credentials": lambda: read(HOME / ".aws/credentials"),
    "read ~/.bash_history": lambda: read(HOME / ".bash_history"),
    "read ~/.local/share/keyrings": lambda: read(HOME / ".local/share/keyrings/login.keyring"),
    "read ~/Documents": lambda: read(HOME / "Documents/letter.txt"),
    "read this app's config": lambda: read(AIM["config"]),
    "read this app's history": lambda: read(DATA / "history.sqlite3"),
    "read another server's home": lambda: read(OTHER / "token"),
    "read /tmp of the machine": lambda: read(AIM["temporary"]),
    "read /var/tmp of the machine": lambda: read(AIM["var_temporary"]),
    "read /etc/shadow": lambda: read("/etc/shadow"),
    "read /etc/ssh": lambda: any(map(read, Path("/etc/ssh").iterdir())),
    "read a link out of its folder": lambda: read(Path(AIM["allowed"]) / "way_out"),
    "read by /proc/1/root": through_root_of_init,
    "read by a parent of its folder": lambda: read(Path(AIM["allowed"]) / "../letter.txt"),
    "read a disk": lambda: any(read(each) for each in Path("/dev").glob("[sv]d[a-z]")),
    "read the environment of others": sees_others,
    "list /root and /home": lambda: any(
        ".bash_history" in os.listdir(each) for each in (HOME, "/root") if os.path.isdir(each)
    ),
    # --- writes
    "write ~/.bashrc": lambda: append(HOME / ".bashrc"),
    "write ~/.ssh/authorized_keys": lambda: create(HOME / ".ssh/authorized_keys"),
    "write ~/.config/autostart": lambda: create(HOME / ".config/autostart/x.desktop"),
    "write this app's config": lambda: append(AIM["config"]),
    "write this app's data": lambda: create(DATA / "calls/x.json"),
    "write another server's home": lambda: create(OTHER / "x"),
    "write its own program": lambda: append(AIM["program"]),
    "write /tmp of the machine": lambda: append(AIM["temporary"]),
    "write /usr/bin": lambda: open_to_write("/usr/bin", os.O_TMPFILE),
    "write /etc": lambda: open_to_write("/etc", os.O_TMPFILE),
    "write a sysctl": lambda: open_to_write("/proc/sys/kernel/core_pattern"),
    "write to the kernel's triggers": lambda: open_to_write("/proc/sysrq-trigger"),
    # --- the network
    "reach 127.0.0.1": lambda: connect(socket.AF_INET, ("127.0.0.1", AIM["port"])),
    "reach ::1": lambda: connect(socket.AF_INET6, ("::1", AIM["port6"])),
    "reach an abstract socket": lambda: connect(socket.AF_UNIX, "\0" + AIM["abstract"]),
    "reach a socket in /tmp": lambda: connect(socket.AF_UNIX, AIM["socket"]),
    "reach a socket of this app": lambda: connect(socket.AF_UNIX, str(DATA / "app.sock")),
    "reach the session bus": ask_the_bus,
    "send a datagram to the internet": lambda: send_to("1.1.1.1"),
    "send one to a cloud's metadata": lambda: send_to("169.254.169.254"),
    "see the interfaces": interfaces,
    "open a raw socket": raw_socket,
    "open a packet socket": packet_socket,
    # --- processes and the kernel
    "signal a process outside": kill_victim,
    "trace a process outside": lambda: call("ptrace", 16, AIM["victim"], 0, 0),
    "mount a file system": lambda: call("mount", b"none", b"/mnt", b"tmpfs", 0, None),
    "open / for writing": lambda: call("mount", None, b"/usr", None, 32 | 4096, None),
    "become root by a set-id file": set_id_program,
    "type into the terminal": type_into_the_terminal,
    "leave a process behind": daemonise,
}


def main() -> None:
    signal.alarm(30)
    through: list[str] = []
    for name, attack in ATTACKS.items():
        try:
            if attack():
                through.append(name)
        except Exception:  # noqa: BLE001 - it did not get through, whatever stopped it
            continue
    print(json.dumps(through))


if __name__ == "__main__":
    main()
