"""The look of the window: named tokens, one style sheet built from them, one `Theme` applying both.

For whoever writes a widget:

    from desktop.gui.theme import Theme, space, style

    style(frame, "card")                   # roles: words, as many as needed; call again to change
    style(label, "muted", "mono")
    style(badge, "badge", "success")
    in_row(frame, label, badge, spacing=2)  # `gui.layouts`; 4-point grid: 1 = 4 px, 2 = 8 px
    painter.setPen(theme.color("accent"))  # only when painting; `theme.changed`: paint again
    inset(spin_box)                        # numbers begin where the text of other fields does
    editor.setFont(theme.mono_font())      # documents; labels and fields take style(w, "mono")

`Theme` comes by constructor, to those widgets only that paint or show icons.

Containers (QFrame): `page` (behind cards), `card` (a thing a person handles), `well` (sunken: code,
output), `rail`, `strip`, `banner` (with a tone), `divider` (a line of 1 px),
`nested` (a line at the left of what belongs to the words above it).
Documents (QTextEdit): `prose` (text that stands on whatever is behind it), `well`.
Text (QLabel): `title` (largest, once a page), `heading` (a card's name), `muted` (secondary),
`small`, `mono` (whatever comes from a server), `badge` (pill; with a tone or alone).
Buttons: without a role it is the secondary one; `primary` (one a view), `danger` (destroys), `flat`
(toolbar, icon only), `link` (looks like text), `chip` (small, checkable; with `choice`: a value of
a form, filled when chosen), `segment` (one view of a few, in a frame `segments`); QCheckBox as
`switch`.
Tones, alone on text or beside `badge`, `banner`, `card`: `accent`, `success`, `warning`, `danger`.
States: `invalid` (field), `selected` (card). Hover, focus, disabled, checked come by themselves.
"""

from desktop.gui.theme.theme import CLEAR, Scheme, Theme
from desktop.gui.theme.tokens import COLUMN_WIDTH, ColorName, Role, inset, space, style

__all__ = [
    "CLEAR",
    "COLUMN_WIDTH",
    "ColorName",
    "Role",
    "Scheme",
    "Theme",
    "inset",
    "space",
    "style",
]
