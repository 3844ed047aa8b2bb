"""The part of hatch's build that is ours: compiled translations, and links that lead somewhere.

hatch loads this file by its path, with nothing of the project to be found. It asks for PySide6, of
which the compiler is a part, only where something has to be compiled: the sdist brings the compiled
files along, so that a wheel made of it needs nothing but hatch.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from resources.packaging import app_resources, project

ROOT = app_resources.ROOT
INSIDE = "desktop/_resources"
"""What `resources` is called in the wheel; `desktop.base.paths.resources` looks for it there."""


class TranslationsHook(BuildHookInterface[Any]):
    """Compiles what is outdated, and names the files for the build."""

    def dependencies(self) -> list[str]:
        """PySide6 as the project itself asks for it, so that pip fetches one version for both."""
        if not app_resources.outdated(ROOT):
            return []
        # hatchling leaves open what its metadata is made with.
        wanted = self.metadata.core.dependencies  # pyright: ignore[reportUnknownMemberType]
        return [one for one in wanted if one.startswith("pyside6-essentials")]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        app_resources.compile_translations(ROOT)
        files = app_resources.resource_files(ROOT)
        if self.target_name == "sdist":
            build_data["artifacts"] += [f"/{file.as_posix()}" for file in files]
        elif version != "editable":  # that one reads them where they are
            included = build_data["force_include"]
            for file in files:
                inside = Path(INSIDE, *file.parts[1:])
                included[str(ROOT / file)] = inside.as_posix()


class AddressHook(MetadataHookInterface):
    """Writes the links of the package's page, and the README with links that lead to the project.

    Both are made of the project's address. Without one, the README stays as it is.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        address = project.repository((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        text = project.with_absolute_links(readme, address)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        if address:
            metadata["urls"] = project.urls(address)
