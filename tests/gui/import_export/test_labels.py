from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from desktop.config.imports.warnings import ImportWarning, Kind
from desktop.gui.import_export import labels

if TYPE_CHECKING:
    from tests.gui.import_export.conftest import Plan


def test_each_state_has_its_words_and_colour(plan: Plan) -> None:
    _, made = plan()
    assert made is not None
    assert [labels.noted_state_label(server)[:2] for server in made.servers] == [
        ("New  ·  2 warnings", "warning"),
        ("Already added", "muted"),
        ("Differs, added as “differs-2”  ·  2 warnings", "warning"),
        ("Cannot be used", "danger"),
        ("New, as “we-ird”  ·  1 warning", "warning"),
    ]


def test_a_source_says_how_much_of_it_is_new(plan: Plan) -> None:
    assert labels.source_label(*plan()) == "5 servers, 2 new"
    assert labels.source_label(*plan({"same": {"command": "x"}})) == "1 server, none new"
    assert labels.source_label(*plan("{ broken")) == "Cannot be read"


def test_every_finding_is_a_sentence() -> None:
    for kind in set(get_args(Kind)) - {"stranger"}:  # it is about all of them
        text = labels.warning_label(ImportWarning(kind, "env.X", "{subject}", "detail"))
        assert "env.X" in text or "{subject}" in text
    secret = labels.warning_label(ImportWarning("secret", "env.X"))
    assert "write ${VAR} there" in secret
