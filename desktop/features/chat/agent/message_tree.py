"""The messages of a conversation as a tree: what a person edits or tries again begins a branch.

One branch is gone on with; the others stay as they were, and can be gone back to. Values alone:
must not know a file, a session or a window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from desktop.features.models.messages import AssistantMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.features.models.messages import Message

ROOT: Final = -1
"""Stands where a conversation is empty: the parent of what was said first."""


class MessageNode(Struct, frozen=True, eq=False):
    """A message and what it followed; numbers count from 0 in the order they were written."""

    number: int
    parent: int
    message: Message


class Versions(Struct, frozen=True):
    """The branches at one question: the node each of them begins with, and which one is shown.

    A question that was edited counts as another one of the same place, an answer that was tried
    again as another one of the same question.
    """

    starts: tuple[int, ...]
    current: int


class MessageTree:
    """`head` is the last message of the branch that is gone on with."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self.head = ROOT
        self.never_sent: frozenset[str] = frozenset()
        """Ids of the calls without an answer that are known not to have reached their server."""
        self._next = 0
        self._nodes: dict[int, MessageNode] = {}
        self._children: dict[int, list[int]] = {ROOT: []}
        for message in messages:
            self.add(message)

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def following(self) -> int:
        """The number of the message that is said next."""
        return self._next

    def __iter__(self) -> Iterator[MessageNode]:
        """All messages of all branches, by number."""
        return (self._nodes[number] for number in sorted(self._nodes))

    def add(self, message: Message) -> MessageNode:
        """Say it next."""
        return self.put(self._next, self.head, message)

    def put(self, number: int, parent: int, message: Message) -> MessageNode:
        """Read a stored message; one whose place is taken or missing is what was said next."""
        if number in self._nodes or number < 0:
            number = self._next
        if parent not in self._children:
            parent = self.head
        node = self._nodes[number] = MessageNode(number, parent, message)
        self._children[number] = []
        self._children[parent].append(number)
        self._next = max(self._next, number + 1)
        self.head = number
        return node

    def go_to(self, number: int) -> None:
        """Go on after this node, or from the start with `ROOT`. Raises `LookupError`."""
        if number not in self._children:
            raise LookupError(f"there is no message {number}")
        self.head = number

    def path(self) -> list[MessageNode]:
        """The branch that is gone on with, from its first message on."""
        found: list[MessageNode] = []
        at = self.head
        while at != ROOT:
            node = self._nodes[at]
            found.append(node)
            at = node.parent
        return found[::-1]

    def parent(self, number: int) -> int:
        """What a message followed. Raises `LookupError`."""
        return self._nodes[number].parent

    def end(self, number: int) -> int:
        """The end of the branch that goes through a node, the newest where it parts."""
        while self._children[number]:
            number = self._children[number][-1]
        return number

    def resume_point(self) -> int:
        """Where an answer that was broken off is begun anew: without its own last words."""
        at = self.head
        while at != ROOT and _is_answer(self._nodes[at].message):
            at = self._nodes[at].parent
        return at

    def versions(self, number: int) -> Versions:
        """The branches at a question. Raises `LookupError`."""
        shown = {node.number for node in self.path()}
        starts: list[int] = []
        for question in self._children[self._nodes[number].parent]:
            if not isinstance(self._nodes[question].message, UserMessage):
                continue
            starts += self._children[question]
            if not self._children[question] or self.head == question:
                starts.append(question)
        current = next((at for at, start in enumerate(starts) if start in shown), 0)
        return Versions(tuple(starts), current)


def _is_answer(message: Message) -> bool:
    return isinstance(message, AssistantMessage) and not message.requests
