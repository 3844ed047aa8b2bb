"""The judgements of the trial; the trial itself is `make wheel-test`, which CI runs."""

from __future__ import annotations

import json
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from resources.packaging import try_wheel
from resources.packaging.try_wheel import Installed, TrialError

if TYPE_CHECKING:
    from pathlib import Path


def a_wheel(file: Path, names: dict[str, str]) -> Path:
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in names.items():
            packed.writestr(name, text)
    return file


def installed_that_says(folder: Path, said: object, extra: str = "") -> Installed:
    program = folder / "bin/mcp-desktop"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '{json.dumps(said)}'\n", encoding="utf-8")
    program.chmod(0o755)
    return Installed(folder, extra)


def self_test_that_found(clients: str, **changes: Any) -> dict[str, Any]:
    checks = [{"name": "window", "outcome": "ok"}, {"name": "model clients", "outcome": clients}]
    return {"ok": True, "frozen": False, "checks": checks} | changes


def test_code_icons_and_compiled_translations_are_expected_and_nothing_else(
    tmp_path: Path,
) -> None:
    for name in (
        "desktop/app.py",
        "desktop/py.typed",
        "desktop/notes.txt",
        "builtin_servers/web/urls.py",
        "resources/icons/dark/chat.svg",
        "resources/translations/zh_CN.ts",
        "resources/packaging/try_wheel.py",
        "tests/test_app.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert try_wheel.expected_contents(tmp_path) == {
        "desktop/app.py",
        "desktop/py.typed",
        "builtin_servers/web/urls.py",
        "desktop/_resources/icons/dark/chat.svg",
        "desktop/_resources/translations/zh_CN.qm",
    }


def test_two_wheels_differ_by_the_files_that_one_lacks_or_has_otherwise(tmp_path: Path) -> None:
    one = a_wheel(tmp_path / "one.whl", {"a": "1", "b": "2", "x.dist-info/RECORD": ""})
    other = a_wheel(tmp_path / "other.whl", {"a": "1", "b": "3", "c": ""})
    assert try_wheel.compare(one, other) == ["b", "c", "x.dist-info/RECORD"]
    assert try_wheel.contents(one) == {"a", "b"}


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("extra", "clients", "changes", "is_good"),
    [
        ("", "ok", {}, True),
        ("", "skipped", {}, False),
        ("audio", "ok", {}, True),
        ("audio", "ok", {"ok": False}, False),
        ("audio", "ok", {"frozen": True}, False),
    ],
)
def test_a_self_test_is_good_if_all_of_it_passed_in_what_pip_installed(
    tmp_path: Path, extra: str, clients: str, changes: dict[str, Any], is_good: bool
) -> None:
    said = self_test_that_found(clients, **changes)
    installed = installed_that_says(tmp_path, said, extra)
    if is_good:
        assert try_wheel.self_test(installed).startswith("self-test ")
    else:
        with pytest.raises(TrialError, match="self-test with"):
            try_wheel.self_test(installed)


def test_a_command_that_fails_is_told_with_all_it_said() -> None:
    code = "import sys; print('out'); sys.exit('err')"
    with pytest.raises(TrialError, match=r"exit code 1: (.|\n)*out\n(.|\n)*err"):
        try_wheel.run(sys.executable, "-c", code)


def test_every_extra_is_tried() -> None:
    assert set(try_wheel.extras()) == {"apps", "audio", "http2"}
