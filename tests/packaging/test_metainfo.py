from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from resources.packaging import make_bundle, metainfo
from resources.packaging.changelog import Section

FOLDER = Path(make_bundle.HERE)
TEMPLATE = (FOLDER / "mcp-desktop.metainfo.xml").read_text(encoding="utf-8")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    make_bundle.write_metainfo(tmp_path / "metainfo")
    (file,) = (tmp_path / "metainfo").iterdir()
    return file


def test_each_release_of_the_changelog_is_named_and_what_is_unreleased_is_not() -> None:
    known = [Section("Unreleased", "", "- x"), Section("0.1.0", "2026-11-22", "- y")]
    root = ElementTree.fromstring(metainfo.complete(TEMPLATE, known))
    found = [(one.get("version"), one.get("date")) for one in root.iter("release")]
    assert found == [("0.1.0", "2026-11-22")]


def test_links_and_pictures_are_there_with_an_address_alone(tmp_path: Path) -> None:
    without = ElementTree.fromstring(metainfo.complete(TEMPLATE, []))
    root = ElementTree.fromstring(metainfo.complete(TEMPLATE, [], "https://example.org/a/b"))
    assert without.find("url") is None
    assert without.find("screenshots") is None
    assert root.findtext("url[@type='bugtracker']") == "https://example.org/a/b/issues"
    names = [str(one.text).rpartition("/")[2] for one in root.iter("image")]
    assert names == list(metainfo.PICTURES)
    assert all((FOLDER.parent / "screenshots" / name).is_file() for name in names)


def test_the_file_has_the_name_of_the_component(written: Path) -> None:
    root = ElementTree.parse(written).getroot()
    assert written.name == f"{root.findtext('id')}.metainfo.xml"


def test_it_belongs_to_the_menu_entry_and_offers_the_same_types(written: Path) -> None:
    root = ElementTree.parse(written).getroot()
    entry = (FOLDER / "mcp-desktop.desktop").read_text(encoding="utf-8")
    types = [str(one.text) for one in root.iter("mediatype")]
    assert root.findtext("launchable") == "mcp-desktop.desktop"
    assert types
    assert all(f"{one};" in entry for one in types)


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="needs appstreamcli")
def test_appstream_takes_it(written: Path) -> None:
    command = ["appstreamcli", "validate", "--no-net", "--explain", written]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0, done.stdout
