"""Makes a `Launch` of a server's config: variables expanded, command found, environment built.

Must not start anything but the login shell that is asked for its PATH.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.config.variables import expand
from desktop.errors import ServerError
from desktop.paths import builtin_command
from desktop.processes.process import LaunchSpec
from desktop.servers.environment import find_command, server_environment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from desktop.config.models import ServerConfig
    from desktop.servers.shell_path import ShellPath


@dataclass(frozen=True, slots=True)
class LaunchResolver:
    """Knows the person's environment and the PATH of their login shell.

    `own_path_first`: the run was started from a terminal or by a program, whose PATH is the one
    that is meant; the login shell is only asked for what is not found there. An app started from an
    icon has the system's PATH alone, where an old `npx` may hide the person's own.
    `data`: where built-in servers that remember something keep it.
    """

    environ: Mapping[str, str]
    shell_path: ShellPath
    own_path_first: bool = False
    data: Path | None = None

    def expanded(self, config: ServerConfig) -> ServerConfig:
        """`config` with its variables replaced, and the command of a built-in server filled in.

        Raises:
            ConfigError: a variable without default is not set.
        """
        expanded = expand(config, self.environ)
        if not expanded.builtin:
            return expanded
        command, args = builtin_command(expanded.builtin)
        kept = {"MCP_DESKTOP_DATA": str(self.data)} if self.data is not None else {}
        return expanded.changed(
            builtin="", command=command, args=(*args, *expanded.args), env={**kept, **expanded.env}
        )

    async def prepare(self, config: ServerConfig) -> LaunchSpec:
        """What to start for an expanded stdio `config`.

        Raises:
            DesktopError: the command is not found.
        """
        launch = self.prepare_now(config)
        return launch or self._launch(config, await self.shell_path.get())

    def prepare_now(self, config: ServerConfig) -> LaunchSpec | None:
        """The same without asking the login shell; None where it has to be asked."""
        path = self.environ.get("PATH", "") if self.own_path_first else self.shell_path.known
        if path is None:
            return None
        try:
            return self._launch(config, path)
        except ServerError:
            return None

    def _launch(self, config: ServerConfig, path: str) -> LaunchSpec:
        environment = server_environment(self.environ, path, config.env)
        search = environment.get("PATH", path)
        command = find_command(config.command, search, config.cwd, server=config.name)
        return LaunchSpec(command, config.args, environment, config.cwd)
