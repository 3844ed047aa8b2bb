from __future__ import annotations

from pathlib import Path

import PySide6

from resources.packaging import bundle_licences


def test_each_package_is_listed_and_its_text_is_there(tmp_path: Path) -> None:
    lines = bundle_licences.collect(
        tmp_path / "licences", ["libc.so.6"], Path(PySide6.__file__).parent
    )
    listed = {line.partition(" ")[0]: line.partition(": ")[2] for line in lines}
    assert listed["mcp"] == "MIT"
    assert "LGPL" in listed["PySide6_Essentials"]
    assert "pip" not in listed
    files = {file.name for file in (tmp_path / "licences").iterdir()}
    assert {"README.md", "LIST.txt", "LGPL-3.0.txt", "GPL-3.0.txt", "mcp-LICENSE.txt"} <= files
    assert (tmp_path / "licences/LIST.txt").read_text(encoding="utf-8").splitlines() == lines
    notices = (tmp_path / "licences/Qt-notices.txt").read_text(encoding="utf-8")
    assert "\nHarfBuzz\n  MIT\n  Copyright 2010-2022 Google, Inc." in notices
