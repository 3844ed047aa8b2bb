from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QToolButton

from desktop.gui.theme.tokens import FACES
from desktop.gui.widgets import icons
from desktop.gui.widgets.letter_faces import SIGNS, letter_of, sign_of
from desktop.gui.widgets.server_faces import (
    MAX_SIDE,
    READING,
    ServerFaces,
    face,
    set_face,
)
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPixmap
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

RED, GREEN = "#ff0000", "#00ff00"


@pytest.fixture(autouse=True)
def faces(theme: Theme) -> Iterator[ServerFaces]:
    """Those of the theme, without what another test has taught them."""
    made = ServerFaces.of(theme)
    yield made
    made.deleteLater()
    made.setParent(None)


def picture(color: str, form: str = "PNG", width: int = 40, height: int = 40) -> str:
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(QColor(color))
    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(device, form)  # pyright: ignore[reportCallIssue, reportArgumentType] # stubs: bytes
    body = base64.b64encode(device.data().data()).decode()
    return f"data:image/{form.lower()};base64,{body}"


def icon(source: str, **more: Any) -> dict[str, Any]:
    return {"src": source, **more}


def middle(drawn: QPixmap) -> QColor:
    image = drawn.toImage()
    return image.pixelColor(image.width() // 2, image.height() // 2)


def is_near(color: QColor, other: str) -> bool:
    wanted = QColor(other)
    parts = (QColor.red, QColor.green, QColor.blue, QColor.alpha)
    return all(abs(part(color) - part(wanted)) < 8 for part in parts)


async def settled() -> None:
    """Every icon that was being read is read."""
    reading = [task for task in asyncio.all_tasks() if task.get_name() == READING]
    if reading:
        await asyncio.wait(reading, timeout=LIMIT)


async def learnt(faces: ServerFaces, server: str, *icons: dict[str, Any]) -> None:
    faces.learn(server, icons)
    await settled()


async def is_refused(faces: ServerFaces, theme: Theme, *icons: dict[str, Any]) -> bool:
    """Whether a server that declares these keeps its letter."""
    faces.learn("a", ())
    letter = face(theme, "a").toImage()
    await learnt(faces, "a", *icons)
    return face(theme, "a").toImage() == letter


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
async def test_the_picture_that_a_server_brings_is_its_face(
    faces: ServerFaces, theme: Theme, form: str
) -> None:
    await learnt(faces, "github", icon(picture(RED, form)))

    assert is_near(middle(face(theme, "github")), RED)
    assert not is_near(middle(face(theme, "gitlab")), RED)


async def test_what_shows_a_face_follows_a_new_icon_and_the_theme(
    qtbot: QtBot, faces: ServerFaces, theme: Theme
) -> None:
    label, button = QLabel(), QToolButton()
    qtbot.addWidget(label)
    qtbot.addWidget(button)
    set_face(theme, label, "github", size=32)
    set_face(theme, button, "github", size=32)
    letter = label.pixmap().toImage()

    theme.set_scheme("dark")
    in_dark = label.pixmap().toImage()
    await learnt(faces, "github", icon(picture(GREEN)))

    assert letter != in_dark
    assert is_near(middle(label.pixmap()), GREEN)
    assert is_near(middle(button.icon().pixmap(32)), GREEN)


def test_a_label_can_be_given_the_face_of_another_server(qtbot: QtBot, theme: Theme) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    set_face(theme, label, "github")

    set_face(theme, label, "sqlite")

    assert label.pixmap().toImage() == face(theme, "sqlite").toImage()
    assert label.pixmap().toImage() != face(theme, "github").toImage()


async def test_a_server_that_takes_its_icon_back_has_its_letter_again(
    faces: ServerFaces, theme: Theme
) -> None:
    letter = face(theme, "github").toImage()
    await learnt(faces, "github", icon(picture(RED)))

    faces.learn("github", ())

    assert face(theme, "github").toImage() == letter


async def test_an_icon_made_for_dark_is_shown_in_dark_alone(
    faces: ServerFaces, theme: Theme
) -> None:
    icons = icon(picture(RED)), icon(picture(GREEN), theme="dark")
    await learnt(faces, "github", *icons)

    assert is_near(middle(face(theme, "github")), RED)
    theme.set_scheme("dark")
    assert is_near(middle(face(theme, "github")), GREEN)


async def test_the_next_icon_is_tried_where_the_first_cannot_be_drawn(
    faces: ServerFaces, theme: Theme
) -> None:
    broken = icon("data:image/png;base64,aGVsbG8=")
    await learnt(faces, "github", broken, icon(picture(GREEN)))

    assert is_near(middle(face(theme, "github")), GREEN)


async def test_a_tool_with_an_icon_of_its_own_shows_that(faces: ServerFaces, theme: Theme) -> None:
    await learnt(faces, "github", icon(picture(RED)))
    faces.learn_tool("github:star", (icon(picture(GREEN)),))
    await settled()

    assert is_near(middle(faces.pixmap("github", tool="star")), GREEN)
    assert is_near(middle(faces.pixmap("github", tool="fork")), RED)


SVG = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>').decode()


@pytest.mark.parametrize(
    "source",
    [
        "https://example.com/icon.png",
        "file:///usr/share/icon.png",
        "data:image/svg+xml;base64," + SVG,
        "data:image/png;base64," + SVG,
        "data:image/png,rawbytes",
        "data:image/png;base64,äöü",
        "data:image/png;base64," + "A" * 400_000,
        "data:text/plain;base64,aGVsbG8=",
        "",
    ],
    ids=range(9),
)
async def test_what_is_no_bounded_picture_in_the_address_itself_is_not_drawn(
    faces: ServerFaces, theme: Theme, source: str
) -> None:
    assert await is_refused(faces, theme, icon(source))


async def test_a_picture_of_too_many_pixels_is_not_drawn(faces: ServerFaces, theme: Theme) -> None:
    assert not await is_refused(faces, theme, icon(picture(RED, width=MAX_SIDE, height=8)))
    assert await is_refused(faces, theme, icon(picture(RED, width=MAX_SIDE + 1, height=8)))


@pytest.mark.parametrize("odd", [{}, {"src": 7}, {"src": None, "sizes": "huge"}])
async def test_an_odd_icon_costs_nothing_but_itself(
    faces: ServerFaces, theme: Theme, odd: dict[str, Any]
) -> None:
    sized = icon(picture(GREEN), sizes=["48x48", 3])
    await learnt(faces, "github", odd, sized)

    assert is_near(middle(face(theme, "github")), GREEN)


async def test_a_dark_drawing_without_ground_gets_one_in_a_dark_window(
    faces: ServerFaces, theme: Theme
) -> None:
    image = QImage.fromData(base64.b64decode(picture("#101010").partition(",")[2]))
    for x in range(40):
        for y in range(40):
            if x < 15 or x > 25:
                image.setPixelColor(x, y, QColor(0, 0, 0, 0))
    device = QBuffer()
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(device, "PNG")  # pyright: ignore[reportCallIssue, reportArgumentType] # stubs: bytes
    source = f"data:image/png;base64,{base64.b64encode(device.data().data()).decode()}"
    await learnt(faces, "github", icon(source))

    def edge() -> QColor:
        drawn = face(theme, "github", size=40).toImage()
        return drawn.pixelColor(round(drawn.width() * 0.05), drawn.height() // 2)

    assert edge().alpha() == 0
    theme.set_scheme("dark")
    assert edge().lightnessF() > 0.8


@pytest.mark.parametrize(
    ("name", "sign"),
    [("github", "branch"), ("mcp-server-git", "branch"), ("My Postgres", "database"), ("mine", "")],
)
def test_a_server_that_many_know_has_a_sign(theme: Theme, name: str, sign: str) -> None:
    assert sign_of(name) == sign
    ground = face(theme, name, size=40).toImage()
    assert ground.pixelColor(ground.width() // 2, round(ground.height() * 0.06)).alpha() == 255


def test_every_sign_is_a_drawing_of_the_icon_set_and_thirty_servers_have_one(theme: Theme) -> None:
    signs = set(SIGNS.values())
    assert len(SIGNS) >= 30
    assert all(not icons.pixmap(theme, sign).isNull() for sign in signs)
    assert face(theme, "github").toImage() != face(theme, "gitlab").toImage()


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("github", "G"),
        ("mcp-server-git", "G"),
        ("server", "S"),
        ("7zip", "7"),
        ("文件", "文"),
        ("--", "•"),
        ("", "•"),
        ("straße", "S"),
        ("ßa", "S"),
    ],
)
def test_the_letter_is_the_first_that_tells(name: str, letter: str) -> None:
    assert letter_of(name) == letter


def test_a_name_has_the_same_colour_at_each_start_and_names_differ(theme: Theme) -> None:
    def ground(name: str) -> str:
        image = face(theme, name, size=40).toImage()
        return image.pixelColor(image.width() // 2, round(image.height() * 0.06)).name()

    assert ground("github") == FACES[0][7][0]
    assert len({ground(f"server {number}") for number in range(40)}) > 6


def _luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("pair", [pair for mode in FACES for pair in mode])
def test_every_letter_can_be_read_on_its_ground(pair: tuple[str, str]) -> None:
    darker, lighter = sorted(map(_luminance, pair))

    assert (lighter + 0.05) / (darker + 0.05) >= 4.5
