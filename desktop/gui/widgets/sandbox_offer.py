"""Whether new servers start in the sandbox that is proposed for them; said where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QCheckBox, QFrame

from desktop.base.visible_text import mark_hidden
from desktop.config.models import sandbox_words
from desktop.gui.layouts import in_column
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.models import SandboxProposal

_MOST: Final = 5


class SandboxOffer(QFrame):
    """A box that is ticked at first, and the reasons of those for which none is proposed.

    Hidden where nothing is proposed and nothing has to be said.
    """

    def __init__(self) -> None:
        super().__init__()
        self.box, self.note = QCheckBox(), plain_label("", "muted", "small")
        self.box.setChecked(True)
        self.box.setToolTip(
            self.tr("Otherwise it can touch all that you can. It can be changed in its form.")
        )
        in_column(self, self.box, self.note, spacing=1)
        self.hide()

    @property
    def is_wanted(self) -> bool:
        return self.box.isChecked()

    def show_proposals(self, proposals: Mapping[str, SandboxProposal]) -> None:
        """Show what is proposed for the servers that would be added; a tick stays as it is."""
        offered = [each.sandbox for each in proposals.values() if each.sandbox is not None]
        if offered:
            words = self.tr("Start in a sandbox. May touch: {places}")
            self.box.setText(words.format(places=spoken(sandbox_words(offered[0]))))
        reasons = dict.fromkeys(each.why for each in proposals.values() if each.why)
        lines = [self._without(why, proposals) for why in reasons]
        self.note.setText("\n".join(map(mark_hidden, lines)))
        self.box.setVisible(bool(offered))
        self.note.setVisible(bool(lines))
        self.setVisible(bool(offered or lines))

    def _without(self, why: str, proposals: Mapping[str, SandboxProposal]) -> str:
        """The servers for which there is none, for one reason."""
        names = listed((name for name, each in proposals.items() if each.why == why), most=_MOST)
        text = self.tr("Without a sandbox: {servers}. {reason}")
        return text.format(servers=names, reason=spoken(why))
