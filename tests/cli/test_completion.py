"""`completion`: what a real shell completes, and that no command is forgotten."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from desktop.cli.commands import COMMANDS
from desktop.cli.completion import whole_parser
from desktop.cli.output import Console
from tests.patience import LIMIT

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash")


def completed(script: str, *words: str) -> set[str]:
    """What bash offers for the last of these words."""
    listed = " ".join(f"'{word}'" for word in words)
    asks = (
        f"COMP_WORDS=(mcp-desktop {listed}); COMP_CWORD={len(words)}\n"
        "$(complete -p mcp-desktop | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
        f" mcp-desktop '{words[-1]}' ''\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    )
    done = subprocess.run(
        ["bash", "--norc"],
        input=f"{script}\n{asks}",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )
    return {line.strip() for line in done.stdout.splitlines()}


@needs_bash
def test_bash_completes_commands_and_the_flags_of_one(terminal: Terminal) -> None:
    done = terminal.run("completion", "bash")
    assert done.code == 0, done
    assert completed(done.out, "co") >= {"compare", "completion"}
    assert completed(done.out, "check", "--ju") == {"--junit"}
    assert completed(done.out, "call", "--no-v") == {"--no-validate"}


def test_each_command_is_described_by_its_own_parser() -> None:
    usage = whole_parser(Console()).format_usage()
    assert set("".join(usage.split()).partition("{")[2].partition("}")[0].split(",")) == set(
        COMMANDS
    )


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_of_their_own(terminal: Terminal, shell: str) -> None:
    done = terminal.run("completion", shell)
    assert (done.code, "mcp-desktop" in done.out, "max-tokens" in done.out) == (0, True, True)


def test_another_shell_is_2(terminal: Terminal) -> None:
    assert terminal.run("completion", "csh").code == 2
