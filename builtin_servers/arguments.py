"""The command-line arguments of a built-in server: switches, options with a value, the rest.

Not argparse: importing it takes as long as the whole start of a server.
"""

from __future__ import annotations

from builtin_servers.call import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Arguments:
    """What was given: the switches, the values by option, and the rest in order."""

    __slots__ = ("options", "rest", "switches")

    def __init__(self) -> None:
        self.switches: set[str] = set()
        self.options: dict[str, str] = {}
        self.rest: list[str] = []


def read_arguments(
    arguments: Sequence[str],
    *,
    switches: Collection[str] = (),
    options: Collection[str] = (),
    most: int | None = None,
) -> Arguments:
    """Read `--switch`, `--option VALUE`, `--option=VALUE` and the rest; `--` ends the options.

    `most` is how many others may be there. Raises `ArgumentError`.
    """
    found = Arguments()
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        if word == "--":
            found.rest += reversed(waiting)
            break
        name, equals, value = word.partition("=")
        if word in switches:
            found.switches.add(word)
        elif name in options:
            if not equals and not waiting:
                raise ArgumentError(f"{name} needs a value")
            found.options[name] = value if equals else waiting.pop()
        elif word.startswith("-") and word != "-":
            raise ArgumentError(f"unknown option {word[:60]!r}")
        else:
            found.rest.append(word)
    if most is not None and len(found.rest) > most:
        raise ArgumentError(f"takes at most {most} such argument, was given {len(found.rest)}")
    return found
