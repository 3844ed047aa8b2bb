"""The rules that a person wrote into the config (`toolRules`), in the book as long as they stand.

A text that is no rule is a warning at each call of its tool. Must not change the config.
"""

from __future__ import annotations

from glob import escape
from typing import TYPE_CHECKING

from desktop.tools.comparison import Comparison, RuleTextError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.store import ConfigStore
    from desktop.tool_types import JsonObject
    from desktop.tools.rules import Rule, RuleBook


class WrittenRules:
    """Follows the store: after each change the book has its rules and no older ones."""

    def __init__(self, book: RuleBook, store: ConfigStore) -> None:
        self._book = book
        self._store = store
        self._remove: list[Callable[[], None]] = []
        store.changed.connect(self._read)
        self._read()

    def _read(self) -> None:
        for remove in self._remove:
            remove()
        self._remove = [
            self._book.add(f"{escape(name)}:{tool}", rule_of(text), text)
            for name, config in self._store.servers.items()
            for tool, texts in config.tool_rules.items()
            for text in texts
        ]


def rule_of(text: str) -> Rule:
    """The rule that a text is; for one that is none, a rule that always fails and says why."""
    try:
        return Comparison.parse(text)
    except RuleTextError as error:
        reason = error

        def fail(_: JsonObject, /) -> None:
            raise reason

        return fail
