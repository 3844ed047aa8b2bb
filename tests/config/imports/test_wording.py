from __future__ import annotations

from typing import get_args

from desktop.config.imports.findings import ImportWarning, Kind
from desktop.config.imports.wording import finding_words


def test_every_kind_has_a_sentence_that_names_its_place() -> None:
    for kind in get_args(Kind):
        words = finding_words(ImportWarning(kind, "env.X", "subject", "detail"))
        assert "env.X" in words or "subject" in words
        assert "{" not in words.replace("${VAR}", "")
