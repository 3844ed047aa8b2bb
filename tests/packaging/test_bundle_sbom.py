from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import PySide6
import pytest

from resources.packaging import bundle_licences, bundle_sbom, qt_parts


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """Of this environment, as if it were packed; `make` holds it against the standard."""
    return json.loads(bundle_sbom.make("1.2.3", ["libc.so.6"], Path(PySide6.__file__).parent))


def test_the_app_is_what_the_list_is_about_and_needs_all_that_is_in_it(
    document: dict[str, Any],
) -> None:
    about = document["metadata"]["component"]
    assert (about["type"], about["name"], about["version"]) == (
        "application",
        "mcp-desktop",
        "1.2.3",
    )
    needs = {one["ref"]: one.get("dependsOn", []) for one in document["dependencies"]}
    assert len(needs[about["bom-ref"]]) == len(document["components"])


def test_packages_interpreter_and_qt_are_named_with_version_licence_and_url(
    document: dict[str, Any],
) -> None:
    found = {one["name"]: one for one in document["components"]}
    assert {"mcp", "Python", "Qt", "PySide6_Essentials", "qasync"} <= found.keys()
    assert "mcp-desktop" not in found
    assert not found.keys() & bundle_licences.NOT_INSIDE
    assert all(one["purl"].startswith("pkg:") for one in found.values())
    assert all(one["version"] for one in found.values() if "generic/qt/" not in one["purl"])
    assert found["psutil"]["licenses"] == [{"license": {"id": "BSD-3-Clause"}}]


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="needs dpkg-query")
def test_libraries_of_the_system_are_named_by_their_package(document: dict[str, Any]) -> None:
    urls = [one["purl"] for one in document["components"]]
    assert [url for url in urls if url.startswith("pkg:deb/debian/libc6@")]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's libraries say these versions")
def test_code_of_others_inside_qt_is_named_with_the_version_that_its_library_says(
    document: dict[str, Any],
) -> None:
    found = {one["name"]: one for one in document["components"]}
    assert {"HarfBuzz", "libwebp", "MD4C", "double-conversion"} <= found.keys()
    assert found["libpng"]["version"].startswith("1.6.")
    assert found["PCRE2"]["version"].startswith("10.")
    assert found["libjpeg-turbo"]["licenses"] == [{"expression": "IJG AND BSD-3-Clause AND Zlib"}]


def test_nothing_is_said_to_be_inside_libraries_that_are_not_there(tmp_path: Path) -> None:
    assert qt_parts.inside(tmp_path) == []
