from __future__ import annotations

import subprocess
import sys

import psutil

from desktop.processes.commands import MAX_COMMAND, bounded, command_words


def test_a_process_is_called_by_its_program_and_arguments_without_secrets() -> None:
    code = "print(); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code, "--token", "t0p", "X_KEY=s3c"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        words = command_words(psutil.Process(process.pid))
    finally:
        process.communicate(b"\n")
    assert words is not None
    assert (
        words.short == f"{words.name} -S -c 'print(); input()' --token ‹redacted› X_KEY=‹redacted›"
    )
    assert words.command.startswith(sys.executable[:4])
    assert "t0p" not in words.command


def test_what_is_gone_has_no_command_line() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    gone = psutil.Process(process.pid)
    process.wait()
    assert command_words(gone) is None


def test_a_command_line_is_one_line_and_no_longer_than_a_person_can_read() -> None:
    assert bounded(["sh", "-c", "a\n  b"]) == "sh -c 'a b'"
    assert len(bounded(["x"] * 100_000)) == MAX_COMMAND
    assert len(bounded(["y" * 10_000_000])) == MAX_COMMAND


def test_empty_arguments_at_the_end_are_what_a_title_left_and_are_not_shown() -> None:
    with subprocess.Popen(
        [sys.executable, "-S", "-c", "print(); input()", "", ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        words = command_words(psutil.Process(process.pid))
        process.communicate(b"\n")
    assert words is not None
    assert words.short == f"{words.name} -S -c 'print(); input()'"
