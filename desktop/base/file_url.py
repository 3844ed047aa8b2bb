"""Reads and writes `file:` URLs by the rules of a system: drive letters, UNC, percent escapes.

Source: RFC 8089 with its appendix E for Windows. `urllib.request.url2pathname` and `pathname2url`
do part of it, and bring an HTTP client.
"""

from __future__ import annotations

import os
import sys
from urllib.parse import quote, unquote, urlsplit

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable

_DRIVE = compile_later(r"/[A-Za-z]:(?=/|$)")


def is_file_url(text: str) -> bool:
    return text[:6].lower() == "file:/"


def path_of(url: str, platform: str = sys.platform) -> str:
    """The path that a `file:` URL names; it need not exist.

    `platform` is that of `sys.platform`: Windows has drives, and shares of other computers.

    Raises:
        ValueError: it names a file of another computer, which other systems cannot open, or it
            goes on behind a `?` or `#` that is not escaped, so that the path would be another one.
    """
    parts = urlsplit(url)
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        raise ValueError(translatable("must have %3F for each ? and %23 for each #"))
    host = "" if parts.netloc.lower() == "localhost" else parts.netloc
    # A name that is no UTF-8 comes back as the system gave it.
    path = unquote(parts.path, errors="surrogateescape")
    if platform != "win32":
        if host:
            raise ValueError(translatable("must be on this computer"))
        return path
    if host:
        path = f"//{host}{path}"
    return path.removeprefix("/") if _DRIVE.match(path) else path


def url_of(path: str, platform: str = sys.platform) -> str:
    """The `file:` URL of an absolute path; `platform` as for `path_of`."""
    if platform != "win32":
        return f"file://{quote(os.fsencode(path))}"
    # What makes a path a long one for Windows is no part of its name.
    if path.startswith("\\\\?\\UNC\\"):
        path = "\\\\" + path.removeprefix("\\\\?\\UNC\\")
    path = path.removeprefix("\\\\?\\").replace("\\", "/")
    return ("file:" if path.startswith("//") else "file:///") + quote(path, safe="/:")
