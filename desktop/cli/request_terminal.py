"""The terminal's side of what servers ask: forms, addresses to visit, answers of a model.

Where a person sits at the terminal they are asked, one request after the other, and see who asks
and all of it; elsewhere the answer is no, with a word on stderr. `--elicit` answers forms without
asking. Must not open an address, nor call a model unasked.
"""

from __future__ import annotations

import json
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from desktop.base.errors import DesktopError, UsageError
from desktop.base.tasks import TaskGroup
from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.cli.arguments import coerce
from desktop.cli.commands import SAMPLER
from desktop.cli.output import plain, to_json
from desktop.servers.elicited_form import choices_of, default_content
from desktop.servers.requests import (
    BY_HAND,
    Accepted,
    Declined,
    Dismissed,
    ElicitationRequest,
    SamplingAnswer,
    SamplingRequest,
    ToolOutcome,
    ToolUse,
    UrlElicitationRequest,
)
from desktop.values.json_schema import list_of, object_of
from desktop.values.tool_types import Content

if TYPE_CHECKING:
    import asyncio

    from desktop.cli.keyboard import Keyboard
    from desktop.cli.output import Console
    from desktop.core import Core
    from desktop.servers.requests import (
        Answer,
        End,
        PendingRequest,
        Request,
        SamplingBlock,
        ServerRequests,
    )
    from desktop.values.tool_types import JsonObject


MAX_SHOWN: Final = 20_000
"""Characters of a text that are shown before somebody is asked about it."""
_YES_NO: Final = {
    "y": "yes",
    "yes": "yes",
    "n": "no",
    "no": "no",
    "c": "cancel",
    "cancel": "cancel",
}
_TICKS: Final = {"y": "true", "yes": "true", "n": "false", "no": "false"}


class Sampler(Protocol):
    """Has a model answer, after a person has agreed."""

    def propose(self, request: SamplingRequest) -> str:
        """The model that would answer, as it is called; empty where there is none."""
        ...

    async def answer(self, request: SamplingRequest) -> SamplingAnswer:
        """The answer of the model that was proposed; raises `DesktopError`."""
        ...


class RequestTerminal:
    """Answers what servers ask while one command runs: `requests.answerer` is its `answer`."""

    def __init__(
        self,
        console: Console,
        requests: ServerRequests,
        keyboard: Keyboard | None,
        *,
        elicit: JsonObject | None = None,
        sampler: Sampler | None = None,
    ) -> None:
        """Take over the queue.

        Args:
            console: where to ask, and to say what was declined.
            requests: the queue.
            keyboard: what others ask on, too; None where nobody can be asked.
            elicit: what forms are answered with, without asking.
            sampler: has a model answer; None where none may.
        """
        self.misfit: UsageError | None = None
        """Set when `elicit` did not fit a form."""
        self._screen = console
        self._requests = requests
        self._elicit = elicit
        self._keyboard = keyboard
        self._sampler = sampler
        self._tasks = TaskGroup("what servers ask")
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._said: set[str] = set()
        requests.answerer = self.answer
        requests.notice_posted.connect(lambda _, text: self._screen.note(plain(text)))
        requests.removed.connect(self._removed)

    async def close(self) -> None:
        """Ask nobody any more."""
        self._requests.answerer = None
        await self._tasks.close()

    def answer(self, pending: PendingRequest) -> Answer | None:
        """The answer, or None: a person is being asked."""
        if self._elicit is not None and isinstance(pending.request, ElicitationRequest):
            return self._answer_form(pending, self._elicit)
        if self._keyboard is None:
            return self._decline(pending)
        task = self._tasks.spawn(self._ask(pending, self._keyboard), pending.server)
        self._asking[pending.id] = task
        return None

    def _answer_form(self, pending: PendingRequest, content: JsonObject) -> Answer:
        issues = self._requests.misfits(pending.request, answer := Accepted(content))
        if not issues:
            return answer
        words = "; ".join(map(str, issues))
        self.misfit = UsageError(
            f"--elicit does not match the form from {pending.server}: {words}."
        )
        return Declined()

    def _decline(self, pending: PendingRequest) -> Answer:
        server, kind = mark_hidden(pending.server), _kind(pending.request)
        remedy = " Answer forms with --elicit JSON." if kind == "a form" else ""
        words = f"{server} requested {kind}. Declined: there is no terminal to ask on."
        if words not in self._said:  # once: a server may ask a thousand times
            self._said.add(words)
            self._screen.note(words + remedy)
        return Declined("nobody is here to answer")

    def _removed(self, pending: PendingRequest, end: End) -> None:
        if (task := self._asking.pop(pending.id, None)) is None or end == "answered":
            return
        task.cancel()
        words = f"\n{mark_hidden(pending.server)} no longer waits for an answer."
        self._screen.note(words)

    async def _ask(self, pending: PendingRequest, keyboard: Keyboard) -> None:
        async with keyboard.turn:
            self._screen.note(f"\nRequest from {mark_hidden(pending.server)}:")
            match pending.request:
                case ElicitationRequest() as form:
                    answer = await self._ask_form(form, keyboard)
                case UrlElicitationRequest() as url:
                    answer = await self._ask_url(url, keyboard)
                case SamplingRequest() as prompt:
                    answer = await self._ask_sampling(prompt, keyboard)
            if issues := self._requests.misfits(pending.request, answer):
                # The form fits field by field, but not as a whole.
                self._screen.note(plain("\n".join(map(str, issues))))
                answer = Dismissed()
            with suppress(UsageError):  # nobody waits for it any more
                self._requests.answer(pending.id, answer)

    async def _ask_form(self, form: ElicitationRequest, keyboard: Keyboard) -> Answer:
        self._show(form.message)
        for name in form.secret_fields:
            self._screen.note(
                f"Warning: {mark_hidden(name)} looks like a secret. Servers must not ask for one "
                "this way: leave it empty unless you know why it is needed."
            )
        fields = object_of(form.schema.get("properties"))
        names = ", ".join(map(mark_hidden, fields)) or "only a confirmation"
        self._screen.note(f"Fields: {names}")
        question = "Fill it in? (y, n, c: cancel; later Ctrl+D cancels) "
        first = await keyboard.choose(question, _YES_NO, "cancel")
        if first != "yes":
            return _refusal(first)
        content: dict[str, Any] = {}
        for name in fields:
            if not await self._ask_field(form, name, content, keyboard):
                return Dismissed()
        self._screen.note(f"This will be sent:\n{plain(to_json(content))}")
        last = await keyboard.choose("Send it? (y, n, c: cancel) ", _YES_NO, "cancel")
        return Accepted(content) if last == "yes" else _refusal(last)

    async def _ask_field(
        self, form: ElicitationRequest, name: str, content: dict[str, Any], keyboard: Keyboard
    ) -> bool:
        """Put what is typed into `content`; False at the end of the input."""
        field = object_of(object_of(form.schema.get("properties"))[name])
        default = default_content({"properties": {name: field}})
        is_required = name in list_of(form.schema.get("required"))
        prompt = _field_prompt(name, field, default.get(name), is_required=is_required)
        while (line := await keyboard.line(prompt)) is not None:
            text = line.rstrip("\r\n")
            if text:
                content[name] = _typed(text, field)
            else:
                content |= default
            issues = self._requests.misfits(form, Accepted(content))
            own = [issue for issue in issues if issue.path[:1] == (name,)]
            if not own:
                return True
            content.pop(name, None)
            self._screen.note(f"  {plain('; '.join(issue.message for issue in own))}")
        return False

    async def _ask_url(self, url: UrlElicitationRequest, keyboard: Keyboard) -> Answer:
        from desktop.config.imports.warnings import finding_words  # few servers ask for it

        self._show(url.message)
        self._screen.note(f"Visit {mark_hidden(url.host) or 'an invalid address'}:")
        self._screen.note(f"    {mark_hidden(url.url)}")
        for danger in url.dangers:
            if danger.is_danger:
                self._screen.note(f"Warning: {plain(finding_words(danger))}")
        self._screen.note("It is not opened automatically. Copy it if you trust the host.")
        question = "Are you done there?" if url.blocks_call else "Will you visit it?"
        choice = await keyboard.choose(f"{question} (y, n, c: cancel) ", _YES_NO, "cancel")
        return Accepted() if choice == "yes" else _refusal(choice)

    async def _ask_sampling(self, prompt: SamplingRequest, keyboard: Keyboard) -> Answer:
        self._show(prompt_text(prompt))
        sampler = self._sampler
        model = sampler.propose(prompt) if sampler is not None else ""
        choices = {key: word for key, word in _YES_NO.items() if model or word != "yes"}
        choices |= {"t": "type", "type": "type"}
        yes = f"y: ask {mark_hidden(model)}, " if model else ""
        question = (
            f"It requests an answer from a model. Allow? ({yes}t: type the answer, n, c: cancel) "
        )
        choice = await keyboard.choose(question, choices, "cancel")
        if choice == "type":
            return await self._ask_answer(keyboard)
        if choice != "yes" or sampler is None:
            return _refusal(choice)
        try:
            answer = await sampler.answer(prompt)
        except DesktopError as error:
            self._screen.note(plain(str(error)))
            return Declined("the model gave no answer")
        self._show("\n".join(map(_block_text, answer.blocks)))
        last = await keyboard.choose("Send this answer? (y, n, c: cancel) ", _YES_NO, "cancel")
        return answer if last == "yes" else _refusal(last)

    async def _ask_answer(self, keyboard: Keyboard) -> Answer:
        line = await keyboard.line("Your answer (one line): ")
        if line is None or not (text := line.strip()):
            return Dismissed()
        return SamplingAnswer((Content("text", text),), BY_HAND)

    def _show(self, text: str) -> None:
        shown = text[:MAX_SHOWN]
        more = len(text) - len(shown)
        note = f"\n… {more} more characters are not shown" if more else ""
        self._screen.note(mark_hidden_text(shown) + note)


def _kind(request: Request) -> str:
    match request:
        case ElicitationRequest():
            return "a form"
        case UrlElicitationRequest():
            return "a visit to a web page"
        case SamplingRequest():
            return "an answer from a model"


def _refusal(choice: str) -> Answer:
    return Declined() if choice == "no" else Dismissed()


def _field_prompt(name: str, field: JsonObject, default: object, *, is_required: bool) -> str:
    """What is asked of one field: what it is for, what fits, and what Enter does."""
    texts = [field.get(key) for key in ("title", "description")]
    about = ", ".join(text for text in texts if isinstance(text, str) and text)
    kind = str(field.get("format") or field.get("type") or "text")
    choices = choices_of(field)
    if choices:
        named = [value if value == text else f"{value} ({text})" for value, text in choices.items()]
        kind = f"{'some' if kind == 'array' else 'one'} of {', '.join(named)}"
        kind += ", with commas between" if field.get("type") == "array" else ""
    enter = "" if is_required else "; Enter: skip"
    if default is not None:
        enter = f"; Enter: {json.dumps(default, ensure_ascii=False)}"
    words = f"{mark_hidden(name)}{about and f' ({about[:MAX_SHOWN]})'} [{kind}{enter}]"
    return f"  {' '.join(mark_hidden_text(words).split())}: "


def _typed(text: str, field: JsonObject) -> Any:
    """What was typed, as the value that its field is for."""
    kind: object = field.get("type")
    if kind == "array":
        return [part.strip() for part in text.split(",") if part.strip()]
    if kind == "boolean":
        text = _TICKS.get(text.strip().lower(), text)
    return coerce(text if kind in {"string", None} else text.strip(), field, field)


def prompt_text(prompt: SamplingRequest) -> str:
    """The whole of a prompt as it is shown before somebody agrees to it."""
    lines = [f"[system] {prompt.system}"] if prompt.system else []
    lines += [
        f"[{message.role}] {text}"
        for message in prompt.messages
        for text in map(_block_text, message.blocks)
    ]
    about = [f"at most {prompt.max_tokens} tokens"]
    if prompt.hints:
        about.append(f"preferred: {', '.join(prompt.hints)}")
    if prompt.tools:
        about.append(f"with the tools {', '.join(tool.name for tool in prompt.tools)}")
    if prompt.context != "none":
        about.append("it also requests context from other servers, which is not shared")
    return "\n".join([*lines, f"({'; '.join(about)})"])


def _block_text(block: SamplingBlock) -> str:
    match block:
        case ToolUse():
            return f"calls {block.name} {json.dumps(dict(block.arguments), ensure_ascii=False)}"
        case ToolOutcome():
            return f"gets {' '.join(part.text for part in block.content)}"
        case Content(kind="text"):
            return block.text
        case Content():
            return f"[{block.kind}: {block.mime}, {len(block.data)} bytes]"


def open_terminal(
    console: Console, core: Core, keyboard: Keyboard | None, elicit: JsonObject | None = None
) -> RequestTerminal:
    """The terminal's side of all that the servers of a core ask, with its providers."""
    sampler = import_module(SAMPLER[0]).ConfiguredSampler(core) if SAMPLER else None
    return RequestTerminal(console, core.requests, keyboard, elicit=elicit, sampler=sampler)
