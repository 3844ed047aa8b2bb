"""Fills `${VAR}`, `${env:VAR}`, `${VAR:-default}`, `${keyring:NAME}` and `~` in at a start.

`$VAR` without braces is never touched, and neither is the file: it keeps what the person wrote.
A filled-in value is a secret until proven otherwise: no error repeats one.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import ConfigError, NextStep
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.models import ServerConfig

_VARIABLE = compile_later(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_SECRET = compile_later(r"\$\{keyring:([A-Za-z_][A-Za-z0-9_.-]*)\}")
_EITHER = compile_later(f"{_SECRET.pattern}|{_VARIABLE.pattern}")
_FOREIGN = compile_later(r"\$\{(input|command|config):[^}]*\}")


def variables_in(text: str) -> list[str]:
    """The names of the variables that `text` would be filled with."""
    return [found[1] for found in _VARIABLE.finditer(text)]


def references_in(text: str) -> list[str]:
    """All that `text` would be filled with: names of variables, and `keyring:NAME`."""
    return [f"keyring:{found[1]}" if found[1] else found[2] for found in _EITHER.finditer(text)]


def secrets_in(config: ServerConfig) -> list[str]:
    """The names of the secrets in the keyring that a server needs."""
    texts = (config.command, *config.args, *config.env.values(), config.cwd or "", config.url)
    more = (
        *(*config.headers.values(), *config.oauth.values()),
        *(*config.roots, *config.tls.values()),
    )
    found = [_SECRET.findall(text) for text in (*texts, *more)]
    return list(dict.fromkeys(name for names in found for name in names))


def expand(
    config: ServerConfig, environ: Mapping[str, str], kept: Mapping[str, str] = EMPTY
) -> ServerConfig:
    """The server with every variable filled in; raises `ConfigError` that names what is unset.

    Args:
        config: as the person wrote it.
        environ: the variables of the environment.
        kept: the secrets of the keyring that it needs (`secrets_in`), by name.
    """
    if not _has_to_fill(config):
        return config

    def fill(text: str, field: str) -> str:
        return _fill(text, field, environ, config.name, kept)

    is_here = Path(config.command).name not in _ELSEWHERE

    def put_home(text: str) -> str:
        return _home(text, environ) if is_here and text.startswith(("~/", "~\\")) else text

    command = _home(fill(config.command, "command"), environ)
    cwd = config.cwd and _home(fill(config.cwd, "cwd"), environ)
    return config.changed(
        command=command,
        args=tuple(put_home(fill(arg, f"args[{n}]")) for n, arg in enumerate(config.args)),
        env={
            name: fill(_search_path(text, environ), f"env.{name}")
            if _is_path(name)
            else put_home(fill(text, f"env.{name}"))
            for name, text in config.env.items()
        },
        cwd=cwd or None,
        roots=tuple(
            _home(fill(root, f"roots[{n}]"), environ) for n, root in enumerate(config.roots)
        ),
        url=fill(config.url, "url"),
        headers={name: fill(text, f"headers.{name}") for name, text in config.headers.items()},
        oauth={name: fill(text, f"oauth.{name}") for name, text in config.oauth.items()},
        tls={name: _home(fill(text, f"tls.{name}"), environ) for name, text in config.tls.items()},
    )


def _has_to_fill(config: ServerConfig) -> bool:
    """Whether any text may change: most servers name no variable, and a changed copy is checked."""
    paths = (config.command, *config.roots, *config.tls.values(), config.cwd or "")
    texts = (*config.args, config.url, *config.env.values(), *config.headers.values())
    return (
        config.cwd == ""
        or any(path.startswith("~") or "${" in path for path in paths)
        or any("${" in text or text.startswith("~") for text in (*texts, *config.oauth.values()))
        or any(_is_path(name) and ("~" in text or "$" in text) for name, text in config.env.items())
    )


def unset_in(config: ServerConfig, environ: Mapping[str, str]) -> bool:
    """Whether it names a variable that `environ` does not have, or puts something before PATH."""
    groups = (config.env, config.headers, config.oauth, config.tls)
    texts = (config.command, *config.args, config.cwd or "", config.url, *config.roots)
    values = (*texts, *(value for group in groups for value in group.values()))
    names = {name for text in values for name in variables_in(text)}
    return (
        any(name not in environ for name in names)
        or _OWN_PATH.search(
            next((value for name, value in config.env.items() if _is_path(name)), "")
        )
        is not None
    )


_OWN_PATH = compile_later(r"\$\{(?:env:)?PATH\}|\$PATH(?![A-Za-z0-9_])")
_ELSEWHERE = frozenset({"ssh", "wsl", "wsl.exe", "kubectl"})
"""Programs that run others on another machine, which has a home of its own."""


def _is_path(name: str) -> bool:
    return name.upper() == "PATH"


def _search_path(text: str, environ: Mapping[str, str]) -> str:
    """A `PATH` as a shell would read it: `$PATH` without braces, and a home in each folder."""
    text = _OWN_PATH.sub("${PATH}", text)
    return os.pathsep.join(_home(part, environ) for part in text.split(os.pathsep))


def replace_variable(config: ServerConfig, name: str, text: str) -> ServerConfig:
    """The server with `text` in the place of each `${name}`; raises `ConfigError`."""
    reference = re.compile(r"\$\{(?:env:)?" + re.escape(name) + r"(?::-[^}]*)?\}")

    def put(value: str) -> str:
        return reference.sub(lambda _: text, value)

    def put_all(values: Mapping[str, str]) -> dict[str, str]:
        return {key: put(value) for key, value in values.items()}

    return config.changed(
        command=put(config.command),
        args=tuple(map(put, config.args)),
        env=put_all(config.env),
        cwd=put(config.cwd) if config.cwd else None,
        roots=tuple(map(put, config.roots)),
        url=put(config.url),
        headers=put_all(config.headers),
        oauth=put_all(config.oauth),
        tls=put_all(config.tls),
    )


def _fill(
    text: str, field: str, environ: Mapping[str, str], server: str, kept: Mapping[str, str]
) -> str:
    if foreign := _FOREIGN.search(text):
        raise ConfigError(
            translatable(
                '"{field}" contains {foreign}, which only another client can prompt for',
                field=field,
                foreign=foreign[0],
            ),
            remedy=translatable("Use ${{VAR}} instead and set that variable in your environment."),
        )

    def value(found: re.Match[str]) -> str:
        # In one go: what is filled in is not looked at again.
        return _secret(found[1], field, server, kept) if found[1] else _value(found, field, environ)

    return _EITHER.sub(value, text)


def _secret(name: str, field: str, server: str, kept: Mapping[str, str]) -> str:
    if name not in kept:
        raise ConfigError(
            translatable(
                'Server "{server}": "{field}" needs the secret {name}, which is not in the keyring',
                server=server,
                field=field,
                name=name,
            ),
            remedy=translatable("Add it with: mcp-desktop secret set {name}", name=name),
            steps=(NextStep("keep_secret", name),),
        )
    return kept[name]


def _value(found: re.Match[str], field: str, environ: Mapping[str, str]) -> str:
    name, default = found[2], found[3]
    if default is not None:
        if "${" in default:
            raise ConfigError(
                translatable(
                    '"{field}": the default of ${{{name}}} cannot contain another ${{...}}',
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
            steps=(NextStep("set_variable", name),),
        )
    return environ[name]


def _home(path: str, environ: Mapping[str, str]) -> str:
    """`~` is the home of the given environment, `~name` the one the system knows."""
    if path != "~" and not path.startswith(("~/", "~\\")):
        return os.path.expanduser(path)  # Path would change the rest of the text
    home = environ.get("HOME") or environ.get("USERPROFILE") or str(Path.home())
    return home + path[1:]
