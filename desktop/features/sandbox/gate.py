"""The gate of a server that may reach named hosts alone: it answers for them, and dials them.

The server is in a network namespace of its own, where there is nothing. This program puts two
things there: an answerer of names, which gives each allowed name an address of that namespace, and
a listener, which takes the connections to these addresses. It dials the host from outside, so a
server needs to know nothing of it. All other names do not exist there, and all other addresses
cannot be reached. A name that leads to this machine or the local network is refused.

Runs as a process of its own, the parent of bubblewrap, and ends with it. It has a few MB: it must
not import what is not in the standard library, nor the rest of the app.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import select
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress

from desktop.base.later_patterns import compile_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WEB_PORTS = (80, 443)
"""The ports of a host that names none."""
REFUSED = "mcp-desktop: the sandbox refused the host "
"""Begins the line on stderr that names a host; the window reads it."""
FAILED = 125
"""The exit code where the gate itself cannot be made."""
MAX_CONNECTIONS = 128
MAX_NAMES = 4096
MAX_REFUSED = 100
"""Names that are told, each once."""
DIAL_SECONDS = 10.0
START_SECONDS = 10.0
IDLE_SECONDS = 3600.0
"""Seconds after which a connection ends on which nothing was said."""
_CHUNK = 65536
_FIRST = int(ipaddress.IPv4Address("198.18.0.2"))
_MASK = "255.254.0.0"
_BENCHMARKS = ipaddress.ip_network("198.18.0.0/15")
"""No host has an address of these (RFC 2544): local proxies and this gate give them to names."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NAME = compile_later(
    r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*"
)


class Hosts:
    """The hosts that may be reached: names, `*.` before those below one, `:` before a port."""

    def __init__(self, named: Iterable[str]) -> None:
        self._ports: dict[str, set[int]] = {}
        for each in named:
            name, _, port = each.partition(":")
            self._ports.setdefault(name.lower(), set()).update([int(port)] if port else WEB_PORTS)

    @property
    def ports(self) -> list[int]:
        """Of all of them."""
        return sorted({port for ports in self._ports.values() for port in ports})

    def ports_of(self, name: str) -> set[int]:
        """Those of a name; none where it may not be reached."""
        found = set(self._ports.get(name, ()))
        parent = name
        while "." in parent:
            parent = parent.partition(".")[2]
            found |= self._ports.get(f"*.{parent}", set())
        return found


def public_address(text: str) -> bool:
    """Whether an address is of another machine, and not of the local network."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return public_address(str(inner))
        return address.is_global and not address.is_multicast
    return address in _BENCHMARKS or (address.is_global and not address.is_multicast)


class RefusedError(Exception):
    """A host that is not dialled; says why."""


def dial(name: str, port: int) -> socket.socket:
    """A connection to a host. What was judged is what is dialled, so that no name changes between.

    Raises:
        RefusedError: the name leads to this machine or the local network alone.
        OSError: it does not answer.
    """
    failed = OSError()
    for family, kind, protocol, _, address in _public_addresses(name, port)[:4]:
        outside = socket.socket(family, kind, protocol)
        try:
            outside.settimeout(DIAL_SECONDS)
            outside.connect(address)
        except OSError as error:
            outside.close()
            failed = error
        else:
            return outside
    raise failed


def _public_addresses(name: str, port: int):
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    public = [each for each in found if public_address(str(each[4][0]))]
    if not public:
        raise RefusedError("it is on this machine or in the local network")
    return public


def dial_by_proxy(proxy: str) -> Callable[[str, int], socket.socket]:
    """The same by the person's own HTTP proxy, which may know names that are not known here."""
    user, _, place = proxy.rpartition("@")
    host, _, port = place.rpartition(":")
    said_by_us = f"Proxy-Authorization: Basic {_basic(user)}\r\n" if user else ""

    def dialled(name: str, to: int) -> socket.socket:
        with suppress(socket.gaierror):
            _public_addresses(name, to)
        outside = socket.create_connection((host.strip("[]"), int(port)), DIAL_SECONDS)
        target = f"{name}:{to}"
        outside.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{said_by_us}\r\n".encode())
        said = b""
        while not said.endswith(b"\r\n\r\n"):
            if not (byte := outside.recv(1)) or len(said) > _CHUNK:
                raise ConnectionError
            said += byte
        if said.split(b" ", 2)[1:2] != [b"200"]:
            raise ConnectionError
        return outside

    return dialled


def _basic(user: str) -> str:
    import base64  # few proxies ask for a user
    from urllib.parse import unquote

    return base64.b64encode(unquote(user).encode()).decode()


def proxy_of(environment: dict[str, str]) -> str:
    """`host:port` of the HTTP proxy by which a person reaches the network; empty without one.

    What that is to be told of the person stands before an `@`.
    """
    names = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    said = next((environment[name] for name in names if environment.get(name)), "")
    match = re.fullmatch(r"(?:http://)?([^@/\s]+@)?(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})/?", said)
    return f"{match[1] or ''}{match[2]}:{match[3]}" if match is not None else ""


class Names:
    """An address inside for each allowed name that was asked for, and the name of an address."""

    def __init__(self, hosts: Hosts, tell: Callable[[str], None]) -> None:
        self._hosts, self._tell = hosts, tell
        self._addresses: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._refused: set[str] = set()
        self._lock = threading.Lock()

    def address(self, name: str) -> int | None:
        """Inside; None where the name may not be reached."""
        if not self._hosts.ports_of(name):
            self.refuse(name)
            return None
        with self._lock:
            if name not in self._addresses and len(self._names) < MAX_NAMES:
                self._addresses[name] = _FIRST + len(self._names)
                self._names[self._addresses[name]] = name
            return self._addresses.get(name)

    def name(self, address: str) -> str:
        """Of an address inside; empty where it has none."""
        return self._names.get(int(ipaddress.IPv4Address(address)), "")

    def refuse(self, host: str, why: str = "") -> None:
        """Tell of it, once."""
        with self._lock:
            if host in self._refused or len(self._refused) >= MAX_REFUSED:
                return
            self._refused.add(host)
        self._tell(f"{REFUSED}{host}{f': {why}' if why else ''}\n")


# --- names: RFC 1035 ---------------------------------------------------------------------------

_HEADER = struct.Struct("!6H")
_ADDRESS, _NO_SUCH_NAME, _FAULTY = 1, 3, 1


def answer(query: bytes, address_of: Callable[[str], int | None]) -> bytes:
    """What a resolver says to one query; nothing to what is none."""
    if len(query) < _HEADER.size:
        return b""
    number, flags, questions, *_ = _HEADER.unpack_from(query)
    if flags & 0x8000 or questions != 1:
        return b""
    name, end = _question(query)
    if end > len(query) - 4:
        return b""
    kind, _ = struct.unpack_from("!2H", query, end)
    asked = query[_HEADER.size : end + 4]
    known = address_of(name) if _NAME.fullmatch(name) and len(name) < 254 else None
    records = b""
    if known is not None and kind == _ADDRESS:
        records = struct.pack("!3HIH", 0xC00C, _ADDRESS, 1, 60, 4) + known.to_bytes(4, "big")
    code = 0x8180 | (0 if known is not None else _NO_SUCH_NAME)
    return _HEADER.pack(number, code, 1, 1 if records else 0, 0, 0) + asked + records


def _question(query: bytes) -> tuple[str, int]:
    """The name that is asked for, in small letters, and where it ends."""
    labels: list[str] = []
    at = _HEADER.size
    while at < len(query) and 0 < (length := query[at]) < 64:
        labels.append(query[at + 1 : at + 1 + length].decode("latin-1").lower())
        at += 1 + length
    return ".".join(labels), at + 1


def answer_names(listening: socket.socket, names: Names) -> None:
    while True:
        query, sender = listening.recvfrom(512)
        try:
            if said := answer(query, names.address):
                listening.sendto(said, sender)
        except OSError:
            continue


# --- connections -------------------------------------------------------------------------------


class Gate:
    """Takes connections from inside, and carries what is said to the hosts outside and back."""

    def __init__(
        self, hosts: Hosts, names: Names, dial: Callable[[str, int], socket.socket] = dial
    ) -> None:
        self._hosts, self._names, self._dial = hosts, names, dial
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)

    def serve(self, listening: socket.socket) -> None:
        """For good."""
        port = listening.getsockname()[1]
        while True:
            try:
                inside, _ = listening.accept()
            except OSError:
                continue
            if self._room.acquire(blocking=False):
                threading.Thread(target=self._carry, args=(inside, port), daemon=True).start()
            else:
                inside.close()

    def _carry(self, inside: socket.socket, port: int) -> None:
        try:
            with inside:
                name = self._names.name(inside.getsockname()[0])
                if port in self._hosts.ports_of(name):
                    self._connect(inside, name, port)
                elif name:
                    self._names.refuse(f"{name}:{port}")
        except OSError:
            return  # the server sees that its connection has ended
        finally:
            self._room.release()

    def _connect(self, inside: socket.socket, name: str, port: int) -> None:
        try:
            outside = self._dial(name, port)
        except RefusedError as error:
            self._names.refuse(name, str(error))
            return
        with outside:
            _carry_between(inside, outside)


def _carry_between(one: socket.socket, other: socket.socket) -> None:
    """Until both sides have ended, or nothing was said for long."""
    to = {one: other, other: one}
    for each in to:
        each.settimeout(IDLE_SECONDS)
        each.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    while to:
        readable, _, _ = select.select(list(to), [], [], IDLE_SECONDS)
        if not readable:
            return
        for each in readable:
            if said := each.recv(_CHUNK):
                to[each].sendall(said)
            else:
                to.pop(each).shutdown(socket.SHUT_WR)


# --- the namespace -----------------------------------------------------------------------------

_OWNER_OF_NAMESPACE = 0xB701  # NS_GET_USERNS
_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_SET_ADDRESS, _SET_MASK = 0x8916, 0x891C
_FREE_BIND = 15
_ELSEWHERE = "there are such namespaces on Linux alone"


def sockets_inside(pid: int, ports: Sequence[int]) -> tuple[socket.socket, list[socket.socket]]:
    """An UDP socket for names, and listeners, in the network namespace of a process.

    A socket stays in the namespace where it was made: a fork goes there, and hands them over.

    Raises:
        OSError: the system does not let us in.
    """
    if sys.platform != "linux":
        raise OSError(_ELSEWHERE)
    ours, theirs = socket.socketpair()
    ours.settimeout(START_SECONDS)
    child = os.fork()
    if child == 0:
        _hand_over(pid, ports, theirs)
    theirs.close()
    with ours:
        said, handed, _, _ = socket.recv_fds(ours, 256, len(ports) + 1)
    os.waitpid(child, 0)
    if len(handed) != len(ports) + 1:
        raise OSError(said.decode(errors="replace"))
    made = [socket.socket(fileno=each) for each in handed]
    return made[0], made[1:]


def _hand_over(pid: int, ports: Sequence[int], to: socket.socket) -> None:
    if sys.platform != "linux":
        raise OSError(_ELSEWHERE)
    try:
        _enter_network(pid)
        made = [_bound(socket.SOCK_DGRAM, "127.0.0.1", 53)]
        _give_addresses(made[0])
        made += [_bound(socket.SOCK_STREAM, "0.0.0.0", port) for port in ports]  # noqa: S104 - there
        for each in made[1:]:
            each.listen(64)
        socket.send_fds(to, [b"made"], [each.fileno() for each in made])
    except Exception as error:  # noqa: BLE001 - its words are all that the parent gets
        to.sendall(str(error).encode()[:200])
    finally:
        os._exit(0)


def _bound(kind: int, address: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, kind)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.IPPROTO_IP, _FREE_BIND, 1)  # the loopback may not be up yet
    made.bind((address, port))
    return made


def _enter_network(pid: int) -> None:
    if sys.platform != "linux":
        raise OSError(_ELSEWHERE)
    import ctypes  # in the fork alone
    import fcntl

    libc = ctypes.CDLL(None, use_errno=True)

    def enter(descriptor: int, kind: int) -> None:
        if libc.setns(descriptor, kind):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    if os.fstat(network).st_ino == os.stat("/proc/self/ns/net").st_ino:
        raise OSError("it has no network of its own")
    owner = fcntl.ioctl(network, _OWNER_OF_NAMESPACE)
    if os.fstat(owner).st_ino != os.stat("/proc/self/ns/user").st_ino:
        enter(owner, _NEW_USER)
    enter(network, _NEW_NET)


def _give_addresses(any_socket: socket.socket) -> None:
    """The loopback gets all of 198.18/15: an address of it is that of a name."""
    if sys.platform != "linux":
        raise OSError(_ELSEWHERE)
    import fcntl

    for request, address in ((_SET_ADDRESS, "198.18.0.1"), (_SET_MASK, _MASK)):
        told = struct.pack("16sH2x4s8x", b"lo:1", socket.AF_INET, socket.inet_aton(address))
        fcntl.ioctl(any_socket, request, told)


# --- the program -------------------------------------------------------------------------------


def run(arguments: Sequence[str]) -> int:
    """Start bubblewrap behind the gate: `HOST ... -- BWRAP ARGUMENT ...`; its exit code."""
    at = list(arguments).index("--")
    hosts = Hosts(arguments[:at])
    names = Names(hosts, _tell)
    proxy = proxy_of(dict(os.environ))
    gate = Gate(hosts, names, dial_by_proxy(proxy) if proxy else dial)
    server, said, go = _start(arguments[at + 1 :])
    try:
        listening, listeners = sockets_inside(_pid_inside(said), hosts.ports)
    except (OSError, ValueError) as error:
        if server.poll() is None:
            _tell(f"mcp-desktop: the gate of the sandbox cannot be made: {error}\n")
        server.kill()
        return server.wait() or FAILED
    threading.Thread(target=answer_names, args=(listening, names), daemon=True).start()
    for each in listeners:
        threading.Thread(target=gate.serve, args=(each,), daemon=True).start()
    os.write(go, b"1")
    os.close(go)
    return server.wait()


def _start(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], int, int]:
    """Bubblewrap, which waits; where it says its PID, and what lets it go on.

    It ends with the thread that starts it, which is the main one.
    """
    said, tells = os.pipe()
    waits, go = os.pipe()
    program, *rest = words
    options = ["--info-fd", str(tells), "--block-fd", str(waits)]
    server = subprocess.Popen(  # noqa: S603 - the words of the sandbox
        [program, *options, *rest], pass_fds=(tells, waits)
    )
    for each in (tells, waits):
        os.close(each)
    with open(os.devnull, "r+b") as null:
        for each in (0, 1):  # they are the server's: it alone holds them open
            os.dup2(null.fileno(), each)
    return server, said, go


def _pid_inside(said: int) -> int:
    """Of the first process in the namespace."""
    text = b""
    while select.select([said], [], [], START_SECONDS)[0] and (more := os.read(said, 4096)):
        text += more
        if b"}" in text:
            break
    os.close(said)
    return int(json.loads(text)["child-pid"])


def _tell(line: str) -> None:
    try:
        os.write(2, line.encode())
    except OSError:
        return


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
