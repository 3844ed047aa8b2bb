"""A server that gives away all it was given: on stderr, in its log messages and in its results.

With `--environment FILE` it writes the names and values of its environment there.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from tests.servers.base import Call, Server, Tool, log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json


def secrets() -> list[str]:
    """The words it was started with, and what its own config put into its environment."""
    own = os.environ.get("GIVEN", "").split()
    return [*sys.argv[1:], *(os.environ[name] for name in own)]


def tell(call: Call) -> Json:
    """What was said in the call, and everything it knows."""
    text = "\n".join((*secrets(), str(call.arguments.get("say", ""))))
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"access_token": call.arguments.get("say"), "all": secrets()},
        "_meta": {"note": text},
    }


def fail(call: Call) -> Json:
    return {**tell(call), "isError": True}


def main() -> None:
    for secret in secrets():
        log(f"connecting with {secret} now")
    if "--environment" in sys.argv:
        with open(sys.argv[sys.argv.index("--environment") + 1], "w", encoding="utf-8") as file:
            file.write("".join(f"{name}={value}\n" for name, value in os.environ.items()))
    Server("leaky", [Tool("tell", tell), Tool("fail", fail)]).serve()


if __name__ == "__main__":
    main()
