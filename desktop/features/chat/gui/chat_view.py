"""One chat to read and to continue: header, messages, status, composer.

Shows one chat at a time; others keep running. Starts and stops only what a person asks for.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.features.chat.agent.limits import NEARLY_FULL_PERCENT
from desktop.features.chat.gui.composer import Composer, EffortChoice, local_files
from desktop.features.chat.gui.context_meter import ContextMeter
from desktop.features.chat.gui.header import ChatHeader
from desktop.features.chat.gui.labels import usage_label
from desktop.features.chat.gui.message_list import BAR_STEPS, MessageList
from desktop.gui import bridge
from desktop.gui.layouts import ALL_ROOM, RIGHT, STRETCH, InnerRow, in_column
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import COLUMN_WIDTH, style
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.armed_buttons import ArmedButtons
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.inline_notice import InlineNotice
from desktop.gui.widgets.labels import plain_label, plain_tip
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QDragEnterEvent, QDropEvent

    from desktop.config.providers import Effort
    from desktop.features.chat.agent.session_info import ChatSettings
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.entries import Entry, UserEntry
    from desktop.features.chat.gui.interfaces import Providers
    from desktop.features.models.context_budget import ContextBudget
    from desktop.features.models.messages import Image
    from desktop.gui.results.companion import Companion, Enclosures, MakeCompanion
    from desktop.gui.theme import Theme
    from desktop.tools.approvals import ApprovalResponse
    from desktop.tools.registry import ToolSource
    from desktop.values.tool_types import JsonObject, ToolResult


_WONDER = 3
"""Seconds of silence from which on they are counted."""
_NO_ROOM = 0.8
"""Of the window, from which on the tools leave no room for a question and its answer."""
_MAX_QUOTED = 60


class ChatView(QWidget):
    """The right side of the page."""

    open_call_requested = Signal(str, object)
    settings_requested = Signal()
    provider_requested = Signal()
    prompt_sent = Signal(object)
    """The `Chat` that a question was just put to."""
    setup_changed = Signal(object)
    shown = Signal(object)
    """A `Chat` that is shown now, or was changed."""
    summarised = Signal(object, str)
    """A `Chat`, and what a new conversation has to know of it."""

    def __init__(
        self,
        theme: Theme,
        providers: Providers,
        tools: ToolSource,
        builtins: Callable[[], Mapping[str, str]],
        parent: QWidget | None = None,
        *,
        configured: Callable[[str], tuple[str, ...]] = lambda _: (),
        companion_of: MakeCompanion | None = None,
    ) -> None:
        """Args: companion_of: makes what stands beside the result of a call."""
        super().__init__(parent)
        self._companion_of = companion_of
        self._theme, self._providers = theme, providers
        self.chat: Chat | None = None
        self._followed: WeakSet[Chat] = WeakSet()
        self.head = ChatHeader(theme, providers, tools, builtins, self, configured=configured)
        self.conversation: MessageList | None = None
        self.empty = EmptyState(theme, "chat", "", "")
        self.add_provider = self.empty.add_button("", self.provider_requested.emit, "plus")
        self.stack = QStackedWidget(self)
        self.questions = InlineNotice(theme, "warning", self, stays=True)
        self.allow_all = QPushButton(self)
        self.all_armed = ArmedButtons(self.allow_all, self.allow_all)
        self._askable: tuple[str, ...] = ()
        self.too_many = InlineNotice(theme, "warning", self, stays=True)
        self.kept_tools = InlineNotice(theme, "accent", self, stays=True)
        self.full = InlineNotice(theme, "warning", self, stays=True)
        self.queue = InlineNotice(theme, "accent", self, stays=True)
        self.meter = ContextMeter(self)
        self.status, self.usage = plain_label("", "muted", "small"), plain_label("")
        self._enclosures: Enclosures | None = None
        self.enclosed: QWidget | None = None
        """What goes with the next question."""
        self.composer = Composer(theme, self)
        self.effort = EffortChoice(self)
        self.composer.add_control(self.effort)
        self.second = QTimer(self, interval=1_000)
        self._lay_out()
        self._connect()
        self._set_texts()

    @property
    def focus_home(self) -> QWidget:
        """Where keys do no harm: a question may come or go while a person types."""
        return self.composer.edit

    def show_chat(self, chat: Chat) -> None:
        """Show another conversation, where it was read last."""
        if chat is not self.chat:
            self.keep_place()
            self.chat = chat
            self._show_messages(chat, chat.place)
            self._follow(chat)
        self._refresh()

    def keep_place(self) -> None:
        """Remember what is read of the conversation that is shown."""
        if self.chat is not None and self.conversation is not None and self.conversation.cards:
            self.chat.place = self.conversation.place

    def show_loaded(self) -> None:
        """Show the messages of a stored conversation, which was just read."""
        if self.chat is not None:
            self._show_messages(self.chat, self.chat.place)
            self._refresh()

    def reload(self) -> None:
        """Show the messages anew: others are there now."""
        if self.chat is not None:
            self._show_messages(self.chat)
            self._refresh()

    def stop(self) -> None:
        """What Esc does."""
        if self.chat is not None:
            self.chat.stop()
            self.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_to_question(self) -> None:
        """Put the keyboard onto the first open question; that answers nothing by itself."""
        from desktop.features.chat.gui.call_card import CallCard

        if self.chat is None or self.conversation is None:
            return
        for call in self.chat.entries.asking:
            card = self.conversation.build(call)
            if isinstance(card, CallCard) and card.question is not None:
                self.conversation.ensureWidgetVisible(card)
                card.show()  # what was just built is shown a turn later, and takes no focus before
                card.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()) or event.mimeData().hasImage():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.composer.edit.insertFromMimeData(event.mimeData())
        event.acceptProposedAction()

    def _show_messages(self, chat: Chat, place: tuple[int, int] | None = None) -> None:
        if (old := self.conversation) is not None:
            old.end()
            self.stack.removeWidget(old)
            old.hide()
            old.deleteLater()
        made = self.conversation = MessageList(
            self._theme,
            chat.entries,
            self.stack,
            companion_of=partial(self._make_companion, chat),
            place=place,
        )
        made.open_call_requested.connect(self.open_call_requested)
        made.settings_requested.connect(self.settings_requested)
        made.answered.connect(self._answer)
        made.cancel_requested.connect(self._cancel_call)
        made.edited.connect(self._edit)
        made.version_requested.connect(self._show_version)
        made.again_requested.connect(self._try_again)
        self.stack.addWidget(made)

    def _follow(self, chat: Chat) -> None:
        """Hear of a chat from now on, once however often it is shown."""
        if chat not in self._followed:
            self._followed.add(chat)
            bridge.connect(self, chat.changed, self._note)
            bridge.connect(self, chat.summarised, self.summarised.emit)
            bridge.connect(self, chat.entries.appended, self._note_entry)
            bridge.connect(self, chat.entries.replaced, self.reload)

    def _note(self, chat: Chat) -> None:
        if chat is self.chat:
            self._refresh()

    def _note_entry(self, _: Entry) -> None:
        self._show_stack()

    def _refresh(self) -> None:
        chat = self.chat
        if chat is None:
            return
        self.head.show_chat(chat)
        self.composer.set_running(chat.is_busy)
        self.composer.set_reason(self._reason())
        self.status.setText(self._status(chat))
        if bool(chat.silent_since) != self.second.isActive():
            (self.second.start if chat.silent_since else self.second.stop)()
        facts = self._providers.facts(chat.setup.provider, chat.setup.model)
        is_of_one = len(chat.entries.models) <= 1  # the price of one is not that of all
        price = facts.price if is_of_one else None
        self.usage.setText(usage_label(chat.entries.usage, price))
        self.usage.setVisible(bool(self.usage.text()))
        self._show_effort(chat)
        self._tell_queue(chat)
        self.shown.emit(chat)
        self._show_enclosures()
        self._tell_context()
        self._tell_questions(chat.questions)
        self._tell_all(chat)
        self._show_stack()
        if self.conversation is not None:
            self.conversation.show_choices(
                can_change=not chat.is_busy and not self._reason(), find_versions=chat.versions
            )

    def _show_effort(self, chat: Chat) -> None:
        setup = chat.setup
        facts = self._providers.facts(setup.provider, setup.model)
        provider = self._providers.get(setup.provider)
        self.effort.show_effort(setup.terms.effort, provider, is_taken=facts.effort is True)

    def _choose_effort(self, effort: Effort | None) -> None:
        if (chat := self.chat) is not None:
            terms = replace(chat.setup.terms, effort=effort)
            self._choose(replace(chat.setup, terms=terms))

    def _make_companion(
        self, chat: Chat, key: str, arguments: JsonObject, result: ToolResult, parent: QWidget
    ) -> Companion | None:
        if self._companion_of is None:
            return None
        made = self._companion_of(chat, key, arguments, result, parent)
        self._show_enclosures()  # there may be some from now on
        return made

    def _show_enclosures(self) -> None:
        found = self.chat.enclosures if self.chat is not None else None
        if found is self._enclosures:
            return
        self._enclosures = found
        if self.enclosed is not None:
            self._foot.removeWidget(self.enclosed)
            discard(self.enclosed)
            self.enclosed = None
        if found is not None:
            self.enclosed = found.make_view(self._under, self.composer.edit)
            self.put_above_question(self.enclosed)

    def put_above_question(self, widget: QWidget) -> None:
        """Put in what belongs to the next question; its maker shows and takes it."""
        self._foot.insertWidget(self._foot.indexOf(self.composer), widget)

    def _show_stack(self) -> None:
        if self.chat is None or self.conversation is None:
            return
        has_words = bool(self.chat.entries.entries) or bool(self.chat.id)
        self.stack.setCurrentWidget(self.conversation if has_words else self.empty)

    def _reason(self) -> str:
        """Why nothing can be sent now, empty where something can."""
        if self.chat is None or not self._has_provider():
            return self.tr("Add a model provider first, using the button above.")
        if self.chat.load_error:
            return self.tr("This conversation cannot be opened.")
        if not self.chat.is_read and self.chat.session is None:
            return self.tr("Reading the conversation…")
        provider, model = self.chat.setup.provider, self.chat.setup.model
        if self._providers.get(provider) is None:
            return self.tr("Choose a provider above.")
        if self._providers.key_place(provider) == "missing":
            words = self.tr("“{provider}” has no API key yet. Enter it in Settings.")
            return words.format(provider=provider)
        return "" if model else self.tr("Choose a model above.")

    def _has_provider(self) -> bool:
        """Whether one can be asked, as far as is known."""
        names = [provider.name for provider in self._providers.all()]
        return any(self._providers.key_place(name) != "missing" for name in names)

    def _status(self, chat: Chat) -> str:
        if chat.questions:
            return self.tr("Waiting for you")
        if chat.phase == "running" and (seconds := self._silence(chat)):
            return self.tr("Waiting for the model: {seconds} s").format(seconds=seconds)
        if chat.awaited:
            names = listed(mark_hidden(name) for name in chat.awaited)
            return self.tr("Waiting for servers to start: {names}").format(names=names)
        return {
            "idle": "",
            "starting": self.tr("Starting…"),
            "running": self.tr("Working…"),
            "summarising": self.tr("Writing a summary…"),
            "stopping": self.tr("Stopping…"),
        }[chat.phase]

    def _silence(self, chat: Chat) -> int:
        """Seconds that the model has said nothing, from where on a person begins to wonder."""
        seconds = int(time.monotonic() - chat.silent_since) if chat.silent_since else 0
        return seconds if seconds >= _WONDER else 0

    def _tell_silence(self) -> None:
        if self.chat is not None:
            self.status.setText(self._status(self.chat))

    def _tell_questions(self, count: int) -> None:
        if not count:
            self.questions.say("")
        elif count == 1:
            self.questions.say(self.tr("1 call needs your approval."), self._go_words())
        else:
            words = self.tr("{count} calls need your approval.").format(count=count)
            self.questions.say(words, self._go_words())

    def _tell_context(self) -> None:
        """What the next request takes: what the provider counted last, or the tools alone."""
        if (chat := self.chat) is None:
            return
        self._tell_kept_tools(chat)
        cost, counted, exact = self.head.cost, chat.entries.context, self.head.exact.result
        if not counted and exact is not None:
            counted = exact.tokens
        provider = self._providers.get(chat.setup.provider)
        window = self._providers.facts(chat.setup.provider, chat.setup.model).window
        self.meter.show_use(counted or cost.tokens, window, is_estimate=not counted)
        self._tell_full(chat, window)
        if window and cost.tokens >= window * _NO_ROOM:
            words = self.tr("The tools take about {tokens} tokens; this model reads {window}.")
            words = words.format(tokens=f"{cost.tokens:,}", window=f"{window:,}")
            self.too_many.say(words, self.tr("Choose tools…"))
            return
        if provider is None or not cost.most or cost.sent <= cost.most:
            self.too_many.say("")
            return
        words = self._limit_words(cost, provider.is_compatible)
        self.too_many.say(words, self.tr("Choose tools…"))

    def _tell_full(self, chat: Chat, window: int) -> None:
        """The conversation leaves no room for more: a new one can know of it."""
        used = chat.entries.context
        is_full = bool(window) and 100 * used >= window * NEARLY_FULL_PERCENT
        if chat.is_busy or not (is_full or chat.entries.is_too_long):
            self.full.say("")
        else:
            words = self.tr("This conversation nearly fills the window of the model.")
            self.full.say(words, self.tr("Go on in a new one with a summary"))

    def _summarise(self) -> None:
        if self.chat is not None:
            self.chat.summarise()
            self.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell_kept_tools(self, chat: Chat) -> None:
        """What the model is not told of, as the conversation began without it."""
        changes = chat.session.tools.changes() if chat.session is not None else None
        if changes and not chat.is_busy:
            words = mark_hidden(spoken(changes.sentence))
            self.kept_tools.say(words, self.tr("Use the new tools"))
            self.kept_tools.words.setToolTip(plain_tip(words))  # where it is wider than the window
        else:
            self.kept_tools.say("")

    def _use_new_tools(self) -> None:
        if self.chat is not None:
            self.chat.use_new_tools()
            self.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _limit_words(self, cost: ContextBudget, is_compatible: bool) -> str:
        if is_compatible:
            words = self.tr("{count} tools are offered; many servers with this API take {most}.")
        else:
            words = self.tr("{count} tools are offered, but the provider takes {most} at most.")
        return words.format(count=f"{cost.sent:,}", most=f"{cost.most:,}")

    def _tell_all(self, chat: Chat) -> None:
        """*Allow all* is for the calls that are shown now; a tool that changed is not among them.

        Where another call came meanwhile, a click that was meant for those before counts no more.
        """
        asking = [call for call in chat.entries.asking if call.question is not None]
        usual = [call.call_id for call in asking if call.question and not call.question.difference]
        askable = tuple(usual) if len(usual) > 1 else ()
        if askable != self._askable:
            self._askable = askable
            self.all_armed.rearm()
        words = self.tr("Allow all {count}").format(count=len(askable))
        self.allow_all.setText(words)
        self.allow_all.setVisible(bool(askable))

    def _allow_all(self) -> None:
        from desktop.features.chat.gui.call_card import CallCard
        from desktop.tools.approvals import ApprovalResponse

        chat = self.chat
        if chat is None:
            return
        asked, self._askable = self._askable, ()
        for call in chat.entries.asking:
            card = self.conversation.card(call) if self.conversation is not None else None
            panel = card.question if isinstance(card, CallCard) else None
            is_edited = panel is not None and not panel.is_simple
            if call.call_id in asked and not is_edited:
                chat.prompter.answer(call.call_id, ApprovalResponse("once"))
        self.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_words(self) -> str:
        return named_keys(self.tr("Review (Ctrl+G)"))

    def _answer(self, call_id: str, answer: ApprovalResponse) -> None:
        if self.chat is not None:
            self.chat.prompter.answer(call_id, answer)
            # The question goes, and its focus would fall anywhere: a person goes on typing here.
            self.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _cancel_call(self, call_id: str) -> None:
        if self.chat is not None:
            self.chat.cancel_call(call_id)

    def _ask(self, text: str, images: tuple[Image, ...]) -> None:
        chat = self.chat
        if chat is None:
            return
        self.composer.clear()
        chat.put_off(text, images)
        self._note_sent(chat)

    def _tell_queue(self, chat: Chat) -> None:
        """What is asked next; what was not, as the answer before did not come to its end."""
        if not chat.queue:
            self.queue.say("")
            return
        first = mark_hidden(" ".join(chat.queue[0][0].split())[:_MAX_QUOTED])
        more = f" (+{len(chat.queue) - 1:,})" if len(chat.queue) > 1 else ""
        words = (
            self.tr("Asked next: {question}")
            if chat.is_busy
            else self.tr("Not asked yet: {question}")
        )
        self.queue.say(words.format(question=first) + more, self.tr("Take back"))

    def _take_back(self) -> None:
        if self.chat is not None:
            text, images = self.chat.take_back()
            self.composer.add_text(text)
            self.composer.attach_pictures([image.data for image in images])

    def _edit(self, entry: UserEntry, text: str) -> None:
        if (chat := self.chat) is not None and not chat.is_busy:
            chat.edit(entry, text)
            self._note_sent(chat)

    def _try_again(self) -> None:
        if (chat := self.chat) is not None and not chat.is_busy:
            chat.try_again()
            self._note_sent(chat)

    def _show_version(self, entry: UserEntry, at: int) -> None:
        if (chat := self.chat) is not None and not chat.is_busy:
            chat.show_version(entry, at)

    def _note_sent(self, chat: Chat) -> None:
        """The answer is what is looked at from now on: panels close, the end is shown."""
        self.head.fold.setChecked(False)
        self.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.conversation is not None:
            self.conversation.go_to_end()
        self.prompt_sent.emit(chat)

    def _choose(self, setup: ChatSettings) -> None:
        if self.chat is not None:
            self.chat.choose(setup)
            self.setup_changed.emit(setup)

    def _connect(self) -> None:
        bridge.connect(self, self._providers.changed, self._refresh_all)
        self.second.timeout.connect(self._tell_silence)
        self.composer.send_requested.connect(self._ask)
        self.composer.stop_requested.connect(self.stop)
        self.questions.action_requested.connect(self.go_to_question)
        self.allow_all.clicked.connect(self._allow_all)
        self.too_many.action_requested.connect(self.head.open_tools)
        self.kept_tools.action_requested.connect(self._use_new_tools)
        self.full.action_requested.connect(self._summarise)
        self.queue.action_requested.connect(self._take_back)
        self.head.counted.connect(self._tell_context)
        self.head.exact.changed.connect(self._tell_context)
        self.head.setup_changed.connect(self._choose)
        self.effort.effort_chosen.connect(self._choose_effort)

    def _refresh_all(self) -> None:
        self._set_texts()

    def _lay_out(self) -> None:
        style(self.usage, "muted", "small")
        self.setAcceptDrops(True)
        self.stack.addWidget(self.empty)
        self.stack.setMinimumHeight(1)  # where there is no room, the question has it
        below = InnerRow((self.status, 1), self.meter, (self.usage, RIGHT), spacing=5)
        self.usage.setWordWrap(False)
        column_below = self._under = QWidget(self)
        column_below.setMaximumWidth(COLUMN_WIDTH)
        asked = InnerRow((self.questions, 1), self.allow_all)
        self._foot = in_column(
            column_below,
            asked,
            self.kept_tools,
            self.full,
            self.queue,
            self.too_many,
            below,
            self.composer,
            margins=(4, 0, 4, 3),
        )
        self.head.setMaximumWidth(COLUMN_WIDTH)
        beside_bar = (0, 0, BAR_STEPS, 0)
        head = InnerRow(STRETCH, (self.head, ALL_ROOM), STRETCH, margins=beside_bar, spacing=0)
        foot = InnerRow(STRETCH, (column_below, ALL_ROOM), STRETCH, margins=beside_bar, spacing=0)
        in_column(self, head, (self.stack, 1), foot, spacing=0)

    def _set_texts(self) -> None:
        if has_provider := self._has_provider():
            self.empty.set_text(
                self.tr("A new conversation"),
                self.tr(
                    "Ask something below. The model can use the tools of your servers; you "
                    "approve each call."
                ),
            )
        else:
            self.empty.set_text(
                self.tr("No model provider yet"),
                self.tr(
                    "A conversation needs a model from OpenAI, Anthropic, Gemini or any "
                    "OpenAI-compatible server."
                ),
            )
        self.add_provider.setText(self.tr("Add a model provider…"))
        self.add_provider.setVisible(not has_provider)
        self._refresh()
