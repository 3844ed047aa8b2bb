from __future__ import annotations

from desktop.gui.form.fields import ABSENT, FieldSpec


def text(name: str, **schema: object) -> FieldSpec:
    return FieldSpec(name, "string", schema)


def test_secrets_are_known_by_name_and_by_schema() -> None:
    names = ("password", "apiKey", "GITHUB_TOKEN", "client-secret", "token", "accessToken")
    assert all(text(name).is_secret for name in names)
    assert text("x", writeOnly=True).is_secret
    assert not any(text(name).is_secret for name in ("max_tokens", "pageToken", "keyword"))


def test_long_text_is_known_by_name_size_and_default() -> None:
    assert text("content").is_long
    assert text("x", maxLength=4000).is_long
    assert text("x", default="a\nb").is_long
    assert not text("path", maxLength=80).is_long


def test_texts_of_the_wrong_kind_are_ignored() -> None:
    spec = text("a", title=5, description=["x"], examples="no", maxLength="big")
    assert (spec.title, spec.description, spec.example, spec.is_long) == ("a", "", ABSENT, False)
