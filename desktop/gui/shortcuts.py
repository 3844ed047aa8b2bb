"""Every key of the window, by name: the one place where they are declared.

Who listens to a key takes it from here, with `bind`, `give` or `Shortcut.matches`; the sheet of
shortcuts shows this table, so that it lists what works. A feature adds its keys with `declare`.
Must not know what a key does.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from desktop.base.later_patterns import compile_later
from desktop.gui.translations import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

WITH_CHILDREN: Final = Qt.ShortcutContext.WidgetWithChildrenShortcut
IN_WINDOW: Final = Qt.ShortcutContext.WindowShortcut
_CONTEXT: Final = "Shortcuts"
_MANY: Final = 3
_IS_MACOS: Final = sys.platform == "darwin"
_KEYS_IN_TEXT: Final = compile_later(r"(?:(?:Ctrl|Alt|Shift)\+)+(?:[A-Z][A-Za-z]*|[0-9`,])")


class Shortcut(NamedTuple):
    """Keys that do the same, and what that is."""

    section: str
    words: str
    keys: tuple[str, ...]

    @property
    def label(self) -> str:
        """The keys as a person reads them: "Ctrl+F, /"."""
        names = list(dict.fromkeys(map(_name, self.keys)))
        return f"{names[0]} … {names[-1]}" if len(names) > _MANY else listed(names)

    @property
    def meaning(self) -> str:
        """What the keys do, in the language of the window."""
        return QCoreApplication.translate(_CONTEXT, self.words)

    def matches(self, event: QKeyEvent) -> bool:
        """Whether a key press is one of the keys."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = QKeySequence(modifiers | Qt.Key(event.key()))
        return any(QKeySequence(keys) == pressed for keys in self.keys)


def bind(
    owner: QWidget,
    shortcut: Shortcut,
    action: Callable[[], object],
    *,
    context: Qt.ShortcutContext = WITH_CHILDREN,
) -> list[QShortcut]:
    """Do `action` when one of the keys is pressed in `owner`, or anywhere in its window."""
    return [bind_key(owner, keys, action, context=context) for keys in shortcut.keys]


def bind_key(
    owner: QWidget,
    keys: str,
    action: Callable[[], object],
    *,
    context: Qt.ShortcutContext = WITH_CHILDREN,
) -> QShortcut:
    """The same for one key of a shortcut whose keys do different things."""
    made = QShortcut(QKeySequence(keys), owner, context=context)
    made.activated.connect(lambda: action())
    return made


def give(action: QAction, shortcut: Shortcut) -> None:
    """Have the keys trigger an action wherever the focus is inside its owner."""
    action.setShortcuts([QKeySequence(keys) for keys in shortcut.keys])
    action.setShortcutContext(WITH_CHILDREN)


def press_in(page: QWidget, event: QKeyEvent) -> bool:
    """Have a page's own keys work while what is beside it has the keyboard; whether one did.

    Those with Ctrl alone: a plain key that was meant for the rail must not switch a server.
    """
    focus = QApplication.focusWidget()
    is_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    if not is_ctrl or (focus is not None and page.isAncestorOf(focus)):
        return False
    pressed = QKeySequence(event.keyCombination())
    for made in page.findChildren(QShortcut):
        owner = made.parent()
        is_seen = isinstance(owner, QWidget) and owner.isVisible()
        if is_seen and made.isEnabled() and made.key() == pressed:
            page.setFocus()
            made.activated.emit()
            return True
    for action in page.findChildren(QAction):
        owner = action.parent()
        is_seen = isinstance(owner, QWidget) and owner.isVisible() and action.isVisible()
        if is_seen and action.isEnabled() and pressed in action.shortcuts():
            action.trigger()
            return True
    return False


def declare(shortcut: Shortcut, *, before: Shortcut) -> None:
    """List a feature's keys on the sheet, too."""
    if shortcut not in ALL:
        ALL.insert(ALL.index(before), shortcut)


def sections() -> dict[str, list[Shortcut]]:
    """All shortcuts in their order, by the translated name of their section."""
    found: dict[str, list[Shortcut]] = {}
    for shortcut in ALL:
        section = QCoreApplication.translate(_CONTEXT, shortcut.section)
        found.setdefault(section, []).append(shortcut)
    return found


def named_keys(text: str) -> str:
    """`text` with its keys as this system writes them: "Find (Ctrl+F)" is "Find (⌘F)" on macOS."""
    return _KEYS_IN_TEXT.sub(lambda found: _name(found[0]), text)


def _name(keys: str) -> str:
    native = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    return native.replace("Return", "Enter")


_KEY_NAMES: Final = (
    # Qt names these in a language's words, which no keyboard wears; it looks here first.
    *(QT_TRANSLATE_NOOP("QShortcut", "Return"), QT_TRANSLATE_NOOP("QShortcut", "Enter")),
    *(QT_TRANSLATE_NOOP("QShortcut", "Space"), QT_TRANSLATE_NOOP("QShortcut", "Del")),
    *(QT_TRANSLATE_NOOP("QShortcut", "Backspace"), QT_TRANSLATE_NOOP("QShortcut", "Menu")),
    *(QT_TRANSLATE_NOOP("QShortcut", "Up"), QT_TRANSLATE_NOOP("QShortcut", "Down")),
    *(QT_TRANSLATE_NOOP("QShortcut", "Left"), QT_TRANSLATE_NOOP("QShortcut", "Right")),
)
_ENTER: Final = ("Return", "Enter")
_CTRL_ENTER: Final = ("Ctrl+Return", "Ctrl+Enter")
_SEARCH_KEYS: Final = ("Ctrl+F", "/")

ANYWHERE: Final = str(QT_TRANSLATE_NOOP("Shortcuts", "Anywhere"))
SHEET = Shortcut(
    ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Show keyboard shortcuts")), ("F1", "?")
)
PAGES = Shortcut(
    ANYWHERE,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Open a page")),
    tuple(f"Ctrl+{number}" for number in range(1, 9)),
)
SETTINGS = Shortcut(ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Open the settings")), ("Ctrl+,",))
REFRESH = Shortcut(ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Refresh the page")), ("F5",))
REQUESTS = Shortcut(
    ANYWHERE,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Go to the requests of servers")),
    ("Ctrl+Shift+A",),
)
PUT_ASIDE = Shortcut(ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Put a request aside")), ("Esc",))
PRESS = Shortcut(
    ANYWHERE,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Press the focused button")),
    _ENTER,
)
ACCEPT = Shortcut(
    ANYWHERE,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Accept a dialog from inside a text")),
    _CTRL_ENTER,
)
ZOOM_IN = Shortcut(
    ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Larger text")), ("Ctrl++", "Ctrl+=")
)
ZOOM_OUT = Shortcut(ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Smaller text")), ("Ctrl+-",))
ZOOM_BACK = Shortcut(
    ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Text of the usual size")), ("Ctrl+0",)
)
MINIMIZE = Shortcut(
    ANYWHERE,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Minimize the window")),
    ("Ctrl+M",) if _IS_MACOS else (),  # elsewhere the desktop has a key of its own
)
QUIT = Shortcut(ANYWHERE, str(QT_TRANSLATE_NOOP("Shortcuts", "Quit")), ("Ctrl+Q",))

SERVERS: Final = str(QT_TRANSLATE_NOOP("Shortcuts", "Servers"))
ADD_SERVER = Shortcut(SERVERS, str(QT_TRANSLATE_NOOP("Shortcuts", "Add a server")), ("Ctrl+N",))
PASTE_SERVER = Shortcut(
    SERVERS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Add the server on the clipboard")),
    ("Ctrl+V",),
)
IMPORT_SERVERS = Shortcut(
    SERVERS, str(QT_TRANSLATE_NOOP("Shortcuts", "Import servers")), ("Ctrl+I",)
)
RESTART_SERVER = Shortcut(
    SERVERS, str(QT_TRANSLATE_NOOP("Shortcuts", "Restart the server")), ("Ctrl+R",)
)
SWITCH_SERVER = Shortcut(
    SERVERS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Switch the server on or off")),
    ("Space",),
)
SERVER_DETAILS = Shortcut(
    SERVERS, str(QT_TRANSLATE_NOOP("Shortcuts", "Go to the server's details")), _ENTER
)
EDIT_SERVER = Shortcut(SERVERS, str(QT_TRANSLATE_NOOP("Shortcuts", "Edit the server")), ("F2",))
REMOVE_SERVER = Shortcut(
    SERVERS, str(QT_TRANSLATE_NOOP("Shortcuts", "Remove the server")), ("Del",)
)

_TOOLS = str(QT_TRANSLATE_NOOP("Shortcuts", "Tools"))
SEARCH_TOOLS = Shortcut(_TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Search tools")), _SEARCH_KEYS)
FAVOURITE = Shortcut(
    _TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Make the tool a favourite, or not")), ("Ctrl+D",)
)
GO_TO_FORM = Shortcut(
    _TOOLS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "From the list to the first required field")),
    _ENTER,
)
RUN = Shortcut(_TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Run the tool")), _CTRL_ENTER)
CANCEL_CALL = Shortcut(
    _TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Cancel the running call")), ("Esc",)
)
FORM_OR_RESULT = Shortcut(
    _TOOLS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "From the result to the arguments and back")),
    ("Ctrl+E",),
)
FORM_OR_JSON = Shortcut(
    _TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Switch between form and JSON")), ("Ctrl+J",)
)
FIND_FIELD = Shortcut(
    _TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Find a field")), ("Ctrl+Shift+F",)
)
FIELD_MENU = Shortcut(
    _TOOLS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Options of a field: null, default, not sent")),
    ("Shift+F10", "Menu"),
)
MOVE_ITEM = Shortcut(
    _TOOLS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Move an item of a list up or down")),
    ("Alt+Up", "Alt+Down"),
)
COPY_ARGUMENTS = Shortcut(
    _TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Copy the arguments")), ("Ctrl+Shift+C",)
)
PASTE_ARGUMENTS = Shortcut(
    _TOOLS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Paste JSON as arguments")),
    ("Ctrl+Shift+V",),
)
PASTE = Shortcut(
    _TOOLS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Paste arguments where no text is edited")),
    ("Ctrl+V", "Shift+Ins"),
)
SAVE_CALL = Shortcut(_TOOLS, str(QT_TRANSLATE_NOOP("Shortcuts", "Save the call")), ("Ctrl+S",))
EARLIER_CALLS = Shortcut(
    _TOOLS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Show earlier calls of the tool")),
    ("Ctrl+Y" if _IS_MACOS else "Ctrl+H",),  # Cmd+H hides an app
)

_RESULTS = str(QT_TRANSLATE_NOOP("Shortcuts", "Results"))
FIND = Shortcut(_RESULTS, str(QT_TRANSLATE_NOOP("Shortcuts", "Find in the result")), ("Ctrl+F",))
NEXT_MATCH = Shortcut(_RESULTS, str(QT_TRANSLATE_NOOP("Shortcuts", "Next match")), _ENTER)
PREVIOUS_MATCH = Shortcut(
    _RESULTS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Previous match")),
    ("Shift+Return", "Shift+Enter"),
)
COPY = Shortcut(
    _RESULTS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Copy a value or a cell")),
    ("Ctrl+C", "Ctrl+Ins"),
)
COPY_PATH = Shortcut(
    _RESULTS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Copy the path of a value")),
    ("Ctrl+Shift+C",),
)
COPY_KEY = Shortcut(
    _RESULTS, str(QT_TRANSLATE_NOOP("Shortcuts", "Copy the key of a value")), ("Ctrl+Alt+C",)
)
PREVIOUS_PART = Shortcut(
    _RESULTS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Previous part of a long text")),
    ("Ctrl+PgUp",),
)
NEXT_PART = Shortcut(
    _RESULTS, str(QT_TRANSLATE_NOOP("Shortcuts", "Next part of a long text")), ("Ctrl+PgDown",)
)

_OFFERS = str(QT_TRANSLATE_NOOP("Shortcuts", "Resources and prompts"))
SEARCH_OFFERS = Shortcut(
    _OFFERS, str(QT_TRANSLATE_NOOP("Shortcuts", "Search the list")), _SEARCH_KEYS
)
SUBMIT = Shortcut(
    _OFFERS,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Read with what was filled in")),
    _CTRL_ENTER,
)

_ACTIVITY = str(QT_TRANSLATE_NOOP("Shortcuts", "Activity"))
FILTER = Shortcut(_ACTIVITY, str(QT_TRANSLATE_NOOP("Shortcuts", "Filter")), ("Ctrl+F",))
PROTOCOL = Shortcut(
    _ACTIVITY,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Show or hide the protocol")),
    ("Meta+`" if _IS_MACOS else "Ctrl+`",),
)  # Cmd+` is the next window of an app
CLOSE_PROTOCOL = Shortcut(
    _ACTIVITY, str(QT_TRANSLATE_NOOP("Shortcuts", "Close the protocol")), ("Esc",)
)
PAUSE = Shortcut(_ACTIVITY, str(QT_TRANSLATE_NOOP("Shortcuts", "Pause messages")), ("Ctrl+P",))
FOLLOW = Shortcut(
    _ACTIVITY,
    str(QT_TRANSLATE_NOOP("Shortcuts", "From a request to its answer and back")),
    ("Ctrl+J",),
)
CLEAR_LIST = Shortcut(_ACTIVITY, str(QT_TRANSLATE_NOOP("Shortcuts", "Clear the list")), ("Ctrl+L",))
EXPORT = Shortcut(
    _ACTIVITY, str(QT_TRANSLATE_NOOP("Shortcuts", "Export what is shown")), ("Ctrl+S",)
)

_HISTORY = str(QT_TRANSLATE_NOOP("Shortcuts", "History and saved calls"))
SEARCH_HISTORY = Shortcut(
    _HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Search the history")), ("Ctrl+F",)
)
RUN_AGAIN = Shortcut(
    _HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Run the call again")), ("Ctrl+R",)
)
RUN_ALL = Shortcut(
    _HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Run all saved calls")), ("Ctrl+Shift+R",)
)
STOP_CALLS = Shortcut(
    _HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Stop the running saved calls")), ("Esc",)
)
EDIT_CALL = Shortcut(
    _HISTORY,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Open the past call in its form")),
    ("Ctrl+E", "Ctrl+O"),
)
KEEP_CALL = Shortcut(
    _HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Save the past call")), ("Ctrl+S",)
)
EXPORT_CALLS = Shortcut(
    _HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Export the calls")), ("Ctrl+Shift+S",)
)
REVIEW_SNAPSHOT = Shortcut(
    _HISTORY,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Review how a result differs from its snapshot")),
    ("Ctrl+G",),
)
EDIT_SAVED = Shortcut(_HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Edit the saved call")), ("F2",))
DELETE_CALL = Shortcut(
    _HISTORY, str(QT_TRANSLATE_NOOP("Shortcuts", "Delete what is selected")), ("Del",)
)
DELETE_ALL_CALLS = Shortcut(
    _HISTORY,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Delete the whole history")),
    ("Ctrl+Shift+Del",),
)

_PROCESSES = str(QT_TRANSLATE_NOOP("Shortcuts", "Processes"))
RESTART_PROCESS = Shortcut(
    _PROCESSES,
    str(QT_TRANSLATE_NOOP("Shortcuts", "Restart the server of the process")),
    ("Ctrl+R",),
)
END_PROCESS = Shortcut(_PROCESSES, str(QT_TRANSLATE_NOOP("Shortcuts", "End the process")), ("Del",))
COPY_PID = Shortcut(
    _PROCESSES, str(QT_TRANSLATE_NOOP("Shortcuts", "Copy the process ID")), ("Ctrl+C",)
)

ALL: Final = [
    value for value in list(globals().values()) if isinstance(value, Shortcut) and value.keys
]
"""In the order in which they are declared."""
