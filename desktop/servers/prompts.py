"""`ServerPrompts`: the prompts of one server, once somebody asked, and the values it proposes.

Nothing is read before `list` is called; from then on a change, and each new session, reads again.
A prompt is text of a stranger: it comes back for a person to look at, and is sent to no model here.
Source: MCP specification, server/prompts and server/utilities/completion.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, cast

import mcp_types as types
from msgspec.structs import replace

from desktop.base.errors import ServerError
from desktop.base.translatable import translatable
from desktop.servers.calls import keep_answer
from desktop.servers.content import content_from_sdk
from desktop.servers.kept_list import KeptList
from desktop.servers.lists import MAX_NAME_LENGTH, ListReader, dump_icons, shorten_label
from desktop.values.prompt_types import (
    Completion,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptResult,
)
from desktop.values.tool_types import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.base.signals import Signal
    from desktop.servers.calls import Requester
    from desktop.servers.context import Spill
    from desktop.servers.session import Session
    from desktop.values.resource_types import ResourceTemplate
    from desktop.values.tool_types import Progress

MAX_ARGUMENTS = 1_000
"""Arguments of one prompt that are kept."""
MAX_COMPLETIONS = 100
"""Values taken of one answer: the most that the specification allows."""


class ServerPrompts(KeptList[tuple[Prompt, ...]]):
    """The prompts of one server; the connection's `prompts_changed` tells of another list."""

    def __init__(
        self,
        server: Requester,
        was_filled: Signal[[str, Mapping[str, str], PromptResult]],
        spill: Spill,
    ) -> None:
        """Args: server: by which everything is sent. was_filled, spill: see `ServerOffers`."""
        super().__init__(server)
        self._spill, self._was_filled = spill, was_filled
        self.listed: tuple[Prompt, ...] = ()

    @property
    def _subject(self) -> str:
        return translatable("{server}, its prompts", server=self._server.name)

    async def list(self) -> tuple[Prompt, ...]:
        """Ask for the prompts; a server that has none is not asked.

        Raises:
            ServerError: they could not be read; those of before stay.
        """
        await self.read_now()
        return self.listed

    async def _read_list(self, client: Client, on_progress: ProgressFnT) -> tuple[Prompt, ...]:
        declared = client.server_capabilities
        if declared.prompts is None and declared.model_fields_set:
            return ()
        if (session := self._server.session) is not None:
            await session.changes.listen(client)
            session.oddities.forget(_PROMPTS.method)
        return await _PROMPTS.read(self._server.name, client, on_progress)

    async def get(
        self,
        name: str,
        arguments: Mapping[str, str] | None = None,
        *,
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> PromptResult:
        """Have the server put the arguments into a prompt; every failure is a result.

        Args:
            name: the prompt's own name.
            arguments: sent as they are.
            timeout: seconds without an answer or a sign of progress; None for the server's own.
            on_progress: called at each progress notification, which also renews the limit.
        """
        began = time.monotonic()

        async def send(client: Client, _: ProgressFnT) -> PromptResult:
            answer = await client.get_prompt(name, dict(arguments or {}))
            keep_answer(answer)
            return _filled(answer)

        answer = await self._server.request(
            f"{self._server.name}:{name}", send, timeout=timeout, on_progress=on_progress
        )
        seconds = time.monotonic() - began
        if isinstance(answer, ToolError):
            filled = PromptResult(error=answer, seconds=seconds)
        else:
            filled = replace(answer, messages=await self._spilled(answer), seconds=seconds)
        self._was_filled.send(name, arguments or {}, filled)
        return filled

    async def _spilled(self, filled: PromptResult) -> tuple[PromptMessage, ...]:
        blocks = await self._spill(tuple(message.content for message in filled.messages))
        pairs = zip(filled.messages, blocks, strict=True)
        return tuple(PromptMessage(message.role, block) for message, block in pairs)

    async def complete(
        self,
        whose: Prompt | ResourceTemplate,
        argument: str,
        value: str,
        context: Mapping[str, str] | None = None,
    ) -> Completion:
        """The values that the server proposes for an argument; every failure is a result.

        A server that proposes nothing is not asked.

        Args:
            whose: what the argument belongs to.
            argument: the name of a prompt's argument or of a template's variable.
            value: what was typed of it.
            context: the arguments that have their value already.
        """
        reference = (
            types.PromptReference(name=whose.name)
            if isinstance(whose, Prompt)
            else types.ResourceTemplateReference(uri=whose.uri_template)
        )

        async def send(client: Client, _: ProgressFnT) -> Completion:
            if client.server_capabilities.completions is None:
                return Completion()
            given = {"name": argument, "value": value}
            known = dict(context) if context else None
            answer = await client.complete(reference, given, known)
            found = answer.completion
            values = tuple(text for text in found.values if len(text) <= MAX_NAME_LENGTH)
            has_more = bool(found.has_more) or len(values) > MAX_COMPLETIONS
            return Completion(values[:MAX_COMPLETIONS], found.total, has_more)

        subject = translatable(
            "{server}, values of {argument}", server=self._server.name, argument=argument
        )
        answer = await self._server.request(subject, send)
        return Completion(error=answer) if isinstance(answer, ToolError) else answer

    async def follow(self, session: Session) -> None:
        """Read the list in a new session where somebody asked for it in an earlier one."""
        try:
            await self.read_again()
        except ServerError as error:
            session.note(str(error))

    def forget(self) -> None:
        """Offer nothing: the server is gone. Whoever asked before is served by its next session."""
        self.was_listed = False
        self._set(())

    def _set(self, found: tuple[Prompt, ...]) -> None:
        if found != self.listed:
            self.listed = found
            self._server.prompts_changed.send()


def _filled(answer: types.GetPromptResult) -> PromptResult:
    messages = tuple(
        PromptMessage(message.role, content_from_sdk(message.content))
        for message in answer.messages
    )
    words = answer.description or ""
    return PromptResult(messages, words, meta=dict(answer.meta or {}))


def _prompt(server: str, given: types.Prompt) -> Prompt:
    return Prompt(
        server=server,
        name=given.name,
        title=shorten_label(given.title),
        description=given.description or "",
        arguments=tuple(
            PromptArgument(
                argument.name,
                shorten_label(argument.title),
                argument.description or "",
                required=bool(argument.required),
            )
            for argument in (given.arguments or ())[:MAX_ARGUMENTS]
            if len(argument.name) <= MAX_NAME_LENGTH
        ),
        icons=dump_icons(given.icons),
        meta=cast("Mapping[str, Any]", given.meta or {}),
    )


async def _ask_prompts(client: Client, cursor: str | None) -> types.ListPromptsResult:
    return await client.list_prompts(cursor=cursor, cache_mode="refresh")


_PROMPTS: Final = ListReader(
    "prompts/list", _ask_prompts, lambda page: page.prompts, _prompt, lambda prompt: prompt.name
)
