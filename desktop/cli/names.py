"""The names of the terminal commands and the flags they share; nothing else, so it costs nothing.

`desktop.__main__` reads it before anything is imported.
"""

COMMANDS = {
    "servers": "connect every enabled server and show what became of it",
    "tools": "list the tools of all enabled servers, or of one",
    "call": "run one tool and print its result",
    "test": "run saved calls and say which went as expected",
    "doctor": "find out why a server does not work, and what to do",
    "processes": "show what the app has running, and what a run that ended left",
    "self-test": "see whether this installation works: window, servers, files, processes",
    "builtin": "list the built-in servers, or serve one over stdio",
    "screenshots": "save a picture of each page of the window, light and dark",
}
"""Each command with its line in the help."""
VALUE_FLAGS = ("--config", "--data-dir")
"""Flags for every command that take a value."""


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


def has_command(args: list[str]) -> bool:
    """Whether `args` name a command, or ask for words on a terminal: not a run of the window."""
    command, rest = find_command(args)
    return command is not None or any(
        word in {"-h", "--help", "--version", "--json"} for word in rest
    )


def places(args: list[str]) -> tuple[str | None, str | None]:
    """The values of `--config` and `--data-dir` among `args`, the last of each."""
    found: dict[str, str] = {}
    for word, following in zip(args, [*args[1:], ""], strict=False):  # args may be empty
        flag, equals, value = word.partition("=")
        if flag in VALUE_FLAGS:
            found[flag] = value if equals else following
    return found.get("--config"), found.get("--data-dir")
