"""The software bill of materials of a bundle: what is inside, by name, version and licence.

CycloneDX as JSON, so that scanners find what a known fault is in. It lists what was packed, not
what the environment of the build has besides; `bundle_licences` knows which is which.
"""

from __future__ import annotations

import platform
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING, Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import bom, component
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from resources.packaging import bundle_licences, qt_parts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "mcp-desktop"
# Decorators of py-serializable hide the types of what they decorate.
Bom: Any = bom.Bom
Component: Any = component.Component
_licences = LicenseFactory()


def make(version: str, libraries: Iterable[str], qt: Path) -> str:
    """The document.

    Args:
        version: of the app.
        libraries: names of the system's shared libraries in the bundle, as `libxcb.so.1`.
        qt: a folder with the bundle's Qt libraries somewhere below.

    Raises:
        ValueError: it is not what CycloneDX 1.6 prescribes.
    """
    app = _component(NAME, version, "MIT", PackageURL("pypi", None, NAME, version))
    app.type = component.ComponentType.APPLICATION
    made = Bom(components=[*_packages(), *_runtimes(), *_inside_qt(qt), *_system(libraries)])
    made.metadata.component = app
    made.register_dependency(app, made.components)
    text = JsonV1Dot6(made).output_as_string(indent=2)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(str(fault))
    return text + "\n"


def _packages() -> list[Any]:
    return [
        _component(
            one.name,
            one.version,
            bundle_licences.licence_of(one),
            PackageURL("pypi", None, one.name.lower().replace("_", "-"), one.version),
        )
        for one in bundle_licences.inside()
        if one.name != NAME
    ]


def _runtimes() -> list[Any]:
    """What comes in no package of its own: the interpreter, and Qt, which PySide's wheels bring."""
    python, qt = platform.python_version(), version_of("PySide6-Essentials")
    return [
        _component("Python", python, "PSF-2.0", PackageURL("generic", None, "python", python)),
        _component("Qt", qt, "LGPL-3.0-only", PackageURL("generic", None, "qt", qt)),
    ]


def _inside_qt(folder: Path) -> list[Any]:
    """Other people's code in Qt's libraries, without a version where a library does not say it."""
    return [
        _component(
            one.name, one.version, one.licence, PackageURL("generic", "qt", one.name, one.version)
        )
        for one in qt_parts.inside(folder)
    ]


def _system(libraries: Iterable[str]) -> list[Any]:
    """Where a package manager can say whose a library is (Debian)."""
    return [
        _component(name, version, "", PackageURL("deb", "debian", name, version))
        for name, version in bundle_licences.system_packages(libraries)
    ]


def _component(name: str, version: str, licence: str, purl: PackageURL) -> Any:
    licences = [_licences.make_from_string(licence)] if licence else []
    reference = purl.to_string()
    return Component(
        type=component.ComponentType.LIBRARY,
        name=name,
        version=version or None,
        licenses=licences,
        purl=purl,
        bom_ref=reference,
    )
