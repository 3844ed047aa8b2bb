"""A server may reach the hosts that its sandbox lists, by their names, and nothing else."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from desktop.base.errors import ConfigError
from desktop.base.paths import Paths, program_command
from desktop.config.models import ServerConfig, sandbox_words
from desktop.features.sandbox import bubblewrap, gate
from desktop.features.sandbox.bubblewrap import confine
from desktop.features.sandbox.gate import Gate, Hosts, Names, answer, public_address
from desktop.processes.process import LaunchSpec

needs_engine = pytest.mark.skipif(
    (program := bubblewrap.find()) is None or bool(bubblewrap.why_not(program)),
    reason="needs bubblewrap, and a system that lets it work",
)
MACHINE = Path(__file__).with_name("behind_gate.py")


def query(name: str, kind: int = 1) -> bytes:
    labels = b"".join(bytes([len(each)]) + each.encode() for each in name.split("."))
    return struct.pack("!6H", 7, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!2H", kind, 1)


def server(sandbox: object) -> ServerConfig:
    return ServerConfig.checked(name="found", command=sys.executable, sandbox=sandbox)


# --- the list


def test_hosts_are_listed_by_name_with_all_below_one_and_a_port() -> None:
    listed = ["API.github.com", "*.example.com", "db.example.org:5432", "api.github.com"]
    sandbox = server({"preset": "folders", "network": listed}).sandbox
    assert sandbox.hosts == ("api.github.com", "*.example.com", "db.example.org:5432")
    assert not sandbox.has_network
    assert sandbox_words(sandbox).endswith("api.github.com, *.example.com, db.example.org:5432")
    hosts = Hosts(sandbox.hosts)
    assert hosts.ports == [80, 443, 5432]
    assert hosts.ports_of("a.b.example.com") == {80, 443}
    assert hosts.ports_of("db.example.org") == {5432}
    for other in ("example.com", "github.com", "xapi.github.com", "api.github.com.evil.org", ""):
        assert not hosts.ports_of(other)


def test_an_empty_list_is_no_network() -> None:
    assert server({"preset": "folders", "network": []}).sandbox.network is False


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("localhost", "nothing of this machine"),
        ("a.localhost", "nothing of this machine"),
        ("localhost:8080", "nothing of this machine"),
        ("127.0.0.1", "no addresses"),
        ("169.254.169.254:80", "no addresses"),
        ("10.0.0.1", "no addresses"),
        ("::1", "no addresses"),
        ("[::1]:80", "no addresses"),
        ("*", "is no host"),
        ("*.com*", "is no host"),
        ("https://example.com", "is no host"),
        ("example.com/a", "is no host"),
        ("example.com:0", "is no host"),
        ("example.com:70000", "is no host"),
        ("example.com; rm", "is no host"),
        ("--", "is no host"),
        ("nexus", "is no host"),
        ("", "is no host"),
    ],
)
def test_what_is_no_host_of_the_internet_is_refused_in_a_sentence(host: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        server({"preset": "folders", "network": [host]})


def test_a_list_has_a_bound() -> None:
    for many in ([f"{n}.example.com" for n in range(101)], [f"a.b:{n + 1}" for n in range(20)]):
        with pytest.raises(ConfigError, match="at most"):
            server({"preset": "folders", "network": many})


@pytest.mark.parametrize(
    ("address", "is_public"),
    [
        ("1.1.1.1", True),
        ("2606:4700::1", True),
        ("198.18.0.7", True),
        *((each, False) for each in ("127.0.0.1", "10.1.1.1", "192.168.0.1", "172.16.0.1")),
        *((each, False) for each in ("169.254.169.254", "0.0.0.0", "224.0.0.1", "100.64.0.1")),
        *((each, False) for each in ("::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1")),
        *((each, False) for each in ("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::")),
    ],
)
def test_this_machine_and_the_local_network_are_not_public(address: str, is_public: bool) -> None:
    assert public_address(address) is is_public


# --- names


def test_an_allowed_name_has_an_address_of_its_own_and_others_do_not_exist() -> None:
    told: list[str] = []
    names = Names(Hosts(["a.example.com", "*.example.org"]), told.append)
    said = answer(query("a.example.com"), names.address)
    assert said[-4:] == bytes([198, 18, 0, 2])
    assert answer(query("A.Example.com"), names.address)[-4:] == said[-4:]
    assert answer(query("b.example.org"), names.address)[-4:] == bytes([198, 18, 0, 3])
    assert names.name("198.18.0.3") == "b.example.org"
    assert answer(query("a.example.com", kind=28), names.address)[3] & 15 == 0  # no IPv6, no error
    for _ in range(3):
        assert answer(query("evil.example.net"), names.address)[3] & 15 == 3
    assert told == [f"{gate.REFUSED}evil.example.net\n"]


@pytest.mark.parametrize(
    "faulty",
    [
        *(b"", b"\0" * 11, b"\0" * 12, query("a.example.com")[:-5], b"\xff" * 512),
        struct.pack("!6H", 7, 0x100, 1, 0, 0, 0) + b"\x3f" + b"a" * 10,
        struct.pack("!6H", 7, 0x100, 1, 0, 0, 0) + b"\xc0\x0c\0\1\0\1",
    ],
)
def test_a_faulty_question_opens_nothing(faulty: bytes) -> None:
    asked: list[str] = []

    def address_of(name: str) -> int | None:
        asked.append(name)
        return None

    answer(faulty, address_of)
    assert not asked


def test_a_name_with_a_line_or_a_colour_in_it_is_not_told() -> None:
    told: list[str] = []
    names = Names(Hosts(["a.example.com"]), told.append)
    for name in ("a\nb.com", "\x1b[31m.com", "x" * 63 + ".y y"):
        assert answer(query(name), names.address)[3] & 15 == 3
    assert not told


def test_names_that_are_told_and_known_have_a_bound() -> None:
    told: list[str] = []
    names = Names(Hosts(["*.example.com"]), told.append)
    for n in range(gate.MAX_NAMES):
        names.address(f"{n}.example.com")
        names.address(f"{n}.example.net")
    assert names.address("one-more.example.com") is None
    assert len(told) == gate.MAX_REFUSED


# --- connections


def test_a_name_that_leads_to_this_machine_is_refused_and_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as own:
        port = own.getsockname()[1]
        with pytest.raises(gate.RefusedError, match="on this machine"):
            gate.dial("localhost", port)


def test_the_proxy_of_the_person_is_used_and_asked_for_no_name_of_this_machine() -> None:
    asked: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            asked.append(connection.recv(1000))
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as proxy:
        thread = threading.Thread(target=serve, args=(proxy,))
        thread.start()
        address = gate.proxy_of(
            {"https_proxy": f"http://me:p%40ss@127.0.0.1:{proxy.getsockname()[1]}"}
        )
        dial = gate.dial_by_proxy(address)
        with pytest.raises(gate.RefusedError):
            dial("localhost", 443)
        dial("name.invalid", 443).close()
        thread.join(5)
    assert asked == [
        b"CONNECT name.invalid:443 HTTP/1.1\r\nHost: name.invalid:443\r\n"
        b"Proxy-Authorization: Basic bWU6cEBzcw==\r\n\r\n"
    ]
    assert gate.proxy_of({"HTTPS_PROXY": "http://127.0.0.1:1/"}) == "127.0.0.1:1"
    assert gate.proxy_of({"https_proxy": "socks5://127.0.0.1:1"}) == ""


def test_an_address_without_a_name_leads_nowhere() -> None:
    def dial(name: str, port: int) -> socket.socket:
        raise AssertionError(name)

    hosts = Hosts(["a.example.com"])
    serving = Gate(hosts, Names(hosts, lambda _: None), dial)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serving.serve, args=(listening,), daemon=True).start()
        client = socket.create_connection(listening.getsockname(), 5)
        with client, suppress(ConnectionError):
            assert client.recv(100) == b""


# --- a real sandbox


CLIENT = """
import socket, sys
for name, port in (("one.one.one.one", 80), ("one.one.one.one", 81), ("other.example", 80),
                   ("local.example.com", 80), ("1.1.1.1", 80), ("127.0.0.1", 80), ("::1", 80)):
    try:
        with socket.create_connection((name, port), 5) as made:
            made.sendall(b"x")
            said = made.recv(100).decode() or "ended"
    except ConnectionResetError:
        said = "ended"
    except OSError as error:
        said = type(error).__name__
    print(name, port, said)
sys.stderr.flush()
sys.exit(7)
"""


@needs_engine
@pytest.mark.process
def test_in_its_sandbox_a_server_reaches_the_listed_hosts_and_nothing_else(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare")
    home = tmp_path / "home"
    home.mkdir()
    etc = tmp_path / "hosts"
    etc.write_text("1.1.1.1 one.one.one.one\n127.0.0.1 local.example.com\n", encoding="utf-8")
    paths = Paths(home / "config/mcp.json", home / "data")
    listed = ["one.one.one.one", "local.example.com"]
    config = server({"preset": "folders", "network": listed})
    spec = LaunchSpec(sys.executable, ("-I", "-c", CLIENT), {"HOME": str(home)}, str(home))
    launch = confine(config, spec, paths)
    at = launch.args.index("--chdir")  # inside, /etc/hosts names nothing
    words = [launch.command, *launch.args[:at], "--ro-bind", os.devnull, "/etc/hosts"]
    words += launch.args[at:]
    outside = f'mount --bind {etc} /etc/hosts && exec "$@"'
    done = subprocess.run(
        ["unshare", "-rnm", "sh", "-c", outside, "sh", sys.executable, str(MACHINE), *words],
        env=dict(launch.environment) | {"PATH": os.defpath},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 7, done.stderr
    assert done.stdout.splitlines() == [
        "one.one.one.one 80 hello x",
        "one.one.one.one 81 ConnectionRefusedError",
        "other.example 80 gaierror",
        "local.example.com 80 ended",
        "1.1.1.1 80 OSError",
        "127.0.0.1 80 ended",
        "::1 80 ConnectionRefusedError",
    ]
    told = [line for line in done.stderr.splitlines() if line.startswith(gate.REFUSED)]
    assert told == [
        f"{gate.REFUSED}other.example",
        f"{gate.REFUSED}local.example.com: it is on this machine or in the local network",
    ]


@needs_engine
@pytest.mark.process
def test_the_gate_ends_with_the_server_and_the_server_with_the_gate(tmp_path: Path) -> None:
    bwrap = [bubblewrap.find() or "", "--unshare-pid", "--unshare-net", "--die-with-parent"]
    bwrap += ["--ro-bind", "/", "/", "--", "/bin/cat"]
    words = [*program_command("gate"), "a.example.com", "--", *bwrap]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write(b"x\n")
        first.stdin.flush()
        assert first.stdout.readline() == b"x\n"
        first.stdin.close()
        assert first.wait(10) == 0
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as second:
        assert second.stdin is not None
        assert second.stdout is not None
        second.stdin.write(b"x\n")
        second.stdin.flush()
        assert second.stdout.readline() == b"x\n"
        below = psutil.Process(second.pid).children(recursive=True)
        assert len(below) == 3
        second.kill()
        _, left = psutil.wait_procs(below, 10)
        assert not left


def test_a_server_that_has_the_network_of_this_machine_is_not_let_on(tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    script = "#!/bin/sh\necho '{\"child-pid\": '$$'}' >&$2\nread -r x\n"
    program.write_text(script, encoding="utf-8")
    program.chmod(0o700)
    words = [*program_command("gate"), "a.example.com", "--", str(program)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        said = run.stderr.read()
        assert run.wait(60) != 0
    assert "the gate of the sandbox cannot be made: it has no network of its own" in said
