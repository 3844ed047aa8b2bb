from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.cli.main import run_command
from desktop.cli.screenshots import read
from desktop.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal


def test_the_window_gets_the_command_only_when_it_is_right(tmp_path: Path) -> None:
    asked: list[list[str]] = []

    def take(args: list[str]) -> int:
        asked.append(args)
        return 7

    assert run_command(["--config", "x", "screenshots", str(tmp_path)], take) == 7
    assert asked == [["--config", "x", str(tmp_path)]]
    assert run_command(["screenshots"], take) == 2
    assert run_command(["screenshots", "--help"], take) == 0
    assert len(asked) == 1


def test_the_folder_may_be_new_but_no_file(tmp_path: Path) -> None:
    assert read([str(tmp_path / "new")]).directory == tmp_path / "new"
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="not a folder"):
        read([str(tmp_path / "file")])


def test_without_a_display_they_are_made_all_the_same(terminal: Terminal) -> None:
    folder = terminal.folder / "pictures"
    done = terminal.run("screenshots", str(folder), own_interpreter=True)
    assert (done.code, done.err) == (0, "")
    assert (folder / "servers-light.png").read_bytes().startswith(b"\x89PNG")
