"""Makes a `Launch` of a server's config: variables expanded, command found, environment built.

Must not start anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.config.expansion import expand
from desktop.processes.process import Launch
from desktop.servers.environment import find_command, server_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.models import ServerConfig
    from desktop.servers.shell_path import ShellPath


@dataclass(frozen=True, slots=True)
class Launcher:
    """Knows the person's environment and the PATH of their login shell."""

    environ: Mapping[str, str]
    shell_path: ShellPath

    def expanded(self, config: ServerConfig) -> ServerConfig:
        """`config` with its variables replaced.

        Raises:
            ConfigError: a variable without default is not set.
        """
        return expand(config, self.environ)

    async def prepare(self, config: ServerConfig) -> Launch:
        """What to start for an expanded stdio `config`.

        Raises:
            DesktopError: the command is not found.
        """
        path = await self.shell_path.get()
        environment = server_environment(self.environ, path, config.env)
        search = environment.get("PATH", path)
        command = find_command(config.command, search, config.cwd, server=config.name)
        return Launch(command, config.args, environment, config.cwd)
