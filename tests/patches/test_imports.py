"""What is imported lightly is the same afterwards, and what is left for later comes when used."""

from __future__ import annotations

from tests.patches.test_patches import run


def test_modules_that_are_rarely_used_are_executed_when_they_are() -> None:
    code = """
import sys
from desktop.patches.imports import import_standard_library_lightly
from desktop.patches.later_imports import is_executed
import_standard_library_lightly()
import asyncio, importlib.metadata, logging.handlers, shutil
names = ("asyncio.sslproto", "bz2", "calendar", "csv", "lzma", "pickle", "ssl")
print([name for name in names if is_executed(sys.modules[name])])
import ssl, pickle
print(isinstance(ssl.create_default_context(), ssl.SSLContext), pickle.loads(pickle.dumps(3)))
print(asyncio.sslproto.SSLAgainErrors[0] is ssl.SSLWantReadError)
print([name for name in names if not is_executed(sys.modules[name])], ssl.__spec__.loader.name)
"""
    assert run(code) == ["[]", "True 3", "True", "['bz2', 'calendar', 'csv', 'lzma'] ssl"]


def test_hashes_do_without_openssl_until_a_connection_is_encrypted() -> None:
    code = """
import sys
from desktop.patches.imports import import_standard_library_lightly
import_standard_library_lightly()
import hashlib, hmac, secrets, uuid
print("_hashlib" in sys.modules)
print(hashlib.sha256(b"a").hexdigest()[:8], hashlib.md5(b"a").hexdigest()[:8])
print(hmac.new(b"key", b"a", "sha256").hexdigest()[:8], hmac.compare_digest("a", "a"))
import ssl
print(isinstance(ssl.create_default_context(), ssl.SSLContext))
import _hashlib
print(_hashlib.openssl_sha256(b"a").hexdigest() == hashlib.sha256(b"a").hexdigest())
print(hmac.digest(b"key", b"a", hashlib.sha256).hex()[:8])
"""
    expected = ["False", "ca978112 0cc175b9", "780c3db4 True", "True", "True", "780c3db4"]
    assert run(code) == expected


def test_a_python_without_hashes_of_its_own_has_those_of_openssl() -> None:
    code = """
import sys
sys.modules["_sha256"] = sys.modules["_sha2"] = None
from desktop.patches.imports import import_standard_library_lightly
import_standard_library_lightly()
import hashlib
print("_hashlib" in sys.modules, hashlib.sha256(b"a").hexdigest()[:8])
"""
    assert run(code) == ["True ca978112"]


def test_threads_that_use_a_module_at_once_wait_until_it_is_executed() -> None:
    code = """
import desktop.core
import httpx2
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
barrier = Barrier(4)
def use(_):
    barrier.wait()
    return httpx2.StreamError
with ThreadPoolExecutor(4) as pool:
    print(len(set(pool.map(use, range(4)))))
print(hasattr(httpx2, "nothing_of_this_name"))
"""
    assert run(code) == ["1", "False"]


def test_tls_is_imported_when_a_connection_wants_it() -> None:
    code = """
import sys
from desktop.patches.imports import import_standard_library_lightly
import_standard_library_lightly()
import desktop.core, anyio
from desktop.patches.later_imports import is_executed
async def connect():
    print(is_executed(sys.modules["ssl"]), "anyio.streams.tls" in sys.modules)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    async with anyio.create_task_group() as tasks:
        async def hang_up():
            async with await listener.listeners[0].accept() as client:
                await client.receive()
        tasks.start_soon(hang_up)
        try:
            await anyio.connect_tcp("127.0.0.1", port, tls=True)
        except (anyio.BrokenResourceError, sys.modules["ssl"].SSLError) as error:
            print("not answered in TLS")
    target = anyio.as_connectable(("127.0.0.1", port), tls=True)
    from anyio.streams.tls import TLSConnectable
    print(type(target) is TLSConnectable)
anyio.run(connect)
"""
    assert run(code) == ["False False", "not answered in TLS", "True"]
