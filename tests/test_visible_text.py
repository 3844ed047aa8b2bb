from __future__ import annotations

import pytest

from desktop.visible_text import escape_hidden, mark_hidden


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("files:read_file", "files:read_file"),
        ("caf\u00e9 \u8bfb\u53d6", "caf\u00e9 \u8bfb\u53d6"),
        ("\u0444\u0430\u0439\u043b\u044b", "\u0444\u0430\u0439\u043b\u044b"),
        ("read\u202etxt", "read⟨U+202E⟩txt"),
        ("re\u200bad", "re⟨U+200B⟩ad"),
        ("a\nb\x1b[1m", "a⟨U+000A⟩b⟨U+001B⟩[1m"),
        ("ech\u043e", "ech\u043e⟨U+043E⟩"),
        ("\u0391dd", "\u0391⟨U+0391⟩dd"),
        ("read_\u0444\u0430\u0439\u043b", "read_\u0444\u0430\u0439\u043b"),
    ],
)
def test_what_a_person_would_not_see_in_a_name_is_marked(name: str, shown: str) -> None:
    assert mark_hidden(name) == shown


def test_what_cannot_be_seen_is_written_as_an_escape() -> None:
    assert escape_hidden("a\u202eb\u200bc\nd\x1b é中") == r"a\u202eb\u200bc\nd\u001b é中"
