"""Imported by every Python of these tests at its start: a connection outside loopback is noted and refused."""

import os
import socket
import sys
from pathlib import Path
from typing import Any

_connect = socket.socket.connect
_lookup = socket.getaddrinfo
_LOOPBACK = ("127.0.0.1", "localhost", "::1", None, "")


def _refuse(host: Any) -> None:
    with Path(os.environ["EEC_TEST_CONNECTIONS"]).open("a", encoding="utf-8") as log:
        log.write(f"{host}\n")
    raise OSError(f"a connection to {host} was attempted in a test")


def _guarded_connect(self: socket.socket, address: Any) -> Any:
    if isinstance(address, tuple) and address[0] not in _LOOPBACK:
        _refuse(address[0])
    return _connect(self, address)


def _guarded_lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if name not in _LOOPBACK:
        _refuse(name)
    return _lookup(host, *args, **kwargs)


class _WithoutTransformers:
    """`evaluate` imports transformers where there is one: seconds for what no test here uses."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:  # noqa: ARG004
        if name == "transformers":
            raise ModuleNotFoundError(name)


if "EEC_TEST_CONNECTIONS" in os.environ:
    sys.meta_path.insert(0, _WithoutTransformers())
    socket.socket.connect = _guarded_connect  # type: ignore[method-assign]
    socket.getaddrinfo = _guarded_lookup
