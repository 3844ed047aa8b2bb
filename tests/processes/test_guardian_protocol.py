"""Orders arrive as they were sent; a tag stays on whatever a server starts."""

from __future__ import annotations

import os
import subprocess
import sys
from uuid import uuid4

import pytest

from desktop.processes import guardian_protocol as protocol

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="tags are Linux's")


def test_an_order_arrives_as_it_was_sent() -> None:
    packed = protocol.pack_order(
        "/tmp", ["prog", "", "a=b", "ü\n", "\udcff"], {"A": "1=2", "EMPTY": ""}
    )
    assert protocol.unpack_order(packed) == (
        b"/tmp",
        [b"prog", b"", b"a=b", "ü\n".encode(), b"\xff"],
        {b"A": b"1=2", b"EMPTY": b""},
    )


def test_an_environment_may_be_empty_or_huge() -> None:
    assert protocol.unpack_order(protocol.pack_order("", ["prog"], {}))[2] == {}
    assert (
        protocol.unpack_order(protocol.pack_order("", ["prog"], {"A": "x" * 500_000}))[2][b"A"]
        == b"x" * 500_000
    )


@pytest.mark.parametrize(
    ("folder", "argv", "environment"),
    [
        ("a\0", ["prog"], {}),
        ("", ["prog\0"], {}),
        ("", ["prog"], {"A": "\0"}),
        ("", ["prog"], {"A=B": "c"}),
        ("", ["prog"], {"": "c"}),
    ],
)
def test_what_no_system_would_take_is_refused(
    folder: str, argv: list[str], environment: dict[str, str]
) -> None:
    with pytest.raises(ValueError):
        protocol.pack_order(folder, argv, environment)


@linux_only
def test_a_descendant_without_environment_in_its_own_session_has_the_tag() -> None:
    marker = uuid4().hex
    code = """
import os, subprocess
input()
sleeper = subprocess.Popen(["/bin/cat"], env={}, start_new_session=True)
print(sleeper.pid, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-S", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert protocol.read_tag(process.pid) is None
        protocol.set_tag(process.pid, marker)
        process.stdin.write("go\n")
        process.stdin.flush()
        descendant = int(process.stdout.readline())
        assert (
            protocol.read_tag(descendant)
            == protocol.read_tag(process.pid)
            == protocol.tag_for(marker)
        )
        assert descendant in protocol.list_pids()
    assert protocol.read_tag(os.getpid()) is None


@linux_only
def test_who_is_gone_is_not_tagged_and_has_none() -> None:
    nobody = 2**22 + 1
    protocol.set_tag(nobody, uuid4().hex)
    assert protocol.read_tag(nobody) is None
    assert protocol.read_variable(nobody, b"PATH") == b""


@linux_only
def test_a_marker_that_is_no_number_makes_no_tag() -> None:
    for marker in ("not a number", "g" * 32):
        protocol.set_tag(os.getpid(), marker)
        assert protocol.read_tag(os.getpid()) is None


@linux_only
def test_a_process_that_may_open_no_file_sees_none() -> None:
    code = """
import resource
from desktop.processes import guardian_protocol as protocol
resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
print(protocol.list_pids(), protocol.children(1), protocol.read_tag(1))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] [] None\n"


@linux_only
def test_there_are_no_tags_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    protocol.set_tag(os.getpid(), uuid4().hex)
    assert protocol.list_pids() == []
    assert protocol.read_tag(os.getpid()) is None
