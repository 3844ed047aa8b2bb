"""`--client NAME` of `call`, `tools`, `test` and `ask`: the run acts as that client.

Servers are told its name, capabilities and protocol; what comes back is what its model gets. What
is not known of it stays as this program does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.errors import UsageError
from desktop.features.client_profiles.model_view import ModelView
from desktop.features.client_profiles.profiles import find_profile, known

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.features.client_profiles.profiles import Profile
    from desktop.values.tool_types import (
        JsonObject,
        ToolDefinition,
        ToolResult,
        ValidationIssue,
    )

_MODERN: Final = "2026"
"""Versions from that year on are asked for by `server/discover`, those before by `initialize`."""


class ActingProfile:
    """A client by its profile; an `ActingClient`."""

    def __init__(self, profile: Profile) -> None:
        """Raises `UsageError` where nobody knows what it tells a server."""
        name, capabilities = known(profile.client_info_name), known(profile.capabilities)
        if name is None or capabilities is None:
            raise UsageError(
                f"Nobody knows what {profile.label} tells a server.",
                remedy="`mcp-desktop capture` writes it down when it connects.",
            )
        version, versions = known(profile.client_info_version), known(profile.protocol_versions)
        said = version.value if version is not None else profile.version
        self.label = profile.label
        self.info: JsonObject = {"name": name.value, "version": said}
        self.capabilities: JsonObject = capabilities.value
        spoken = sorted(versions.value) if versions is not None else []
        old = [each for each in spoken if each < _MODERN]
        self.version_asked = old[-1] if old else ""
        self.speaks_modern = bool(spoken) and spoken[-1] >= _MODERN
        self._view = ModelView(profile)

    def offered(self, tools: Iterable[ToolDefinition]) -> list[ToolDefinition]:
        """See `ActingClient`."""
        made = (self._view.tool(tool) for tool in tools)
        return [tool for tool in made if tool is not None]

    def wire_name(self, server: str, tool: str) -> str:
        """See `ActingClient`."""
        return self._view.name(server, tool).name

    def seen(self, result: ToolResult) -> tuple[ToolResult, tuple[ValidationIssue, ...]]:
        """See `ActingClient`."""
        return self._view.result(result)


def acting_client(name: str) -> ActingProfile:
    """The client of this name, or of the profile in this file.

    Raises:
        UsageError: nothing is known of it.
    """
    return ActingProfile(find_profile(name))
