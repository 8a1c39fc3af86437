"""What a fork, an exit and SIGTERM mean for the clients of a process."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import threading
from multiprocessing import util
from types import FrameType
from typing import Protocol

_LOG = logging.getLogger("kipimo")
_WAIT_SECONDS = 8


class Client(Protocol):
    def begin_in_child(self) -> None: ...

    def close(self) -> None: ...


class _Live:
    """The clients that are not closed."""

    def __init__(self) -> None:
        self.clients: list[Client] = []


_live = _Live()


def watch(client: Client, at_sigterm: bool) -> None:
    _live.clients = [*_live.clients, client]
    if at_sigterm and threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _terminate)


def forget(client: Client) -> None:
    _live.clients = [c for c in _live.clients if c is not client]


def _close_all() -> None:
    for client in _live.clients:
        try:
            client.close()
        except Exception:
            _LOG.warning("a client cannot be closed", exc_info=True)


def _terminate(number: int, _: FrameType | None) -> None:
    """Ends the process as SIGTERM does without a handler, only later.

    In a thread of its own, because the main thread may hold a lock that closing takes.
    """
    closing = threading.Thread(target=_close_all, name="kipimo-close", daemon=True)
    closing.start()
    closing.join(_WAIT_SECONDS)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _begin_in_child() -> None:
    for client in _live.clients:
        try:
            client.begin_in_child()
        except Exception:
            _LOG.warning("a client does not go on after a fork", exc_info=True)


def _close_at_the_end_of_a_child(_: _Live) -> None:
    # Children of multiprocessing end without atexit.
    util.Finalize(None, _close_all, exitpriority=0)


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
util.register_after_fork(_live, _close_at_the_end_of_a_child)
