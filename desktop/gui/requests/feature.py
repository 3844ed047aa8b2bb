"""Connects the queue of what servers ask with the window: the panel, and the sign in the rail.

One for a window, for its whole run; the panel is made with the first request. The only module of
this folder that knows the core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from shiboken6 import isValid

from desktop.base.errors import UsageError
from desktop.gui import bridge, shortcuts
from desktop.gui.shortcuts import bind
from desktop.gui.translations import issue_line, spoken
from desktop.servers.requests import (
    Declined,
    ElicitationRequest,
    MisfitError,
    SamplingRequest,
    UrlElicitationRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.main_window import MainWindow
    from desktop.gui.requests.panel import RequestsPanel
    from desktop.gui.requests.request_view import RequestView
    from desktop.gui.theme import Theme
    from desktop.servers.requests import (
        Answer,
        End,
        PendingRequest,
        ServerRequests,
    )


class RequestsFeature(QObject):
    """Answers `requests` for as long as the window lives."""

    def __init__(self, window: MainWindow, requests: ServerRequests) -> None:
        super().__init__(window)
        self._window, self._requests = window, requests
        self.make_sampling_view: Callable[[Theme, SamplingRequest], RequestView] | None = None
        """Shows a request for the words of a model; None where no feature can ask one."""
        self.panel: RequestsPanel | None = None
        requests.answerer = self._answerer
        bridge.connect(self, requests.added, self._add)
        bridge.connect(self, requests.removed, self._remove)
        bridge.connect(self, requests.notice_posted, self._note)
        window.rail.requests_requested.connect(self.open)
        window.destroyed.connect(lambda: _let_go(requests))
        bind(window, shortcuts.REQUESTS, self.open, context=shortcuts.IN_WINDOW)

    def open(self) -> None:
        """Show what waits, with the focus in it."""
        if self.panel is not None:
            self.panel.bring()

    def _answerer(self, pending: PendingRequest) -> Answer | None:
        if not isValid(self):
            return Declined()
        if isinstance(pending.request, SamplingRequest) and self.make_sampling_view is None:
            return Declined("no model can be asked here")
        return None  # the panel shows it

    def _add(self, pending: PendingRequest) -> None:
        if self.panel is None:
            from desktop.gui.requests.panel import RequestsPanel

            window = self._window
            self.panel = RequestsPanel(window.theme, window.over_pages, self._make_view)
            self.panel.answered.connect(self._answer)
            self.panel.left.connect(self._give_focus_back)
        self.panel.add(pending)
        self._count()

    def _remove(self, pending: PendingRequest, end: End) -> None:
        if self.panel is not None:
            self.panel.remove(pending, end)
        self._count()

    def _answer(self, key: str, answer: Answer) -> None:
        try:
            self._requests.answer(key, answer)
        except MisfitError as error:
            self._say("\n".join(map(issue_line, error.issues[:5])))
        except UsageError as error:
            self._say(spoken(str(error)))

    def _say(self, words: str) -> None:
        if self.panel is not None and self.panel.view is not None:
            self.panel.view.show_problem(words)

    def _note(self, server: str, sentence: str) -> None:
        self._window.show_banner(f"request of {server}", "warning", spoken(sentence))

    def _count(self) -> None:
        self._window.rail.show_requests(len(self._requests.pending))

    def _give_focus_back(self) -> None:
        page = self._window.page(self._window.current_page)
        if page is not None:
            page.setFocus()

    def _make_view(self, pending: PendingRequest) -> RequestView:
        theme, request = self._window.theme, pending.request
        if isinstance(request, ElicitationRequest):
            from desktop.gui.requests.form_view import FormView

            return FormView(theme, request, lambda answer: self._requests.misfits(request, answer))
        if isinstance(request, UrlElicitationRequest):
            from desktop.gui.requests.url_view import UrlView

            return UrlView(theme, request)
        if self.make_sampling_view is None:
            raise RuntimeError("a request for the words of a model was not declined")
        return self.make_sampling_view(theme, request)


def _let_go(requests: ServerRequests) -> None:
    requests.answerer = None  # nobody is there to answer any more
