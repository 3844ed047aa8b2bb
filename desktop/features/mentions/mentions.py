"""What is mentioned in a question: where a mention stands, and what of the servers fits it.

`/` begins the prompt that a question is made of, so it counts at the beginning of the question
alone. `@` begins a resource at the beginning of any word; an address of mail is none.
Must not fetch a prompt or read a resource.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from desktop.base.errors import ServerError
from desktop.base.later_patterns import compile_later
from desktop.values.prompt_types import Prompt
from desktop.values.resource_types import Resource, ResourceTemplate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.servers.connection import ServerConnection
    from desktop.servers.prompts import ServerPrompts
    from desktop.servers.resources import ServerResources

Sign: TypeAlias = Literal["/", "@"]
Offer: TypeAlias = Prompt | Resource | ResourceTemplate

MAX_LENGTH: Final = 100
"""Characters of a mention: a longer word is none."""
MAX_SHOWN: Final = 50
_SEARCHED: Final = 1_000
_PROMPT: Final = compile_later(rf"^\s*/(\S{{0,{MAX_LENGTH}}})$")
_RESOURCE: Final = compile_later(rf"(?<![\w.+-])@(\S{{0,{MAX_LENGTH}}})$", re.ASCII)


class Mention(Struct, frozen=True):
    """What was typed of one: its sign, and the words behind it."""

    sign: Sign
    words: str


def find_mention(before: str, *, is_first: bool) -> Mention | None:
    """The mention that ends where a person types.

    Args:
        before: the paragraph up to there.
        is_first: whether it is the first paragraph of the question.
    """
    if is_first and (found := _PROMPT.search(before)):
        return Mention("/", found[1])
    if found := _RESOURCE.search(before[-2 * MAX_LENGTH :]):
        return Mention("@", found[1])
    return None


def offers_of(servers: Iterable[ServerConnection], sign: Sign) -> list[Offer]:
    """All that connected servers have listed; templates come behind the resources of a server."""
    if sign == "/":
        return [prompt for server in servers for prompt in server.prompts.listed]
    found: list[Offer] = []
    for server in servers:
        found += [*server.resources.listed, *server.resources.templates]
    return found


def unlisted(servers: Iterable[ServerConnection], sign: Sign) -> list[ServerConnection]:
    """Those that have not listed what they have: they were not asked, or it failed."""
    return [server for server in servers if not _list(server, sign).was_listed]


async def list_once(servers: Iterable[ServerConnection], sign: Sign) -> list[str]:
    """Have each server list what it has, if it never did; returns the sentences of failures."""
    lists = [_list(server, sign) for server in servers]
    ended = await asyncio.gather(*(each.list_once() for each in lists), return_exceptions=True)
    for error in ended:
        if error is not None and not isinstance(error, ServerError):
            raise error
    return [str(error) for error in ended if error is not None]


def _list(server: ServerConnection, sign: Sign) -> ServerPrompts | ServerResources:
    return server.prompts if sign == "/" else server.resources


def best_offers(offers: Sequence[Offer], words: str) -> list[Offer]:
    """Those that have the words: first names that begin with them, then that contain them."""
    wanted = words.lower()
    ranked = [(_rank(offer, wanted), offer) for offer in offers]
    kept = [(rank, offer) for rank, offer in ranked if rank is not None]
    kept.sort(key=lambda pair: pair[0])
    return [offer for _, offer in kept[:MAX_SHOWN]]


def address(offer: Offer) -> str:
    """What a server knows it by: the name of a prompt, the URI of a resource, or its pattern."""
    if isinstance(offer, Prompt):
        return offer.name
    return offer.uri if isinstance(offer, Resource) else offer.uri_template


def _rank(offer: Offer, wanted: str) -> int | None:
    names = (offer.label.lower(), offer.name.lower(), f"{offer.server}:{offer.name}".lower())
    if any(name.startswith(wanted) for name in names):
        return 0
    if any(wanted in name for name in names):
        return 1
    more = f"{address(offer)}\n{offer.description}"[:_SEARCHED].lower()
    return 2 if wanted in more else None
