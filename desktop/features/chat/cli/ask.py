"""`ask`: a model answers and calls tools, as in the window, without one.

The answer goes to stdout as it arrives, everything else to stderr. Must not decide what a model may
do: the approval policy of the window applies here too, and asks on the terminal.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop.base.errors import UsageError
from desktop.cli.arguments import add_elicit, read_elicit
from desktop.cli.commands import COMMANDS, PRESETS
from desktop.cli.exit_codes import Exit
from desktop.cli.listing import asked_servers
from desktop.cli.options import (
    ServerOptions,
    add_client,
    add_sandbox,
    make_parser,
)
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, connect, enabled_servers, failed, run_core
from desktop.features.chat.agent.agent import Agent

if TYPE_CHECKING:
    from desktop.cli.keyboard import Keyboard
    from desktop.cli.options import Parser
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.providers import ProviderSettings
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.chat.agent.events import TurnOutcome
    from desktop.features.chat.agent.limits import SessionLimits
    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.session_info import (
        Builtin,
        ChatSettings,
        SessionInfo,
        SessionTerms,
    )
    from desktop.features.chat.cli.ask_terminal import SessionPrinter
    from desktop.features.chat.llm.completion import CompletionError, CompletionService
    from desktop.features.chat.llm.tool_choice import ToolChoice
    from desktop.features.models.model_facts import LearnedFacts
    from desktop.tools.approvals import ApprovalPrompter
    from desktop.values.tool_types import JsonObject

_NOTES = """\
The model gets the tools of all enabled servers; choose some with --server, or none with
--no-servers. --builtin starts a built-in server, or a local one of yours, for this conversation
only; pass its arguments in the same word: --builtin "sqlite books.db".
You approve each call after seeing its exact arguments; "always" and "never" are remembered until
the tool changes. Without a terminal, calls are denied unless --yes is given.
Requests from servers are shown on the terminal and declined without one; --elicit answers forms. A
prompt of - is read from stdin. Conversations are saved: continue with --session ID, or last. One
that is too long for the model goes on in a new one with --with-summary.
Without --provider, the first provider with a model in the config or a key in the environment is
used.

exit codes:
  0 done   1 the model, the provider or the turn limit ended it   2 wrong usage, no provider or key
  3 the provider could not be reached   4 time limit   130 interrupted

examples:
  mcp-desktop ask "What is 6*7?" --provider openai --model gpt-5 --builtin calculator
  mcp-desktop ask "And 6*8?" --session last
  git diff | mcp-desktop ask - --provider anthropic --model claude-sonnet-4-5 --no-servers --json"""
_MAX_PROMPT_LENGTH = 4_000_000
_EXITS = {
    "key": Exit.USAGE,
    "untrusted": Exit.USAGE,
    "connection": Exit.UNREACHABLE,
    "timeout": Exit.TIMEOUT,
    "time": Exit.TIMEOUT,
}


class AskOptions(ServerOptions):
    """What `ask` is told."""

    prompt: str = ""
    provider: str | None = None
    model: str | None = None
    builtin: list[str]
    no_servers: bool = False
    system: str | None = None
    preset: str | None = None
    effort: str | None = None
    session: str | None = None
    with_summary: bool = False
    max_turns: int | None = None
    timeout: float | None = None
    new_tools: bool = False
    yes: bool = False
    elicit: str | None = None


def run(args: list[str], console: Console) -> int:
    options = read_options(args)
    ask = _Ask(options, console, read_elicit(options.elicit))
    return run_core(options, CommandPlan(ask.choose, ask.run))


def _prompt_behind_names(options: AskOptions, args: list[str]) -> str:
    """The question of `ask --builtin NAME "question"`: the last word is no name there."""
    for names in (options.builtin, options.server or []):
        if len(names) > 1 and args[-1:] == names[-1:]:
            return names.pop()
    return ""


def _add_session(parser: Parser) -> None:
    parser.add_argument("--session", metavar="ID", help="continue a conversation, or: last")
    parser.add_argument(
        "--with-summary",
        action="store_true",
        help="with --session: go on in a new conversation, which begins with a summary of that one",
    )
    parser.add_argument(
        "--new-tools",
        action="store_true",
        help="tell the model of the tools that there are now, not of those the conversation keeps",
    )


def read_options(args: list[str]) -> AskOptions:
    """What was written; ends the program where it is wrong."""
    parser = make_parser("ask", COMMANDS["ask"], _NOTES)
    parser.add_argument(
        "prompt", metavar="PROMPT", nargs="?", help="your question; - reads it from stdin"
    )
    parser.add_argument(
        "--provider", metavar="P", help="openai, anthropic, gemini, or one you configured"
    )
    parser.add_argument("--model", metavar="M", help="the provider's name of the model")
    parser.add_argument(
        "--builtin", metavar="NAME", nargs="+", action="extend", help="built-in servers to start"
    )
    parser.add_argument(
        "--server",
        metavar="NAME[=COMMAND]",
        nargs="+",
        action="extend",
        help="offer the tools of these servers; NAME=COMMAND or NAME=URL needs no config",
    )
    add_client(parser)
    add_sandbox(parser)
    parser.add_argument("--no-servers", action="store_true", help="offer no tools of servers")
    parser.add_argument("--system", metavar="TEXT", help="the system prompt")
    if PRESETS:
        parser.add_argument(
            "--preset",
            metavar="NAME",
            help="begin as saved in the window: system prompt, model, servers, approvals, limits",
        )
    parser.add_argument(
        "--effort",
        choices=("minimal", "low", "medium", "high", "max"),
        help="how much the model thinks, where it can be told",
    )
    _add_session(parser)
    parser.add_argument(
        "--max-turns", metavar="N", type=int, help="maximum requests to the model (chatTurns, 25)"
    )
    parser.add_argument(
        "--timeout", metavar="S", type=float, help="maximum seconds in total (chatSeconds, 1800)"
    )
    parser.add_argument("--yes", action="store_true", help="approve every call without asking")
    add_elicit(parser)
    options = parser.parse(args, AskOptions())
    options.builtin = options.builtin or []
    if not options.prompt:
        options.prompt = _prompt_behind_names(options, args)
    if not options.prompt:
        parser.error("the following arguments are required: PROMPT")
    _check(options)
    return options


def _check(options: AskOptions) -> None:
    limit = options.timeout
    if limit is not None and not (math.isfinite(limit) and limit > 0):
        raise UsageError("--timeout must be more than 0 seconds.")
    if options.max_turns is not None and options.max_turns < 1:
        raise UsageError("--max-turns must be 1 or more.")
    if options.server and options.no_servers:
        raise UsageError("--server and --no-servers exclude each other.")
    if options.with_summary and options.session is None:
        raise UsageError("--with-summary needs --session ID, or last.")
    if options.session is not None and (
        options.builtin or options.system is not None or options.preset is not None
    ):
        raise UsageError(
            "A conversation keeps its built-in servers and system prompt.",
            remedy="Leave out --builtin, --system and --preset, or start a new conversation.",
        )
    if options.prompt == "-":
        options.prompt = _piped()
    if not options.prompt.strip():
        raise UsageError("The prompt is empty.")


def _piped() -> str:
    text = sys.stdin.buffer.read(_MAX_PROMPT_LENGTH + 1).decode("utf-8", "replace")
    if len(text) > _MAX_PROMPT_LENGTH:
        raise UsageError(f"The prompt is longer than {_MAX_PROMPT_LENGTH:,} characters.")
    return text


class _Ask:
    """One run of the command."""

    setup: ChatSettings
    provider: ProviderSettings
    learned: LearnedFacts

    def __init__(self, options: AskOptions, console: Console, elicit: JsonObject | None) -> None:
        self.options = options
        self.console = console
        self.elicit = elicit
        self.about: SessionInfo | None = None
        self.builtins: list[Builtin] = []
        self.prompt = ""
        self.keyboard: Keyboard | None = None

    def choose(self, store: ConfigStore) -> list[ServerConfig]:
        """Everything that can be wrong is found before a server is started."""
        from desktop.bootstrap import session_server
        from desktop.features.chat.agent.session_info import Builtin, ChatSettings

        options = self.options
        self.prompt, self.setup = options.prompt, ChatSettings()
        if options.session is not None:
            self.about = self._stored(options.session)
            self.setup = self.about.settings
        elif options.preset is not None:
            self.setup = _preset(options, options.preset)
        self.provider = _provider(store, options.provider or self.setup.provider)
        if not self._model(self.provider):
            raise UsageError(
                f"No model is chosen for {self.provider.name}.",
                remedy="Choose one with --model NAME.",
            )
        self.builtins = [Builtin.read(text, sys.platform) for text in options.builtin]
        if not self.builtins and (self.about is None or options.with_summary):
            self.builtins = list(self.setup.builtins)
        for builtin in self.builtins:  # says what is wrong with it now
            session_server(store, builtin.name, builtin.arguments)
        if options.server:
            return asked_servers(store, options.server_names)
        choice = self._choice()
        servers = enabled_servers(store)
        if choice.mode == "manual":
            servers = [server for server in servers if server.name in choice.servers]
        return [] if choice.mode == "off" else servers

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        from desktop.cli.keyboard import find_keyboard
        from desktop.cli.request_terminal import open_terminal
        from desktop.features.chat.cli.ask_terminal import SessionPrinter
        from desktop.features.chat.llm.completion import CompletionError
        from desktop.features.chat.llm.services import make_service

        self.keyboard = find_keyboard(self.console)
        person = open_terminal(self.console, core, self.keyboard, self.elicit)
        await connect(core, chosen, self.console)
        for connection in failed(core):
            why = plain(connection.state.words).partition("\n")[0]
            self.console.note(f"{plain(connection.name)} has no tools: {why}")
        self.learned = core.part(Agent).learned
        service = make_service(self.provider, core.part(Agent).keys, learned=self.learned)
        printer = SessionPrinter(self.console)
        try:
            session = await self._open(core, service, self._model(self.provider))
            if self.options.max_turns or self.options.timeout:
                session.limits = self._limits(core.store)
            code = await self._ask(session, printer)
        except CompletionError as error:  # of a summary; of an answer it is the outcome
            return self._fail(error, printer)
        else:
            if person.misfit is None:
                return code
            self.console.note(plain(str(person.misfit)))
            return Exit.USAGE
        finally:
            await person.close()
            await core.part(Agent).sessions.close()
            await service.close()

    async def _ask(self, session: AgentSession, printer: SessionPrinter) -> int:
        session.event_emitted.connect(printer.tell)
        for sentence in session.notices:
            self.console.note(plain(sentence))
        for name, error in session.tools.watch.lost.items():
            self.console.note(f"The built-in server {name} did not start: {plain(error)}")
        from desktop.base.tasks import spawn

        waiting = spawn(printer.tell_silence(), "tell how long the model is silent")
        try:
            outcome = await session.ask(self.prompt)
        except asyncio.CancelledError:
            self._end(session, printer)
            raise
        finally:
            waiting.cancel()
        self._end(session, printer)
        return exit_of(outcome)

    def _end(self, session: AgentSession, printer: SessionPrinter) -> None:
        from desktop.features.chat.cli.ask_terminal import outcome_label

        facts = self.learned.of(self.provider, session.about.model)
        if self.console.as_json:
            self.console.document(printer.document(session.id, facts.price))
        elif printer.outcome is not None and (words := outcome_label(printer.outcome)):
            self.console.note(plain(words))
        if used := printer.summary(facts.price):
            self.console.note(used)
        if printer.is_full(facts.window):
            words = "This conversation nearly fills the window of the model"
            self.console.note(f"{words}: --with-summary goes on in a new one.")
        self.console.note(f"session {session.id}")

    def _fail(self, error: CompletionError, printer: SessionPrinter) -> Exit:
        from desktop.features.chat.agent.events import TurnOutcome

        printer.outcome = TurnOutcome("failed", error=str(error), kind=error.kind)
        if self.console.as_json:
            self.console.document(printer.document(self.about.id if self.about is not None else ""))
        else:
            self.console.note(plain(str(error)))
        return exit_of(printer.outcome)

    async def _open(self, core: Core, service: CompletionService, model: str) -> AgentSession:
        from desktop.features.chat.cli.ask_terminal import choose_prompter

        prompter = choose_prompter(self.console, self.keyboard, yes=self.options.yes)
        if self.about is None:
            return await self._create(core, service, model, prompter)
        session = await core.part(Agent).sessions.reopen(
            self.about.id, service, prompter, model=model
        )
        if self.options.with_summary:
            self.prompt = await self._summarised(session)
            return await self._create(core, service, model, prompter)
        if (choice := self._choice()) != session.about.choice:
            session.choose(choice)
        if (terms := self._terms()) != session.about.terms:
            session.agree(terms)
        if self.options.new_tools:
            session.use_new_tools()
        elif changes := session.tools.changes():
            self.console.note(plain(f"{changes.sentence} --new-tools uses the tools of now."))
        return session

    async def _create(
        self, core: Core, service: CompletionService, model: str, prompter: ApprovalPrompter
    ) -> AgentSession:
        system = self.options.system
        return await core.part(Agent).sessions.create(
            service,
            model,
            prompter,
            builtins=self.builtins,
            choice=self._choice(),
            system=self.setup.system if system is None else system,
            terms=self._terms(),
        )

    async def _summarised(self, session: AgentSession) -> str:
        """The prompt behind a summary of the conversation, which ends here."""
        from desktop.features.chat.agent.compaction import goes_on

        self.console.note(f"Writing a summary of session {session.id}…")
        beginning = goes_on(await session.summarise())
        self.console.note(plain(beginning))
        await session.close()
        return f"{beginning}\n\n{self.prompt}"

    def _model(self, provider: ProviderSettings) -> str:
        """That of the conversation counts as long as its provider is asked."""
        setup = self.setup
        stored = setup.model if setup.provider == provider.name else ""
        return self.options.model or stored or provider.model

    def _choice(self) -> ToolChoice:
        from desktop.features.chat.llm.tool_choice import ToolChoice

        if self.options.no_servers:
            return ToolChoice("off")
        if self.options.server:
            return ToolChoice("manual", tuple(self.options.server))
        return self.setup.choice

    def _terms(self) -> SessionTerms:
        from desktop.config.providers import find_effort

        terms = self.setup.terms
        return replace(terms, effort=find_effort(self.options.effort or "") or terms.effort)

    def _limits(self, store: ConfigStore) -> SessionLimits:
        from desktop.features.chat.agent.limits import SessionLimits

        usual = store.settings
        turns, seconds = self.options.max_turns, self.options.timeout
        return SessionLimits(turns=turns or usual.chat_turns, seconds=seconds or usual.chat_seconds)

    def _stored(self, session: str) -> SessionInfo:
        from desktop.features.chat.agent.session_store import open_session_store

        library = open_session_store(self.options.paths)
        if session != "last":
            return library.about(session)
        if not (stored := asyncio.run(library.list())):
            raise UsageError("No conversation to continue.")
        return stored[0].about


def exit_of(outcome: TurnOutcome) -> Exit:
    """The exit code of an ask; a tool that failed is the model's to deal with."""
    if outcome.end == "done":
        return Exit.TOOL_ERROR if outcome.stop in {"refused", "filtered"} else Exit.DONE
    if outcome.end == "stopped":
        return Exit.INTERRUPTED
    return _EXITS.get(outcome.kind, Exit.TOOL_ERROR)


def _preset(options: AskOptions, name: str) -> ChatSettings:
    from importlib import import_module

    return import_module(PRESETS[0]).find_preset(options.paths, name)


def _provider(store: ConfigStore, name: str | None) -> ProviderSettings:
    """The one that was named, else the first that is ready.

    Raises:
        UsageError: there is none.
    """
    from desktop.features.chat.llm.keys import variables

    known = ", ".join(store.providers)
    if name:
        if (provider := store.providers.get(name)) is None:
            raise UsageError(
                f"No provider is named {plain(name)!r}.", remedy=f"Available: {known}."
            )
        return provider
    ready = [provider for provider in store.providers.values() if provider.model]
    ready += [
        provider
        for provider in store.providers.values()
        if any(map(os.environ.get, variables(provider)))
    ]
    if not ready:
        raise UsageError(
            "No provider is chosen.",
            remedy=f"Choose with --provider and --model. Available: {known}.",
        )
    return ready[0]
