"""One tool with its form, its running call and its last result: the right side of the Tools page.

Sends calls only through the `ToolRunner`. Keeps what was typed even after the tool is gone, so that
a server that comes back finds the form as it was left.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from desktop.base.later_patterns import compile_later
from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.gui import shortcuts
from desktop.gui.form.schema_form import SchemaForm
from desktop.gui.layouts import NO_LIMIT, STRETCH, InnerRow, in_column
from desktop.gui.shortcuts import bind, named_keys
from desktop.gui.theme import Theme, space, style
from desktop.gui.tools.call_controls import CallRun, RunBar
from desktop.gui.tools.call_menu import ArgumentClipboard, CallMenu, is_wanted
from desktop.gui.tools.interfaces import no_server
from desktop.gui.tools.result_area import FormAndResult, FormHeight, ResultArea
from desktop.gui.tools.schema_tabs import ToolTabs
from desktop.gui.tools.tool_list_model import hints_of
from desktop.gui.translations import counted, listed, spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.inline_notice import InlineNotice
from desktop.gui.widgets.labels import ElidedLabel, selectable_label
from desktop.gui.widgets.server_faces import ServerFaces, set_face
from desktop.gui.widgets.tab_order import restore_tab_order
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.widgets.two_line_rows import first_line
from desktop.values.tool_types import ToolCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QResizeEvent

    from desktop.gui.form.model.form_model import FormState
    from desktop.gui.results.companion import CompanionOf
    from desktop.gui.results.feed_column import ResourceReader
    from desktop.gui.results.markdown import MarkdownView
    from desktop.gui.results.result_view import ResultView
    from desktop.gui.theme import Role
    from desktop.gui.tools.interfaces import ServerSource, ToolRunner
    from desktop.gui.tools.tool_list_model import Tone
    from desktop.tools.executor import CheckedArguments
    from desktop.values.tool_types import JsonObject, ToolDefinition, ToolResult, ValidationIssue

_LOW = space(100)
"""Pixels below which a form and its result need the room of the description."""
_CHARACTERS = 280
_MAX_COLLAPSED = 50_000
_LEAST_SIDE = 60  # grid steps
_UNFOLDED_HEIGHT = 45  # grid steps


class Answer(NamedTuple):
    """What was sent last, and what came back."""

    arguments: JsonObject
    result: ToolResult


class ToolView(QWidget):
    """The right side of the page for one tool."""

    running_changed = Signal()
    edited = Signal()
    """Something else stands in the form."""
    save_requested = Signal(str, object)
    """A person wants to keep this call: the key `server:tool`, and the arguments, a dict."""
    history_requested = Signal(str)
    """A person wants to see the earlier calls of the tool with this key."""
    resource_requested = Signal(str)
    """The URI that a link of a result leads to."""

    def __init__(
        self,
        tool: ToolDefinition,
        runner: ToolRunner,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        server_of: ServerSource = no_server,
        settings: QSettings | None = None,
        reader: ResourceReader | None = None,
        companion_of: CompanionOf | None = None,
    ) -> None:
        """Args: settings: where the look is remembered. reader: opens links of results in place.

        companion_of: makes what stands beside results.
        """
        super().__init__(parent)
        self.tool = tool
        self._runner = runner
        self._theme = theme
        self._companion_of = companion_of
        self._touched = False
        self._sent: JsonObject | None = None
        self.answer: Answer | None = None
        self._available = True
        self._checked: CheckedArguments | None = None
        self.header = ToolHeader(theme, self)
        self.gone = InlineNotice(theme, "warning", self, stays=True)
        self.replaced = InlineNotice(theme, "accent", self)
        self.issues = InlineNotice(theme, "danger", self)
        self.tabs = ToolTabs(theme, self)
        self.bar = RunBar(theme, self)
        self.below = ResultArea(theme, self, settings, reader)
        self._upper = QWidget(self)
        for part in (self._upper, self.below):
            part.setMinimumWidth(space(_LEAST_SIDE))  # by itself neither moves the other
        self.splitter = FormAndResult(self._upper, self.below, self._form_height, settings, self)
        self.menu = CallMenu(theme, self._upper, self.tabs)
        self.addActions([self.menu.save, self.menu.history])  # their keys work in the result, too
        self._run = CallRun(runner, self)
        self.exchange = ArgumentClipboard(self, server_of, self.replaced, self)
        self._lay_out()
        self.form = self._make_form(tool.input_schema)
        self._connect()
        self._show_tool()
        self._show_gone()

    @property
    def is_running(self) -> bool:
        return self._run.is_running

    @property
    def result(self) -> ResultView | None:
        return self.below.result

    @property
    def is_worth_keeping(self) -> bool:
        """Whether a person would lose something if this view were built anew."""
        unfolded = self.form.fields.is_open
        return self._touched or unfolded or self.is_running or self.result is not None

    def put_back(self, state: FormState, answer: Answer | None) -> None:
        """Show what another view of this tool had."""
        self.form.put_back(state)
        if answer is not None:
            self._touched, self._sent = True, answer.arguments
            self._show_result(answer.result)

    def set_tool(self, tool: ToolDefinition | None) -> None:
        """Follow the server: the tool as it is now, or None when it is not there."""
        self._available = tool is not None
        self.bar.set_runnable(self._available)
        self._show_gone()
        if tool is None or tool == self.tool:
            return
        old, self.tool = self.tool, tool
        if tool.input_schema != old.input_schema:
            state = self.form.state()
            self.form = self._make_form(tool.input_schema)
            self.form.put_back(state)
        self._show_tool()

    def fill(self, arguments: JsonObject) -> None:
        """Show these arguments; the previous ones can be restored."""
        self._touched = True
        self.tabs.show_form()
        self.exchange.fill(arguments)

    def focus_form(self) -> None:
        self.tabs.show_form()
        self.splitter.edit()
        if self.form.shows_json:
            self.form.json.editor.setFocus(Qt.FocusReason.TabFocusReason)
        elif not self.form.fields.focus_first():
            self.bar.run.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def focus_zones(self) -> tuple[QWidget, ...]:
        """Its parts in the order in which Tab goes through them; the rest comes last."""
        fields, json = self.form.fields, self.form.json
        return fields, json, self.replaced, self.issues, self.bar, self.below

    def run(self) -> None:
        """Send the call, or show what is wrong and go to the first issue."""
        if self.is_running or not self._available:
            return
        self._check_and_send(anyway=False)

    def send_anyway(self) -> None:
        """Send the call even if it does not fit; never what cannot be read."""
        if not self.is_running and self._available:
            self._check_and_send(anyway=True)

    def _check_and_send(self, *, anyway: bool) -> None:
        self._hide_problems()
        self._checked = None
        problems = _errors(self.form.reveal_issues())
        is_sendable = self._checked is not None and not self.form.is_unread
        if problems and not (anyway and is_sendable):
            self._show_problems(problems)
        elif self._checked is not None:
            self._send(self._checked, validate=not problems)

    def _send(self, checked: CheckedArguments, *, validate: bool) -> None:
        """Send what was judged just now: the very same object, so it is not validated again."""
        self._touched, self._sent = True, checked.arguments
        self.bar.start()
        words = self.tr("Run {tool}").format(tool=self.tool.key)
        call = ToolCall(self.tool.key, checked.arguments, validate=validate)
        self._run.start(call, self.bar.note_progress, words, checked)
        self._note_running()

    def cancel(self) -> None:
        self._run.cancel()

    def _show_problems(self, problems: Sequence[ValidationIssue]) -> None:
        self.tabs.show_form()
        self.splitter.edit()
        self._list_problems(problems)
        self.form.go_to(problems[0])

    def _list_problems(self, problems: Sequence[ValidationIssue]) -> None:
        count = len(problems)  # what is wrong is said once, at its field
        one = self.tr("Not sent. One thing to correct.")
        self.issues.say(
            counted(count, one, self.tr("Not sent. {count} things to correct.")),
            counted(count, self.tr("Show it"), self.tr("Show the first")),
        )
        if self.form.is_unread:
            self.bar.withdraw_anyway()
        else:
            self.bar.offer_anyway(problems[0])

    def _hide_problems(self) -> None:
        self.issues.hide()
        self.bar.withdraw_anyway()

    def _go_to_problem(self) -> None:
        if problems := _errors(self.form.reveal_issues()):
            self._show_problems(problems)

    def _follow_check(self, issues: list[ValidationIssue]) -> None:
        """While the notice lists issues, keep it up to date."""
        if self.issues.isHidden():
            return
        if problems := _errors(issues):
            self._list_problems(problems)
        else:
            self._hide_problems()

    def _show_result(self, result: ToolResult) -> None:
        self.answer = Answer(self._sent or {}, result)
        self.below.show_result(result, self.tool.name)
        if self._companion_of is not None:
            self.below.show_companion(self._companion_of(self.tool.key, *self.answer, self.below))
        if not self._is_as_sent:
            return  # else a field would fold away while it is typed in
        if result.success:
            self.splitter.read()
        else:
            self.splitter.correct()

    @property
    def _is_as_sent(self) -> bool:
        return not self.form.is_unread and self.form.value() == self._sent

    def _go_to_other(self) -> None:
        """From the result to the form where only one has room, and back; else to the form."""
        if self.splitter.is_tight and not self.splitter.is_folded:
            self.splitter.read()
        else:
            self.focus_form()

    def _show_arrangement(self) -> None:
        is_folded = self.splitter.is_folded
        had_focus = self.tabs.pages.isAncestorOf(self.focusWidget() or self)
        self.tabs.fold(is_folded=is_folded)
        self.bar.offer_other(is_tight=self.splitter.is_tight, is_folded=is_folded)
        if is_folded and had_focus:
            self.bar.other.setFocus(Qt.FocusReason.OtherFocusReason)

    def _end(self, how: str) -> None:
        words = {"cancelled": self.tr("Cancelled"), "broken": self.tr("Ended without a result")}
        self.bar.stop(words.get(how, ""))
        self.below.note_end(words.get(how, ""))
        self._note_running()

    def _note_running(self) -> None:
        self.below.set_running(self.is_running)
        self.splitter.divide()
        self.running_changed.emit()

    def _show_tool(self) -> None:
        self.header.show_tool(self.tool)
        self.tabs.show_tool(self.tool)

    def _make_form(self, schema: JsonObject) -> SchemaForm:
        form = SchemaForm(schema, self._theme, self.tabs.form_page, check=self._judge)
        form.changed.connect(self._touch)
        form.checked.connect(self._follow_check)
        form.run_requested.connect(self.run)
        form.resized.connect(self.splitter.divide_soon)
        form.paste_requested.connect(self.exchange.paste)
        for old in self.tabs.form_page.findChildren(SchemaForm):
            if old is not form:
                old.hide()
                old.setParent(None)
                old.deleteLater()
        if (column := self.tabs.form_page.layout()) is not None:
            column.addWidget(form)
        return form

    def _judge(self, arguments: JsonObject) -> list[ValidationIssue]:
        """The executor's issues; for a tool that is gone, those by its last schema."""
        if self._available:
            self._checked = self._runner.check(self.tool.key, arguments)
            return list(self._checked.issues)
        from desktop.tools.validation import validate  # jsonschema: not before the first paint

        return validate(self.tool.input_schema, arguments)

    def _touch(self) -> None:
        self._touched = True
        if self.splitter.is_folded and not self._is_as_sent:  # pasted
            self.splitter.edit()
        self.edited.emit()

    def _clear(self) -> None:
        self._hide_problems()
        self.exchange.clear()
        self.focus_form()

    def _save(self) -> None:
        if (arguments := self.exchange.arguments()) is not None:
            self.save_requested.emit(self.tool.key, arguments)

    def offer(self) -> None:
        """Offer what can be done with a call here, by menu and by key."""
        self.menu.offer(
            has_server=self.exchange.has_server,
            has_save=is_wanted(self, "save_requested"),
            has_history=is_wanted(self, "history_requested"),
        )

    def _lay_out(self) -> None:
        self.tabs.setCornerWidget(self.menu)
        in_column(
            self._upper,
            (self.tabs, 1000),
            self.replaced,
            self.issues,
            self.bar,
            STRETCH,  # a short form has Run right below it
            spacing=1,
        )
        in_column(self, self.header, self.gone, (self.splitter, 1), margins=(4, 3, 4, 2), spacing=1)

    def _form_height(self) -> FormHeight:
        """What everything from the tabs to the Run button takes."""
        is_form = self.tabs.currentWidget() is self.tabs.form_page
        bar = self.tabs.bar_height
        inside = bar + self.form.content_height() if is_form else NO_LIMIT
        tabs = min(self.tabs.sizeHint().height(), self.tabs.maximumHeight())
        around = self._upper.sizeHint().height() - tabs
        self.tabs.bound(inside)
        return FormHeight(around + inside, around + bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header.allow_description(self.height() >= _LOW)

    def _show_gone(self) -> None:
        words = self.tr(
            "This tool is currently unavailable: its server is off or no longer offers it. Your "
            "input is kept."
        )
        if not self.tool.input_schema:
            words = self.tr(
                "This tool is unavailable: its server is off or no longer offers it. The "
                "arguments are kept and can be copied."
            )
        self.gone.say("" if self._available else words)

    def _connect(self) -> None:
        self.bar.run_requested.connect(self.run)
        self.bar.anyway_requested.connect(self.send_anyway)
        self.bar.cancel_requested.connect(self.cancel)
        self.bar.clear_requested.connect(self._clear)
        self.bar.other_requested.connect(self._go_to_other)
        self.issues.action_requested.connect(self._go_to_problem)
        self.issues.dismissed.connect(self.bar.withdraw_anyway)
        self.tabs.currentChanged.connect(self.splitter.edit)
        self.tabs.tabBarClicked.connect(self.splitter.edit)
        self.splitter.arranged.connect(self._show_arrangement)
        bind(self, shortcuts.FORM_OR_RESULT, self._go_to_other)
        self._run.answered.connect(self._show_result)
        self._run.ended.connect(self._end)
        self.exchange.copied.connect(self.bar.say)
        self.menu.offer_requested.connect(self.offer)
        self.menu.copy_requested.connect(self.exchange.copy)
        self.menu.paste_requested.connect(self.exchange.paste)
        self.menu.save_requested.connect(self._save)
        self.below.resource_requested.connect(self.resource_requested)
        self.menu.history_requested.connect(lambda: self.history_requested.emit(self.tool.key))


def _errors(issues: list[ValidationIssue]) -> list[ValidationIssue]:
    return [issue for issue in issues if issue.severity == "error"]


class ExpandableText(QWidget):
    """A text on one line and, where there is more of it, a button for all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._more = False
        self._text = ""
        self.markdown: MarkdownView | None = None
        """What a text with marks unfolds to."""
        self.start = ElidedLabel()
        self.facts = selectable_label("", "muted", "small")
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._unfold)
        style(self.start, "muted")
        style(self.toggle, "link")
        first = InnerRow((self.start, 1), self.toggle, spacing=1)
        self._column = in_column(self, first, self.facts, spacing=0)

    @cached_property
    def whole(self) -> WrappedTextEditor:
        """All of a text without marks; made when it is first unfolded."""
        made = WrappedTextEditor(self)
        made.setReadOnly(True)
        made.setFixedHeight(space(_UNFOLDED_HEIGHT))
        made.setAccessibleName(self.tr("Description"))
        style(made, "well")
        self._column.insertWidget(1, made)
        restore_tab_order(self)
        return made

    def show_text(self, text: str, facts: str = "") -> None:
        """Show the text, and what else is known once it is unfolded."""
        is_long = "\n" in text[:_CHARACTERS] or len(text) > _CHARACTERS
        self._more = is_long or bool(facts)
        self.start.show_text(first_line(text, _CHARACTERS) + (" …" if is_long else ""))
        self._text = text[:_MAX_COLLAPSED]
        self.facts.setText(facts)
        self.setVisible(bool(text or facts))
        self._unfold(self.toggle.isChecked())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._offer()

    def _offer(self) -> None:
        room = self.width() - self.toggle.sizeHint().width()
        is_cut = self.start.sizeHint().width() > room
        self.toggle.setVisible(self._more or is_cut or self.toggle.isChecked())

    def _unfold(self, unfolds: bool) -> None:
        text = self._text if unfolds else ""
        is_marked = bool(_MARKS.search(text)) and self._show_markdown(text)
        if self.markdown is not None:
            self.markdown.setVisible(is_marked)
        is_plain = bool(text) and not is_marked
        if is_plain:
            self.whole.setPlainText(text)
        if "whole" in vars(self):
            self.whole.setVisible(is_plain)
        self.facts.setVisible(unfolds and bool(self.facts.text()))
        self.toggle.setText(self.tr("Show less") if unfolds else self.tr("Show more"))
        self._offer()

    def _show_markdown(self, text: str) -> bool:
        """Whether it can be shown so."""
        if self.markdown is None:
            from desktop.gui.results.markdown import MarkdownView  # when it is wanted

            self.markdown = MarkdownView(self)
            self.markdown.setFixedHeight(space(_UNFOLDED_HEIGHT))
            self._column.insertWidget(1, self.markdown)
        return self.markdown.show_text(text)


_MARKS = compile_later(r"^#{1,6} |\*\*\S|^ {0,3}(?:[-*]|\d+\.) |`[^`\n]", re.MULTILINE)
_MAX_LENGTH = 200
_FACE = 7  # grid steps


class ToolHeader(QWidget):
    """The definition in words; the hints are marked as the server's claims."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._full_key = ""
        self.face = QLabel(self)
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)  # names of one server begin alike
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        style(self.name, "title")
        self.key = ElidedLabel(Qt.TextElideMode.ElideMiddle)  # what is left of the line
        style(self.key, "mono", "muted")
        self.problems = selectable_label("", "warning", "small")
        self.description = ExpandableText(self)
        self._badges = QHBoxLayout()
        self._badges.setSpacing(space(1))
        self.copy_key = QToolButton(self)
        self.copy_key.clicked.connect(self._copy_key)
        style(self.copy_key, "flat")
        set_icon(theme, self.copy_key, "copy", "muted")
        self.star = QToolButton(self)
        self.star.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        style(self.star, "flat")
        self.show_favourite(False)
        self._lay_out()

    def show_tool(self, tool: ToolDefinition) -> None:
        self._full_key = tool.key
        ServerFaces.of(self._theme).learn_tool(tool.key, tool.icons)
        set_face(self._theme, self.face, tool.server, tool=tool.name, size=space(_FACE))
        self.copy_key.setToolTip(self.tr("Copy the key"))
        self.copy_key.setAccessibleName(self.tr("Copy the key"))
        self.name.show_text(mark_hidden(tool.label[:_MAX_LENGTH]))
        key = tool.server if tool.label == tool.name else tool.key  # which says no name twice
        self.key.show_text(mark_hidden(key[:_MAX_LENGTH]))
        self._show_badges(tool)
        self._show_problems(tool)
        text = mark_hidden_text(tool.description.strip())
        self.description.show_text(text, " · ".join(self._facts(tool)))

    def allow_description(self, is_allowed: bool) -> None:
        """Where a form and its result need the room, it is not shown."""
        self.description.setVisible(is_allowed and bool(self.description.start.accessibleName()))

    def show_favourite(self, is_favourite: bool) -> None:
        """Show whether the tool is one of the person's favourites."""
        name, color = ("star-filled", "accent") if is_favourite else ("star", "muted")
        set_icon(self._theme, self.star, name, color)
        words = self.tr("Remove from favourites") if is_favourite else self.tr("Add to favourites")
        self.star.setAccessibleName(words)
        self.star.setToolTip(named_keys(f"{words} (Ctrl+D)"))

    def _show_problems(self, tool: ToolDefinition) -> None:
        """Say what of the declaration breaks the protocol: those parts are missing here."""
        problems = "; ".join(map(spoken, tool.problems))[:_MAX_LENGTH]
        words = self.tr("Invalid declaration: {problems}")
        self.problems.setText(words.format(problems=problems))
        self.problems.setVisible(bool(problems))

    def _lay_out(self) -> None:
        top = InnerRow(
            self.face, self.name, self._badges, (self.key, 1), self.copy_key, self.star, spacing=2
        )
        in_column(self, top, self.problems, self.description, spacing=1)

    def _show_badges(self, tool: ToolDefinition) -> None:
        while (item := self._badges.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            if (widget := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison]
                widget.deleteLater()
        for hint in hints_of(tool.annotations):
            badge = QLabel(hint.words, self)
            badge.setToolTip(self.tr("Claimed by the server, not verified"))
            style(badge, "badge", *_tones(hint.tone))
            self._badges.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)

        if not tool.is_for_models:
            badge = QLabel(self.tr("For apps only"), self)
            badge.setToolTip(
                self.tr("Only MCP Apps of the same server can call it; no model is offered it")
            )
            style(badge, "badge", "accent")
            self._badges.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)

    def _facts(self, tool: ToolDefinition) -> list[str]:
        told = tool.metadata
        facts = [
            (self.tr("MCP App: {value}"), tool.app_uri),
            (self.tr("Category: {value}"), tool.category),
            (self.tr("Version: {value}"), told.version),
            (self.tr("Author: {value}"), told.author),
            (self.tr("Tags: {value}"), listed(told.tags[:20])),
        ]
        return [words.format(value=value[:_MAX_LENGTH]) for words, value in facts if value]

    def _copy_key(self) -> None:
        QGuiApplication.clipboard().setText(self._full_key)


def _tones(tone: Tone) -> tuple[Role, ...]:
    return (tone,) if tone else ()
