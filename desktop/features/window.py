"""The features of the window: one line each. The only module that names them to it.

Imports a feature when the core is there, after the first paint; before it nothing but the few lines
of one that has something to say by then. Must not know what a feature does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator

    from desktop.core import Core
    from desktop.gui.page_factory import Pages, RailPage

_MODULES: Final = (
    "desktop.features.attach.gui.feature",
    "desktop.features.catalogue.gui.feature",
    "desktop.features.chat.gui.feature",
    "desktop.features.client_profiles.gui.feature",
    "desktop.features.evals.gui.feature",
    "desktop.features.gateway.gui.feature",
    "desktop.features.mcp_apps.gui.feature",
    "desktop.features.mentions.gui.feature",
    "desktop.features.models.gui.feature",
    "desktop.features.palette.gui.feature",
    "desktop.features.presets.gui.feature",
    "desktop.features.recordings.gui.feature",
    "desktop.features.sandbox.gui.feature",
    "desktop.features.saved_calls.gui.feature",
    "desktop.features.storage.gui.feature",
    "desktop.features.tasks.gui.feature",
)  # fmt: skip
_EARLY: Final = (
    "desktop.features.mcp_apps.gui.early",
)  # fmt: skip
_PAGES: Final = (
    "desktop.features.chat.gui.early",
)  # fmt: skip
"""Modules with a `PAGE` each."""


class Feature(Protocol):
    """The module with which a feature joins the window."""

    def join(self, pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
        """Add what the feature has to the pages; called before the first of them is built.

        Args:
            pages: of the window.
            core: is followed already.
            ready: ends once all enabled servers are connected or have failed.
        """


class Early(Protocol):
    """What a feature has to say before there is an application, or a server."""

    def prepare(self) -> None: ...
    def extensions(self) -> dict[str, dict[str, Any]]:
        """As in `ConnectionContext`."""
        ...


def _early() -> list[Early]:
    return [cast("Early", import_module(name)) for name in _EARLY]


def prepare() -> None:
    """Before there is an application."""
    for feature in _early():
        feature.prepare()


def extensions() -> dict[str, dict[str, Any]]:
    """What servers are told that this window can do."""
    return {name: said for feature in _early() for name, said in feature.extensions().items()}


def rail_pages() -> list[RailPage]:
    """The pages of features, for the rail that is painted first."""
    return [cast("RailPage", import_module(name).PAGE) for name in _PAGES]


def features() -> Iterator[Feature]:
    """Import them."""
    for name in _MODULES:
        yield cast("Feature", import_module(name))


def join_window(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    """Have each feature add what it has."""
    for feature in features():
        feature.join(pages, core, ready)
