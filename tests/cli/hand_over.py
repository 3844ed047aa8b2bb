"""Has a preloaded program run in place of this process: `hand_over.py SOCKET ARGS`.

It gives its standard files, environment and folder away, passes signals on and waits for the exit
code. It is started without the site packages, so that it costs a fiftieth of what the program's own
start costs.
"""

import json
import os
import signal
import socket
import sys
from contextlib import suppress
from tempfile import TemporaryFile

if sys.platform != "linux":
    raise SystemExit("this is for Linux")


def main(place: str, args: list[str]) -> int:
    request = {"args": args, "environment": dict(os.environ), "folder": os.getcwd()}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as channel, TemporaryFile() as file:
        channel.connect(place)
        file.write(json.dumps(request).encode())
        file.seek(0)
        socket.send_fds(channel, [b"run"], [file.fileno(), 0, 1, 2])
        for descriptor in range(3):
            os.close(descriptor)
        pid = int(channel.recv(64))

        def pass_on(number: int, _: object) -> None:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, number)

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, pass_on)
        code = int(channel.recv(64) or 1)
        channel.recv(1)  # nothing comes any more: it returns once the other process is gone
        return code


if __name__ == "__main__":
    os._exit(main(sys.argv[1], sys.argv[2:]))
