"""One chat to read and to continue: header, messages, status, composer.

Shows one chat at a time; others keep running. Starts and stops only what a person asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop.gui import bridge
from desktop.gui.chat.composer import Composer
from desktop.gui.chat.header import ChatHeader
from desktop.gui.chat.labels import usage_label
from desktop.gui.chat.message_cards import CallCard
from desktop.gui.chat.message_list import MessageList
from desktop.gui.theme import space, style
from desktop.gui.tools.inline_notice import InlineNotice
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.agent.events import ApprovalResponse
    from desktop.gui.chat.chat import Chat, ChatSettings
    from desktop.gui.chat.entries import Entry
    from desktop.gui.chat.interfaces import Providers
    from desktop.gui.theme import Theme
    from desktop.llm.messages import Image
    from desktop.tools.registry import ToolSource


class ChatView(Retranslated, QWidget):
    """The right side of the page."""

    open_call_requested = Signal(str, object)
    settings_requested = Signal()
    prompt_sent = Signal(object)
    """The `Chat` that a question was just put to."""
    setup_changed = Signal(object)

    def __init__(
        self,
        theme: Theme,
        providers: Providers,
        tools: ToolSource,
        builtins: Callable[[], Mapping[str, str]],
        parent: QWidget | None = None,
        *,
        configured: Callable[[str], tuple[str, ...]] = lambda _: (),
    ) -> None:
        super().__init__(parent)
        self._theme, self._providers = theme, providers
        self.chat: Chat | None = None
        self._followed: WeakSet[Chat] = WeakSet()
        self.head = ChatHeader(theme, providers, tools, builtins, self, configured=configured)
        self.conversation: MessageList | None = None
        self.empty = EmptyState(theme, "chat", "", "")
        self.add_provider = self.empty.add_button("", self.settings_requested.emit, "plus")
        self.stack = QStackedWidget(self)
        self.questions = InlineNotice(theme, "warning", self, stays=True)
        self.status, self.usage = plain_label("", "muted", "small"), plain_label("")
        self.composer = Composer(theme, self)
        self._lay_out()
        self._connect()
        self.retranslate()

    @property
    def focus_home(self) -> QWidget:
        """Where keys do no harm: a question may come or go while a person types."""
        return self.composer.edit

    def show_chat(self, chat: Chat) -> None:
        """Show another conversation, from its end."""
        if chat is not self.chat:
            self.chat = chat
            self._show_messages(chat)
            self._follow(chat)
        self._refresh()

    def reload(self) -> None:
        """Show the messages anew: a stored conversation was read."""
        if self.chat is not None:
            self._show_messages(self.chat)
            self._refresh()

    def stop(self) -> None:
        """What Esc does."""
        if self.chat is not None:
            self.chat.stop()

    def go_to_question(self) -> None:
        """Put the keyboard onto the arguments of the first open question; that answers nothing."""
        if self.chat is None or self.conversation is None:
            return
        self.conversation.flush()
        for call in self.chat.entries.asking:
            card = self.conversation.card(call)
            if isinstance(card, CallCard) and card.question is not None:
                self.conversation.ensureWidgetVisible(card)
                card.question.arguments.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def _show_messages(self, chat: Chat) -> None:
        if (old := self.conversation) is not None:
            self.stack.removeWidget(old)
            old.hide()
            old.deleteLater()
        made = self.conversation = MessageList(self._theme, chat.entries, self.stack)
        made.open_call_requested.connect(self.open_call_requested)
        made.settings_requested.connect(self.settings_requested)
        made.answered.connect(self._answer)
        made.cancel_requested.connect(self._cancel_call)
        self.stack.addWidget(made)

    def _follow(self, chat: Chat) -> None:
        """Hear of a chat from now on, once however often it is shown."""
        if chat not in self._followed:
            self._followed.add(chat)
            bridge.connect(self, chat.changed, self._note)
            bridge.connect(self, chat.entries.appended, self._note_entry)

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
        self.composer.set_reason(self._reason if self._reason() else None)
        self.status.setText(self._status(chat))
        self.usage.setText(usage_label(chat.entries.usage))
        self._tell_questions(chat.questions)
        self._show_stack()

    def _show_stack(self) -> None:
        if self.chat is None or self.conversation is None:
            return
        has_words = bool(self.chat.entries.entries) or bool(self.chat.id)
        self.stack.setCurrentWidget(self.conversation if has_words else self.empty)

    def _reason(self) -> str:
        """Why nothing can be sent now, empty where something can."""
        if self.chat is None or not self._has_provider():
            return self.tr("Add a model provider first, using the button above.")
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
        return {
            "idle": "",
            "starting": self.tr("Starting…"),
            "running": self.tr("Working…"),
            "stopping": self.tr("Stopping…"),
        }[chat.phase]

    def _tell_questions(self, count: int) -> None:
        if not count:
            self.questions.show_text("")
        elif count == 1:
            self.questions.say(lambda: (self.tr("1 call needs your approval."), self._go_words()))
        else:
            self.questions.say(
                lambda: (
                    self.tr("{count} calls need your approval.").format(count=count),
                    self._go_words(),
                )
            )

    def _go_words(self) -> str:
        return self.tr("Review (Ctrl+G)")

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
        if chat is None or chat.is_busy:
            return
        self.composer.clear()
        chat.ask(text, images)
        if self.conversation is not None:
            self.conversation.go_to_end()
        self.prompt_sent.emit(chat)

    def _choose(self, setup: ChatSettings) -> None:
        if self.chat is not None:
            self.chat.choose(setup)
            self.setup_changed.emit(setup)

    def _connect(self) -> None:
        bridge.connect(self, self._providers.changed, self._refresh_all)
        self.composer.send_requested.connect(self._ask)
        self.composer.stop_requested.connect(self.stop)
        self.questions.action_requested.connect(self.go_to_question)
        self.head.setup_changed.connect(self._choose)

    def _refresh_all(self) -> None:
        self.retranslate()

    def _lay_out(self) -> None:
        style(self.usage, "muted", "small")
        self.stack.addWidget(self.empty)
        below = QHBoxLayout()
        below.addWidget(self.status, 1)
        below.addWidget(self.usage, 0, Qt.AlignmentFlag.AlignRight)
        self.usage.setWordWrap(False)
        foot = QVBoxLayout()
        foot.setContentsMargins(space(4), 0, space(4), space(3))
        foot.setSpacing(space(2))
        foot.addWidget(self.questions)
        foot.addLayout(below)
        foot.addWidget(self.composer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.stack, 1)
        column.addLayout(foot)

    def retranslate(self) -> None:
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
