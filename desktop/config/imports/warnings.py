"""What a person should know about a server before importing it, and how the terminal words it.

Checks whether files exist and variables are set, and reads neither. No warning holds a secret. The
window has words of its own, which are translated.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from msgspec import Struct

from desktop.base.later_patterns import compile_later
from desktop.base.visible_text import escape_hidden
from desktop.config.models import OAUTH_SECRETS
from desktop.redaction.command_line import redact_words
from desktop.redaction.policy import (
    find_secret_values,
    is_secret_name,
    is_secret_value,
    redact_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.config.models import ServerConfig

Danger: TypeAlias = Literal[
    "stranger", "shell", "download", "code", "packages", "network", "gives", "sends", "file",
    "other_code", "conversations", "lookalike", "number", "plaintext",
    "container_open", "container_host", "container_files", "container_rights",
]  # fmt: skip
Kind: TypeAlias = Literal[
    Danger,
    "secret", "unset", "input", "missing", "env_file", "foreign", "left_out", "renamed", "host",
]  # fmt: skip
_VARIABLE = compile_later(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
_FOREIGN = compile_later(
    r"\$\{(?!(?:env:)?[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\}|keyring:[A-Za-z_][A-Za-z0-9_.-]*\})[^}]{0,80}\}"
)
_MAX_FINDINGS = 40


class ImportWarning(Struct, frozen=True):
    """`place` is where in the entry, as `env.TOKEN`; `subject` what it is about; both may be ''.

    secret: a value stands there as plain text. unset: the variable `subject` is not set. input: the
    other client asks for it, here it is the variable `subject`. missing: no file or folder
    `subject`. env_file: variables from the file `subject` are not read. foreign: `subject` means
    something to the other client alone. left_out: the keys `subject` have no counterpart.
    renamed: the name is `subject` here. host: it is reached at `subject`, which belongs to
    `detail`.

    Dangers. stranger: somebody else wrote all of it. shell: the word behind `subject` is a program.
    download: `subject` brings one from elsewhere. code, packages, network: the variable or option
    `subject` decides which code is loaded, where packages come from, whom the connections reach.
    gives: the program gets this machine's variable `subject`; sends: `detail` does. other_code:
    `subject` may run other code than the package that is named. file: the
    contents of the file `subject` go to `detail`. conversations: `subject` gets those, and the key
    that is kept for it. lookalike: an
    address that could be taken for another one; its host is `subject`, which belongs to `detail`.
    number: the host `subject` has no name. plaintext: what goes to `subject` can be read by others.
    Of a container, by the option `subject`. container_open: it can take over this computer.
    container_host: it shares the network or the like of this computer. container_files: it gets
    files. container_rights: it gets devices or permissions that containers do not have.
    """

    kind: Kind
    place: str = ""
    subject: str = ""
    detail: str = ""

    @property
    def is_warning(self) -> bool:
        """Whether it may not work or may do harm, or copies a secret; else only to be known."""
        return self.kind not in {"left_out", "renamed", "host"}

    @property
    def is_severe(self) -> bool:
        """Whether it gives away the whole computer or a file, and is to be seen before all else."""
        return self.kind in {"container_open", "file"}

    @property
    def is_danger(self) -> bool:
        """Whether it is about harm, and not about what works."""
        return self.kind in get_args(Danger)


def findings_of(config: ServerConfig, environ: Mapping[str, str]) -> list[ImportWarning]:
    """What can be seen in the values themselves, each said once."""
    found = [*_secrets(config), *_variables(config, environ), *_missing(config)]
    return list(dict.fromkeys(found))[:_MAX_FINDINGS]


def secret_places(config: ServerConfig) -> set[str]:
    """Where a secret stands as plain text; looks at nothing but the config."""
    return {warning.place for warning in _secrets(config)}


def _texts(config: ServerConfig) -> Iterator[tuple[str, str]]:
    yield "command", config.command
    yield from ((f"args[{index}]", argument) for index, argument in enumerate(config.args))
    yield from ((f"env.{name}", value) for name, value in config.env.items())
    yield "cwd", config.cwd or ""
    yield "url", config.url
    yield from ((f"headers.{name}", value) for name, value in config.headers.items())
    yield from ((f"oauth.{name}", value) for name, value in config.oauth.items())


def _secrets(config: ServerConfig) -> Iterator[ImportWarning]:
    covered = redact_words(config.args)
    for index, (before, after) in enumerate(zip(config.args, covered, strict=True)):
        if before != after and "${" not in before:
            yield ImportWarning("secret", f"args[{index}]")
    for place, value in _texts(config):
        name = place.partition(".")[2]
        is_open = place.startswith("oauth.") and name not in OAUTH_SECRETS
        is_named = bool(name) and is_secret_name(name) and value.strip() != "" and not is_open
        in_text = bool(find_secret_values(value)) or is_secret_value(value.rpartition(" ")[2])
        in_url = place == "url" and redact_text(value) != value
        if (is_named or in_text or in_url) and "${" not in value:
            yield ImportWarning("secret", place)


def _variables(config: ServerConfig, environ: Mapping[str, str]) -> Iterator[ImportWarning]:
    for place, value in _texts(config):
        for name in _VARIABLE.findall(value):
            if name not in environ:
                yield ImportWarning("unset", place, name)
        for text in _FOREIGN.findall(value):
            yield ImportWarning("foreign", place, text)


def _missing(config: ServerConfig) -> Iterator[ImportWarning]:
    for place, value in _texts(config):
        is_path = place in {"command", "cwd"} or place.startswith("args")
        if is_path and _is_absolute(value) and "${" not in value and not _exists(value):
            yield ImportWarning("missing", place, value)


def _is_absolute(text: str) -> bool:
    if not 1 < len(text) <= 4096 or "://" in text or text.startswith("//"):
        return False
    # An option such as /c of a Windows program is no path: only its command and its folder are.
    has_folder = text.count("/") > 1 or "\\" in text
    posix, windows = PurePosixPath(text).is_absolute(), PureWindowsPath(text).drive != ""
    return (posix and has_folder) or windows


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return True  # not ours to see


_SENTENCES = {
    "secret": "{place} looks like a secret in plain text: it is copied as it is; safer: write "
    "${{VAR}} there and set VAR in your environment",
    "unset": "{place} needs the variable {subject}, which is not set",
    "input": "{place}: set the variable {subject} ({detail}), the other app asked for it",
    "missing": "{place}: there is no {subject}",
    "env_file": "variables from {subject} are not read: put them into env, or set them",
    "foreign": "{place} has {subject}, which only the other app understands: edit it afterwards",
    "left_out": "not taken over: {subject}",
    "renamed": "called {subject} here",
    "host": "{place}: {subject} belongs to {detail}",
    "stranger": "somebody else wrote this: read the command, each variable and each address above "
    "to its end before you add it",
    "shell": "{place} runs {subject}, and a program is written behind it: read it to its end",
    "download": "{place} may run what it downloads: {subject}",
    "code": "{place}: {subject} decides which code is loaded, or which program is found",
    "packages": "{place}: {subject} decides where packages come from",
    "network": "{place}: {subject} decides whom connections reach, or which of them are trusted",
    "gives": "{place} gives your variable {subject} to this program",
    "sends": "{place} sends your variable {subject} to {detail}",
    "other_code": "{place}: {subject} may run other code than the package that is named",
    "file": "{place} sends your file {subject} to {detail}",
    "conversations": "{subject} is sent your conversations, and the key that you keep for it",
    "lookalike": "{place} looks like another address: it leads to {subject}, of {detail}",
    "number": "{place}: {subject} is no registered name, so nobody can be told to own it",
    "container_open": "{place}: {subject} lets the container take over this computer: nothing "
    "keeps it apart any more",
    "container_host": "{place}: {subject} lets the container share the network or processes of "
    "this computer, and reach what only this computer can reach",
    "container_files": "{place}: {subject} gives the container files of this computer",
    "container_rights": "{place}: {subject} gives the container permissions or devices that "
    "containers do not have by themselves",
    "plaintext": "{place} is not encrypted: who is on the way to {subject} can read and change it",
}


def finding_words(finding: ImportWarning) -> str:
    return _SENTENCES[finding.kind].format(
        place=escape_hidden(finding.place),
        subject=escape_hidden(finding.subject),
        detail=escape_hidden(finding.detail),
    )
