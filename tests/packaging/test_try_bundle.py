from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from resources.packaging import try_bundle

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
CHECK = {"name": "window", "outcome": "ok", "milliseconds": 5, "words": "painted"}


def bundle_that_says(folder: Path, said: str, code: int = 0) -> str:
    program = folder / "mcp-desktop"
    program.write_text(f"#!/bin/sh\necho '{said}'\nexit {code}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("frozen", "ok", "code", "verdict"),
    [(True, True, 0, 0), (False, True, 0, 1), (True, False, 0, 1), (True, True, 1, 1)],
)
def test_only_a_frozen_app_whose_checks_passed_is_good(
    frozen: bool, ok: bool, code: int, verdict: int, tmp_path: Path
) -> None:
    said = json.dumps({"frozen": frozen, "ok": ok, "checks": [CHECK]})
    assert try_bundle.report("here", [bundle_that_says(tmp_path, said, code)]) == verdict


def test_what_does_not_start_is_told_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert try_bundle.report("here", [bundle_that_says(tmp_path, "no such library", 127)]) == 1
    assert "exit code 127\nno such library" in capsys.readouterr().out


def test_where_there_can_be_no_bare_tree_it_says_why_and_tries_what_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    bundle_that_says(tmp_path, json.dumps({"frozen": True, "ok": True, "checks": [CHECK]}))
    assert try_bundle.main([str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "not tried in a bare tree: " in said
    assert "window" in said


@pytest.mark.parametrize(
    ("said", "code", "verdict"),
    [
        ("ok\tquit\tin order", 0, 0),
        ("ok\tquit\tin order", 1, 1),
        ("failed\tquit\tnot within 30 s", 0, 1),
        ("no tab", 0, 1),
        ("", 0, 1),
    ],
)
def test_an_installed_app_is_good_when_each_line_is(
    said: str, code: int, verdict: int, tmp_path: Path
) -> None:
    assert try_bundle.report_lines("here", [bundle_that_says(tmp_path, said, code)]) == verdict


def test_what_does_not_end_is_told_and_is_not_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(try_bundle, "LIMIT", 0.1)
    assert try_bundle.report_lines("here", ["sleep", "30"]) == 1
    assert "no end within 0.1 s" in capsys.readouterr().out
