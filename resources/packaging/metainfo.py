"""AppStream's description of the app, with the releases that the changelog knows."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from resources.packaging import project

if TYPE_CHECKING:
    from collections.abc import Iterable

    from resources.packaging.changelog import Section

PICTURES = ("tools-light.png", "servers-light.png", "tools-dark.png")
"""Of resources/screenshots, the first one first."""


def identifier(template: str) -> str:
    """The name that software centres know the app by."""
    return ElementTree.fromstring(template).findtext("id", "")  # noqa: S314 - our own file


def complete(template: str, sections: Iterable[Section], address: str = "") -> str:
    """`template` with an entry for each section that has a date; comments are left out.

    Args:
        template: the text of mcp-desktop.metainfo.xml.
        sections: those of the changelog.
        address: the project's, see `project.repository`. Links and pictures are only with one.
    """
    root = ElementTree.fromstring(template)  # noqa: S314 - our own file
    releases = root.find("releases")
    if releases is None:
        raise ValueError("no <releases/> in the template")
    for one in sections:
        if one.date:
            ElementTree.SubElement(releases, "release", version=one.version, date=one.date)
    for kind, link in _urls(address).items():
        ElementTree.SubElement(root, "url", type=kind).text = link
    if address:
        _add_pictures(ElementTree.SubElement(root, "screenshots"), address)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _urls(address: str) -> dict[str, str]:
    names = {"Homepage": "homepage", "Issues": "bugtracker", "Documentation": "help"}
    return {names[name]: url for name, url in project.urls(address).items() if name in names}


def _add_pictures(parent: ElementTree.Element, address: str) -> None:
    for number, name in enumerate(PICTURES):
        kind = {} if number else {"type": "default"}
        picture = ElementTree.SubElement(parent, "screenshot", kind)
        image = ElementTree.SubElement(picture, "image")
        image.text = f"{address}/raw/main/resources/screenshots/{name}"
