"""What a server says that met the walls of its sandbox: the hosts and the places it was refused.

A server may say what it likes: what is found here is a reason to ask a person, and nothing more.
Must not look whether it is true.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.config.models import Sandbox

REFUSED: Final = "mcp-desktop: the sandbox refused the host "
"""Begins the line of the gate on a server's stderr; then the host, and why where it is not known by
the list."""
MAX_REFUSALS: Final = 20
_MAX_LENGTH: Final = 1000
_BY_GATE: Final = compile_later(
    re.escape(REFUSED) + r"(?P<host>[a-z0-9._-]{1,253}(?::\d{1,5})?)(?P<why>: .*)?"
)
_HOST: Final = compile_later(
    r"(?:\b(?:ENOTFOUND|EAI_AGAIN) |[Cc]ould not resolve host: |Failed to resolve '|\bhost='"
    r"|\bdial tcp: lookup )(?P<host>(?:[A-Za-z0-9_-]{1,63}\.){1,10}[A-Za-z0-9-]{1,63})"
)
"""As Node.js, curl, urllib3 and Go name it."""
_QUOTED: Final = compile_later(
    r"(?P<said>\b(?:EACCES|EPERM|EROFS|ENOENT)\b[^'\n]{0,80}|\[Errno (?:1|2|13|30)\][^'\n]{0,60})"
    r"'(?P<place>/[^'\n]{1,900})'"
)
"""As Node.js and Python name a place."""
_BARE: Final = compile_later(
    r"(?P<said>\b(?:open|create|mkdir|stat|lstat|unlink|remove|rename|readdirent)) "
    r"(?P<place>/[^:\n]{1,900}): (?P<why>permission denied|read-only file system"
    r"|operation not permitted|no such file or directory)"
)
"""As Go names it."""
_WRITES: Final = compile_later(r"EROFS|Errno 30|mkdir|unlink|rename|rmdir|create|remove|copyfile")


class Refusal(Struct, frozen=True):
    """One thing that a sandbox refused, as far as words tell.

    The `subject` is a host, as a list of hosts has it, or a whole path. A host has a `why` where no
    list can open it.
    """

    kind: Literal["host", "read", "write"]
    subject: str
    why: str = ""

    @property
    def words(self) -> str:
        """As a part of a sentence."""
        match self.kind:
            case "host":
                return translatable("the host {host}", host=self.subject)
            case "read":
                return translatable("reading {place}", place=self.subject)
            case "write":
                return translatable("writing {place}", place=self.subject)


def refusals_in(lines: Iterable[str], sandbox: Sandbox) -> list[Refusal]:
    """What the lines of its output name, the first time each, the latest last."""
    if not sandbox.is_on:
        return []
    found = dict.fromkeys(
        refusal for line in lines for refusal in _refusals_in(line[:_MAX_LENGTH], sandbox)
    )
    return list(found)[-MAX_REFUSALS:]


def _refusals_in(line: str, sandbox: Sandbox) -> Iterator[Refusal]:
    if (gate := _BY_GATE.fullmatch(line)) is not None:
        yield Refusal("host", gate["host"], (gate["why"] or "").removeprefix(": "))
        return
    if not sandbox.has_network and not sandbox.hosts:  # else the gate names them
        yield from (Refusal("host", each["host"].lower()) for each in _HOST.finditer(line))
    for each in (*_QUOTED.finditer(line), *_BARE.finditer(line)):
        is_write = _WRITES.search(each["said"]) or "read-only" in each[0]
        yield Refusal("write" if is_write else "read", each["place"])
