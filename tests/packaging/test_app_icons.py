from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PIL import Image
from PIL.IcoImagePlugin import IcoImageFile

from resources.packaging import app_icons

if TYPE_CHECKING:
    from pathlib import Path


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and one.convert("RGBA").tobytes() == other.tobytes()


def test_the_drawing_is_sharp_at_its_smallest() -> None:
    """Each edge of the two switches falls between two pixels: nothing is half covered."""
    icon = app_icons.draw(16)
    middle = [icon.getpixel((8, y)) for y in range(16)]
    is_switch = [pixel[:3] in {(255, 255, 255), (159, 185, 242)} for pixel in middle]  # type: ignore[index]
    assert "".join("#" if part else "." for part in is_switch) == "...####..####..."
    assert [pixel[3] for pixel in middle] == [0, *[255] * 14, 0]  # type: ignore[index]


def test_the_file_for_windows_has_every_size_drawn_by_itself(tmp_path: Path) -> None:
    file = app_icons.write_file("win32", tmp_path)
    assert file is not None
    with IcoImageFile(file) as icon:
        assert icon.info["sizes"] == {(size, size) for size in app_icons.ICO_SIZES}
        for size in app_icons.ICO_SIZES:
            icon.size = (size, size)
            icon.load()
            assert same(icon, app_icons.draw(size))


def test_the_file_for_macos_has_every_size_up_to_1024(tmp_path: Path) -> None:
    file = app_icons.write_file("darwin", tmp_path / "new")
    assert file is not None
    with Image.open(file) as icon:
        pixels = {width * scale for width, _, scale in icon.info["sizes"]}
        assert pixels == set(app_icons.ICNS_SIZES)
        assert (16, 16, 2) in icon.info["sizes"]
        assert same(icon, app_icons.draw(1024))  # the largest is what is opened


def test_executables_elsewhere_have_no_icon(tmp_path: Path) -> None:
    assert app_icons.write_file("linux", tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_desktop_of_linux_finds_the_drawing_and_four_sizes(tmp_path: Path) -> None:
    app_icons.write_hicolor(tmp_path)
    files = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.*")}
    sizes = ("32x32", "48x48", "128x128", "256x256")
    pngs = {f"{size}/apps/mcp-desktop.png" for size in sizes}
    assert files == {"scalable/apps/mcp-desktop.svg", *pngs}
    for name in pngs:
        with Image.open(tmp_path / name) as icon:
            assert same(icon, app_icons.draw(icon.width))
            assert name.startswith(f"{icon.width}x")


@pytest.mark.parametrize("size", [16, 1024])
def test_the_corners_are_left_free(size: int) -> None:
    assert app_icons.draw(size).getpixel((0, 0)) == (0, 0, 0, 0)
