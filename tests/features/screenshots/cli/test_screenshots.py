from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import UsageError
from desktop.cli.main import run_command
from desktop.features.screenshots.cli.screenshots import WINDOW, read

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal


def test_the_window_gets_the_command_only_when_it_is_right(tmp_path: Path) -> None:
    asked: list[tuple[str, list[str]]] = []

    def take(module: str, args: list[str]) -> int:
        asked.append((module, args))
        return 7

    assert run_command(["--config", "x", "screenshots", str(tmp_path)], take) == 7
    assert asked == [(WINDOW, ["--config", "x", str(tmp_path)])]
    assert run_command(["screenshots"], take) == 2
    assert run_command(["screenshots", "--help"], take) == 0
    assert len(asked) == 1


def test_the_folder_may_be_new_but_no_file(tmp_path: Path) -> None:
    assert read([str(tmp_path / "new")]).directory == tmp_path / "new"
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="not a folder"):
        read([str(tmp_path / "file")])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], ((1180, 760),)),
        (["--size", "900x600"], ((900, 600),)),
        (["--size", "900x600", "--size", "1920x1080"], ((900, 600), (1920, 1080))),
        (["--size", "900x600", "--size", "900x600"], ((900, 600),)),
    ],
)
def test_it_takes_several_sizes_each_once(
    given: list[str], expected: tuple[tuple[int, int], ...], tmp_path: Path
) -> None:
    assert read([str(tmp_path), *given]).sizes == expected


@pytest.mark.parametrize("size", ["0x0", "719x540", "720x539", "3841x2160", "900", "900x600x2"])
def test_a_size_that_no_window_has_is_refused(size: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="720x540 to 3840x2160"):
        read([str(tmp_path), "--size", size])


def test_the_number_of_sizes_is_bounded(tmp_path: Path) -> None:
    sizes = [word for at in range(9) for word in ("--size", f"{900 + at}x600")]
    with pytest.raises(UsageError, match="At most 8"):
        read([str(tmp_path), *sizes])


@pytest.mark.parametrize("scale", ["0", "0.5", "4.1", "nan", "big"])
def test_a_scale_out_of_bounds_is_refused(scale: str, tmp_path: Path) -> None:
    assert read([str(tmp_path), "--scale", "1.5"]).scale == 1.5
    with pytest.raises(UsageError, match="from 1 to 4"):
        read([str(tmp_path), "--scale", scale])


def test_a_language_that_the_window_does_not_speak_is_refused(tmp_path: Path) -> None:
    assert read([str(tmp_path), "--language", "zh_CN"]).language == "zh_CN"
    with pytest.raises(UsageError, match="xx"):
        read([str(tmp_path), "--language", "xx"])


@pytest.mark.parametrize("flag", ["--config", "--data-dir"])
def test_a_demo_has_no_configuration_of_the_person(flag: str, tmp_path: Path) -> None:
    assert read([str(tmp_path), "--demo"]).demo
    with pytest.raises(UsageError, match="--demo"):
        read([str(tmp_path), "--demo", flag, "x"])


@pytest.mark.exhaustive
def test_a_demo_at_twice_the_scale_in_chinese_leaves_the_person_s_files_alone(
    terminal: Terminal,
) -> None:
    terminal.config.write_text("no JSON", encoding="utf-8")
    folder = terminal.folder / "pictures"
    flags = ("--demo", "--scale", "2", "--size", "900x600", "--language", "zh_CN")
    done = terminal.run("screenshots", str(folder), *flags, own_interpreter=True)

    assert (done.code, done.err) == (0, "")
    header = (folder / "chat-dark.png").read_bytes()[16:24]  # of PNG: width and height
    assert struct.unpack(">II", header) == (1800, 1200)
    assert terminal.config.read_text(encoding="utf-8") == "no JSON"
    assert not (terminal.folder / "data").exists()


def test_without_a_display_they_are_made_all_the_same(terminal: Terminal) -> None:
    folder = terminal.folder / "pictures"
    done = terminal.run("screenshots", str(folder), own_interpreter=True)
    assert (done.code, done.err) == (0, "")
    assert (folder / "servers-light.png").read_bytes().startswith(b"\x89PNG")
