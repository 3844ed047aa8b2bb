"""What one wire of a provider has to say for itself; `Service` does the rest for all of them.

Types only. An `Api` maps and reads; it neither waits, nor tries again, nor knows a conversation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Sequence

    from desktop.llm.completion import CompletionEvent, CompletionRequest
    from desktop.llm.formats import ApiFormat, WireTools
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.faults import Fault
    from desktop.llm.services.untyped import Object


class Reader(Protocol):
    """Reads the events of one turn into its draft; an object of JSON each, not to be trusted."""

    @property
    def draft(self) -> Draft: ...

    def begin(self) -> None:
        """A response begins: what one before it left unsaid is forgotten."""
        ...

    def read(self, event: Object) -> Iterable[CompletionEvent]:
        """Raises `FaultError` for an error that came inside the stream."""
        ...

    def continuation(self, body: Object) -> Object | None:
        """The first request with what was said so far, where the provider paused the turn."""
        ...

    def raw(self) -> Sequence[Object]:
        """The turn as the provider wants it back; empty where the neutral message says all."""
        ...


class Api(Protocol):
    """One request format of one provider, through its official SDK."""

    @property
    def name(self) -> str:
        """The provider's name in the config."""
        ...

    @property
    def label(self) -> str:
        """What the provider is called in a sentence."""
        ...

    @property
    def package(self) -> str:
        """The extra of this project that brings the SDK."""
        ...

    @property
    def api_format(self) -> ApiFormat: ...

    def connect(self, key: str) -> Any:
        """Import the SDK and make its client, without its retries. Blocks: call it in a thread.

        Raises:
            ImportError: the SDK is not installed.
        """
        ...

    def body(self, request: CompletionRequest, tools: WireTools | None, replay: str) -> Object:
        """The request as JSON; turns whose `Replay.provider` is `replay` go as they came. Pure."""
        ...

    def events(self, client: Any, body: Object) -> AsyncGenerator[Object]:
        """Send it; closing the generator closes the connection."""
        ...

    def reader(self, draft: Draft) -> Reader: ...

    def fault(self, error: Exception) -> Fault | None:
        """What an error of the SDK means; None for an error that is not the SDK's."""
        ...

    async def models(self, client: Any) -> list[str]: ...

    async def close(self, client: Any) -> None: ...
