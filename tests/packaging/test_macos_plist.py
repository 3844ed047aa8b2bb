from __future__ import annotations

import plistlib

from desktop.cli.commands import FILES
from desktop.config.imports.bundles import SUFFIXES
from desktop.config.imports.packages import is_link
from resources.packaging.macos_plist import info_plist, minimum_system

PLIST = plistlib.loads(plistlib.dumps(info_plist("1.2.3", "14.0", "Copyright (c) 2026 we")))


def test_it_says_version_languages_and_whose_it_is() -> None:
    assert PLIST["CFBundleVersion"] == "1.2.3"
    assert PLIST["LSMinimumSystemVersion"] == "14.0"
    assert PLIST["CFBundleLocalizations"] == ["en", "zh_CN"]
    assert PLIST["NSHumanReadableCopyright"] == "Copyright (c) 2026 we"
    assert PLIST["NSHighResolutionCapable"] is True


def test_the_links_that_it_takes_are_links_that_it_reads() -> None:
    (links,) = PLIST["CFBundleURLTypes"]
    assert links["CFBundleURLSchemes"] == ["mcp-desktop"]
    assert all(is_link(f"{scheme}://import") for scheme in links["CFBundleURLSchemes"])


def test_files_that_it_reads_are_offered_to_it_behind_other_apps() -> None:
    (declared,) = PLIST["UTImportedTypeDeclarations"]
    ends = declared["UTTypeTagSpecification"]["public.filename-extension"]
    assert {f".{end}" for end in ends} == SUFFIXES <= set(FILES)
    kinds = PLIST["CFBundleDocumentTypes"]
    assert [kind["LSItemContentTypes"] for kind in kinds] == [
        ["public.json"],
        [declared["UTTypeIdentifier"]],
    ]
    assert {(kind["CFBundleTypeRole"], kind["LSHandlerRank"]) for kind in kinds} == {
        ("Viewer", "Alternate")
    }


def test_the_oldest_system_is_that_of_the_most_demanding_library() -> None:
    assert minimum_system([0x000E0400, 0x000B0000]) == "14.4"
    assert minimum_system([0x000D0000]) == "13.0"
