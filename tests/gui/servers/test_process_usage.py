from __future__ import annotations

import subprocess
import sys

from desktop.gui.servers.process_usage import UsageReader


def test_the_memory_of_everything_a_server_started_counts() -> None:
    parent = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    child = "print('up', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", parent, child], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        reader = UsageReader()
        both = reader.read([process.pid])[process.pid]
        assert both.memory > 8_000_000
        assert both.seconds >= 0
    finally:
        process.communicate(b"\n")


def test_a_process_that_is_gone_is_left_out() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    reader = UsageReader()
    process.wait()
    assert reader.read([process.pid]) == {}


def test_cpu_is_known_from_the_second_look_on_with_what_it_started() -> None:
    parent = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', sys.argv[1]])"
    child = "input(); n = sum(range(5_000_000)); print('done', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", parent, "print('up', flush=True); " + child],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        reader = UsageReader()
        assert reader.read([process.pid])[process.pid].cpu is None
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        cpu = reader.read([process.pid])[process.pid].cpu
        assert cpu is not None
        assert cpu > 1
    finally:
        process.communicate(b"\n")
