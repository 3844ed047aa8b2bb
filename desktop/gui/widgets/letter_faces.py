"""The face of a server that brings no icon: a sign where many know it by name, else its letter.

Runs before the first paint: imports next to nothing, not even the namespace `Qt`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPainterPath, QPalette, QPixmap

from desktop.gui.theme import CLEAR
from desktop.gui.widgets.icons import paint_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from desktop.gui.theme import Theme


_EDGE: Final = 0.17
SIGNS: Final = {
    # By a word of its name: the servers that most people have.
    **dict.fromkeys(("github", "git", "gitlab", "bitbucket"), "branch"),
    **dict.fromkeys(("postgres", "postgresql", "sqlite", "mysql", "mongodb", "redis"), "database"),
    **dict.fromkeys(("supabase", "neon", "bigquery", "snowflake", "dynamodb"), "database"),
    **dict.fromkeys(("fetch", "playwright", "puppeteer", "browser", "chrome"), "globe"),
    **dict.fromkeys(("firecrawl", "browserbase"), "globe"),
    **dict.fromkeys(("brave", "exa", "tavily", "perplexity", "search"), "search"),
    **dict.fromkeys(("filesystem", "files", "drive", "gdrive"), "folder"),
    **dict.fromkeys(("notion", "obsidian", "confluence"), "file"),
    **dict.fromkeys(("linear", "jira", "asana", "todoist", "atlassian"), "tasks"),
    **dict.fromkeys(("slack", "discord", "telegram"), "chat"),
    **dict.fromkeys(("aws", "azure", "cloudflare", "vercel"), "cloud"),
    **dict.fromkeys(("grafana", "datadog"), "chart"),
    **dict.fromkeys(("stripe", "paypal"), "card"),
    **dict.fromkeys(("context7", "docs"), "book"),
    "memory": "graph",
    "sequential": "steps",
    "time": "clock",
    "maps": "pin",
    "sentry": "bug",
    "figma": "edit",
    "docker": "box",
    "kubernetes": "wheel",
    "gmail": "mail",
    "email": "mail",
    "shopify": "cart",
    "calendar": "calendar",
    "everything": "flask",
    "calculator": "sums",
    "shell": "terminal",
    "terminal": "terminal",
}


def words_of(name: str) -> list[str]:
    """The words of a name: those of `mcp-server-git` are mcp, server and git."""
    return "".join(sign if sign.isalnum() else " " for sign in name[:200]).split()


def sign_of(name: str) -> str:
    """The drawing of the icon set that stands for a server, or nothing."""
    return next((SIGNS[word] for word in words_of(name.lower()) if word in SIGNS), "")


def letter_of(name: str) -> str:
    """The first letter that tells: "G" of `mcp-server-git`."""
    words = words_of(name)
    telling = [word for word in words if word.lower() not in {"mcp", "server"}]
    return next(iter(telling or words), "•")[0].upper()[:1]


def empty_face(size: int, ratio: float) -> tuple[QPixmap, QPainterPath]:
    """A clear picture of `size` logical pixels a side, and the shape that a face has in it."""
    drawn = QPixmap(round(size * ratio), round(size * ratio))
    drawn.fill(CLEAR)
    drawn.setDevicePixelRatio(ratio)
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(0, 0, size, size), size / 4, size / 4)
    return drawn, shape


def draw_name(painter: QPainter, theme: Theme, server: str, shape: QPainterPath) -> None:
    """What stands for the server by its name alone."""
    behind, letter = theme.face_colors(crc32(server.encode("utf-8", "replace")))
    painter.fillPath(shape, brush_of(behind))
    if sign := sign_of(server):
        edge = shape.boundingRect().height() * _EDGE
        paint_icon(painter, sign, letter, shape.boundingRect().adjusted(edge, edge, -edge, -edge))
        return
    font = theme.strong_font()
    font.setPixelSize(max(1, round(shape.boundingRect().height() * 0.6)))
    words, metrics = letter_of(server), QFontMetrics(font)
    drawn, room = QPainterPath(), shape.boundingRect()
    left = room.center().x() - metrics.horizontalAdvance(words) / 2
    drawn.addText(left, room.center().y() + (metrics.ascent() - metrics.descent()) / 2, font, words)
    painter.fillPath(drawn, brush_of(letter))


def brush_of(color: QColor) -> QBrush:
    """A brush of this colour; making one from it would import `Qt`."""
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Window, color)
    return palette.window()


def letter_face(theme: Theme, server: str, size: int) -> QPixmap:
    """The face with `size` logical pixels a side, in the colours of the moment."""
    drawn, shape = empty_face(size, theme.pixel_ratio)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_name(painter, theme, server, shape)
    painter.end()
    return drawn
