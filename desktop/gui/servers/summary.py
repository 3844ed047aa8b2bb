"""The line beside the title of the Servers page: servers connected, and what their tools cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.theme import style
from desktop.gui.translations import counted
from desktop.gui.widgets.labels import FactsLabel
from desktop.gui.widgets.token_words import percent_label, tokens_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.gui.servers.token_counts import TokenCounts
    from desktop.servers.service import McpService


class ServersSummary(FactsLabel):
    """Shows what service and counts have when it is refreshed."""

    def __init__(self, service: McpService, tokens: TokenCounts) -> None:
        super().__init__()
        self._service, self._tokens = service, tokens
        style(self, "muted")

    def refresh(self) -> None:
        """Show what there is now."""
        stats = self._service.get_stats()
        if not stats.enabled:
            self.show_facts([self.tr("None switched on")])
            return
        connected = self.tr("{connected} of {enabled} connected")
        words = connected.format(connected=stats.connected, enabled=stats.enabled)
        tools = counted(stats.tools, self.tr("1 tool"), self.tr("{count} tools"))
        # The number of tools stands at the bottom of the window, too: here it gives way first.
        self.show_facts([words, *self._costs(), tools])

    def _costs(self) -> Iterator[str]:
        """What all tools cost in a request, and of which window, as far as that is known."""
        budget = self._tokens.offered
        if budget is None or not budget.tokens:
            return
        yield tokens_label(budget.tokens)
        if budget.percent is not None:
            words = self.tr("{percent} of {model}")
            yield words.format(percent=percent_label(budget.percent), model=budget.model)
