"""The words of a plan; the whole of it is seen in test_import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.cli.plan_text import described_found, described_plan, show_found, show_plan
from desktop.cli.screen import Console
from desktop.config.imports.clients import app_named
from desktop.config.imports.plan import ImportPlan, PlannedServer
from desktop.config.imports.reader import DetectedClient, Source
from desktop.config.imports.warnings import ImportWarning
from desktop.config.models import ServerConfig

if TYPE_CHECKING:
    import pytest

SECRET = ServerConfig(name="a", transport="stdio", command="x", args=("--token", "tok-1"))
SERVERS = (
    PlannedServer("a", "a-2", "new", SECRET, findings=(ImportWarning("left_out", "", "dev"),)),
    PlannedServer(
        "b", "c", "same", SECRET, ours="c", findings=(ImportWarning("secret", "args[1]"),)
    ),
    PlannedServer("d", "d", "invalid", scope="/p", reason="has nothing\nat all"),
)
PLAN = ImportPlan(Source(None), SERVERS, ("Only some.",))


def test_each_server_has_its_state_and_what_is_to_be_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_plan(PLAN, {"a-2"}, Console())
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  Only some.",
        "+ a  new, as a-2  x --token ••••",
        "      not taken over: dev",
        "  b  there already as c  x --token ••••",
        "  d  invalid",
        "      has nothing at all",
        "      for the project /p",
        "",
    ]


def test_the_document_has_no_secret_either() -> None:
    described = described_plan(PLAN, {"a-2"})
    assert [one["chosen"] for one in described["servers"]] == [True, False, False]
    assert described["servers"][1]["sameAs"] == "c"
    assert "tok-1" not in repr(described)


def test_a_source_that_cannot_be_read_has_no_count(capsys: pytest.CaptureFixture[str]) -> None:
    found = [DetectedClient(Source(None, app_named("cursor")), None, "it is broken")]
    show_found(found, [], Console())
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1].split()[:3] == ["cursor", "-", "-"]
    assert "it is broken" in shown.err
    assert described_found(found, [])[0]["error"] == "it is broken"
    show_found([], [], Console())
    assert "No other client" in capsys.readouterr().out
