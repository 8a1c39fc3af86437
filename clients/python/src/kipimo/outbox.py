"""A bounded queue in front of a producer."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

_LOG = logging.getLogger("kipimo")
_IDLE_SECONDS = 0.02
_QUIET_SECONDS = 60


class Message(Protocol):
    def SerializeToString(self) -> bytes: ...


@dataclass(slots=True)
class Stats:
    """Counts of events by outcome."""

    accepted: int = 0
    delivered: int = 0
    delivered_bytes: int = 0
    dropped_full: int = 0
    undelivered: int = 0

    @property
    def dropped(self) -> int:
        return self.dropped_full + self.undelivered


class _Letter(NamedTuple):
    topic: str
    key: str
    millis: int
    encode: Callable[[], Message]
    stats: Stats


class Outbox:
    """Never blocks and never raises. At most `capacity` events wait, in the queue and in the
    producer together; further ones are dropped and counted. One daemon thread encodes and sends.
    """

    def __init__(self, capacity: int, producer: Callable[[], Any]) -> None:
        self._capacity = capacity
        self._make_producer = producer
        self._queue: deque[_Letter] = deque()
        self._outstanding = 0
        self._lock = threading.Lock()
        self._closed = False
        self._quiet_until = 0.0
        self._thread = threading.Thread(target=self._run, name="kipimo-outbox", daemon=True)
        self._thread.start()

    def offer(self, topic: str, key: str, millis: int, encode: Callable[[], Message], stats: Stats) -> bool:
        with self._lock:
            if self._closed or self._outstanding >= self._capacity:
                stats.dropped_full += 1
                return False
            self._outstanding += 1
            stats.accepted += 1
            self._queue.append(_Letter(topic, key, millis, encode, stats))
        return True

    @property
    def outstanding(self) -> int:
        """Events that wait, at most the capacity."""
        return self._outstanding

    def close(self, wait_seconds: float = 5) -> None:
        """Sends waiting events for a limited time; the rest is dropped and counted."""
        with self._lock:
            self._closed = True
        self._deadline = time.monotonic() + wait_seconds
        self._thread.join(wait_seconds + 1)

    _deadline = float("inf")

    def _run(self) -> None:
        producer: Any = None
        while not (self._closed and not self._queue):
            if time.monotonic() > self._deadline:
                break
            if producer is None:
                producer = self._try_producer()
            elif not self._queue:
                producer.poll(_IDLE_SECONDS)
            else:
                self._send(producer, self._queue[0])
        if producer is not None:
            producer.flush(max(0.0, min(5.0, self._deadline - time.monotonic())))
            producer.purge()
            producer.poll(0.1)
        while self._queue:
            self._settle(self._queue.popleft().stats, 0, "closed")

    def _try_producer(self) -> Any:
        try:
            return self._make_producer()
        except Exception as e:
            self._warn("no producer can be made", e)
            time.sleep(1 if not self._closed else 0.1)
            return None

    def _send(self, producer: Any, letter: _Letter) -> None:
        try:
            value = letter.encode().SerializeToString()
        except Exception as e:
            self._queue.popleft()
            self._settle(letter.stats, 0, e)
            return
        key = letter.key.encode()
        size = len(key) + len(value)
        stats = letter.stats
        try:
            producer.produce(
                letter.topic,
                value,
                key,
                timestamp=letter.millis,
                on_delivery=lambda error, _: self._settle(stats, size, error),
            )
            self._queue.popleft()
            producer.poll(0)
        except BufferError:
            producer.poll(_IDLE_SECONDS)
        except Exception as e:
            self._queue.popleft()
            self._settle(stats, 0, e)

    def _settle(self, stats: Stats, size: int, error: object) -> None:
        with self._lock:
            self._outstanding -= 1
            if error is None:
                stats.delivered += 1
                stats.delivered_bytes += size
            else:
                stats.undelivered += 1
        if error is not None:
            self._warn("events are dropped", error)

    def _warn(self, what: str, why: object) -> None:
        """At most one line a minute."""
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + _QUIET_SECONDS
            _LOG.warning("%s: %s", what, why)
