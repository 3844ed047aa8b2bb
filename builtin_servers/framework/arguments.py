"""Parses the command-line arguments of a built-in server.

Not argparse: importing it takes as long as the whole start of a server.
"""

from __future__ import annotations

from builtin_servers.framework.tool import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class ServerArguments:
    """Parsed arguments: switches, option values by option name, and the rest in order."""

    __slots__ = ("options", "rest", "switches")

    def __init__(self) -> None:
        self.switches: set[str] = set()
        self.options: dict[str, str] = {}
        self.rest: list[str] = []


def parse_arguments(
    arguments: Sequence[str],
    *,
    switches: Collection[str] = (),
    options: Collection[str] = (),
    max_rest: int | None = None,
) -> ServerArguments:
    """Parse `--switch`, `--option VALUE`, `--option=VALUE` and the rest; `--` ends the options.

    Args:
        arguments: What follows the server's name on the command line.
        switches: The options that take no value, such as `--write`.
        options: The options that take a value, such as `--file`.
        max_rest: How many other arguments are allowed; None for any number.

    Raises:
        ArgumentError: An option is unknown or lacks its value, or there are too many arguments.
    """
    parsed = ServerArguments()
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        if word == "--":
            parsed.rest += reversed(waiting)
            break
        name, equals, value = word.partition("=")
        if word in switches:
            parsed.switches.add(word)
        elif name in options:
            if not equals and not waiting:
                raise ArgumentError(f"{name} needs a value")
            parsed.options[name] = value if equals else waiting.pop()
        elif word.startswith("-") and word != "-":
            raise ArgumentError(f"unknown option {word[:60]!r}")
        else:
            parsed.rest.append(word)
    if max_rest is not None and len(parsed.rest) > max_rest:
        raise ArgumentError(f"takes at most {max_rest} such argument, was given {len(parsed.rest)}")
    return parsed
