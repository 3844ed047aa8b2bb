"""A secret that is written in an unusual way is covered in what is shown, traced and kept."""

from __future__ import annotations

import pytest

from desktop.redaction.policy import find_secret_values, redact_text

SECRET = "hunter22Zx"


@pytest.mark.parametrize(
    "text",
    [
        f'{{"pass": "{SECRET}"}}',
        f"pw={SECRET}",
        f"pin={SECRET}",
        f"https://app.example/callback?code={SECRET}&state=x",
        f"grant_type=authorization_code&code={SECRET}&redirect_uri=x",
        f"https://h.example/?next=%3Fclient_secret%3D{SECRET}",
        f"client_secret%253D{SECRET}",
        f"token\u200b={SECRET}",
        f"token\u2060\ufeff: {SECRET}",
        f"me:{SECRET}@db.example:5432",
        f"psql root:{SECRET}@10.0.0.1/x",
        f"me:{SECRET}@localhost",
    ],
)
def test_a_secret_in_an_unusual_place_is_covered(text: str) -> None:
    assert SECRET not in redact_text(text)
    assert any(SECRET in value for value in find_secret_values(text))  # the history goes by these


@pytest.mark.parametrize(
    "text",
    [
        "mailto:somebody@mail.example",
        "npm:react@18.2.0",
        "pass=12 fail=0",
        "status code=200&more",
        "at 10:30 bob@mail.example",
        "name:tag@sha256:abcdef",
    ],
)
def test_what_looks_alike_stays(text: str) -> None:
    assert redact_text(text) == text
    assert find_secret_values(text) == []
