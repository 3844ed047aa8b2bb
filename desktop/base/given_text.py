"""The value of an option: what was typed, or what a file or the standard input has in its place.

Windows writes a byte order mark before UTF-8, and UTF-16 where PowerShell redirects output: both
are read. Another code page is not guessed. Must not look into the text.
"""

from __future__ import annotations

import codecs
import os
import sys

_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def read_given(source: str, errors: str = "strict") -> str:
    """The text itself, that of the file behind an `@`, or of the standard input for `-`.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no text in Unicode, unless `errors` lets that pass as in `bytes.decode`.
    """
    if source == "-":
        content = sys.stdin.buffer.read()
    elif source.startswith("@"):
        with open(os.path.expanduser(source[1:]), "rb") as file:
            content = file.read()
    else:
        return source
    return content.decode(_MARKS.get(content[:2], "utf-8-sig"), errors)
