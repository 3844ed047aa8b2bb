"""`ServerResources`: what one server has to read, once somebody asked, and who wants to hear of it.

Nothing is read before `list` is called; from then on a change, and each new session, reads again.
Subscriptions outlive a session. A URI goes to its server and nowhere else: nothing is fetched or
opened here, whatever its scheme. Source: MCP specification, server/resources.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from desktop.base.errors import ServerError
from desktop.base.translatable import translatable
from desktop.servers.calls import keep_answer
from desktop.servers.content import beside_loop, contents_from_sdk
from desktop.servers.kept_list import KeptList
from desktop.servers.lists import ListReader, dump_icons, shorten_label
from desktop.values.resource_types import (
    ReadResult,
    Resource,
    ResourceAnnotations,
    ResourceTemplate,
)
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.base.signals import Signal
    from desktop.servers.calls import Requester
    from desktop.servers.context import Spill
    from desktop.servers.session import Session
    from desktop.values.tool_types import Progress

MAX_SUBSCRIPTIONS = 1_000
"""Resources of one server that are subscribed to at a time."""


class ServerResources(KeptList[tuple[tuple[Resource, ...], tuple[ResourceTemplate, ...]]]):
    """The resources of one server.

    The connection's `resources_changed` says that the lists are other ones than before, its
    `resource_updated` that a resource that is subscribed to, or a part of it, has changed.
    """

    def __init__(
        self, server: Requester, was_read: Signal[[str, ReadResult]], spill: Spill
    ) -> None:
        """Args: server: by which everything is sent. was_read, spill: see `ServerOffers`."""
        super().__init__(server)
        self._spill, self._was_read = spill, was_read
        self.listed: tuple[Resource, ...] = ()
        self.templates: tuple[ResourceTemplate, ...] = ()
        self._subscribed: dict[str, None] = {}

    @property
    def subscribed(self) -> tuple[str, ...]:
        """The URIs that are subscribed to, over sessions."""
        return tuple(self._subscribed)

    @property
    def _subject(self) -> str:
        return translatable("{server}, its resources", server=self._server.name)

    async def list(self) -> tuple[Resource, ...]:
        """Ask for the resources and the templates; a server that has none is not asked.

        Raises:
            ServerError: they could not be read; those of before stay.
        """
        await self.read_now()
        return self.listed

    async def _read_list(
        self, client: Client, on_progress: ProgressFnT
    ) -> tuple[tuple[Resource, ...], tuple[ResourceTemplate, ...]]:
        if not _may_have_resources(client):
            return (), ()
        if (session := self._server.session) is not None:
            await session.changes.listen(client)
            session.oddities.forget(_RESOURCES.method)
            session.oddities.forget(_TEMPLATES.method)
        name = self._server.name
        resources = await _RESOURCES.read(name, client, on_progress)
        return resources, await _TEMPLATES.read(name, client, on_progress)

    async def read(
        self,
        uri: str,
        *,
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        is_asked_for: bool = True,
    ) -> ReadResult:
        """Read one resource; every failure is a result. Cancelling the caller cancels the read.

        Args:
            uri: as the server listed it, or one that a template was expanded to.
            timeout: seconds without an answer or a sign of progress; None for the server's own.
            on_progress: called at each progress notification, which also renews the limit.
            is_asked_for: whether somebody wanted it; a read because of an update is not told of.
        """
        began = time.monotonic()

        async def send(client: Client, _: ProgressFnT) -> ReadResult:
            answer = await client.read_resource(uri)
            keep_answer(answer)
            given = answer.contents
            contents = await beside_loop(partial(contents_from_sdk, given), given)
            return ReadResult(contents, meta=dict(answer.meta or {}))

        subject = translatable("{server}, {uri}", server=self._server.name, uri=uri)
        result = await self._server.request(subject, send, timeout=timeout, on_progress=on_progress)
        seconds = time.monotonic() - began
        if isinstance(result, ToolError):
            read = ReadResult(error=result, seconds=seconds)
        else:
            contents, meta = result.contents, result.meta
            del result  # or it would hold what goes to the disk
            contents = await self._spill(contents)
            read = ReadResult(contents, seconds=seconds, meta=meta)
        if is_asked_for:
            self._was_read.send(uri, read)
        return read

    async def subscribe(self, uri: str) -> ToolError | None:
        """Hear of changes of a resource, in later sessions too; an error says why not.

        A server tells (`resource_updated`) that it changed, not how: read it again.
        """
        if uri in self._subscribed:
            return None
        if len(self._subscribed) >= MAX_SUBSCRIPTIONS:
            words = translatable(
                "{server}: the subscription limit of {count} is reached.",
                server=self._server.name,
                count=MAX_SUBSCRIPTIONS,
            )
            return ToolError("ServerError", words, ErrorCode.INVALID_ARGUMENTS)
        self._subscribed[uri] = None  # before: the first update may come with the answer
        error = await self._send_subscriptions([uri])
        if error is not None:
            self._subscribed.pop(uri, None)
        return error

    async def _send_subscriptions(self, uris: Sequence[str]) -> ToolError | None:
        """Tell the server of these new ones; an error where it does not agree."""

        async def send(client: Client, _: ProgressFnT) -> bool:
            session = self._server.session
            declared = client.server_capabilities.resources
            if session is None or declared is None or not declared.subscribe:
                return False
            if client.protocol_version in MODERN_PROTOCOL_VERSIONS:
                if await session.changes.listen(client, self.subscribed):
                    return True
                await session.changes.listen(client, set(self.subscribed) - set(uris))
                return False
            await session.changes.listen(client, self.subscribed)
            for uri in uris:
                # Not the client's own verb, which warns that later servers have it no more.
                request = types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri))
                await client.session.send_request(request, types.EmptyResult)
            return True

        first = uris[0]
        subject = translatable(
            "{server}, subscription to {uri}", server=self._server.name, uri=first
        )
        agreed = await self._server.request(subject, send)
        if agreed is True:
            return None
        if isinstance(agreed, ToolError):
            return agreed
        words = translatable(
            "{server} does not report changes to {uri}. Read it again to see them.",
            server=self._server.name,
            uri=first,
        )
        return ToolError("ServerError", words, ErrorCode.PROTOCOL)

    async def unsubscribe(self, uri: str) -> ToolError | None:
        """Hear of one resource no more; an error where the server could not be told of it."""
        if uri not in self._subscribed:
            return None
        del self._subscribed[uri]
        if self._server.session is None:
            return None

        async def send(client: Client, _: ProgressFnT) -> None:
            if (session := self._server.session) is not None:
                await session.changes.listen(client, self.subscribed)
            if client.protocol_version not in MODERN_PROTOCOL_VERSIONS:
                params = types.UnsubscribeRequestParams(uri=uri)
                await client.session.send_request(
                    types.UnsubscribeRequest(params=params), types.EmptyResult
                )

        subject = translatable("{server}, subscription to {uri}", server=self._server.name, uri=uri)
        return await self._server.request(subject, send)

    async def follow(self, session: Session) -> None:
        """Take up in a new session what was asked for in an earlier one."""
        if self._subscribed:
            error = await self._send_subscriptions(self.subscribed)
            if error is not None:
                session.note(error.message)
        try:
            await self.read_again()
        except ServerError as error:
            session.note(str(error))

    def forget(self) -> None:
        """Offer nothing: the server is gone. Whoever asked before is served by its next session."""
        self.was_listed = False
        self._set(((), ()))

    def _set(self, found: tuple[tuple[Resource, ...], tuple[ResourceTemplate, ...]]) -> None:
        if found != (self.listed, self.templates):
            self.listed, self.templates = found
            self._server.resources_changed.send()


def _may_have_resources(client: Client) -> bool:
    """Whether it is worth asking: one that declares nothing at all may have anything."""
    declared = client.server_capabilities
    return declared.resources is not None or not declared.model_fields_set


def _resource(server: str, given: types.Resource) -> Resource:
    return Resource(
        server=server,
        uri=given.uri,
        name=shorten_label(given.name),
        title=shorten_label(given.title),
        description=given.description or "",
        mime=shorten_label(given.mime_type),
        size=given.size,
        annotations=_annotations(given.annotations),
        icons=dump_icons(given.icons),
        meta=cast("Mapping[str, Any]", given.meta or {}),
    )


def _template(server: str, given: types.ResourceTemplate) -> ResourceTemplate:
    return ResourceTemplate(
        server=server,
        uri_template=given.uri_template,
        name=shorten_label(given.name),
        title=shorten_label(given.title),
        description=given.description or "",
        mime=shorten_label(given.mime_type),
        annotations=_annotations(given.annotations),
        icons=dump_icons(given.icons),
        meta=cast("Mapping[str, Any]", given.meta or {}),
    )


def _annotations(given: types.Annotations | None) -> ResourceAnnotations:
    if given is None:
        return ResourceAnnotations()
    return ResourceAnnotations(
        tuple(given.audience or ()), given.priority, shorten_label(given.last_modified)
    )


async def _ask_resources(client: Client, cursor: str | None) -> types.ListResourcesResult:
    return await client.list_resources(cursor=cursor, cache_mode="refresh")


async def _ask_templates(client: Client, cursor: str | None) -> types.ListResourceTemplatesResult:
    return await client.list_resource_templates(cursor=cursor, cache_mode="refresh")


_RESOURCES: Final = ListReader(
    "resources/list",
    _ask_resources,
    lambda page: page.resources,
    _resource,
    lambda resource: resource.uri,
)
_TEMPLATES: Final = ListReader(
    "resources/templates/list",
    _ask_templates,
    lambda page: page.resource_templates,
    _template,
    lambda template: template.uri_template,
)
