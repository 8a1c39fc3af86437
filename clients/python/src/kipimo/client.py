"""A service's connection to Kipimo."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from confluent_kafka import Producer

from . import processes, sampling
from .admission import AdmissionClient, ClassDefaults
from .completeness import CompletenessClient
from .decisions import SAMPLING, Decision
from .fan_out import FanOutClient
from .follower import TopicFollower
from .meter import ServiceMeter, check_name
from .names import LONGEST, identifier
from .outbox import Outbox, Stats
from .records import Answer, Outcome, PartialResult
from .v1.observation_pb2 import ObservationProto

_LOG = logging.getLogger("kipimo")
_LOG.addHandler(logging.NullHandler())


def now_millis() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Config:
    """Identity of the service, and settings of its reports.

    classes: every query class, the most important one first.
    variant: release or experiment arm of this instance, such as canary; empty: none.
    kafka: further properties of librdkafka, such as security.protocol.
    handle_sigterm: send waiting events at SIGTERM, if the service does not handle it itself.
    """

    service: str
    server: str
    classes: Mapping[str, ClassDefaults]
    bootstrap_servers: str
    topic_prefix: str = "kipimo."
    tier: str = "front"
    initial_sampling_rate: float = 0.01
    profiling_share: float = 0.1
    buffer_events: int = 10_000
    kafka: Mapping[str, Any] = field(default_factory=dict)
    variant: str = ""
    handle_sigterm: bool = True

    def __post_init__(self) -> None:
        for what, name in (
            ("service", self.service),
            ("server", self.server),
            ("tier", self.tier),
            *(("query class", name) for name in self.classes),
            *([("variant", self.variant)] if self.variant else []),
        ):
            check_name(what, name)
        for what, value in (
            ("initial_sampling_rate", self.initial_sampling_rate),
            ("profiling_share", self.profiling_share),
        ):
            if not 0 <= value <= 1:
                raise ValueError(f"{what} is {value}; allowed: 0..1")
        if not self.classes:
            raise ValueError("classes is empty; allowed: at least one query class")
        if not 1 <= self.buffer_events <= 1_000_000:
            raise ValueError(f"buffer_events is {self.buffer_events}; allowed: 1..1000000")


def _is_id(query_id: object) -> bool:
    return isinstance(query_id, str) and query_id != ""


class Emitter:
    """Sends answers and partial results of sampled queries. Never blocks and never raises."""

    def __init__(
        self,
        config: Config,
        outbox: Outbox,
        rates: sampling.SamplingRates,
        exploration_at: Callable[[int], float],
    ) -> None:
        """exploration_at: share of the queries that are explored, by their start."""
        self._config = config
        self._outbox = outbox
        self._rates = rates
        self._exploration_at = exploration_at
        self._stats = Stats()

    def is_sampled(self, query_id: str, started_at_millis: int | None = None) -> bool:
        """Whether a query is sampled. Components pass the start that the front end uses.

        Explored queries (FanOutClient) always are. A query without an id is not: nothing can be joined by it.
        """
        if not _is_id(query_id):
            return False
        at = now_millis() if started_at_millis is None else started_at_millis
        return sampling.is_sampled(query_id, self._rates.rate_at(at)) or self._is_explored(query_id, at)

    def _is_explored(self, query_id: str, started_at_millis: int) -> bool:
        share = self._exploration_at(started_at_millis)
        return share > 0 and sampling.is_explored(query_id, share)

    def wants_partials(self, answer: Answer) -> bool:
        """Whether to emit the ONLINE results of a sampled query."""
        if not isinstance(answer, Answer) or not _is_id(answer.query_id):
            return False
        asked = any(i.outcome is not Outcome.NOT_ASKED for i in answer.invocations)
        if answer.unmeasurable is not None or not asked:
            return False
        at = answer.started_at_millis
        if answer.is_degraded or self._is_explored(answer.query_id, at):
            return True
        rate = self._rates.rate_at(at) * self._config.profiling_share
        return not self._rates.is_scarce_at(at) and sampling.is_sampled(answer.query_id, rate)

    def emit(self, event: Answer | PartialResult) -> None:
        """An answer without a variant gets that of the instance.

        Names that readers refuse are cleaned, ids get a digest; what cannot be mended is dropped and counted.
        """
        try:
            service = self._config.service
            if isinstance(event, Answer):
                topic, millis = "answers", event.answered_at_millis
                if self._config.variant and not event.variant:
                    event = replace(event, variant=self._config.variant)
            else:
                topic, millis = "partials", event.completed_at_millis
            key = identifier(event.query_id)
        except Exception as e:
            self._outbox.refuse(self._stats, e)
            return
        self._outbox.offer(
            self._config.topic_prefix + topic,
            key,
            millis,
            lambda: event.to_wire(service),
            self._stats,
        )

    def refuse(self, problem: Exception) -> None:
        """Counts an event that could not be made, as undelivered."""
        self._outbox.refuse(self._stats, problem)

    def stats(self) -> Stats:
        return replace(self._stats)


class Kipimo:
    """Emitter, meter, admission, completeness and fan-out of one service. Three daemon threads.

    A child process (os.fork, gunicorn --preload, multiprocessing) goes on by itself: with its own threads and
    connections, and as server "NAME-PID". At the end of a process, also by SIGTERM unless the service handles it,
    waiting events are sent as by close().

    Every method but close() returns at once, so an event loop may call it. Starts without Kafka.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        common = {"bootstrap.servers": config.bootstrap_servers, **config.kafka}
        self._rates = sampling.SamplingRates(config.initial_sampling_rate)
        self._outbox = Outbox(
            config.buffer_events,
            lambda: Producer(
                {
                    "linger.ms": 5,
                    "message.timeout.ms": 60_000,
                    "reconnect.backoff.max.ms": 5_000,
                    "queue.buffering.max.messages": max(1_000, config.buffer_events),
                    **common,
                    "acks": "all",
                    # librdkafka's own default differs from that of Kafka's clients.
                    "partitioner": "murmur2_random",
                },
                logger=_LOG,
            ),
            # They move event time.
            last_topic=config.topic_prefix + "observations",
        )
        self.fan_out = FanOutClient(config.service, config.classes)
        self.emitter = Emitter(config, self._outbox, self._rates, self.fan_out.exploration_at)
        self.admission = AdmissionClient(config.service, config.classes)
        self.completeness = CompletenessClient(config.service, config.classes)
        self._observations = Stats()
        self.meter = ServiceMeter(
            config.service,
            config.tier,
            config.server,
            config.classes,
            self.admission.fraction,
            self._emitted,
            self._publish,
            now_millis(),
            config.variant,
        )
        prefix = config.topic_prefix
        self._follower = TopicFollower(
            {
                prefix + "admission": (self._take_admission, self.admission.unreadable),
                prefix + "sampling": (self._take_sampling, self.admission.unreadable),
                prefix + "completeness": (
                    self.completeness.offer_record,
                    self._unreadable_model,
                ),
                prefix + "fan-out": (self.fan_out.offer_record, self.fan_out.unreadable),
            },
            common,
        )
        self._count_seconds()
        processes.watch(self, config.handle_sigterm)

    def _count_seconds(self) -> None:
        self._closed = threading.Event()
        self._seconds = threading.Thread(target=self._count, name="kipimo-meter", daemon=True)
        self._seconds.start()

    def begin_in_child(self) -> None:
        """After a fork: no thread of the parent is here, and its locks may be held for ever."""
        if self._closed.is_set():
            return
        suffix = f"-{os.getpid()}"
        for part in (self.admission, self.completeness, self.fan_out, self._rates):
            part._lock = threading.Lock()
        self._outbox.start()
        self.meter.begin_again(self._config.server[: LONGEST - len(suffix)] + suffix, now_millis())
        self._follower.start()
        self._count_seconds()

    @staticmethod
    def connect(config: Config) -> Kipimo:
        return Kipimo(config)

    @property
    def sampling_rate(self) -> float:
        """The rate for queries that start now."""
        return self._rates.rate_at(now_millis())

    @property
    def waiting_events(self) -> int:
        return self._outbox.outstanding

    def close(self, wait_seconds: float = 5) -> None:
        """Sends waiting events and the open second's counts, for some seconds at most.

        Blocks; in an event loop use aclose(). What is lost is counted, and a warning says how much.
        """
        if self._closed.is_set():
            return
        self._closed.set()
        processes.forget(self)
        self._seconds.join(1)
        self._publish_seconds(now_millis() + 1_000)
        self._follower.close()
        self._outbox.close(wait_seconds)

    async def aclose(self, wait_seconds: float = 5) -> None:
        await asyncio.to_thread(self.close, wait_seconds)

    def __enter__(self) -> Kipimo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Kipimo:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _count(self) -> None:
        while not self._closed.wait(1 - time.time() % 1):
            self._publish_seconds(now_millis())

    def _publish_seconds(self, until_millis: int) -> None:
        try:
            self.meter.publish_closed_seconds(until_millis)
        except Exception:
            # Nothing may end the thread.
            _LOG.warning("a second's counts are not published", exc_info=True)

    def _emitted(self) -> tuple[int, int]:
        stats = self.emitter.stats()
        return stats.delivered_bytes, stats.dropped

    def _publish(self, observation: ObservationProto) -> None:
        o = observation
        o.safe_fraction = self._config.classes[o.query_class].safe_fraction
        self._outbox.offer(
            self._config.topic_prefix + "observations",
            f"{o.service}/{o.tier}/{o.server}",
            o.second_millis,
            lambda: o,
            self._observations,
        )

    def _take_admission(self, record: bytes) -> None:
        self.admission.offer(Decision.parse(record))

    def _take_sampling(self, record: bytes) -> None:
        decision = Decision.parse(record)
        if decision.controller == SAMPLING and decision.scope == self._config.service:
            self._rates.accept(decision)

    def _unreadable_model(self) -> None:
        self.completeness.unreadable_models += 1
