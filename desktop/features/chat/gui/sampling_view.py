"""A server wants a model's words: the prompt is approved, and the answer is, before it is sent.

A model answers only after a click, a person may answer by hand, and nothing leaves before *Send*.
Knows no provider: `sampler` asks the one that the person chose.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QScrollArea, QWidget

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.features.chat.gui.header import ModelChoice
from desktop.features.chat.llm.sampling import propose_model
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.requests.request_view import RequestView, height_of
from desktop.gui.results.image import ImageCard
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, listed, spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import GrowingTextEditor
from desktop.servers.requests import BY_HAND, MAX_TOKENS, SamplingAnswer, ToolOutcome, ToolUse
from desktop.values.tool_types import Content

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable

    from desktop.features.chat.gui.interfaces import Providers
    from desktop.gui.theme import Theme
    from desktop.servers.requests import SamplingBlock, SamplingRequest

    Sampler = Callable[[str, str, SamplingRequest], Awaitable[SamplingAnswer]]
    """Names of provider and model, and what is asked; raises `DesktopError`."""
    from PySide6.QtWidgets import QLabel

    from desktop.servers.requests import SamplingMessage, SamplingRequest

MAX_EDITORS: Final = 30
"""Texts of a conversation that can be edited, the last ones; each is a widget."""
MAX_EDITED_LENGTH: Final = 50_000
"""Characters of a text that can be edited."""
_MAX_OTHERS_LENGTH: Final = 20_000
_MAX_NAMES: Final = 20


class SamplingView(RequestView):
    """First the prompt, then the answer below it."""

    def __init__(
        self,
        theme: Theme,
        request: SamplingRequest,
        providers: Providers,
        sampler: Sampler,
        last: tuple[str, str] = ("", ""),
    ) -> None:
        """Args: last: provider and model that were used last."""
        super().__init__(theme)
        self._request, self._providers, self._sampler = request, providers, sampler
        self._asking: asyncio.Task[None] | None = None
        self._blocks: tuple[SamplingBlock, ...] = ()
        self._model = BY_HAND
        self._stop = "endTurn"
        self.prompt = SamplingPrompt(request)
        self.models = ModelChoice(theme, providers, self)
        self.models.show_choice(*proposed_model(request, providers, last))
        self.no_provider = plain_label(
            self.tr("No model provider has a key. Answer by hand, or refuse."), "warning"
        )
        self.answer_label = plain_label("", "heading")
        self.answer_text = GrowingTextEditor(3)
        self.others = plain_label("", "small", "muted", "mono")
        self.ask, self.by_hand, self.send_answer = (QPushButton(self) for _ in range(3))
        self._lay_out()
        self._connect()
        self.decline.setText(self.tr("Refuse"))
        self.by_hand.setText(self.tr("Answer by hand"))
        self.send_answer.setText(self.tr("Send answer"))
        self.send_answer.setToolTip(self.tr("The server receives the answer as shown here"))
        self._name_answer()
        self._show_step()

    @property
    def has_provider(self) -> bool:
        """Whether a provider can be asked, as far as its key is known."""
        known = self._providers.all()
        return any(self._providers.key_place(each.name) != "missing" for each in known)

    @property
    def is_asking(self) -> bool:
        return self._asking is not None and not self._asking.done()

    def ask_model(self) -> None:
        """Have the chosen model answer what is in sight."""
        if not self.answers.is_armed or self.is_asking:
            return
        provider, model = self.models.value
        request = self.prompt.request()
        if request is None:
            self.show_problem(self.tr("The limit is not a number, or too large. Correct it first."))
        elif not provider or not model:
            self.show_problem(self.tr("Choose a provider and a model first."))
        else:
            self.show_problem("")
            asking = self._ask(provider, model, request)
            self._asking = bridge.run(self, asking, self.tr("Ask the model"))
            self._show_step()

    def answer_by_hand(self) -> None:
        """Write the answer instead of a model."""
        if self.answers.is_armed:
            self._show_answer(SamplingAnswer((), BY_HAND))
            self.answer_text.setFocus(Qt.FocusReason.OtherFocusReason)

    def finish(self) -> None:
        super().finish()
        if self._asking is not None:
            self._asking.cancel()
        self.prompt.setEnabled(False)
        self.answer_text.setReadOnly(True)
        self.models.setEnabled(False)

    def wanted_height(self) -> int:
        return height_of(self._area) + space(1)

    async def _ask(self, provider: str, model: str, request: SamplingRequest) -> None:
        try:
            answer = await self._sampler(provider, model, request)
        except DesktopError as error:
            self.show_problem(spoken(str(error)))
        else:
            self._show_answer(answer)
        self._asking = None
        self._show_step()

    def _show_answer(self, answer: SamplingAnswer) -> None:
        """Put an answer where it can be corrected; what is not text stays as it is."""
        texts = [block for block in answer.blocks if _is_text(block)]
        self._blocks = tuple(block for block in answer.blocks if not _is_text(block))
        self._model, self._stop = answer.model, answer.stop
        self.answer_text.setPlainText("".join(map(block_text, texts)))
        self.others.setText("\n".join(block_text(block)[:2_000] for block in self._blocks))
        for widget in (self.answer_label, self.answer_text, self.send_answer):
            widget.show()
        self.others.setVisible(bool(self._blocks))
        style(self.ask)
        style(self.send_answer, "primary")
        self.answers.rearm()  # the button that sends has just come
        self._name_answer()
        self._show_step()

    def _send(self) -> None:
        text = self.answer_text.exact_text()
        written = (Content("text", text),) if text.strip() else ()
        if written or self._blocks:
            self.send(SamplingAnswer((*written, *self._blocks), self._model, self._stop))

    def _show_step(self) -> None:
        """What can be pressed now, and what is going on."""
        has_text = bool(self.answer_text.exact_text().strip() or self._blocks)
        is_idle, has_provider = not self.is_asking, self.has_provider
        self.models.setVisible(has_provider)
        self.no_provider.setVisible(not has_provider)
        self.answers.set_wanted(self.ask, is_idle and has_provider)
        self.answers.set_wanted(self.by_hand, is_idle)
        self.answers.set_wanted(self.send_answer, is_idle and has_text)
        self.ask.setText(
            self.tr("The model answers…") if not is_idle else self.tr("Let the model answer")
        )

    def _connect(self) -> None:
        self.ask.clicked.connect(self.ask_model)
        self.by_hand.clicked.connect(self.answer_by_hand)
        self.send_answer.clicked.connect(self._send)
        self.answer_text.textChanged.connect(self._show_step)
        bridge.connect(self, self._providers.changed, self._show_step)

    def _lay_out(self) -> None:
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        style(inside)
        in_column(inside, self.prompt, STRETCH)
        self._area.setWidget(inside)
        self.column.addWidget(self._area, 1)
        self.flexible = self._area
        for widget in (self.answer_label, self.answer_text, self.others):
            self.column.addWidget(widget)
            widget.hide()
        self.column.addWidget(self.models)
        self.column.addWidget(self.no_provider)
        self.message.hide()
        self.send_answer.hide()
        self.cancel.hide()  # neither yes nor no is no answer that the protocol has here
        self.finish_layout(self.ask, self.by_hand, self.send_answer)

    def _name_answer(self) -> None:
        by_hand = self.tr("Your answer")
        of_model = self.tr("Answer from {model}").format(model=self._model)
        self.answer_label.setText(by_hand if self._model == BY_HAND else of_model)
        self.answer_text.setAccessibleName(self.answer_label.text())


def _is_text(block: SamplingBlock) -> bool:
    return isinstance(block, Content) and block.kind == "text"


def proposed_model(
    request: SamplingRequest, providers: Providers, last: tuple[str, str]
) -> tuple[str, str]:
    """Provider and model to begin with: what the server hints at, else those used last."""
    usable = [each for each in providers.all() if providers.key_place(each.name) != "missing"]
    proposal = propose_model(request.hints, {provider.name: provider for provider in usable})
    is_known = any(provider.name == last[0] for provider in usable)
    if is_known and (proposal is None or not request.hints):
        return last
    if proposal is not None:
        return proposal.provider.name, proposal.model
    return (usable[0].name, "") if usable else ("", "")


class SamplingPrompt(QWidget):
    """Shows one request; `request()` is what the person made of it."""

    def __init__(self, request: SamplingRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given = request
        self._editors: dict[tuple[int, int], GrowingTextEditor] = {}
        self._begun: dict[tuple[int, int], str] = {}  # an editor knows one kind of line end
        self._roles: list[tuple[QLabel, str]] = []
        self.system = _editor(request.system)
        self.system_label = plain_label(self.tr("System prompt"), "small", "muted")
        self.tokens = QLineEdit(str(request.max_tokens))
        self.tokens.setMaximumWidth(space(30))
        self.about = plain_label("", "small", "muted")
        self.unedited = plain_label(
            self.tr("Earlier messages, sent as they are:"), "small", "muted"
        )
        self.tokens_label = plain_label(self.tr("Maximum tokens"), "small")
        self._column = in_column(self)
        self._lay_out()
        self.system.setAccessibleName(self.tr("System prompt"))
        for label, role in self._roles:
            label.setText(self.tr("User") if role == "user" else self.tr("Model"))
        for editor in self._editors.values():
            editor.setAccessibleName(self.tr("Text of a message"))
        self.tokens.setAccessibleName(self.tokens_label.text())
        self.about.setText("\n".join(self._about()))
        self.about.setVisible(bool(self.about.text()))

    def request(self) -> SamplingRequest | None:
        """The conversation as it is here; None where the limit cannot be read."""
        try:
            tokens = int(self.tokens.text())
        except ValueError:
            return None
        if not 1 <= tokens <= MAX_TOKENS:
            return None
        has_system = self._is_editable(self._given.system)
        return replace(
            self._given,
            messages=tuple(
                replace(message, blocks=self._blocks(at, message))
                for at, message in enumerate(self._given.messages)
            ),
            system=self.system.exact_text() if has_system else self._given.system,
            max_tokens=tokens,
        )

    def _blocks(self, at: int, message: SamplingMessage) -> tuple[SamplingBlock, ...]:
        edited: list[SamplingBlock] = []
        for place, block in enumerate(message.blocks):
            editor = self._editors.get((at, place))
            if editor is not None and isinstance(block, Content):
                is_same = editor.exact_text() == self._begun[at, place]
                block = block if is_same else replace(block, text=editor.exact_text())
            edited.append(block)
        return tuple(edited)

    def _lay_out(self) -> None:
        self._column.addWidget(self.system_label)
        self._column.addWidget(self.system)
        is_long = not self._is_editable(self._given.system)
        self.system.setReadOnly(is_long)
        for widget in (self.system_label, self.system):
            widget.setVisible(bool(self._given.system))
        blocks = [
            (at, place, message.role, block)
            for at, message in enumerate(self._given.messages)
            for place, block in enumerate(message.blocks)
        ]
        before = blocks[:-MAX_EDITORS]
        self.unedited.setVisible(bool(before))
        self._column.addWidget(self.unedited)
        if before:
            lines = [f"[{role}] {block_text(block)}" for _, _, role, block in before]
            self._add_text(mark_hidden_text("\n".join(lines)[:_MAX_OTHERS_LENGTH]))
        for at, place, role, block in blocks[-MAX_EDITORS:]:
            label = plain_label("", "small", "muted")
            self._roles.append((label, role))
            self._column.addWidget(label)
            self._add_block(at, place, block)
        in_row(self._column, self.tokens_label, self.tokens, STRETCH, spacing=3)
        self._column.addWidget(self.about)

    def _add_block(self, at: int, place: int, block: SamplingBlock) -> None:
        is_text = isinstance(block, Content) and block.kind == "text"
        if is_text and self._is_editable(block_text(block)):
            editor = self._editors[at, place] = _editor(block_text(block))
            self._begun[at, place] = editor.exact_text()
            self._column.addWidget(editor)
        elif isinstance(block, Content) and block.kind == "image":
            self._column.addWidget(ImageCard(block))
        else:
            self._add_text(mark_hidden_text(block_text(block)[:_MAX_OTHERS_LENGTH]))

    def _add_text(self, text: str) -> None:
        shown = _editor(text)
        shown.setReadOnly(True)
        self._column.addWidget(shown)

    def _is_editable(self, text: str) -> bool:
        return len(text) <= MAX_EDITED_LENGTH

    def _about(self) -> list[str]:
        """What else the server wants."""
        given, found = self._given, list[str]()
        if given.hints:
            words = self.tr("Preferred models: {names}")
            found.append(words.format(names=_names(given.hints)))
        if given.tools:
            words = self.tr("The model may request tools that the server runs itself: {names}")
            found.append(words.format(names=_names([tool.name for tool in given.tools])))
        if given.temperature is not None:
            words = self.tr("It requests a temperature of {value}, which is not passed on.")
            found.append(words.format(value=given.temperature))
        if given.stop_sequences:
            words = self.tr("Stop sequences: {names}")
            found.append(words.format(names=_names(given.stop_sequences)))
        if given.context != "none":
            found.append(
                self.tr("It also requests context from other servers, which is not shared.")
            )
        texts = [given.system]
        texts += [block_text(block) for message in given.messages for block in message.blocks]
        if any(mark_hidden_text(text) != text for text in texts):
            found.append(self.tr("The texts contain invisible characters."))
        one, many = self.tr("1 character in total"), self.tr("{count} characters in total")
        return [*found, counted(sum(map(len, texts)), one, many)]


def block_text(block: SamplingBlock) -> str:
    """A part of a message as it is read; its text alone, where it is one."""
    match block:
        case ToolUse():
            return f"{block.name} {json.dumps(dict(block.arguments), ensure_ascii=False)}"
        case ToolOutcome():
            return "\n".join(map(block_text, block.content))
        case Content(kind="text"):
            return block.text
        case Content():
            return f"[{block.kind}: {block.mime}, {len(block.data):,} B]"


def _names(names: tuple[str, ...] | list[str]) -> str:
    return listed((mark_hidden(name)[:100] for name in names), most=_MAX_NAMES)


def _editor(text: str) -> GrowingTextEditor:
    editor = GrowingTextEditor(2)
    editor.setPlainText(text)
    return editor
