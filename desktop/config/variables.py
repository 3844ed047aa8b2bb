"""Fills `${VAR}`, `${VAR:-default}`, `${env:VAR}` and `~` into a server's values at its start.

`$VAR` without braces is never touched, and neither is the file: it keeps what the person wrote.
A filled-in value is a secret until proven otherwise: no error repeats one.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.models import ServerConfig

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_FOREIGN = re.compile(r"\$\{(input|command|config):[^}]*\}")


def variables_in(text: str) -> list[str]:
    """The names of the variables that `text` would be filled with."""
    return [found[1] for found in _VARIABLE.finditer(text)]


def expand(config: ServerConfig, environ: Mapping[str, str]) -> ServerConfig:
    """The server with every variable filled in; raises `ConfigError` that names what is unset."""
    command = _home(_fill(config.command, "command", environ), environ)
    cwd = config.cwd and _home(_fill(config.cwd, "cwd", environ), environ)
    return config.changed(
        command=command,
        args=tuple(_fill(arg, f"args[{n}]", environ) for n, arg in enumerate(config.args)),
        env={name: _fill(text, f"env.{name}", environ) for name, text in config.env.items()},
        cwd=cwd or None,
        roots=tuple(
            _home(_fill(root, f"roots[{n}]", environ), environ)
            for n, root in enumerate(config.roots)
        ),
        url=_fill(config.url, "url", environ),
        headers={
            name: _fill(text, f"headers.{name}", environ) for name, text in config.headers.items()
        },
    )


def _fill(text: str, field: str, environ: Mapping[str, str]) -> str:
    if foreign := _FOREIGN.search(text):
        raise ConfigError(
            translatable(
                '"{field}" has {foreign}, which only another client can ask for',
                field=field,
                foreign=foreign[0],
            ),
            remedy=translatable(
                "Write ${{VAR}} instead and set that variable in your environment."
            ),
        )
    return _VARIABLE.sub(lambda found: _value(found, field, environ), text)


def _value(found: re.Match[str], field: str, environ: Mapping[str, str]) -> str:
    name, default = found[1], found[2]
    if default is not None:
        if "${" in default:
            raise ConfigError(
                translatable(
                    '"{field}": the default of ${{{name}}} cannot hold another ${{...}}',
                    field=field,
                    name=name,
                )
            )
        return environ.get(name) or default
    if name not in environ:
        raise ConfigError(
            translatable(
                '"{field}" needs the variable {name}, which is not set', field=field, name=name
            ),
            remedy=translatable(
                "Set {name} in the environment, or write ${{{name}:-default}}.", name=name
            ),
        )
    return environ[name]


def _home(path: str, environ: Mapping[str, str]) -> str:
    """`~` is the home of the given environment, `~name` the one the system knows."""
    if path != "~" and not path.startswith(("~/", "~\\")):
        return os.path.expanduser(path)  # Path would change the rest of the text
    home = environ.get("HOME") or environ.get("USERPROFILE") or str(Path.home())
    return home + path[1:]
