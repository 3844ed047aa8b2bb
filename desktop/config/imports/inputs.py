"""What another client asks a person for before it starts a server, to be asked for at the import.

VS Code calls these `inputs`, bundles `user_config`. The config that was read has a variable in the
place of each (`translate`), which stays where nothing is answered. Must not ask anybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.plain_secrets import PlainSecret

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.config.models import ServerConfig


class ImportInput(Struct, frozen=True):
    """One question; `reference` stands in the config, as `${API_KEY}`, until it is answered."""

    id: str
    reference: str
    variable: str
    description: str
    is_secret: bool = False
    default: str = ""
    choices: tuple[str, ...] = ()
    is_path: bool = False
    """Whether it is a file or folder of this computer."""


def answer_inputs(
    config: ServerConfig, inputs: Sequence[ImportInput], answers: Mapping[str, str]
) -> tuple[ServerConfig, list[PlainSecret]]:
    """A copy with the answers in it, and those that have to be put into the keyring.

    Args:
        config: as it would be written.
        inputs: its questions.
        answers: by id; an empty one counts as none.

    Raises:
        ConfigError: an answer would itself be filled in.
    """
    found: list[PlainSecret] = []
    texts: dict[str, str] = {}
    for asked in inputs:
        if not (answer := answers.get(asked.id, "")):
            continue
        if asked.is_secret:
            name = f"{_name(config.name)}.{asked.variable}"
            found.append(PlainSecret(asked.reference, name, answer))
            texts[asked.reference] = f"${{keyring:{name}}}"
        elif "${" in answer:
            raise ConfigError(
                translatable("The answer to {name} must not contain ${{", name=asked.id)
            )
        else:
            texts[asked.reference] = answer

    def put(text: str) -> str:
        for reference, answer in texts.items():
            text = text.replace(reference, answer)
        return text

    if not texts:
        return config, []
    filled = config.changed(
        command=put(config.command),
        args=tuple(map(put, config.args)),
        env={name: put(value) for name, value in config.env.items()},
        cwd=put(config.cwd) if config.cwd else None,
        url=put(config.url),
        headers={name: put(value) for name, value in config.headers.items()},
        oauth={name: put(value) for name, value in config.oauth.items()},
    )
    return filled, found


def _name(server: str) -> str:
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in server)
    return kept if kept[:1].isalpha() else f"_{kept}"
