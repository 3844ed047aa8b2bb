from __future__ import annotations

import pytest

from desktop.base.visible_text import escape_hidden, mark_hidden, mark_hidden_text


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\n\tlines", "two\n\tlines"),
        ("zwei\u00a0W\u00f6rter, \u8bfb\u53d6", "zwei\u00a0W\u00f6rter, \u8bfb\u53d6"),
        ("say \u202egnp", "say ⟨U+202E⟩gnp"),
        ("ig\u200bnore", "ig⟨U+200B⟩nore"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("\U000e0041hidden", "⟨U+E0041⟩hidden"),
        ("\x1b[31mred", "⟨U+001B⟩[31mred"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0645\u06cc\u200c\u0634\u0648\u062f"),
    ],
)
def test_what_nobody_sees_in_a_text_is_marked_and_what_scripts_need_stays(
    text: str, shown: str
) -> None:
    assert mark_hidden_text(text) == shown
