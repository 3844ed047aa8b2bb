"""Converts HTML to Markdown in one pass, in time and memory in proportion to the page.

Written on the standard library's parser: the libraries for it build the whole tree first and walk
it recursively, so a page of deeply nested tags breaks them, and a built-in server runs on the
standard library alone. Scripts, styles, controls, navigation and hidden parts are left out; if
there is an `article` or `main`, everything around it is left out too.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Attributes = Sequence[tuple[str, str | None]]

_STEP_CHARS = 32 * 1024
_SKIPPED_TAGS = {
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
_VOID_TAGS = {
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
_LIST_TAGS = ("ul", "ol", "menu")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_SPACE = re.compile(r"[ \t\r\n\f\v\u200b]+")
_MAX_DEPTH = 8
_MAX_COLUMNS = 60


def to_markdown(html: str, base: str, is_cancelled: Callable[[], bool] = lambda: False) -> str:
    """The page's title and text as Markdown; links are made absolute with `base`."""
    parser = _PageParser(base)
    start = 0
    while start < len(html) and not is_cancelled():
        # An unfinished tag is scanned again with every step, so the steps grow with it.
        step = max(_STEP_CHARS, len(parser.rawdata))
        parser.feed(html[start : start + step])
        start += step
    parser.finish()
    body = (parser.main if len(parser.main.text) > 200 else parser.all).text
    title = " ".join("".join(parser.title).split())
    if not title or f"# {title}" in body[:500]:
        return body
    return f"# {title}\n\n{body}"


class _PageParser(HTMLParser):
    """Writes the text of the whole page and, separately, of its main part."""

    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.all = MarkdownWriter()
        self.main = MarkdownWriter()
        self._base = base
        self._in_title = False
        self._skipped: list[str] = []
        self._in_main = 0
        self._link = ""

    def finish(self) -> None:
        # An unfinished tag at the end would be scanned again and again: treat it as text.
        rest, self.rawdata = self.rawdata, ""
        if "<" not in rest[:1]:
            self.handle_data(rest)

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self._skipped:
            if tag not in _VOID_TAGS and tag == self._skipped[0]:
                self._skipped.append(tag)
            elif tag == "title":
                self._in_title = True
            return
        attributes = dict(attrs)
        if tag in _SKIPPED_TAGS or _is_hidden(attributes):
            if tag not in _VOID_TAGS:
                self._skipped.append(tag)
            return
        if tag in ("main", "article"):
            self._in_main += 1
        self._open(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if self._skipped:
            if tag == self._skipped[0]:
                self._skipped.pop()
            return
        self._close(tag)
        if tag in ("main", "article"):
            self._in_main = max(0, self._in_main - 1)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data[:500])
        elif not self._skipped:
            self._each(lambda writer: writer.write(data))

    def _each(self, write: Callable[[MarkdownWriter], None]) -> None:
        write(self.all)
        if self._in_main:
            write(self.main)

    def _open(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag == "title":
            self._in_title = True
        elif tag == "a":
            self._close("a")  # HTML has no nested links
            self._link = self._address(attributes.get("href"))
            if self._link:
                self._each(lambda writer: writer.open_link())
        elif tag == "img":
            self._image(attributes)
        elif tag in _MARKS:
            self._each(lambda writer: writer.mark(_MARKS[tag]))
        elif tag in _LIST_TAGS:
            self._each(lambda writer: writer.open_list(is_numbered=tag == "ol"))
        elif tag in _HEADINGS:
            self._each(lambda writer: writer.start_block(_HEADINGS[tag] + " "))
        elif action := _OPENING_ACTIONS.get(tag):
            self._each(action)

    def _close(self, tag: str) -> None:
        if tag == "a":
            target, self._link = self._link, ""
            if target:
                self._each(lambda writer: writer.close_link(target))
        elif tag in _MARKS:
            self._each(lambda writer: writer.mark(_MARKS[tag]))
        elif tag in _LIST_TAGS:
            self._each(MarkdownWriter.close_list)
        elif tag in _HEADINGS:
            self._each(MarkdownWriter.close_block)
        elif action := _CLOSING_ACTIONS.get(tag):
            self._each(action)

    def _image(self, attributes: dict[str, str | None]) -> None:
        words = " ".join((attributes.get("alt") or "").split())[:500]
        target = self._address(attributes.get("src"))
        if words and target:
            self._each(lambda writer: writer.write(f"![{words}]({target})"))

    def _address(self, link: str | None) -> str:
        """The absolute target; empty if it is not an address on the web."""
        if not link or len(link) > 2000 or link.startswith("#"):
            return ""
        try:
            target = urljoin(self._base, link.strip())
        except ValueError:
            return ""
        if not target.startswith(("http://", "https://", "mailto:")):
            return ""
        return "".join(f"%{ord(sign):02X}" if sign in " ()<>\n\t\r" else sign for sign in target)


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    return bool(_HIDDEN.search(attributes.get("style") or ""))


class MarkdownWriter:
    """Writes Markdown block by block: paragraphs, lists, quotes, tables, code. Knows no HTML."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._line: list[str] = []
        self._link: int | None = None
        self._prefix = ""
        self._lists: list[int | None] = []
        self._quotes = 0
        self._pre = 0
        self._row: list[str] | None = None
        self._rows = 0

    @property
    def text(self) -> str:
        self.close_row()
        self.end_line()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._done)).strip("\n")

    def write(self, text: str) -> None:
        if self._pre:
            self._line.append(text)
            return
        spaced = _SPACE.sub(" ", text)
        if spaced.startswith(" ") and (not self._line or self._line[-1].endswith((" ", "\n"))):
            spaced = spaced[1:]
        if spaced:
            self._line.append(spaced)

    def mark(self, sign: str) -> None:
        """Write an opening or closing mark; a pair around nothing is removed."""
        if self._pre:
            return
        if self._line and self._line[-1] == sign:
            self._line.pop()
        else:
            self._line.append(sign)

    def open_link(self) -> None:
        self._link = len(self._line)

    def close_link(self, target: str) -> None:
        if self._link is None:  # it was opened in a block that has ended
            return
        words = "".join(self._line[self._link :])
        del self._line[self._link :]
        self._link = None
        if words.strip():
            before = " " if words.startswith(" ") else ""
            self._line.append(f"{before}[{' '.join(words.split())}]({target})")

    def start_block(self, prefix: str) -> None:
        """Start a block whose first line begins with `prefix`."""
        self.end_line()
        if self._row is None:
            self._prefix = prefix

    def end_line(self) -> None:
        """End the current line, if it has text."""
        if self._pre or self._row is not None:
            if self._row is not None:
                self.write(" ")
            return
        self._put("".join(self._line).strip())
        self._clear()

    def close_block(self) -> None:
        """End a block with a prefix; the prefix of an empty block is dropped."""
        self.end_line()
        self._prefix = ""

    def break_line(self) -> None:
        self._line.append("\n" if self._row is None else " ")

    def write_rule(self) -> None:
        self.end_line()
        self._put("---")

    def open_list(self, *, is_numbered: bool) -> None:
        self.end_line()
        if not self._lists:
            self._blank()
        self._lists.append(0 if is_numbered else None)

    def close_list(self) -> None:
        self.end_line()
        if self._lists:
            self._lists.pop()

    def open_item(self) -> None:
        number = self._lists[-1] if self._lists else None
        if number is not None:
            self._lists[-1] = number + 1
        self.start_block("- " if number is None else f"{number + 1}. ")

    def open_quote(self) -> None:
        self.end_line()
        self._quotes += 1

    def close_quote(self) -> None:
        self.end_line()
        self._quotes = max(0, self._quotes - 1)

    def open_pre(self) -> None:
        self.end_line()
        self._pre += 1

    def close_pre(self) -> None:
        self._pre = max(0, self._pre - 1)
        if self._pre == 0:
            code = "".join(self._line).strip("\n")
            self._clear()
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", code)), default=0))
            self._put(f"{fence}\n{code}\n{fence}")

    def open_row(self) -> None:
        self.close_row()
        self.end_line()
        if not (self._done and self._done[-1].startswith("|")):
            self._blank()
        self._row = []

    def open_cell(self) -> None:
        if self._row is not None and len(self._row) < _MAX_COLUMNS:
            self._close_cell()
            self._row.append("")

    def close_row(self) -> None:
        if self._row is None:
            return
        self._close_cell()
        cells, self._row = self._row, None
        if any(cells):
            is_first = not (self._done and self._done[-1].startswith("|"))
            self._done.append("| " + " | ".join(cells) + " |")
            if is_first:
                self._done.append("|" + " --- |" * len(cells))

    def _close_cell(self) -> None:
        if self._row:
            self._row[-1] = " ".join("".join(self._line).split()).replace("|", "\\|")
        self._clear()

    def _clear(self) -> None:
        self._line.clear()
        self._link = None

    def _put(self, block: str) -> None:
        if not block:
            return
        prefix, self._prefix = self._prefix, ""
        quote = "> " * min(self._quotes, _MAX_DEPTH)
        depth = min(len(self._lists), _MAX_DEPTH)
        indent = "  " * (depth - 1 if prefix.endswith(("- ", ". ")) and depth else depth)
        inner = indent + " " * (len(prefix) if depth else 0)
        first, *others = block.split("\n")
        if not self._lists:
            self._blank()
        self._done.append(f"{quote}{indent}{prefix}{first}".rstrip())
        self._done += [f"{quote}{inner}{line}".rstrip() for line in others]

    def _blank(self) -> None:
        """Write the empty line between blocks; inside a quote it belongs to the quote."""
        if self._done and self._done[-1] not in ("", ">"):
            inside = self._quotes and self._done[-1].startswith(">")
            self._done.append(">" if inside else "")


_BLOCK_TAGS = (
    "p", "div", "section", "article", "main", "header", "figure", "figcaption", "details",
    "summary", "address", "dl", "dt", "thead", "tbody", "caption",
)  # fmt: skip
_OPENING_ACTIONS: dict[str, Callable[[MarkdownWriter], None]] = {
    **dict.fromkeys((*_BLOCK_TAGS, "table"), MarkdownWriter.end_line),
    "li": MarkdownWriter.open_item,
    "br": MarkdownWriter.break_line,
    "hr": MarkdownWriter.write_rule,
    "pre": MarkdownWriter.open_pre,
    "blockquote": MarkdownWriter.open_quote,
    "dd": lambda writer: writer.start_block(": "),
    "tr": MarkdownWriter.open_row,
    "td": MarkdownWriter.open_cell,
    "th": MarkdownWriter.open_cell,
}
_CLOSING_ACTIONS: dict[str, Callable[[MarkdownWriter], None]] = {
    **dict.fromkeys(_BLOCK_TAGS, MarkdownWriter.end_line),
    "li": MarkdownWriter.close_block,
    "dd": MarkdownWriter.close_block,
    "pre": MarkdownWriter.close_pre,
    "blockquote": MarkdownWriter.close_quote,
    "tr": MarkdownWriter.close_row,
    "table": MarkdownWriter.close_row,
}
