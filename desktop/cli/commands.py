"""The names of the terminal commands and the flags they share, and whether a screen is there.

`desktop.__main__` reads this before it knows what the run is: it must import next to nothing.
"""

from __future__ import annotations

import io
import os
import sys
from keyword import iskeyword


def has_screen() -> bool:
    """Whether a window can be shown: on Windows always, on macOS unless somebody came by ssh."""
    if sys.platform == "win32":
        return True
    if sys.platform == "darwin":  # where Qt aborts without the session of a desktop
        return not os.environ.get("SSH_CONNECTION") or bool(os.environ.get("QT_QPA_PLATFORM"))
    return any(os.environ.get(name) for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"))


def prepare_streams() -> None:
    """Write UTF-8 into pipes and files, whatever the code page of this system; fail at no letter.

    Read it from them, too. What a terminal shows is its own matter.
    """
    given = sys.stdin
    if isinstance(given, io.TextIOWrapper) and not (given.isatty() or given.encoding == "utf-8"):
        given.reconfigure(encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


# What Qt needs on Linux and many desktops do not have, with its package on Debian and on Fedora.
QT_LIBRARIES = {
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
}


def why_no_window(libraries: dict[str, tuple[str, str]] = QT_LIBRARIES) -> str:
    """What this system lacks for a window, in one line; empty if all is there. Qt would abort."""
    if sys.platform != "linux":
        return ""
    if os.environ.get("QT_QPA_PLATFORM") or not os.environ.get("DISPLAY"):
        return ""
    import ctypes

    missing: list[str] = []
    for library in libraries:
        try:
            ctypes.CDLL(library)  # Qt loads it anyway
        except OSError:
            missing.append(library)
    if not missing:
        return ""
    debian, fedora = (" ".join(libraries[name][at] for name in missing) for at in (0, 1))
    return (
        f"The window needs {', '.join(missing)}. Install: sudo apt install {debian}"
        f" (Fedora: sudo dnf install {fedora}). Terminal commands work without, see --help."
    )


FEATURES = {
    "tasks": ("tasks", "list tasks of servers, fetch a result, or cancel one", "import"),
    "check": ("server_check", "check a server: starts, lists, valid schemas, legal names", "test"),
    "capture": ("client_profiles", "write a profile of the MCP client that connects", "test"),
    "clients": ("client_profiles", "show what other MCP clients make of a server", "test"),
    "compare": ("recordings", "compare the tools of two servers or recordings", "test"),
    "daemon": ("attach", "keep servers running for terminal commands, without a window", "import"),
    "eval": ("evals", "run saved calls and cases, the same as test", "import"),
    "replay": ("recordings", "serve a recording over stdio, in place of its servers", "import"),
    "screenshots": ("screenshots", "save screenshots of each page, light and dark", ""),
    "serve": ("gateway", "offer the enabled servers to other programs as one MCP server", "import"),
    "storage": ("storage", "show what is stored, delete a kind of it", ""),
    "test": ("saved_calls", "run saved calls and check what is expected of them", "import"),
    "ask": ("chat", "ask a model that can call the tools", "import"),
    "sessions": ("chat", "list, show, rename and delete saved conversations", "import"),
    "catalogue": (
        "catalogue",
        "search the MCP registry, add a server from it, see updates",
        "import",
    ),
}
"""The commands of features: whose, the line in the help, and the command that it stands before."""
_OWN = {
    "servers": "connect all enabled servers and show their status",
    "tools": "list the tools of all enabled servers or of one",
    "call": "run one tool and print its result",
    "resources": "list resources, or read one",
    "prompts": "list prompts, or get one",
    "import": "import servers from another client, a file or a link",
    "trust": "review and approve a new or changed server",
    "login": "sign in to a remote server in the browser",
    "logout": "sign out of a remote server",
    "secret": "store, list and delete secrets for ${keyring:NAME}",
    "export": "export servers in another client's format",
    "doctor": "find out why a server fails and how to fix it",
    "processes": "show running processes and leftovers of earlier runs",
    "self-test": "check this installation: window, servers, files, processes",
    "completion": "print the completion script of a shell: bash, zsh, fish",
    "builtin": "list the built-in servers, or run one over stdio",
}
COMMANDS: dict[str, str] = {}
"""Each command with its line in the help."""
for _own, _words in _OWN.items():
    COMMANDS.update({name: words for name, (_, words, next_) in FEATURES.items() if next_ == _own})
    COMMANDS[_own] = _words
COMMANDS.update({name: words for name, (_, words, _) in FEATURES.items() if name not in COMMANDS})
ATTACH = (
    "desktop.features.attach.client",
)  # fmt: skip
"""What has commands carried out by a run that has the servers; without it each starts its own."""
PRESETS = (
    "desktop.features.presets.cli.ask_preset",
)  # fmt: skip
"""Where `ask --preset` finds what it names; without it there is no such flag."""
SAMPLER = (
    "desktop.features.chat.cli.sampler",
)  # fmt: skip
"""Where a model answers what a server wants of one; without it a person may."""
CHECKS = (
    "desktop.features.chat.cli.checks",
)  # fmt: skip
"""What `self-test` checks beside the core."""
FORMATS = (
    "desktop.features.models.cli.tool_formats",
)  # fmt: skip
"""What prints tools as a model is sent them; without it `tools` has no such flags."""
CASES = (
    "desktop.features.evals.cli.cases",
)  # fmt: skip
"""What runs the cases of a file of saved calls; without it `test` refuses such a file."""
ATTACHABLE = {"call", "tools", "servers", "resources", "prompts", "tasks"} & COMMANDS.keys()
"""The commands that do nothing but talk to servers: another run can carry them out."""
FILES = (".json", ".toml", ".yaml", ".yml", ".mcpb", ".dxt")
"""Ends of the names of files that servers can be imported from."""
VALUE_FLAGS = ("--config", "--data-dir", "--server", "--sandbox")
"""Flags that take a value and may stand before the command."""


def find_command(args: list[str]) -> tuple[str | None, list[str]]:
    """The first word that is no flag and no flag's value, and everything else in its order."""
    skip = False
    for index, word in enumerate(args):
        if skip:
            skip = False
        elif word in VALUE_FLAGS:
            skip = True
        elif not word.startswith("-"):
            return word, args[:index] + args[index + 1 :]
    return None, list(args)


def find_open_request(args: list[str]) -> str | None:
    """The file or link that `args` give the window to show; None where they name a command."""
    word, _ = find_command(args)
    if word is None or word in COMMANDS:
        return None
    is_link = ":" in word[2:]  # beyond the letter of a drive
    is_file = word.endswith(FILES) or "/" in word or "\\" in word
    return word if is_link or is_file else None


def has_command(args: list[str]) -> bool:
    """Whether `args` name a command, or ask for words on a terminal: not a run of the window."""
    command, rest = find_command(args)
    is_named = command is not None and find_open_request(args) is None
    return is_named or any(word in {"-h", "--help", "--version", "--json"} for word in rest)


def read_path_flags(args: list[str]) -> tuple[str | None, str | None]:
    """The values of `--config` and `--data-dir` among `args`, the last of each."""
    found: dict[str, str] = {}
    for word, following in zip(args, [*args[1:], ""], strict=False):  # args may be empty
        flag, equals, value = word.partition("=")
        if flag in VALUE_FLAGS:
            found[flag] = value if equals else following
    return found.get("--config"), found.get("--data-dir")


def command_module(command: str) -> str:
    """Where a command is. Neither `import` nor `self-test` can be the name of a module."""
    name = f"{command}_" if iskeyword(command) else command.replace("-", "_")
    if command in FEATURES:
        return f"desktop.features.{FEATURES[command][0]}.cli.{name}"
    return f"desktop.cli.{name}"
