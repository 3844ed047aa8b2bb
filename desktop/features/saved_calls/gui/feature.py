"""Joins the window: a tab of the page Activity, *Save call* at forms and records, the palette.

Imports the rest of the feature when a person comes near it. Must not delay a page: the tab is added
in a turn of its own.
"""

from __future__ import annotations

from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.features.saved_calls.gui.saved_calls_view import SavedCallsView
    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.saved_calls import SavedCalls
    from desktop.gui.activity.page import ActivityPage
    from desktop.gui.navigation import Stored
    from desktop.gui.page_factory import Pages
    from desktop.history.records import Record
    from desktop.values.tool_types import JsonObject

_LATER_MS: Final = 50
"""Milliseconds after which a tab that nobody waits for is added to a page that was just opened."""


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    feature = SavedCallsFeature(pages, core)
    pages.tools_made.append(lambda page: page.save_requested.connect(feature.ask_for_name))
    pages.activity_made.append(feature.join_activity)
    pages.navigation.stored.append(feature.stored_calls)


class SavedCallsFeature:
    """One for a window: what it shows of saved calls is of one `SavedCalls`."""

    def __init__(self, pages: Pages, core: Core) -> None:
        self._window, self._core, self._pages = pages.window, core, pages

    @cached_property
    def calls(self) -> SavedCalls:
        """Those of the folder that was chosen in an earlier run, if any; not read yet."""
        from desktop.features.saved_calls.gui.save_dialog import chosen_calls

        return chosen_calls(self._core, self._window.state.settings)

    def ask_for_name(self, key: str, arguments: JsonObject) -> None:
        """Ask for a name for what stands in a form; its secrets are left out."""
        from desktop.features.saved_calls.gui.save_dialog import ask_for_name
        from desktop.redaction.arguments import redact_arguments
        from desktop.values.tool_types import EMPTY

        tool = self._core.registry.get(key)
        schema = tool.definition.input_schema if tool is not None else EMPTY
        hidden = redact_arguments(arguments, schema).places
        call = {"tool": key, "arguments": dict(arguments)}
        window = self._window
        settings = window.state.settings
        ask_for_name(window, window.theme, self.calls, settings, call, hidden=hidden)

    def join_activity(self, page: ActivityPage) -> None:
        """Add the tab a little later: at once only where it is the tab to be shown."""
        from PySide6.QtCore import QTimer

        tab = _Tab(page, self)
        page.calls.offer_saving(tab.save)
        QTimer.singleShot(0 if page.awaits_tab else _LATER_MS, page, lambda: tab.view)

    def make_view(self) -> SavedCallsView:
        """A view of the calls, new."""
        from desktop.features.saved_calls.gui.saved_calls_view import SavedCallsView
        from desktop.features.saved_calls.saved_call_runner import SavedCallRunner

        core, window = self._core, self._window
        runner = SavedCallRunner(core.service, core.executor)
        return SavedCallsView(window.theme, self.calls, runner, window.state.settings)

    async def stored_calls(self) -> list[Stored]:
        """What the folder holds now."""
        import asyncio

        module = "desktop.features.saved_calls.gui.save_dialog"
        await asyncio.to_thread(import_module, module)  # some 30 ms
        await self.calls.load()
        return [self._stored(entry) for entry in self.calls.entries]

    def _stored(self, entry: SavedEntry) -> Stored:
        from desktop.gui.navigation import Stored

        call, open_call = entry.call, self._pages.navigation.open_call
        return Stored(
            "call",
            "#".join(map(str, entry.place)),
            call.name,
            call.tool,
            partial(open_call, call.tool, dict(call.arguments)),
            call.tool.partition(":")[0],
        )


class _Tab(QObject):
    """The tab of one page; it is there from the first time that it is asked for."""

    def __init__(self, page: ActivityPage, feature: SavedCallsFeature) -> None:
        super().__init__(page)
        self._page, self._feature = page, feature

    @cached_property
    def view(self) -> SavedCallsView:
        from desktop.gui.theme import space

        page, view = self._page, self._feature.make_view()
        view.setContentsMargins(0, space(3), 0, 0)
        page.add_tab(QCoreApplication.translate("SavedCallsFeature", "Saved calls"), view)
        view.open_call_requested.connect(page.open_call_requested)
        view.tools_requested.connect(page.tools_requested)
        return view

    def save(self, record: Record) -> None:
        """Ask for a name for a recorded call."""
        self.view.save_record(record)
