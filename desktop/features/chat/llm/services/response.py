"""Builds the message of a model's turn while it arrives, within limits.

Every reader writes to a `ResponseBuilder`, which yields the events and, in the end, the message.
`StreamedCalls` finds the call that each piece belongs to. Knows no provider and no network.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.features.chat.llm.completion import RequestDelta, TextDelta, ThinkingDelta
from desktop.features.chat.llm.services.limits import RequestLimits
from desktop.features.models.messages import AssistantMessage, ToolRequest, Usage

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from desktop.features.chat.llm.completion import CompletionEvent
    from desktop.features.models.messages import Replay, StopReason

    Arguments: TypeAlias = str | Mapping[str, Any]

CUT: Final = translatable("The answer was cut here: it is longer than what is taken of one.")
NOTE_GAP: Final = "\n\n"
STREAM_ENDED: Final[dict[str, Any]] = {}
"""In place of a last event: the provider said that no more comes."""
UNFINISHED: Final = "{"
"""Arguments of a call that came without those which the model wrote: not an empty object."""
_TOKEN: Final = compile_later(r'\\(?:.|$)|["{}\[\]]', re.DOTALL)
_EMPTY: Final = ("", "{}")


def make_call_id() -> str:
    """For a call that has none; all providers take it."""
    return f"call_{uuid4().hex[:24]}"


class PendingCall(Struct):
    """A call while it arrives; `given` is set where its arguments come as an object.

    `sent_id` is the id that the provider gave it, which another call may have too.
    """

    call_id: str
    wire_name: str
    sent_id: str = ""
    parts: list[str] = field(default_factory=list[str])
    given: Mapping[str, Any] | None = None
    _depth: int = 0
    _is_text: bool = False
    _is_escaped: bool = False

    @property
    def arguments(self) -> str | Mapping[str, Any]:
        if self.given is not None:
            return self.given
        if len(self.parts) > 1:
            self.parts = ["".join(self.parts)]
        return self.parts[0] if self.parts else ""

    @property
    def is_begun(self) -> bool:
        return bool(self.parts) or self.given is not None

    @property
    def is_whole(self) -> bool:
        """Whether each bracket of the arguments is closed."""
        return self.given is not None or (
            bool(self.parts) and not self._is_text and self._depth == 0
        )

    @property
    def is_empty(self) -> bool:
        """Whether the arguments are none, or an empty object."""
        found = self.arguments
        return found.strip() in _EMPTY if isinstance(found, str) else not found

    def is_another_of(self, call: PendingCall) -> bool:
        return (self.sent_id, self.wire_name) == (call.sent_id, call.wire_name)

    def add(self, text: str) -> None:
        """Append a piece; each is looked at once."""
        self.parts.append(text)
        start, self._is_escaped = int(self._is_escaped), False
        for found in _TOKEN.finditer(text, start):
            mark = found[0]
            if mark[0] == "\\":
                self._is_escaped = len(mark) == 1
            elif mark == '"':
                self._is_text = not self._is_text
            elif not self._is_text:
                self._depth += 1 if mark in "{[" else -1

    def clear(self) -> None:
        self.parts, self.given = [], None
        self._depth, self._is_text, self._is_escaped = 0, False, False


class ResponseBuilder:
    """Collects one turn. `stop` stays None until the provider says why it stopped."""

    def __init__(self, limits: RequestLimits | None = None) -> None:
        self._limits = limits or RequestLimits()
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._left = self._limits.characters
        self.calls: list[PendingCall] = []
        self.is_cut = self._has_more_calls = False
        self.has_lost_arguments = False
        self.stop: StopReason | None = None
        self.usage = Usage()
        self.model = ""
        self.note = ""

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def thinking(self) -> str:
        return "".join(self._thinking)

    def add_text(self, text: str) -> Iterator[CompletionEvent]:
        if kept := self._take(text):
            self._text.append(kept)
            yield TextDelta(kept)

    def add_note(self, sentence: str) -> Iterator[CompletionEvent]:
        """Say something of the turn at the end of its text, in words of ours."""
        self.note = sentence
        added = f"{NOTE_GAP if self._text else ''}[{sentence}]"
        self._text.append(added)
        yield TextDelta(added)

    def add_thinking(self, text: str) -> Iterator[CompletionEvent]:
        if kept := self._take(text):
            self._thinking.append(kept)
            yield ThinkingDelta(kept)

    def fold(self, thought_end: int, text_begin: int) -> None:
        """What came as text up to a place was thinking; what follows another place is the text."""
        whole = self.text
        self._thinking.append(whole[:thought_end])
        self._text = [whole[text_begin:]]

    def add_call(
        self, call_id: str, wire_name: str, arguments: str | Mapping[str, Any] = ""
    ) -> Iterator[CompletionEvent]:
        """A call begins; an id that is missing or was there already is replaced by one of ours."""
        if len(self.calls) >= self._limits.calls:
            self.is_cut = self._has_more_calls = True
            return
        sent_id = call_id
        if not call_id or any(call_id == other.call_id for other in self.calls):
            call_id = make_call_id()
        self.calls.append(PendingCall(call_id, wire_name, sent_id))
        yield RequestDelta(len(self.calls) - 1, wire_name)
        yield from self.add_arguments(len(self.calls) - 1, arguments)

    def add_arguments(
        self, index: int, arguments: str | Mapping[str, Any]
    ) -> Iterator[CompletionEvent]:
        """More of the arguments of call `index`, or all of them as an object."""
        call = self.calls[index]
        if not isinstance(arguments, str):
            text = json.dumps(arguments, ensure_ascii=False)
            if self._take(text) == text:
                call.given = arguments
                yield RequestDelta(index, arguments=text)
        elif kept := self._take(arguments):
            call.add(kept)
            yield RequestDelta(index, arguments=kept)

    def end(self) -> None:
        """The provider said that it is done. Without a reason, where nothing is half written."""
        if self.stop is None and all(call.is_whole or not call.is_begun for call in self.calls):
            self.stop = "tools" if self.calls else "end"

    def cut(self) -> Iterator[CompletionEvent]:
        """End the turn here, and say so. What was written so far nobody has counted."""
        self.is_cut, self.stop = True, "length"
        self.usage = replace(self.usage, output=0)
        count = self._limits.calls
        return self.add_note(
            translatable(
                "The answer was cut here: it has more than {count} calls. The first {count} were "
                "taken.",
                count=count,
            )
            if self._has_more_calls
            else CUT
        )

    def build_message(self, replay: Replay | None) -> AssistantMessage:
        """The turn. One that was cut or refused is not replayed; a refused one asks for no calls.

        What is left of it would have the provider refuse the next one too.
        """
        stop = self.stop or "other"
        if self.calls and stop == "end":
            stop = "tools"
        is_refused = stop in {"refused", "filtered"}
        return AssistantMessage(
            text=self.text,
            requests=() if is_refused else tuple(self.requests()),
            thinking=self.thinking,
            stop=stop,
            usage=self.usage,
            model=self.model,
            replay=None if self.is_cut or is_refused else replay,
            note=self.note,
        )

    def requests(self) -> Iterator[ToolRequest]:
        """The calls; one that may lack what the model wrote cannot be read, so it is not run."""
        for call in self.calls:
            arguments = UNFINISHED if self._lacks_arguments(call) else call.arguments
            yield ToolRequest(call.call_id, call.wire_name, arguments)

    def _lacks_arguments(self, call: PendingCall) -> bool:
        """Whether arguments were written that came nowhere, or to another call in its place."""
        if not call.is_empty:
            return False
        if self.stop == "length" and call is self.calls[-1] and not call.is_begun:
            return True
        return self.has_lost_arguments or any(
            not other.is_empty
            and (not other.wire_name or (other.sent_id and other.is_another_of(call)))
            for other in self.calls
        )

    def _take(self, text: str) -> str:
        kept = text[: max(0, self._left)]
        self._left -= len(text)
        if self._left < 0:
            self.is_cut = True
        return kept


class StreamedCalls:
    """Finds the call that a piece belongs to: one rule for all providers.

    Providers and proxies count every call as number 0, or each piece as another; give no id, one
    for all calls, or one for each piece; repeat the name, or send the end at an index of its own. A
    piece whose call cannot be found is dropped, and calls without arguments are then not run.
    """

    def __init__(self, builder: ResponseBuilder) -> None:
        self._builder = builder
        self._at: dict[int, list[int]] = {}
        self._by_id: dict[str, int] = {}
        self._announced: dict[int, str] = {}

    def begin_response(self) -> None:
        """Forget the indexes of the response before."""
        self._at.clear()
        self._by_id.clear()
        self._announced.clear()

    def find(self, index: int | None, *ids: str) -> int | None:
        """The call under one of these ids, else the last one at this index."""
        for each in ids:
            if each and each in self._by_id:
                return self._by_id[each]
        return self._at[index][-1] if index in self._at else None

    def open(
        self, index: int | None, ids: Sequence[str], name: str, arguments: Arguments = ""
    ) -> Generator[CompletionEvent, None, int | None]:
        """A call begins; its number is returned, None where there are too many.

        Args: ids: what further pieces may call it by, that of the call first.
        """
        where = len(self._builder.calls)
        yield from self._builder.add_call(next(filter(None, ids), ""), name, arguments)
        if where == len(self._builder.calls):
            return None
        self._remember(where, index, ids)
        return where

    def add(
        self, index: int | None, ids: Sequence[str], arguments: Arguments
    ) -> Generator[CompletionEvent, None, int | None]:
        """More arguments of a call that is open; its number is returned."""
        is_named = any(each in self._by_id for each in ids)
        return (yield from self._continue(self.find(index, *ids), index, arguments, is_named))

    def read(
        self, index: int | None, call_id: str, name: str, arguments: Arguments
    ) -> Generator[CompletionEvent, None, int | None]:
        """A piece that does not say whether it begins a call; the call's number is returned."""
        calls, is_at = self._builder.calls, index is None or index in self._at
        where = self._find_piece(index, call_id)
        if where is None:
            is_new = bool(name) or (bool(call_id) and not arguments) or self._last_open() is None
        else:
            is_new = bool(name) and self._is_another(calls[where], is_at, call_id, name, arguments)
        if is_new and (name or call_id or arguments):
            return (yield from self.open(index, [call_id], name, arguments))
        if where is not None:
            calls[where].wire_name = calls[where].wire_name or name
            if name and calls[where].is_whole and _is_blank(arguments):
                self._announced[where] = call_id
        if not arguments:
            return where
        is_named = call_id in self._by_id
        where = yield from self._continue(where, index, arguments, is_named)
        if where is not None:
            self._remember(where, index, [call_id])
        return where

    def _find_piece(self, index: int | None, call_id: str) -> int | None:
        """The index counts, as one id may stand for all calls; where it does too, the id."""
        named, at = self._by_id.get(call_id), self._at.get(index, []) if index is not None else []
        if at:
            return named if named in at else at[-1]
        if named is None and index is None and self._builder.calls:
            return len(self._builder.calls) - 1
        return named

    def _is_another(
        self, call: PendingCall, is_at: bool, call_id: str, name: str, arguments: Arguments
    ) -> bool:
        """Whether a piece with a name begins a call, and does not go on with this one."""
        if not call.wire_name or call.wire_name != name:
            return bool(call.wire_name)
        if not is_at:
            # One id for all calls, or another index for each piece.
            goes_on = not call.is_begun or not _begins_object(arguments)
            return call.is_whole or not arguments or not goes_on
        if not call.is_whole or not _begins_object(arguments):
            return False
        has_other_id = bool(call_id and call.sent_id and call_id != call.sent_id)
        return has_other_id or (call.arguments != arguments and not call.is_empty)

    def _continue(
        self, where: int | None, index: int | None, arguments: Arguments, is_named: bool
    ) -> Generator[CompletionEvent, None, int | None]:
        calls = self._builder.calls
        call = None if where is None else calls[where]
        if call is not None and where is not None:
            if call.is_whole and (_is_blank(arguments) or call.arguments == arguments):
                return where  # once more
            if call.is_whole and where in self._announced:
                ids = [self._announced.pop(where)]
                return (yield from self.open(index, ids, call.wire_name, arguments))
            if call.is_whole and call.is_empty and _begins_object(arguments):
                call.clear()  # `{}` stood there until the arguments came
            elif call.is_whole and _begins_object(arguments):
                where = self._last_open()
            elif not call.is_begun and not is_named and self._is_shared(index):
                where = None
        else:
            where = self._last_open()
        if where is None:
            self._builder.has_lost_arguments = True
            return None
        yield from self._builder.add_arguments(where, arguments)
        return where

    def _last_open(self) -> int | None:
        calls = self._builder.calls
        return next((n for n in reversed(range(len(calls))) if not calls[n].is_whole), None)

    def _is_shared(self, index: int | None) -> bool:
        """Whether several calls wait for their arguments at one index."""
        at = () if index is None else self._at.get(index, ())
        return sum(not self._builder.calls[n].is_begun for n in at) > 1

    def _remember(self, where: int, index: int | None, ids: Sequence[str]) -> None:
        if index is not None:
            at = self._at.setdefault(index, [])
            if where not in at[-1:]:
                at.append(where)
        for each in filter(None, ids):
            self._by_id[each] = where


def _is_blank(arguments: Arguments) -> bool:
    return not (arguments.strip() if isinstance(arguments, str) else arguments)


def _begins_object(arguments: Arguments) -> bool:
    return not isinstance(arguments, str) or arguments.lstrip().startswith("{")
