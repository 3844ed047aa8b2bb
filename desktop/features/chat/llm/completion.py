"""`CompletionService`: one turn of a model, whichever provider it comes from.

Types of the request and of the events while the answer arrives; the services implement it. Must not
know a provider.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from msgspec import Struct, field

from desktop.base.errors import DesktopError
from desktop.features.models.model_facts import ModelFacts

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from desktop.config.providers import Effort
    from desktop.features.models.formats import ApiFormat, WireTools
    from desktop.features.models.messages import AssistantMessage, Message

Failure: TypeAlias = Literal[
    "key",
    "untrusted",
    "rate",
    "overloaded",
    "context",
    "tools",
    "thinking",
    "request",
    "connection",
    "timeout",
    "provider",
]
"""No key or a wrong one; an address that nobody agreed to; too many requests or no credit; busy;
too long; its tools alone are; earlier thinking that it does not take back; refused as wrong; not
reached or cut off; silent for too long; any other error."""


class CompletionError(DesktopError):
    """A model gave no answer; `kind` for a program, the sentence for a person, no key in either."""

    def __init__(self, kind: Failure, message: str, *, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.kind: Failure = kind


class ToolLoader(Protocol):
    """Returns the tools as they are now, so that a toggle takes effect at the next request.

    Called on the loop: collect the definitions there and convert many of them in a thread.
    """

    async def __call__(self, api_format: ApiFormat) -> WireTools: ...


class CompletionRequest(Struct, frozen=True):
    """One request. `load_tools` is called once before it is sent; None for no tools.

    `messages` begin with a `UserMessage`; a turn with requests is followed by their `ToolMessage`.
    `effort`, `temperature` and `max_tokens` are sent where they are set. `facts` is what is known
    of the model: where it sees nothing, a note stands for each picture. Of the first `unbound`
    messages only what was said goes back, not what their provider sealed.
    """

    model: str
    messages: Sequence[Message]
    system: str = ""
    load_tools: ToolLoader | None = None
    max_tokens: int | None = None
    parallel: bool = True
    unbound: int = 0
    effort: Effort | None = None
    temperature: float | None = None
    facts: ModelFacts = field(default_factory=ModelFacts)


class TextDelta(Struct, frozen=True):
    """The next piece of the answer."""

    text: str


class ThinkingDelta(Struct, frozen=True):
    """The next piece of the model's thinking, where the provider shows it."""

    text: str


class RequestDelta(Struct, frozen=True):
    """A tool call begins or continues; `index` counts the calls of this turn from 0."""

    index: int
    wire_name: str = ""
    arguments: str = ""


class Retrying(Struct, frozen=True):
    """The provider wants to be left alone, or failed; `seconds` until the next attempt.

    Comes only before the first delta: an answer that broke off in the middle is a
    `CompletionError`, as sending it again would say everything twice.
    """

    seconds: float
    reason: str
    attempt: int


class Remark(Struct, frozen=True):
    """A sentence for the person about what was sent, or could not be: pictures, tools."""

    sentence: str


class Completed(Struct, frozen=True):
    """The whole turn, always the last event, with the tools as the model was shown them."""

    message: AssistantMessage
    tools: WireTools | None = None


CompletionEvent: TypeAlias = (
    TextDelta | ThinkingDelta | RequestDelta | Retrying | Remark | Completed
)


class TokenCount(Struct, frozen=True):
    """Tokens as the provider itself counted them, for one model; `provider` as in a sentence."""

    tokens: int
    provider: str
    model: str


class CompletionService(Protocol):
    """A provider. Closing the generator or cancelling its reader ends the request.

    Leaving `async for` early does not close it: read it under `contextlib.aclosing`.
    """

    @property
    def name(self) -> str: ...

    @property
    def api_format(self) -> ApiFormat: ...

    def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        """Send one request; the events end with `Completed`.

        Raises:
            CompletionError: no answer; attempts that may succeed later were made already.
        """
        ...

    def window(self, model: str) -> int:
        """Tokens of a request with its answer, as far as is known; 0 where nobody knows."""
        ...

    async def list_models(self) -> list[str]: ...

    async def count_tools(self, model: str, tools: WireTools) -> TokenCount:
        """Ask the provider what these tools add to a request. Runs no model.

        Raises:
            CompletionError: it did not count, or cannot.
        """
        ...

    async def close(self) -> None: ...
