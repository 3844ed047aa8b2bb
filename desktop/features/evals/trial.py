"""One run of a case: its set-up, then its questions to a conversation of their own.

A tool is called where the case expects it, where it only reads, or where a person said that all may
be called; never one that the case says is never called. The model is told of a refusal. What
servers ask back is answered by the case, else declined. Must not judge what came of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import defaultdict
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable
from desktop.features.chat.agent.events import CallAnswered, CallStarted, TurnFinished
from desktop.features.chat.agent.session_info import SessionTerms
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.features.evals.eval_case import names_tool
from desktop.features.evals.transcript import MAX_ANSWER, ModelCall, RunTranscript, Said, cut
from desktop.features.saved_calls.saved_call_runner import SavedCallRun
from desktop.features.saved_calls.variables import VariableError
from desktop.servers.requests import Accepted, Declined, ElicitationRequest
from desktop.tools.approvals import ApprovalResponse
from desktop.values.json_schema import as_dict, object_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from desktop.features.chat.agent.events import AgentEvent, TurnOutcome
    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.sessions import AgentSessions
    from desktop.features.evals.eval_case import EvalCase, PlannedCase
    from desktop.features.evals.models import EvalModel
    from desktop.features.models.messages import ToolRequest
    from desktop.features.saved_calls.saved_call_plan import PlannedCall
    from desktop.features.saved_calls.saved_call_runner import CallRunner
    from desktop.servers.requests import Answer, PendingRequest, ServerRequests
    from desktop.tools.approvals import ApprovalQuestion

_NOT_ALLOWED = "This call is not allowed in this test."
_SECONDS = 600.0
_UNMEASURED_LIMITS = ("stopped",)


class EvalColumn(Struct, frozen=True):
    """One pass over all cases; `servers` has the server that is asked in place of another.

    `client` is the one whose model gets the tools and results; empty for the app's own.
    """

    title: str = ""
    servers: Mapping[str, str] = field(default_factory=dict[str, str])
    client: str = ""

    def asked(self, server: str) -> str:
        return self.servers.get(server, server)

    def named(self, key: str) -> str:
        """A tool `server:tool` as the case names it."""
        server, colon, tool = key.partition(":")
        back = {other: name for name, other in self.servers.items()}
        return f"{back.get(server, server)}{colon}{tool}"


class Trials(Struct):
    """Runs cases on the servers of one app."""

    sessions: Mapping[str, AgentSessions]
    """By the client whose model they have."""
    calls: CallRunner
    answers: CaseAnswers
    allows_all: bool = False
    """Whether a person said that any tool may be called."""
    _alone: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(
        self, planned: PlannedCase, model: EvalModel, column: EvalColumn
    ) -> RunTranscript:
        """One run. Never raises for what a server, the model or the network does."""
        case = planned.case
        asks = any(call.asked is not None for call in case.expect.calls)
        if not (planned.setup or case.answer is not None or asks):
            return await self._run(planned, model, column)
        async with self._alone:  # what it finds on a server must not be another run's
            return await self._run(planned, model, column)

    async def _run(
        self, planned: PlannedCase, model: EvalModel, column: EvalColumn
    ) -> RunTranscript:
        kept, sessions = RunRecord(planned, model.name, column), self.sessions[column.client]
        run = SavedCallRun(self.calls, planned.setup, "terminal", servers=column.servers)
        try:
            case, values = await _prepare(run, planned)
        except (VariableError, DesktopError) as error:
            return kept.failed(translatable("the set-up failed: {error}", error=str(error)))
        kept.values = values
        try:
            session = await sessions.create(
                model.service,
                model.model,
                CaseApprovals(case, column, allows_all=self.allows_all),
                choice=ToolChoice("manual", tuple(map(column.asked, planned.servers))),
                system=case.system,
                terms=SessionTerms(approving="each", seconds=case.timeout or _SECONDS),
            )
        except DesktopError as error:
            return kept.failed(str(error))
        try:
            servers = {column.asked(name) for name in planned.servers}
            with_asked = self.answers.listening(servers, case.answer)
            async with with_asked as heard:
                await kept.ask(session, case, heard)
            model.note(kept.failure, kept.problem)
            return kept.transcript(model).hiding((*session.secrets.values, *run.secrets))
        finally:
            await session.close()
            with suppress(DesktopError):  # the folder goes with the run anyway
                await sessions.store.delete(session.id)


async def _prepare(run: SavedCallRun, planned: PlannedCase) -> tuple[EvalCase, tuple[Any, ...]]:
    """Make the calls of the set-up. Returns: the case with their values, and these.

    Raises:
        VariableError: a call failed, or has not the value that is needed.
        CallFileError: with the values, it is no case any more.
    """
    async for made, outcome in run.outcomes():
        if outcome.outcome != "passed" and not outcome.is_answered:
            raise VariableError(f"{made.entry.call.name}: {'; '.join(outcome.messages)}")
        if outcome.outcome != "passed":
            raise VariableError(f"{made.entry.call.name}: {outcome.messages[0]}")
    if not planned.entry.references:
        return planned.case, ()
    entry = planned.entry
    call = entry.entry.call
    texts = [reference.text for reference in entry.references]
    both = call.model_copy(update={"arguments": {**call.arguments, "values": texts}})
    filled = await asyncio.to_thread(run.fill, _with_call(entry, both))
    return planned.filled(filled), tuple(filled.arguments["values"])


def _with_call(planned: PlannedCall, call: Any) -> PlannedCall:
    from msgspec.structs import replace

    file = replace(planned.entry.file, calls=(call,))
    return replace(planned, entry=replace(planned.entry, file=file))


def digest_of(planned: PlannedCase) -> str:
    """The same for as long as the same is asked; what is expected does not count."""
    case = planned.case
    asked: dict[str, Any] = {
        "ask": list(planned.raw["ask"]) if not isinstance(planned.raw["ask"], str) else case.ask,
        "answer": as_dict(case.answer) if case.answer is not None else None,
        "system": case.system,
        "servers": planned.servers,
        "setup": [each.entry.call.to_json() for each in planned.setup],
    }
    text = json.dumps(asked, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class CaseApprovals:
    """Allows what the case expects, what only reads, and what a person allowed."""

    def __init__(self, case: EvalCase, column: EvalColumn, *, allows_all: bool = False) -> None:
        self._expected, self._never = names_tool(case), case.expect.never
        self._column, self._allows_all = column, allows_all

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        definition = question.definition
        key = self._column.named(definition.key)
        is_known = key in self._expected or definition.annotations.read_only is True
        if key not in self._never and (is_known or self._allows_all):
            return ApprovalResponse("once")
        return ApprovalResponse("deny", reason=_NOT_ALLOWED)


class CaseAnswers:
    """Answers what servers ask while cases run, and tells who is listening that they asked."""

    def __init__(self, requests: ServerRequests) -> None:
        """Take over the queue until `close`."""
        self._requests, self._before = requests, requests.answerer
        self._listening: defaultdict[str, list[_Heard]] = defaultdict(list)
        requests.answerer = self.answer

    def close(self) -> None:
        """Give the queue back."""
        self._requests.answerer = self._before

    @asynccontextmanager
    async def listening(
        self, servers: set[str], answer: dict[str, Any] | None
    ) -> AsyncGenerator[_Heard]:
        """Count what these servers ask, and answer their forms with `answer`."""
        heard = _Heard(answer)
        for name in servers:
            self._listening[name].append(heard)
        try:
            yield heard
        finally:
            for name in servers:
                self._listening[name].remove(heard)

    def answer(self, pending: PendingRequest) -> Answer | None:
        """Yes with the values of the case that the form asks for, else no."""
        listening = self._listening.get(pending.server, [])
        if not listening and self._before is not None:
            return self._before(pending)
        for heard in listening:
            heard.times += 1
        answers = [heard.answer for heard in listening if heard.answer is not None]
        if answers and isinstance(pending.request, ElicitationRequest):
            fields = object_of(pending.request.schema.get("properties"))
            content = {name: value for name, value in answers[0].items() if name in fields}
            if not self._requests.misfits(pending.request, accepted := Accepted(content)):
                return accepted
        return Declined("nobody is here to answer")


class _Heard(Struct):
    answer: dict[str, Any] | None
    times: int = 0


class RunRecord(Struct):
    """What is kept of a run while it goes on."""

    planned: PlannedCase
    model: str
    column: EvalColumn
    values: tuple[Any, ...] = ()
    problem: str = ""
    failure: str = ""
    parts: list[Said | ModelCall] = field(default_factory=list["Said | ModelCall"])
    outcomes: list[TurnOutcome] = field(default_factory=list["TurnOutcome"])
    seconds: float = 0.0
    _open: dict[str, tuple[str, ToolRequest, int]] = field(
        default_factory=dict[str, "tuple[str, ToolRequest, int]"]
    )

    async def ask(self, session: AgentSession, case: EvalCase, heard: _Heard) -> None:
        """Ask all questions, as long as the last one was answered."""
        end = session.event_emitted.connect(lambda event: self._follow(event, heard))
        loop = asyncio.get_running_loop()
        try:
            for question in case.ask:
                self.parts.append(Said("person", cut(question)))
                began = loop.time()
                outcome = await session.ask(question)
                self.seconds += loop.time() - began
                self.outcomes.append(outcome)
                if outcome.end != "done":
                    break
        finally:
            end()
        last = self.outcomes[-1]
        if last.end == "failed" and last.kind != "empty":
            self.failure, self.problem = last.kind or "provider", last.error
        elif last.end in _UNMEASURED_LIMITS:
            self.problem = translatable("it was stopped")

    def failed(self, problem: str) -> RunTranscript:
        """A run that could not begin."""
        planned = self.planned
        title, digest = self.column.title, digest_of(planned)
        return RunTranscript(planned.case.name, self.model, title, digest, problem=problem)

    def transcript(self, model: EvalModel) -> RunTranscript:
        """The whole of it."""
        last = self.outcomes[-1]
        costs = [model.cost(each.usage) for each in self.outcomes]
        return RunTranscript(
            self.planned.case.name,
            self.model,
            self.column.title,
            digest_of(self.planned),
            tuple(self.parts),
            cut(last.text, MAX_ANSWER),
            last.end,
            last.error,
            self.problem,
            sum(each.turns for each in self.outcomes),
            sum(each.usage.input + each.usage.output for each in self.outcomes),
            round(self.seconds, 3),
            None if None in costs else sum(each or 0.0 for each in costs),
            self.values,
        )

    def _follow(self, event: AgentEvent, heard: _Heard) -> None:
        match event:
            case TurnFinished() if event.message.text:
                self.parts.append(Said("model", cut(event.message.text)))
            case CallStarted():
                key = self.column.named(event.key) or event.request.wire_name
                self._open[event.call_id] = key, event.request, heard.times
            case CallAnswered() if event.answer.call_id in self._open:
                key, request, before = self._open.pop(event.answer.call_id)
                result = event.answer.result
                error = result.error
                self.parts.append(
                    ModelCall(
                        key,
                        _arguments(request),
                        cut(result.output or (error.message if error is not None else "")),
                        "" if error is None else str(error.code),
                        heard.times > before,
                    )
                )
            case _:
                pass


def _arguments(request: ToolRequest) -> Any:
    """As the model wrote them: an object, or the text that is none."""
    written = request.arguments
    if not isinstance(written, str):
        return dict(written)
    try:
        value = json.loads(written or "{}")
    except (ValueError, RecursionError):
        return cut(written)
    return value if len(written) <= 1_000_000 else cut(written)
