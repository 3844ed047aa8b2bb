"""Makes room in the window of a model: of old tool results, the beginning alone is sent.

The model can read on in each (`read_result`), and what is stored stays whole. A summary is for a
new conversation. Pure: values and the functions on them. Must not know a session, nor ask a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.translatable import translatable
from desktop.features.chat.agent.large_results import OWN_SERVER, READ_RESULT, result_text
from desktop.features.models.messages import AssistantMessage, ToolMessage, UserMessage
from desktop.values.tool_types import Content

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from desktop.features.models.messages import Message, ToolAnswer
    from desktop.values.tool_types import ToolResult

FULL: Final = 0.75
"""Of the window, from which on room is made before the next request."""
_RECENT: Final = 0.25
"""Of the window, which the newest results may fill as they are."""
_WORTH: Final = 0.05
"""Of the window, which has to come free: each time the provider reads everything again."""
_MUCH: Final = 0.2
"""Of the window, which is enough for some time."""
_BEGIN: Final = 400
"""Characters of an old result that are sent."""
_LONG: Final = 900
"""Characters from which on a result is shortened; below, the note would eat up the gain."""
_IMAGE_TOKENS: Final = 1_000
_CHARACTERS: Final = 3.5
"""Characters of a token; of scripts without spaces, one each."""
_BEFORE_CJK: Final = 0x2E7F
THOUGHTS_TOO = translatable("What the model thought before is not sent any more, either.")


class Shortened(Struct, frozen=True):
    """Numbers of messages in the `MessageTree`.

    Of results before `before` the beginning is sent, of those before `bare` the name alone.
    """

    before: int = 0
    bare: int = 0

    def to_json(self) -> dict[str, Any]:
        return {"before": self.before, "bare": self.bare}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Shortened:
        """Raises one of `KeyError`, `TypeError`, `ValueError` where it is none."""
        return cls(int(value["before"]), int(value["bare"]))


class Numbered(NamedTuple):
    """A message of the branch that is gone on with; -1 where it has no place in the tree."""

    number: int
    message: Message


def name_of(number: int, at: int) -> str:
    """By which the model reads on in an answer of a message."""
    return f"m{number}.{at}"


def place_of(name: str) -> tuple[int, int] | None:
    """Number of the message and place of the answer; None where it is no such name."""
    number, dot, at = name.removeprefix("m").partition(".")
    is_name = name.startswith("m") and dot and number.isdecimal() and at.isdecimal()
    return (int(number), int(at)) if is_name and len(name) < _LONG else None


def is_long(result: ToolResult) -> bool:
    """Whether it is shortened once it is old."""
    return len(result_text(result)) > _LONG or any(block.data for block in result.content)


def shorten(said: Iterable[Numbered], how: Shortened) -> list[Message]:
    """The messages as the model is given them."""
    return [
        _shorter(number, message, is_bare=number < how.bare)
        if isinstance(message, ToolMessage) and 0 <= number < how.before
        else message
        for number, message in said
    ]


def _shorter(number: int, message: ToolMessage, *, is_bare: bool) -> ToolMessage:
    return ToolMessage(
        tuple(
            _short_answer(answer, name_of(number, at), is_bare=is_bare)
            if is_long(answer.result)
            else answer
            for at, answer in enumerate(message.answers)
        )
    )


def _short_answer(answer: ToolAnswer, name: str, *, is_bare: bool) -> ToolAnswer:
    result = answer.result
    text = result_text(result)
    media = [f"{block.kind}: {block.mime}" for block in result.content if block.data]
    begin = "" if is_bare else text[:_BEGIN]
    more = "".join(f", {each}" for each in media)
    note = (
        f"[Shortened to make room. It had {len(text)} characters{more}. Read on with "
        f'{OWN_SERVER}__{READ_RESULT.name}, id "{name}", offset {len(begin)}.]'
    )
    short = "\n".join(filter(None, (begin, note)))
    error = result.error and replace(result.error, message=short)
    content = (Content("text", short),)
    told = replace(result, output=short, error=error, content=content, structured=None)
    return replace(answer, result=told)


def shorten_more(said: Sequence[Numbered], now: Shortened, window: int) -> Shortened | None:
    """What makes room: old results to their beginning, and where that is not much, to their name.

    Returns: None where that would not free enough. The newest results stay as they are.
    """
    end = max(_begin_of_recent(said, window), now.before)
    before = message_tokens(shorten(said, now))
    ways = [Shortened(end, now.bare), Shortened(end, end)]
    freed = [before - message_tokens(shorten(said, way)) for way in ways]
    for way, tokens in zip(ways, freed, strict=True):
        if tokens >= window * _MUCH:
            return way
    most = max(freed)
    return ways[freed.index(most)] if most >= window * _WORTH else None


def _begin_of_recent(said: Sequence[Numbered], window: int) -> int:
    """The number of the first message whose results stay as they are: at least the last one's."""
    room, begin = window * _RECENT, 0
    for number, message in reversed(said):
        if not isinstance(message, ToolMessage) or number < 0:
            continue
        room -= message_tokens([message])
        if begin and room < 0:
            break
        begin = number
    return begin


def count_shortened(said: Iterable[Numbered], how: Shortened) -> int:
    """How many calls come before those whose results are as they were."""
    return sum(
        len(message.answers)
        for number, message in said
        if isinstance(message, ToolMessage) and 0 <= number < how.before
    )


def estimate_use(messages: Sequence[Message]) -> int:
    """Tokens of the next request: as the provider counted last, and what came since."""
    whole = message_tokens(messages)
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        if isinstance(message, AssistantMessage) and message.usage.input:
            used = message.usage.input + message.usage.output
            counted = used + message_tokens(messages[at + 1 :])
            # Ollama does not count what it has in its cache.
            return counted if counted >= whole / 2 else whole
    return whole


def message_tokens(messages: Iterable[Message]) -> int:
    """About what messages come to."""
    return sum(map(_message_tokens, messages))


def _message_tokens(message: Message) -> int:
    match message:
        case UserMessage():
            return text_tokens(message.text) + _IMAGE_TOKENS * len(message.images)
        case AssistantMessage():
            calls = sum(text_tokens(str(request.arguments)) + 20 for request in message.requests)
            return text_tokens(message.text) + calls
        case ToolMessage():
            return sum(
                text_tokens(result_text(answer.result))
                + _IMAGE_TOKENS * sum(block.kind == "image" for block in answer.result.content)
                for answer in message.answers
            )


def text_tokens(text: str) -> int:
    """About what a text comes to."""
    if text.isascii():
        return round(len(text) / _CHARACTERS)
    dense = sum(ord(letter) > _BEFORE_CJK for letter in text)
    return dense + round((len(text) - dense) / _CHARACTERS)


SUMMARISE: Final = """\
Below is a conversation between a person, a model and its tools. It has to be gone on with in a new
conversation that knows nothing of it. Write down what is needed for that, for the model that goes
on: what the person wants, what was done and found (with exact names, numbers and paths), what was
decided, and what is still open. Write in the language of the person. Write nothing else.

"""
_QUOTED: Final = 2_000
"""Characters of one message that a summary is made of."""


def summary_question(messages: Iterable[Message], window: int) -> str:
    """What a model is asked for a summary: in a small window, the middle is left out."""
    parts = [part for message in messages if (part := "\n".join(_quoted(message)))]
    room = (window or 100_000) // 2
    left = room - sum(map(text_tokens, parts[:1]))
    kept: list[str] = []
    for part in reversed(parts[1:]):
        left -= text_tokens(part)
        if left < 0:
            kept.append("[…]")
            break
        kept.append(part)
    return SUMMARISE + "\n\n".join([*parts[:1], *reversed(kept)])


def goes_on(summary: str) -> str:
    """What a new conversation begins with."""
    return translatable(
        "This goes on from another conversation. What is known of it:\n\n{summary}", summary=summary
    )


def _quoted(message: Message) -> Iterator[str]:
    match message:
        case UserMessage():
            yield f"Person: {_cut(message.text)}"
        case AssistantMessage():
            if message.text.strip():
                yield f"Model: {_cut(message.text)}"
            for request in message.requests:
                yield f"Call of {request.wire_name}: {_cut(str(request.arguments))}"
        case ToolMessage():
            for answer in message.answers:
                yield f"Result of {answer.wire_name}: {_cut(result_text(answer.result))}"


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]} […]"
