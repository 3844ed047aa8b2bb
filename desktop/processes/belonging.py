"""Which of all processes belong to which server, and which to the app itself.

In this order: by descent, by session or group, by the keeper above the server, by the marker it
inherited; what the app started and no server owns is the app's own. Pure: asks no system.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from desktop.processes.table import Entry


def assign(
    entries: Mapping[int, Entry],
    roots: Mapping[int, str],
    app: int | None,
    marker_of: Callable[[Entry], str],
) -> dict[int, list[int]]:
    """The PIDs that belong to each of `roots` and to `app`, each after its parent.

    Args:
        entries: all processes.
        roots: the PIDs of the servers, with the marker of each.
        app: the PID of the app, if it still runs.
        marker_of: asked only about what nothing else tells of.
    """
    families = _Families(entries, roots)
    for root in roots:
        families.claim(root, root)
    for entry in entries.values():  # what lost its parent
        families.claim(entry.session if entry.session in roots else entry.group, entry.pid)
    for keeper, root in _keepers(entries, roots, app).items():
        for pid in families.children.get(keeper, ()):
            families.claim(root, pid)
    if app is not None and app in entries:
        families.claim_rest(app, {marker: pid for pid, marker in roots.items()}, marker_of)
    return families.members


def _keepers(
    entries: Mapping[int, Entry], roots: Mapping[int, str], app: int | None
) -> dict[int, int]:
    """Parents of one server alone, below the app: what comes to them, that server has lost."""
    parents = Counter(entries[root].parent for root in roots)
    found = {entries[root].parent: root for root in roots}
    return {
        parent: root
        for parent, root in found.items()
        if parents[parent] == 1 and parent != app and _is_below(parent, app, entries)
    }


def _is_below(pid: int, above: int | None, entries: Mapping[int, Entry]) -> bool:
    seen: set[int] = set()  # a table that was read while PIDs were reused may go in circles
    while pid in entries and pid not in seen:
        if pid == above:
            return True
        seen.add(pid)
        pid = entries[pid].parent
    return False


class _Families:
    """Who belongs to whom so far; nobody twice."""

    def __init__(self, entries: Mapping[int, Entry], roots: Mapping[int, str]) -> None:
        self._entries, self._roots = entries, roots
        self._taken: set[int] = set()
        self.members: dict[int, list[int]] = {root: [] for root in roots}
        self.children: dict[int, list[int]] = {}
        for entry in entries.values():
            self.children.setdefault(entry.parent, []).append(entry.pid)

    def claim(self, root: int, pid: int) -> None:
        """Give `pid` and all below it to `root`, but for what belongs to somebody."""
        if root not in self._roots or pid in self._taken or (pid in self._roots and pid != root):
            return
        for one in (pid, *self._below(pid, stop=self._roots)):
            self._take(root, one)

    def claim_rest(
        self, app: int, by_marker: Mapping[str, int], marker_of: Callable[[Entry], str]
    ) -> None:
        """Give all below the app that nobody has to the server of its marker, or to the app."""
        self.members[app] = []
        self._take(app, app)
        for pid in self._below(app):
            if pid not in self._taken:
                root = by_marker.get(marker_of(self._entries[pid]))
                if root is not None:
                    self.claim(root, pid)
                self._take(app, pid)

    def _take(self, root: int, pid: int) -> None:
        if pid not in self._taken:
            self._taken.add(pid)
            self.members[root].append(pid)

    def _below(self, pid: int, stop: Mapping[int, str] | None = None) -> Iterator[int]:
        """Each after its parent; not those in `stop` and what is below them."""
        seen = {pid}
        waiting = list(reversed(self.children.get(pid, ())))
        while waiting:
            one = waiting.pop()
            if one not in seen and (stop is None or one not in stop):
                seen.add(one)
                yield one
                waiting += reversed(self.children.get(one, ()))
