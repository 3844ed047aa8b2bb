"""A machine of a test's own, in a network namespace, where a name leads to a public address.

Its loopback has the address 1.1.1.1, with a server at port 80; then it runs what its arguments say.
So the gate finds a host of the internet, and nothing leaves this machine.
"""

from __future__ import annotations

import fcntl
import socket
import struct
import subprocess
import sys
import threading

if sys.platform != "linux":
    raise SystemExit("network namespaces are for Linux")

_SET_ADDRESS, _SET_FLAGS, _UP = 0x8916, 0x8914, 1


def main() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _UP))
        address = socket.inet_aton("1.1.1.1")
        told = struct.pack("16sH2x4s8x", b"lo:9", socket.AF_INET, address)
        fcntl.ioctl(any_socket, _SET_ADDRESS, told)
    for host in ("1.1.1.1", "127.0.0.1"):
        listening = socket.create_server((host, 80))
        threading.Thread(target=_serve, args=(listening,), daemon=True).start()
    return subprocess.run(sys.argv[1:], check=False).returncode


def _serve(listening: socket.socket) -> None:
    while True:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"hello " + connection.recv(100))


if __name__ == "__main__":
    sys.exit(main())
