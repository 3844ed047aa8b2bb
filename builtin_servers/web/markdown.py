"""Turns HTML into Markdown in one pass, in time and memory in proportion to the page.

Our own on the standard library's parser: the libraries for it build the whole tree first and walk
it recursively, so a page of nested tags breaks them, and they would have to be found outside the
standard library that a built-in server runs on. Scripts, styles, controls, navigation and what the
page hides are left out; with an `article` or `main`, so is all around it.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

from builtin_servers.web.blocks import Blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Attributes = Sequence[tuple[str, str | None]]

_STEP = 32 * 1024
_LEFT_OUT = {
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "math",
    "iframe",
    "object",
    "canvas",
    "button",
    "select",
    "textarea",
    "nav",
    "footer",
    "aside",
    "dialog",
    "head",
}
_VOID = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "track",
    "wbr",
}
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "code": "`"}
_LISTS = ("ul", "ol", "menu")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)


def to_markdown(html: str, base: str, is_cancelled: Callable[[], bool] = lambda: False) -> str:
    """The page's title and text; links are made absolute with `base`."""
    writer = _Writer(base)
    start = 0
    while start < len(html) and not is_cancelled():
        # A tag that does not end is looked through with every step: the steps grow with it.
        step = max(_STEP, len(writer.rawdata))
        writer.feed(html[start : start + step])
        start += step
    writer.finish()
    body = (writer.main if len(writer.main.text) > 200 else writer.all).text
    title = " ".join("".join(writer.title).split())
    if not title or f"# {title}" in body[:500]:
        return body
    return f"# {title}\n\n{body}"


class _Writer(HTMLParser):
    """Writes the text it meets, all of it and apart that of the main part."""

    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.all = Blocks()
        self.main = Blocks()
        self._base = base
        self._in_title = False
        self._left_out: list[str] = []
        self._in_main = 0
        self._link = ""

    def finish(self) -> None:
        # An unfinished tag at the end would be looked through again and again: it is text.
        rest, self.rawdata = self.rawdata, ""
        if "<" not in rest[:1]:
            self.handle_data(rest)

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self._left_out:
            if tag not in _VOID and tag == self._left_out[0]:
                self._left_out.append(tag)
            elif tag == "title":
                self._in_title = True
            return
        given = dict(attrs)
        if tag in _LEFT_OUT or _is_hidden(given):
            if tag not in _VOID:
                self._left_out.append(tag)
            return
        if tag in ("main", "article"):
            self._in_main += 1
        self._open(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if self._left_out:
            if tag == self._left_out[0]:
                self._left_out.pop()
            return
        self._close(tag)
        if tag in ("main", "article"):
            self._in_main = max(0, self._in_main - 1)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data[:500])
        elif not self._left_out:
            self._each(lambda blocks: blocks.write(data))

    def _each(self, write: Callable[[Blocks], None]) -> None:
        write(self.all)
        if self._in_main:
            write(self.main)

    def _open(self, tag: str, given: dict[str, str | None]) -> None:
        if tag == "title":
            self._in_title = True
        elif tag == "a":
            self._close("a")  # HTML knows no link in a link
            self._link = self._address(given.get("href"))
            if self._link:
                self._each(lambda blocks: blocks.open_link())
        elif tag == "img":
            self._image(given)
        elif tag in _MARKS:
            self._each(lambda blocks: blocks.mark(_MARKS[tag]))
        elif tag in _LISTS:
            self._each(lambda blocks: blocks.open_list(is_numbered=tag == "ol"))
        elif tag in _HEADINGS:
            self._each(lambda blocks: blocks.start(_HEADINGS[tag] + " "))
        elif action := _OPENING.get(tag):
            self._each(action)

    def _close(self, tag: str) -> None:
        if tag == "a":
            target, self._link = self._link, ""
            if target:
                self._each(lambda blocks: blocks.close_link(target))
        elif tag in _MARKS:
            self._each(lambda blocks: blocks.mark(_MARKS[tag]))
        elif tag in _LISTS:
            self._each(Blocks.close_list)
        elif tag in _HEADINGS:
            self._each(Blocks.close)
        elif action := _CLOSING.get(tag):
            self._each(action)

    def _image(self, given: dict[str, str | None]) -> None:
        words = " ".join((given.get("alt") or "").split())[:500]
        target = self._address(given.get("src"))
        if words and target:
            self._each(lambda blocks: blocks.write(f"![{words}]({target})"))

    def _address(self, link: str | None) -> str:
        """The absolute target; empty for one that is no place on the web."""
        if not link or len(link) > 2000 or link.startswith("#"):
            return ""
        try:
            target = urljoin(self._base, link.strip())
        except ValueError:
            return ""
        if not target.startswith(("http://", "https://", "mailto:")):
            return ""
        return "".join(f"%{ord(sign):02X}" if sign in " ()<>\n\t\r" else sign for sign in target)


def _is_hidden(given: dict[str, str | None]) -> bool:
    if "hidden" in given or given.get("aria-hidden") == "true":
        return True
    return bool(_HIDDEN.search(given.get("style") or ""))


_APART = (
    "p", "div", "section", "article", "main", "header", "figure", "figcaption", "details",
    "summary", "address", "dl", "dt", "thead", "tbody", "caption",
)  # fmt: skip
_OPENING: dict[str, Callable[[Blocks], None]] = {
    **dict.fromkeys((*_APART, "table"), Blocks.end),
    "li": Blocks.open_item,
    "br": Blocks.break_line,
    "hr": Blocks.rule,
    "pre": Blocks.open_pre,
    "blockquote": Blocks.open_quote,
    "dd": lambda blocks: blocks.start(": "),
    "tr": Blocks.open_row,
    "td": Blocks.open_cell,
    "th": Blocks.open_cell,
}
_CLOSING: dict[str, Callable[[Blocks], None]] = {
    **dict.fromkeys(_APART, Blocks.end),
    "li": Blocks.close,
    "dd": Blocks.close,
    "pre": Blocks.close_pre,
    "blockquote": Blocks.close_quote,
    "tr": Blocks.close_row,
    "table": Blocks.close_row,
}
