from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from desktop.gui.theme.tokens import ROLES
from desktop.gui.widgets.styled_text import StyledText, Tone

if TYPE_CHECKING:
    from desktop.gui.theme import Theme


@pytest.mark.parametrize("tone", get_args(Tone))
def test_every_tone_has_a_colour_and_a_role_or_needs_none(theme: Theme, tone: Tone) -> None:
    assert theme.color(tone).isValid()
    roles = StyledText("words", tone).roles
    assert roles == (() if tone == "text" else (tone,))
    assert ROLES.issuperset(roles)
