"""Reads the chunks of Gemini.

Source: google-genai 3.4 `GenerateContentResponse`, `FinishReason`. A call comes whole,
often without an id; a part keeps its signature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.llm.messages import Usage
from desktop.llm.services.faults import Fault, FaultError, short
from desktop.llm.services.untyped import as_count, as_object, as_objects, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop.llm.completion import CompletionEvent
    from desktop.llm.messages import StopReason
    from desktop.llm.services.draft import Draft
    from desktop.llm.services.untyped import Object

_STOPS: Final[Mapping[str, StopReason]] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    "SAFETY": "filtered",
    "RECITATION": "filtered",
    "LANGUAGE": "filtered",
    "BLOCKLIST": "filtered",
    "PROHIBITED_CONTENT": "filtered",
    "SPII": "filtered",
    "IMAGE_SAFETY": "filtered",
    "IMAGE_PROHIBITED_CONTENT": "filtered",
    "IMAGE_RECITATION": "filtered",
    "MODEL_ARMOR": "filtered",
    "ESCALATION": "filtered",
}
_SLIPS: Final = {
    "MALFORMED_FUNCTION_CALL": "wrote a tool call that cannot be read",
    "UNEXPECTED_TOOL_CALL": "called a tool that it was not given",
    "TOO_MANY_TOOL_CALLS": "called too many tools at once",
    "MALFORMED_RESPONSE": "wrote an answer that cannot be read",
}
"""The model's own mistakes: asked again, it often does better."""


class GeminiReader:
    """One turn of the only candidate. `label` is what the provider is called in an error."""

    def __init__(self, draft: Draft, label: str) -> None:
        self.draft = draft
        self._label = label
        self._parts: list[Object] = []
        self._texts: dict[int, list[str]] = {}

    def begin(self) -> None:
        self.draft.stop = None
        self._parts.clear()
        self._texts.clear()

    def read(self, event: Object) -> Iterator[CompletionEvent]:
        self.draft.model = as_text(event.get("modelVersion")) or self.draft.model
        if usage := as_object(event.get("usageMetadata")):
            self._count(usage)
        if reason := as_text(as_object(event.get("promptFeedback")).get("blockReason")):
            self.draft.stop = "filtered"
            yield from self.draft.say(f"[Gemini did not take the prompt: {short(reason)}]")
        for candidate in as_objects(event.get("candidates"))[:1]:
            for part in as_objects(as_object(candidate.get("content")).get("parts")):
                yield from self._part(part)
            yield from self._finish(candidate)

    def continuation(self, body: Object) -> None:
        """Nothing is ever paused here."""

    def raw(self) -> Sequence[Object]:
        """The parts of the turn; texts that followed each other as one."""
        return [
            part | ({"text": "".join(self._texts[index])} if index in self._texts else {})
            for index, part in enumerate(self._parts)
        ]

    def _part(self, part: Object) -> Iterator[CompletionEvent]:
        call = as_object(part.get("functionCall"))
        if call:
            name, call_id = as_text(call.get("name")), as_text(call.get("id"))
            yield from self.draft.call(call_id, name, as_object(call.get("args")))
            self._parts.append(part)
            return
        text = as_text(part.get("text"))
        yield from (self.draft.think(text) if part.get("thought") else self.draft.say(text))
        self._keep(part)

    def _keep(self, part: Object) -> None:
        """Join plain texts: the API sends them in hundreds, and takes them back as one."""
        text, is_plain = as_text(part.get("text")), part.keys() <= {"text", "thought"}
        if is_plain and not text:
            return
        last = len(self._parts) - 1
        if is_plain and last in self._texts and _is_thought(part) == _is_thought(self._parts[-1]):
            self._texts[last].append(text)
            return
        if is_plain:
            self._texts[last + 1] = [text]
        self._parts.append(part)

    def _finish(self, candidate: Object) -> Iterator[CompletionEvent]:
        reason = as_text(candidate.get("finishReason"))
        if not reason:
            return
        self.draft.stop = _STOPS.get(reason, "other")
        if (slip := _SLIPS.get(reason)) is None:
            return
        said = short(as_text(candidate.get("finishMessage")))
        sentence = f"{self._label} {slip}" + (f": {said}" if said else ".")
        if not self.draft.text and not self.draft.calls and not self.draft.thinking:
            remedy = "Try again, or choose another model."
            raise FaultError(Fault("provider", sentence, remedy, is_passing=True))
        yield from self.draft.say(f"\n\n[{sentence}]")

    def _count(self, usage: Object) -> None:
        spoken = as_count(usage.get("candidatesTokenCount"))
        self.draft.usage = Usage(
            as_count(usage.get("promptTokenCount")),
            spoken + as_count(usage.get("thoughtsTokenCount")),
            as_count(usage.get("cachedContentTokenCount")),
        )


def _is_thought(part: Object) -> bool:
    return bool(part.get("thought"))
