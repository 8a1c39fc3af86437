"""A bounded queue in front of a producer."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .checks import MOST_AHEAD_MILLIS, RefusedError, check

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
    producer together; further ones are dropped and counted. One daemon thread encodes and sends. What readers would
    refuse is not sent, but dropped and counted.
    """

    def __init__(self, capacity: int, producer: Callable[[], Any], last_topic: str = "") -> None:
        """last_topic: its events are sent when all earlier ones of other topics have arrived or are lost, so that they
        never move event time past those.
        """
        self._capacity = capacity
        self._last_topic = last_topic
        self._make_producer = producer
        self._closed = False
        self._quiet_until = 0.0
        self.start()

    def start(self) -> None:
        """Starts the thread; in a child process once more, without the events that its parent sends.

        The parent's producer stays with the parent's thread, whose frames a child never frees.
        """
        self._queue: deque[_Letter] = deque()
        # Letters of the last topic, each with the number of earlier ones that may still arrive.
        self._waiting: deque[tuple[_Letter, list[int]]] = deque()
        self._unconfirmed = [0]
        self._outstanding = 0
        self._lock = threading.Lock()
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

    def refuse(self, stats: Stats, why: object) -> None:
        """Counts and drops an event of which no letter can be made."""
        with self._lock:
            stats.accepted += 1
            stats.undelivered += 1
        self._warn("an event is refused", why)

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
        lost = self._lost + self._outstanding
        if lost:
            _LOG.warning("closed with %d events that were not sent", lost)

    _lost = 0

    _deadline = float("inf")

    def _run(self) -> None:
        producer: Any = None
        while not self._closed or self._queue or self._waiting:
            if time.monotonic() > self._deadline:
                break
            try:
                if producer is None:
                    producer = self._try_producer()
                elif self._waiting and not self._waiting[0][1][0]:
                    self._send(producer, self._waiting[0][0], self._waiting)
                elif not self._queue:
                    producer.poll(_IDLE_SECONDS)
                elif self._queue[0].topic == self._last_topic:
                    self._waiting.append((self._queue.popleft(), self._unconfirmed))
                    self._unconfirmed = [0]
                else:
                    self._send(producer, self._queue[0], self._queue)
            except Exception as e:
                # Nothing may end the thread.
                self._warn("the producer failed", e)
                time.sleep(_IDLE_SECONDS)
        if producer is not None:
            producer.flush(max(0.0, min(5.0, self._deadline - time.monotonic())))
            self._lost = self._outstanding
            producer.purge()
            producer.poll(0.1)
        else:
            self._lost = self._outstanding
        for letter in [letter for letter, _ in self._waiting] + list(self._queue):
            self._settle(letter.stats, 0, "closed")
        self._waiting.clear()
        self._queue.clear()

    def _try_producer(self) -> Any:
        try:
            return self._make_producer()
        except Exception as e:
            self._warn("no producer can be made", e)
            time.sleep(1 if not self._closed else 0.1)
            return None

    def _send(self, producer: Any, letter: _Letter, source: deque[Any]) -> None:
        """Sends the first letter of a queue, or leaves it there while the producer is full."""
        stats = letter.stats
        unconfirmed = [0] if letter.topic == self._last_topic else self._unconfirmed
        try:
            ahead = letter.millis - time.time() * 1000
            if ahead > MOST_AHEAD_MILLIS:
                raise RefusedError(f"its time is {ahead:.0f} ms ahead; allowed: at most {MOST_AHEAD_MILLIS}")
            message = letter.encode()
            check(message)
            value = message.SerializeToString()
            key = letter.key.encode()
        except Exception as e:
            source.popleft()
            self._settle(stats, 0, e, "an event is refused")
            return
        size = len(key) + len(value)
        try:
            producer.produce(
                letter.topic,
                value,
                key,
                timestamp=letter.millis,
                on_delivery=lambda error, _: self._confirm(unconfirmed, stats, size, error),
            )
            unconfirmed[0] += 1
        except BufferError:
            producer.poll(_IDLE_SECONDS)
            return
        except Exception as e:
            source.popleft()
            self._settle(stats, 0, e)
            return
        source.popleft()
        producer.poll(0)

    def _confirm(self, unconfirmed: list[int], stats: Stats, size: int, error: object) -> None:
        unconfirmed[0] -= 1
        self._settle(stats, size, error)

    def _settle(self, stats: Stats, size: int, error: object, what: str = "events are dropped") -> None:
        with self._lock:
            self._outstanding -= 1
            if error is None:
                stats.delivered += 1
                stats.delivered_bytes += size
            else:
                stats.undelivered += 1
        if error is not None:
            self._warn(what, error)

    def _warn(self, what: str, why: object) -> None:
        """At most one line a minute."""
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + _QUIET_SECONDS
            _LOG.warning("%s: %s", what, why)
