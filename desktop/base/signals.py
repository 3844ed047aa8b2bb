"""A typed signal without Qt: the core announces what happened, receivers connect to it.

Receivers run at once, in the order in which they connected. Widgets never connect by themselves:
`desktop.gui.bridge` does it for them and disconnects with the widget. Must not import anything of
the project.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Generic, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
logger = logging.getLogger(__name__)


class Signal(Generic[P]):
    """Announces something that happened; the name of an instance is in the past tense."""

    __slots__ = ("_receivers",)

    def __init__(self) -> None:
        self._receivers: dict[object, Callable[P, object]] = {}

    @property
    def is_heard(self) -> bool:
        """Whether anyone is connected, so that costly arguments need not be made for nobody."""
        return bool(self._receivers)

    def connect(self, receiver: Callable[P, object]) -> Callable[[], None]:
        """Call `receiver` at each send; returns what disconnects it, safe to call twice."""
        connection = object()  # not the receiver: the same one may be connected twice
        self._receivers[connection] = receiver
        return lambda: self._disconnect(connection)

    def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every receiver; one that fails is logged and does not stop the others.

        A receiver that an earlier one disconnected is not called any more: it may be gone.
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
