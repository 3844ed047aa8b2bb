"""What tools take of a model's context window, a tool and a server at a time, and how to save.

Plain values: estimates of the tools as one format sends them, and advice. Asks no provider (that is
`CompletionService.count_tools`) and switches nothing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from desktop.base.translatable import join_list, translatable
from desktop.features.models.formats import ApiFormat, Verdict, convert
from desktop.features.models.formats.declaration import MAX_TOOLS, PROVIDERS
from desktop.features.models.formats.wire_tools import limit_warnings
from desktop.features.models.model_facts import documented
from desktop.tools.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from desktop.values.tool_types import ToolDefinition

LARGE_TOOL_PERCENT: Final = 2
"""Of the window, from which on one tool is worth a look; and at least `_LARGE_TOOL` tokens."""
_LARGE_TOOL: Final = 1_000
HEAVY_PERCENT: Final = 20
"""Of the window, from which on the tools together leave too little for the conversation."""
_HEAVIEST: Final = 3
_SLICE: Final = 50
"""Tools that are converted at a time: some hundredths of a second, then the loop has its turn."""
_MAX_KEPT: Final = 16_384


class ToolTokens(Struct, frozen=True):
    """An estimate of one tool in every request; `reason` says why it is not sent, at 0 tokens."""

    server: str
    name: str
    tokens: int
    reason: str = ""

    @property
    def key(self) -> str:
        return f"{self.server}:{self.name}"


_estimates: OrderedDict[tuple[str, ApiFormat], tuple[ToolDefinition, ToolTokens]] = OrderedDict()
_lock = Lock()


class ServerTokens(Struct, frozen=True):
    """What the tools of one server cost, in the order in which it lists them."""

    server: str
    tools: tuple[ToolTokens, ...]
    tokens: int
    sent: int
    """Tools that are sent: those without a `reason`."""


AdviceKind: TypeAlias = Literal["limit", "window", "large_tool", "heaviest"]
"""More tools than the provider takes; all of them take much of the window; one of them alone does;
the three most expensive ones, whatever they cost."""


class Advice(Struct, frozen=True):
    """What a person could do. `server`, and `tool` where it is not empty, is what to switch off.

    `saves` is in tokens, an estimate. `sentence` is translatable.
    """

    kind: AdviceKind
    sentence: str
    server: str = ""
    tool: str = ""
    saves: int = 0


class ContextBudget(Struct, frozen=True):
    """The tools of one request to `model`, estimated; `window` is 0 where it is not known."""

    api_format: ApiFormat | None = None
    model: str = ""
    window: int = 0
    servers: tuple[ServerTokens, ...] = ()
    tokens: int = 0
    sent: int = 0

    @property
    def most(self) -> int:
        """Tools that the provider takes in a request; 0 where it tells no limit."""
        return MAX_TOOLS.get(self.api_format, 0) if self.api_format is not None else 0

    @property
    def percent(self) -> float | None:
        """What the tools take of the window; None where that is not known."""
        return 100 * self.tokens / self.window if self.window else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the provider will object to, as sentences."""
        if self.api_format is None:
            return ()
        rejected = tuple(tool.reason for tool in self.tools() if tool.reason)
        return limit_warnings(self.sent, self.api_format) + rejected

    def tools(self) -> Iterator[ToolTokens]:
        """All of them, server by server."""
        for server in self.servers:
            yield from server.tools

    def server(self, name: str) -> ServerTokens:
        """Of a server without tools, too."""
        found = (server for server in self.servers if server.server == name)
        return next(found, ServerTokens(name, (), 0, 0))

    def saved_by(self, server: str, tool: str = "") -> int:
        """Tokens in every request that are saved by switching a tool off, or a whole server."""
        tools = self.server(server).tools
        return sum(each.tokens for each in tools if tool in ("", each.name))

    def heaviest(self, count: int = _HEAVIEST) -> list[ToolTokens]:
        """The most expensive tools, the first one most of all."""
        return sorted(self.tools(), key=lambda tool: -tool.tokens)[:count]

    def only(self, is_offered: Callable[[ToolTokens], bool]) -> ContextBudget:
        """The same with some of the tools, as after some switches."""
        kept = [tool for tool in self.tools() if is_offered(tool)]
        return make_budget(kept, self.api_format, self.model, self.window)

    def advice(self) -> list[Advice]:
        """What could be done, the most urgent first; nothing where there are no tools."""
        return [*self._about_limit(), *self._about_window(), *self._about_tools()]

    def _about_limit(self) -> Iterator[Advice]:
        if self.api_format is None or not self.most or self.sent <= self.most:
            return
        over = self.sent - self.most
        enough = [server for server in self.servers if server.sent >= over]
        # The smallest that is enough; where none is, the one that helps most.
        chosen = min(enough, key=lambda server: server.sent, default=None) or max(
            self.servers, key=lambda server: server.sent
        )
        sentence = translatable(
            "{count:,} tools are offered, {over:,} more than the {provider} API takes in a "
            "request.",
            count=self.sent,
            over=over,
            provider=PROVIDERS[self.api_format],
        )
        yield Advice("limit", sentence, chosen.server, saves=chosen.tokens)

    def _about_window(self) -> Iterator[Advice]:
        if self.percent is None or self.percent < HEAVY_PERCENT:
            return
        chosen = max(self.servers, key=lambda server: server.tokens)
        sentence = translatable(
            "The tools take {percent} % of the window of {model} before anything was said.",
            percent=round(self.percent),
            model=self.model,
        )
        yield Advice("window", sentence, chosen.server, saves=chosen.tokens)

    def _about_tools(self) -> Iterator[Advice]:
        heaviest = [tool for tool in self.heaviest() if tool.tokens]
        least = max(_LARGE_TOOL, self.window * LARGE_TOOL_PERCENT / 100)
        for tool in heaviest:
            if self.window and tool.tokens >= least:
                sentence = translatable(
                    "{tool} alone takes {percent} % of the window.",
                    tool=tool.key,
                    percent=round(100 * tool.tokens / self.window),
                )
                yield Advice("large_tool", sentence, tool.server, tool.name, tool.tokens)
        if heaviest:
            listed = join_list(f"{tool.key} ({tool.tokens:,})" for tool in heaviest)
            sentence = translatable("Most expensive: {tools}.", tools=listed)
            saves = sum(tool.tokens for tool in heaviest)
            yield Advice("heaviest", sentence, saves=saves)


def make_budget(
    tools: Iterable[ToolTokens],
    api_format: ApiFormat | None,
    model: str = "",
    window: int | None = None,
) -> ContextBudget:
    """The budget of tools that were estimated for `api_format` already.

    Args: window: of the model; None for what is documented.
    """
    by_server: dict[str, list[ToolTokens]] = {}
    for tool in tools:
        by_server.setdefault(tool.server, []).append(tool)
    servers = tuple(
        ServerTokens(
            name,
            tuple(each),
            sum(tool.tokens for tool in each),
            sum(not tool.reason for tool in each),
        )
        for name, each in by_server.items()
    )
    tokens, sent = sum(each.tokens for each in servers), sum(each.sent for each in servers)
    window = documented(model).window if window is None else window
    return ContextBudget(api_format, model, window, servers, tokens, sent)


async def estimate_budget(
    tools: Sequence[ToolDefinition],
    api_format: ApiFormat,
    model: str = "",
    window: int | None = None,
) -> ContextBudget:
    """What `tools` cost in `api_format`; in slices in a thread, ended with the slice if cancelled.

    Of a tool that a server lists twice the last counts, as in a request.
    """
    distinct = list({(tool.server, tool.name): tool for tool in tools}.values())
    found: list[ToolTokens] = []
    for start in range(0, len(distinct), _SLICE):
        part = distinct[start : start + _SLICE]
        found += await asyncio.to_thread(_estimate_all, part, api_format)
    return make_budget(found, api_format, model, window)


def _estimate_all(tools: Sequence[ToolDefinition], api_format: ApiFormat) -> list[ToolTokens]:
    return [_estimate(tool, api_format) for tool in tools]


def _estimate(tool: ToolDefinition, api_format: ApiFormat) -> ToolTokens:
    """Kept by definition: the converters keep fewer, as what they make is much larger."""
    key = (tool.key, api_format)
    with _lock:
        known = _estimates.get(key)
        if known is not None and known[0] is tool:
            _estimates.move_to_end(key)
            return known[1]
    name = wire_name(tool.server, tool.name)
    declaration = convert(tool, name, api_format, is_kept=False)
    reason = declaration.reason if declaration.verdict is Verdict.REJECTED else ""
    made = ToolTokens(tool.server, tool.name, 0 if reason else declaration.tokens, reason)
    with _lock:
        _estimates[key] = tool, made
        _estimates.move_to_end(key)
        while len(_estimates) > _MAX_KEPT:
            _estimates.popitem(last=False)
    return made
