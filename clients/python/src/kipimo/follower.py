"""Reads compacted topics from their beginning, for ever."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

_LOG = logging.getLogger("kipimo")
_REFRESH_SECONDS = 30

Taker = tuple[Callable[[bytes], None], Callable[[], None]]


class TopicFollower:
    """One daemon thread, no consumer group. Waits while the log is unavailable."""

    def __init__(self, takers: Mapping[str, Taker], properties: Mapping[str, Any]) -> None:
        """takers: by topic, the callback for its records and the one for unreadable records."""
        self._takers = dict(takers)
        self._properties = {
            **properties,
            "group.id": f"kipimo-{uuid.uuid4()}",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
        }
        self.start()

    def start(self) -> None:
        """Starts the thread; in a child process once more, which has the threads of its parent no longer."""
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kipimo-follower", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join(2)

    def _run(self) -> None:
        quiet = False
        while not self._closed.is_set():
            try:
                self._follow()
                quiet = False
            except Exception as e:
                if not quiet:
                    _LOG.warning("%s cannot be read, trying on: %s", list(self._takers), e)
                quiet = True
            self._closed.wait(1)

    def _follow(self) -> None:
        consumer = Consumer(self._properties, logger=_LOG)
        assigned: set[tuple[str, int]] = set()
        refresh_at = 0.0
        try:
            while not self._closed.is_set():
                if time.monotonic() >= refresh_at:
                    added = self._partitions(consumer) - assigned
                    if not added and not assigned:
                        return
                    if added:
                        consumer.incremental_assign(
                            [TopicPartition(t, p, OFFSET_BEGINNING) for t, p in added]
                        )
                        assigned |= added
                    refresh_at = time.monotonic() + _REFRESH_SECONDS
                for record in consumer.consume(500, 0.2):
                    topic, value = record.topic(), record.value()
                    if record.error() is None and topic is not None and value is not None:
                        self._hand(topic, value)
        finally:
            consumer.close()

    def _partitions(self, consumer: Consumer) -> set[tuple[str, int]]:
        present: set[tuple[str, int]] = set()
        for topic in self._takers:
            found = consumer.list_topics(topic, timeout=5).topics[topic]
            if found.error is None:
                present |= {(topic, p) for p in found.partitions}
        return present

    def _hand(self, topic: str, value: bytes) -> None:
        taker, unreadable = self._takers[topic]
        try:
            taker(value)
        except Exception:
            # One record must not hide those behind it.
            unreadable()
