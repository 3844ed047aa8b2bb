"""A typed signal without Qt: the core announces, whoever wants to know connects.

Widgets never connect here themselves: `desktop.gui.bridge` does it and ends with the widget.
Must not import anything of the project. Receivers run at once, in the order they connected.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Generic, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
logger = logging.getLogger(__name__)


class Signal(Generic[P]):
    """Announces something that happened; its name is in the past tense."""

    __slots__ = ("_receivers",)

    def __init__(self) -> None:
        self._receivers: dict[object, Callable[P, object]] = {}

    @property
    def is_heard(self) -> bool:
        """Whether anyone listens: who sends often need not make what nobody takes."""
        return bool(self._receivers)

    def connect(self, receiver: Callable[P, object]) -> Callable[[], None]:
        """Call `receiver` at each send; returns what ends this, safe to call twice."""
        connection = object()  # not the receiver: the same one may be connected twice
        self._receivers[connection] = receiver
        return lambda: self._disconnect(connection)

    def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every receiver; one that fails is logged and does not stop the others.

        Who is disconnected by an earlier receiver is not called any more: it may be gone.
        """
        for connection in tuple(self._receivers):
            receiver = self._receivers.get(connection)
            if receiver is None:
                continue
            try:
                receiver(*args, **kwargs)
            except Exception:
                logger.exception("receiver %r failed", receiver)

    def _disconnect(self, connection: object) -> None:
        self._receivers.pop(connection, None)
