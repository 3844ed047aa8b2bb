"""The names of the terminal commands and the flags they share; nothing else, so it costs nothing.

`desktop.__main__` reads it before anything is imported.
"""

COMMANDS = ("servers", "tools", "call", "doctor", "builtin", "screenshots")
VALUE_FLAGS = ("--config", "--data-dir")
"""Flags for every command that take a value."""


def has_command(args: list[str]) -> bool:
    """Whether `args` name a command, or ask for help or the version: not a run of the window."""
    rest = iter(args)
    for word in rest:
        if word in VALUE_FLAGS:
            next(rest, None)
        elif word.partition("=")[0] in VALUE_FLAGS:
            continue
        else:
            return True
    return False


def places(args: list[str]) -> tuple[str | None, str | None]:
    """The values of `--config` and `--data-dir` among `args`, the last of each."""
    found: dict[str, str] = {}
    for word, following in zip(args, [*args[1:], ""], strict=True):
        flag, equals, value = word.partition("=")
        if flag in VALUE_FLAGS:
            found[flag] = value if equals else following
    return found.get("--config"), found.get("--data-dir")
