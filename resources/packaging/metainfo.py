"""AppStream's description of the app, with the releases that the changelog knows."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from resources.packaging.changelog import Section


def identifier(template: str) -> str:
    """The name that software centres know the app by."""
    return ElementTree.fromstring(template).findtext("id", "")  # noqa: S314 - our own file


def with_releases(template: str, sections: Iterable[Section]) -> str:
    """`template` with an entry for each section that has a date; comments are left out."""
    root = ElementTree.fromstring(template)  # noqa: S314 - our own file
    releases = root.find("releases")
    if releases is None:
        raise ValueError("no <releases/> in the template")
    for one in sections:
        if one.date:
            ElementTree.SubElement(releases, "release", version=one.version, date=one.date)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
