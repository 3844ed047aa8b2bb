"""The names of tools that a model is given, and the way back from them to server and tool.

A wire name depends on (server, tool) alone, whichever other servers are on, so permission rules,
histories and prompt caches keep fitting. It is never parsed back; the way back is a table. Must not
know a provider: the rule is what all of them accept (OpenAI 64 characters, Gemini in practice 63).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from desktop.base.ascii_text import in_ascii
from desktop.base.did_you_mean import nearest_names
from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    Naming: TypeAlias = Callable[[str, str], str]
    """The name of a tool, of its server and its own name."""

MAX_NAME_LENGTH = 63
DIGITS = 10
"""Hex digits of the hash in a name that could not be kept."""
LONG_DIGITS = 32
"""The same where two names meet in `DIGITS`."""
SERVICE_PREFIX = "mcp__"
_SERVER_SHARE = 20
_MAX_LISTED = 40
_MAX_SHOWN_LENGTH = 100

_ACCEPTED = compile_later(r"[A-Za-z_][A-Za-z0-9_-]*")
_LEGAL = compile_later(r"[A-Za-z0-9_-]+")
_ILLEGAL = compile_later(r"[^A-Za-z0-9-]+")
_HASHED = compile_later(rf"_[0-9a-f]{{{DIGITS},}}\Z")


def wire_name(server: str, tool: str, *, direct: bool = False) -> str:
    """The name of a tool for a model: matches `^[A-Za-z_][A-Za-z0-9_-]{0,62}$`.

    `mcp__server__tool` through the service, `server__tool` for a session's own server (`direct`).
    What does not fit is cut, with a hash of both names at its end.
    """
    name = _prefix(direct) + f"{server}__{tool}"
    return name if _is_kept(server, tool, name, direct) else _hashed(server, tool, direct)


class WireNames:
    """The tools of one request: `{wire name: (server, tool)}`, and what a model meant."""

    def __init__(
        self,
        tools: Iterable[tuple[str, str]],
        direct: Container[str] = (),
        naming: Naming | None = None,
    ) -> None:
        """Name the tools.

        Args:
            tools: (server, tool) each.
            direct: the servers that a session holds itself.
            naming: gives the tools of all other servers the names of another client, where all
                providers accept them.
        """
        self._tools: dict[str, tuple[str, str]] = {}
        for name, same in _by_name(tools, direct, naming).items():
            if len(same) == 1:
                self._tools[name] = same[0]
            else:
                for server, tool in same:
                    longer = _hashed(server, tool, server in direct, LONG_DIGITS)
                    self._tools[longer] = (server, tool)
        self._names = {tool: name for name, tool in self._tools.items()}
        self._folded: dict[str, list[str]] = defaultdict(list)
        for name in self._tools:
            self._folded[name.casefold()].append(name)

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def name(self, server: str, tool: str) -> str:
        """The wire name of one of these tools.

        Raises:
            KeyError: it is none of them.
        """
        return self._names[server, tool]

    def find(self, wanted: str) -> tuple[str, str] | None:
        """(server, tool) of a name that a model used; where no other is meant, in any case."""
        if wanted in self._tools:
            return self._tools[wanted]
        same = self._folded.get(wanted.casefold(), [])
        return self._tools[same[0]] if len(same) == 1 else None

    def unknown(self, wanted: str) -> str:
        """What to answer a model that used a name which `find` does not find: the nearest first."""
        shown = wanted if len(wanted) <= _MAX_SHOWN_LENGTH else wanted[:_MAX_SHOWN_LENGTH] + "…"
        if not self._tools:
            return f"Unknown tool {shown!r}; no tools are available."
        same = [name for name, (_, tool) in self._tools.items() if tool == wanted]
        near = nearest_names(wanted, self._tools)
        listed = list(dict.fromkeys([*same, *near, *self._tools]))[:_MAX_LISTED]
        more = ", …" if len(listed) < len(self._tools) else "."
        return f"Unknown tool {shown!r}. Available: {', '.join(listed)}{more}"


def _by_name(
    tools: Iterable[tuple[str, str]], direct: Container[str], naming: Naming | None
) -> dict[str, list[tuple[str, str]]]:
    by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for server, tool in dict.fromkeys(tools):
        is_direct = server in direct
        given = naming(server, tool) if naming is not None and not is_direct else ""
        is_taken = len(given) <= MAX_NAME_LENGTH and _ACCEPTED.fullmatch(given)
        name = given if is_taken else wire_name(server, tool, direct=is_direct)
        by_name[name].append((server, tool))
    return by_name


def _is_kept(server: str, tool: str, name: str, direct: bool) -> bool:
    """Whether a name is legal as it is, and can be told from those of all other tools.

    The first `__` after the prefix ends the server, so none may be in it or grow at its end; the
    end must not look like a hash; and a direct server `mcp` would have the service's prefix.
    """
    return (
        len(name) <= MAX_NAME_LENGTH
        and _LEGAL.fullmatch(server) is not None
        and _LEGAL.fullmatch(tool) is not None
        and "__" not in server
        and server.strip("_-") == server
        and not (direct and (server.lower() == "mcp" or not server[0].isalpha()))
        and _HASHED.search(name) is None
    )


def _hashed(server: str, tool: str, direct: bool, digits: int = DIGITS) -> str:
    slug = _slug(server)[:_SERVER_SHARE] or "server"
    if direct and (slug.lower() == "mcp" or not slug[0].isalpha()):
        slug = f"s_{slug}"
    start = f"{_prefix(direct)}{slug}__{_slug(tool)}"[: MAX_NAME_LENGTH - 1 - digits].rstrip("_-")
    # The length says where the server ends, whatever characters the names are made of.
    both = f"{len(server)}:{server}{tool}".encode("utf-8", "surrogatepass")
    return f"{start}_{hashlib.sha256(both).hexdigest()[:digits]}"


def _slug(text: str) -> str:
    return _ILLEGAL.sub("_", in_ascii(text)).strip("_-")


def _prefix(direct: bool) -> str:
    return "" if direct else SERVICE_PREFIX
