"""Builds the one style sheet of the window from the tokens: text in, text out, no Qt.

Shapes and tones are set here, plain colours in the palette.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from desktop.gui.theme.tokens import RADIUS, RADIUS_SMALL, space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.gui.theme.tokens import TextSizes, Tokens

_CONTAINERS = """
QToolTip { background: $card; color: $text; border: 1px solid $border; padding: ${s1}px ${s2}px; }
*[role~="page"] { background: $surface; }
*[role~="rail"] { background: $rail; }
*[role~="strip"] { background: $rail; border: none; border-top: 1px solid $border; }
*[role~="card"] { background: $card; border: 1px solid $border; border-radius: ${radius}px; }
*[role~="card"][role~="selected"] { border: 1px solid $accent; }
*[role~="card"][role~="danger"] { border: 1px solid $danger; }
*[role~="card"][role~="warning"] { border: 1px solid $warning; }
*[role~="card"][role~="warning"][ring="true"]:focus { border: 2px solid $focus; }
*[role~="well"] { background: $code; border: 1px solid $border; border-radius: ${radius_small}px; }
*[role~="row"] { border: 2px solid transparent; border-radius: ${radius_small}px; }
*[role~="row"][ring="true"]:focus { border-color: $focus; }
*[role~="divider"] { background: $border; border: none; min-height: 1px; max-height: 1px; }
*[role~="nested"] { background: transparent; border: none; border-left: 2px solid $border; }
QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget[role=""] { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: $border; }
QSplitter::handle:hover, QSplitter::handle:pressed { background: $accent; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
"""

_TEXT = """
QLabel { background: transparent; border: none; }
*[role~="title"] { font-size: ${title}pt; font-weight: 600; }
*[role~="heading"] { font-weight: 600; }
*[role~="small"] { font-size: ${small}pt; }
*[role~="mono"] { font-family: $mono; }
QLabel[role~="muted"] { color: $muted; }
QLabel[role~="accent"] { color: $accent; }
QLabel[role~="success"] { color: $success; }
QLabel[role~="warning"] { color: $warning; }
QLabel[role~="danger"] { color: $danger; }
QLabel[role~="badge"] {
  background: $hover; color: $muted; font-size: ${small}pt; font-weight: 500;
  border-radius: ${radius_small}px; padding: 2px ${s2}px;
}
"""

_TONE = """
QLabel[role~="badge"][role~="$tone"] { background: $soft; color: $color; }
QFrame[role~="banner"][role~="$tone"] {
  background: $soft; border: 1px solid $soft; border-radius: ${radius}px;
}
"""

_BUTTONS = """
QPushButton, QToolButton {
  background: $card; color: $text; border: 1px solid $control_border;
  border-radius: ${radius_small}px; padding: 5px ${s3}px;
}
QToolButton { padding: 5px; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $pressed; }
QPushButton:checked, QToolButton:checked { background: $accent_soft; }
QPushButton:checked:hover, QToolButton:checked:hover { border-color: $text; }
QPushButton[ring="true"]:focus, QToolButton[ring="true"]:focus {
  border: 2px solid $focus; padding: 4px ${s3_focus}px;
}
QToolButton[ring="true"]:focus { padding: 4px; }
QPushButton:disabled, QToolButton:disabled { color: $disabled; border-color: $border; }
QPushButton::menu-indicator, QToolButton::menu-indicator { width: 0; height: 0; }
*[role~="primary"] {
  background: $accent; color: $accent_text; border: 1px solid $accent; font-weight: 600;
}
*[role~="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
*[role~="primary"]:pressed { background: $accent_pressed; border-color: $accent_pressed; }
*[role~="primary"][ring="true"]:focus { border: 2px solid $focus; }
*[role~="primary"]:disabled { background: $pressed; color: $disabled; border-color: $pressed; }
QAbstractButton[role~="danger"] { color: $danger; border-color: $danger; }
QAbstractButton[role~="danger"]:hover { background: $danger_soft; }
QAbstractButton[role~="danger"]:pressed { background: $pressed; }
QAbstractButton[role~="danger"]:disabled { color: $disabled; border-color: $border; }
QAbstractButton[role~="warning"] { color: $warning; }
QAbstractButton[role~="flat"] { background: transparent; border: 1px solid transparent; }
QPushButton[role~="section"] { text-align: left; }
QAbstractButton[role~="flat"]:hover { background: $hover; }
QAbstractButton[role~="flat"]:pressed { background: $pressed; }
QAbstractButton[role~="flat"]:checked { background: $accent_soft; }
QAbstractButton[role~="flat"][ring="true"]:focus { border: 2px solid $focus; }
*[role~="rail"] QToolButton { color: $muted; padding: ${s1}px 2px; border-radius: ${radius}px; }
*[role~="rail"] QToolButton:hover { background: $pressed; color: $text; }
*[role~="rail"] QToolButton:pressed { background: $border; }
*[role~="rail"] QToolButton:checked { background: $accent_soft; color: $text; }
*[role~="rail"] QToolButton[ring="true"]:focus { border: 2px solid $focus; padding: 3px 1px; }
QAbstractButton[role~="link"] {
  background: transparent; border: 1px solid transparent; padding: 3px 2px;
  text-decoration: underline;
}
QAbstractButton[role~="link"]:hover { background: $hover; }
QAbstractButton[role~="link"]:pressed { background: $pressed; }
QAbstractButton[role~="link"]:disabled { color: $disabled; }
QAbstractButton[role~="link"][ring="true"]:focus { border: 2px solid $focus; padding: 2px 1px; }
QAbstractButton[role~="chip"] {
  font-size: ${small}pt; padding: 2px ${s2}px; border-radius: 9px; border-color: $border;
}
QAbstractButton[role~="chip"]:checked { border-color: $accent_soft; }
QAbstractButton[role~="chip"][ring="true"]:focus { border: 2px solid $focus; padding: 1px 7px; }
QAbstractButton[role~="choice"] { border-color: $control_border; }
QAbstractButton[role~="choice"]:checked { border-color: $control_border; font-weight: 600; }
QAbstractButton[role~="choice"][ring="true"]:focus { border: 2px solid $focus; }
*[role~="segments"] {
  background: $code; border: 1px solid $border; border-radius: ${radius_small}px;
}
QAbstractButton[role~="segment"] {
  background: transparent; color: $muted; border: 1px solid transparent; padding: 2px ${s3}px;
  border-radius: 5px;
}
QAbstractButton[role~="segment"]:hover { color: $text; background: $hover; }
QAbstractButton[role~="segment"]:pressed { background: $pressed; }
QAbstractButton[role~="segment"]:checked {
  background: $card; color: $text; border-color: $border; font-weight: 600;
}
QAbstractButton[role~="segment"][ring="true"]:focus {
  border: 2px solid $focus; padding: 1px ${s3_focus}px;
}
"""

_FIELDS = """
QLineEdit, QAbstractSpinBox, QComboBox {
  background: $card; color: $text; border: 1px solid $control_border;
  border-radius: ${radius_small}px; padding: 5px ${s2}px;
  selection-background-color: $accent; selection-color: $accent_text;
}
QPlainTextEdit, QTextEdit {
  background: $card; color: $text; border: 1px solid $control_border;
  border-radius: ${radius_small}px; padding: ${s1}px;
  selection-background-color: $accent; selection-color: $accent_text;
}
QTextBrowser { border: 1px solid $border; }
QPlainTextEdit[role~="well"], QTextEdit[role~="well"], QLineEdit[role~="well"] {
  background: $code; border-color: $border;
}
QTextEdit[role~="prose"], QPlainTextEdit[role~="prose"] {
  background: transparent; border: 1px solid transparent; padding: 0;
}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {
  border: 2px solid $focus; padding: 4px 7px;
}
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $focus; padding: 3px; }
QPlainTextEdit[readOnly="true"]:focus, QTextEdit[readOnly="true"]:focus {
  border: 1px solid $border; padding: ${s1}px;
}
QPlainTextEdit[readOnly="true"][ring="true"]:focus, QTextEdit[readOnly="true"][ring="true"]:focus {
  border: 2px solid $focus; padding: 3px;
}
QTextEdit[role~="prose"]:focus, QPlainTextEdit[role~="prose"]:focus {
  border: 1px solid transparent; padding: 0;
}
QTextEdit[role~="prose"][ring="true"]:focus, QPlainTextEdit[role~="prose"][ring="true"]:focus {
  border: 1px solid $focus; padding: 0;
}
*[role~="card"][role~="selected"] > QPlainTextEdit[role~="prose"][ring="true"]:focus {
  border: 1px solid transparent;  /* the card shows it */
}
QComboBox:hover { background: $hover; }
QComboBox:on { background: $pressed; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled, QPlainTextEdit:disabled {
  background: $surface; color: $disabled; border-color: $border;
}
QLineEdit[role~="invalid"], QAbstractSpinBox[role~="invalid"], QComboBox[role~="invalid"],
QPlainTextEdit[role~="invalid"] { border-color: $danger; }
QComboBox QAbstractItemView {
  background: $card; color: $text; border: 1px solid $control_border; padding: ${s1}px;
  border-radius: 0; outline: none;
  selection-background-color: $accent_soft; selection-color: $text;
}
/* A list below the box: as a menu over it, Fusion cuts the last row off and adds arrows. */
QComboBox { combobox-popup: 0; }
QComboBox { padding-right: 1px; }
QComboBox:focus { padding-right: 0; }  /* what the thicker border takes, or the text is cut */
QAbstractSpinBox { padding: ${s1}px ${s6}px ${s1}px ${s2}px; }
QAbstractSpinBox:focus { padding: 3px ${s6}px 3px 7px; }
QComboBox::drop-down { border: none; width: 26px; }
QComboBox::down-arrow { image: url("$marks/arrow-down.svg"); width: 14px; height: 14px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  background: transparent; border: none; width: 22px; subcontrol-origin: border;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 2px 2px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 2px 2px 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-button:pressed, QAbstractSpinBox::down-button:pressed { background: $pressed; }
QAbstractSpinBox::up-arrow { image: url("$marks/arrow-up.svg"); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url("$marks/arrow-down.svg"); width: 10px; height: 10px; }
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator, QMenu::indicator {
  width: 14px; height: 14px; background: $card; border: 1px solid $control_border;
}
QCheckBox::indicator, QAbstractItemView::indicator, QMenu::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:pressed, QRadioButton::indicator:pressed { background: $pressed; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked, QMenu::indicator:checked {
  background: $accent; border-color: $accent; image: url("$marks/tick.svg");
}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
  background: $accent; border-color: $accent; image: url("$marks/dash.svg");
}
QRadioButton::indicator:checked {
  background: $accent; border-color: $accent; image: url("$marks/dot.svg");
}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $border; }
QCheckBox::indicator:checked:disabled, QRadioButton::indicator:checked:disabled {
  background: $disabled; border-color: $disabled;
}
QCheckBox[role~="switch"]::indicator {
  width: 34px; height: 20px; background: transparent; border: none; border-radius: 10px;
  image: url("$marks/switch-off.svg");
}
QCheckBox[role~="switch"]:hover { background: $hover; }
QCheckBox[role~="switch"]:pressed { background: $pressed; }
QCheckBox[role~="switch"]::indicator:checked { image: url("$marks/switch-on.svg"); }
QCheckBox[role~="switch"]::indicator:disabled { image: url("$marks/switch-disabled.svg"); }
QCheckBox, QRadioButton { spacing: ${s2}px; padding: 2px; border: 2px solid transparent;
  border-radius: ${radius_small}px; }
QCheckBox[ring="true"]:focus, QRadioButton[ring="true"]:focus {
  border: 2px solid $focus; outline: none;
}
QPushButton, QToolButton, QCheckBox, QRadioButton, QTabBar, QSlider { outline: none; }
"""

_VIEWS = """
QAbstractItemView {
  background: $card; color: $text; border: 1px solid $border; border-radius: ${radius_small}px;
  selection-background-color: $accent_soft; selection-color: $text; outline: none;
}
QAbstractItemView[ring="true"]:focus { border: 1px solid $focus; }
QAbstractItemView[role~="page"], QAbstractItemView[role~="page"]:focus {
  background: $surface; border: none;
}
QAbstractItemView::item { padding: ${s1}px ${s2}px; border: 1px solid transparent; }
QAbstractItemView::item:hover { background: $hover; }
QAbstractItemView::item:selected { background: $accent_soft; color: $text; }
QAbstractItemView[ring="true"]::item:focus { border: 1px solid $focus; }
QTableView[selectionBehavior="SelectRows"]::item:focus { border: 1px solid transparent; }
QTreeView::branch:hover { background: $hover; }
QTreeView::branch:selected { background: $accent_soft; }
QTreeView::branch:has-children:closed { image: url("$marks/arrow-right.svg"); padding: 1px; }
QTreeView::branch:has-children:open { image: url("$marks/arrow-down.svg"); padding: 1px; }
QTableCornerButton::section { background: $surface; border: none; }
QCalendarWidget QAbstractItemView { border: none; }
QCalendarWidget QAbstractItemView[ring="true"]:focus { border: none; }
QCalendarWidget QAbstractItemView::item { padding: 0; }
QCalendarWidget QWidget#qt_calendar_navigationbar { background: $card; }
QCalendarWidget QMenu { padding: 0; }
QHeaderView { border: none; background: $surface; }
QHeaderView::section {
  background: $surface; color: $muted; border: none; border-bottom: 1px solid $border;
  padding: ${s1}px ${s2}px; font-weight: 600;
}
QHeaderView::section:hover { color: $text; }
QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::scroller { width: 48px; }
QTabBar QToolButton {
  background: $surface; border: none; border-left: 1px solid $border; border-radius: 0; padding: 0;
}
QTabBar QToolButton:hover { background: $hover; }
QTabBar QToolButton::left-arrow { image: url("$marks/arrow-left.svg"); }
QTabBar QToolButton::right-arrow { image: url("$marks/arrow-right.svg"); }
QTabBar QToolButton::left-arrow, QTabBar QToolButton::right-arrow { width: 14px; height: 14px; }
QTabBar::tab {
  background: transparent; color: $muted; padding: 6px ${s2}px; border: 1px solid transparent;
  border-bottom: 2px solid transparent; margin-right: ${s1}px;
}
QTabBar::tab:hover { color: $text; border-bottom: 2px solid $border; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $text; }
QTabBar[ring="true"]::tab:selected:focus {
  border: 1px solid $focus; border-bottom: 2px solid $text;
}
QProgressBar { background: $pressed; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
QMenu { background: $card; color: $text; border: 1px solid $border; padding: ${s1}px; }
QMenu::item { padding: 6px ${s4}px 6px ${s3}px; border-radius: 4px; }
QMenu::item:selected { background: $accent_soft; color: $text; }
QMenu::item:disabled { color: $disabled; }
QMenu::right-arrow { image: url("$marks/arrow-right.svg"); width: 12px; height: 12px; }
QMenu::separator { height: 1px; background: $border; margin: ${s1}px ${s2}px; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $disabled; border: none; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::handle:pressed { background: $text; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""

_TONES = ("accent", "success", "warning", "danger")


def build_stylesheet(tokens: Tokens, sizes: TextSizes, mono: Sequence[str], marks: str) -> str:
    """The style sheet of the whole application.

    Args:
        tokens: the colours.
        sizes: the text sizes.
        mono: the families for text that comes from servers.
        marks: the folder of ticks and arrows drawn in the colours of `tokens`.
    """
    names = {
        **tokens._asdict(),
        **sizes._asdict(),
        **{f"s{steps}": space(steps) for steps in range(1, 7)},
        "s3_focus": space(3) - 1,
        "radius": RADIUS,
        "radius_small": RADIUS_SMALL,
        "mono": ", ".join(f'"{family}"' for family in mono),
        "marks": marks,
    }
    parts = [_CONTAINERS, _TEXT, *(_tone_rules(tone, names) for tone in _TONES)]
    parts += [_BUTTONS, _FIELDS, _VIEWS]
    return "".join(Template(part).substitute(names) for part in parts)


def _tone_rules(tone: str, names: Mapping[str, object]) -> str:
    """The rules of one tone, filled in except for the names every part shares."""
    return Template(_TONE).safe_substitute(tone=tone, color=names[tone], soft=names[f"{tone}_soft"])
