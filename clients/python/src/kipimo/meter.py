"""Counts of all queries, sampled or not; topic observations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from . import costs
from .checks import LARGEST_COUNT, LONGEST_MICROS
from .names import cleaned, is_name
from .records import Invocation, Outcome, Unmeasurable
from .v1.observation_pb2 import ObservationProto

_MAXIMUM_SECONDS = 60
_MAXIMUM_COMPONENTS = 10_000
# Bytes of the components' names with those of their counts: a record has each name up to three times, and fits into
# Kafka's default of 1 MiB.
_MAXIMUM_COMPONENT_BYTES = 300_000
_COUNT_BYTES = 16
_MAXIMUM_VARIANTS = 8
_OTHER_VARIANTS = "other"


def check_name(what: str, name: str) -> None:
    """Raises ValueError if it is not a name."""
    if not is_name(name):
        raise ValueError(f"{what} is {name!r}; allowed: 1..256 characters, no '/', no control characters")


def _work(micros: float) -> int:
    """No component takes longer than ten days; NaN is no time."""
    return int(max(0, min(LONGEST_MICROS, micros))) if micros == micros else 0


def _is_share(loss: float | None) -> TypeGuard[float]:
    return loss is not None and 0 <= loss <= 1


@dataclass(slots=True)
class _Counts:
    offered: int = 0
    rejected: int = 0
    answered: int = 0
    timed_out: int = 0
    late_results: int = 0
    late_work_micros: int = 0
    answer_work_micros: int = 0
    not_asked: int = 0
    not_asked_loss: float = 0.0
    listed: int = 0
    empty: int = 0
    # invoked, timed out, missing in measurable answers, not asked in such
    components: dict[str, list[int]] = field(default_factory=dict)
    unmeasurable: dict[Unmeasurable, int] = field(default_factory=dict)
    # By range of predicted cost: offered, answered, work in microseconds.
    costs: dict[int, list[int]] = field(default_factory=dict)
    free_bytes: int = _MAXIMUM_COMPONENT_BYTES

    def component(self, name: str) -> list[int] | None:
        """None if it is empty, or there are too many, because the number of names from requests is bounded."""
        known = self.components.get(name)
        if known is None and name and len(self.components) < _MAXIMUM_COMPONENTS:
            size = _COUNT_BYTES + len(name.encode())
            if size <= self.free_bytes:
                self.free_bytes -= size
                known = self.components[name] = [0, 0, 0, 0]
        return known

    def cost(self, cost: float) -> list[int] | None:
        """None if the cost is not known."""
        return self.costs.setdefault(costs.bin_of(cost), [0, 0, 0]) if costs.is_known(cost) else None

    def begin_next(self) -> _Counts:
        """Closes these counts. A part beyond its whole, as a list whose answer has not left, counts in the next second."""
        ahead = max(0, self.rejected - self.offered)
        self.rejected -= ahead
        listed = max(0, self.listed - self.answered)
        self.listed -= listed
        empty = max(0, self.empty - self.listed)
        self.empty -= empty
        return _Counts(
            rejected=ahead,
            listed=listed,
            empty=empty,
            components={c: [0, 0, 0, 0] for c in self.components}, free_bytes=self.free_bytes
        )


class ServiceMeter:
    """One observation a second and class, even if all counts are 0. Safe for many threads.

    An undeclared class raises KeyError. Names of components that readers refuse are cleaned; a component without a
    name, and those beyond 10,000 or 300 kB of names, are not counted. An instance that serves several variants counts each with its own meter,
    see of_variant.
    """

    def __init__(
        self,
        service: str,
        tier: str,
        server: str,
        classes: Iterable[str],
        fraction: Callable[[str], float],
        emitted: Callable[[], tuple[int, int]],
        publish: Callable[[ObservationProto], None],
        now_millis: int,
        variant: str = "",
    ) -> None:
        """emitted: bytes delivered and events dropped so far."""
        self._names = (service, tier, server)
        self._variant = variant
        # The meters of all variants share it.
        self._meters = {variant: self}
        self._counts = {name: _Counts() for name in classes}
        self._fraction = fraction
        self._emitted = emitted
        self._publish = publish
        self._next_second = now_millis // 1000
        self._emitted_before = (0, 0)
        self._lock = threading.Lock()

    def begin_again(self, server: str, now_millis: int) -> None:
        """In a child process: without the counts of its parent, which the parent publishes."""
        lock = threading.Lock()
        for meter in self._meters.values():
            meter._lock = lock
            meter._names = (*self._names[:2], server)
            meter._counts = {name: _Counts() for name in meter._counts}
        self._next_second = now_millis // 1000
        self._emitted_before = self._emitted()

    @property
    def variant(self) -> str:
        """The variant that this meter counts; empty: none."""
        return self._variant

    def of_variant(self, name: str) -> ServiceMeter:
        """The meter of a variant, for an instance that serves several, such as the arms of an experiment.

        Give the answers of its queries its variant. There are at most 8 names; further ones count as "other".
        """
        known = self._meters.get(name)
        if known is not None:
            return known
        check_name("variant", name)
        with self._lock:
            kept = name if len(self._meters) < _MAXIMUM_VARIANTS else _OTHER_VARIANTS
            if kept not in self._meters:
                made = ServiceMeter(
                    *self._names, self._counts, self._fraction, self._emitted, self._publish, 0, kept
                )
                made._meters, made._lock = self._meters, self._lock
                self._meters[kept] = made
            return self._meters[kept]

    def offered(self, query_class: str, cost: float = 0.0) -> None:
        """cost: as given to AdmissionClient.admits; 0: not known."""
        with self._lock:
            counts = self._counts[query_class]
            counts.offered += 1
            of_cost = counts.cost(cost)
            if of_cost is not None:
                of_cost[0] += 1

    def rejected(self, query_class: str) -> None:
        with self._lock:
            self._counts[query_class].rejected += 1

    def answered(
        self,
        query_class: str,
        invocations: Sequence[Invocation],
        unmeasurable: Unmeasurable | None = None,
        not_asked_loss: float | None = None,
        cost: float = 0.0,
    ) -> None:
        """Counts an answer that left; invocations names every component that the query invoked or chose not to ask.

        not_asked_loss: as in Answer; without it, an answer that did not ask a component counts as wholly lost.
        cost: as given to offered; what the components took is the work of queries of this cost.
        """
        # What is of a wrong type raises before anything is counted.
        parts = [(cleaned(i.component), Outcome(i.outcome), _work(i.latency_micros)) for i in invocations]
        reason = None if unmeasurable is None else Unmeasurable(unmeasurable)
        if reason is None and all(outcome is Outcome.NOT_ASKED for _, outcome, _ in parts):
            reason = Unmeasurable.NO_COMPONENTS
        loss = not_asked_loss if _is_share(not_asked_loss) else 1.0
        with self._lock:
            counts = self._counts[query_class]
            degraded = trimmed = False
            for name, outcome, work in parts:
                degraded |= outcome.is_late
                trimmed |= outcome is Outcome.NOT_ASKED
                counts.answer_work_micros += work
                component = counts.component(name)
                if component is None:
                    continue
                if outcome is Outcome.NOT_ASKED:
                    component[3] += reason is None
                    continue
                component[0] += 1
                component[1] += outcome is Outcome.TIMED_OUT
                component[2] += outcome.is_late and reason is None
            if trimmed and reason is None:
                counts.not_asked += 1
                counts.not_asked_loss += loss
            if reason is not None:
                counts.unmeasurable[reason] = counts.unmeasurable.get(reason, 0) + 1
            elif degraded:
                counts.timed_out += 1
            counts.answered += 1
            of_cost = counts.cost(cost)
            if of_cost is not None:
                of_cost[1] += 1
                of_cost[2] += sum(work for _, _, work in parts)

    def listed(self, query_class: str, items: int) -> None:
        """Counts an answer whose list was read, for the rate of answers without any item.

        Call it for all answers whose list is known, or for a random sample of them, never for only those that lack
        something. items: number of items that the user got.
        """
        with self._lock:
            counts = self._counts[query_class]
            counts.listed += 1
            counts.empty += items == 0

    def late_result(self, query_class: str, work_micros: int) -> None:
        """Counts a late result that was needed only for measuring; work_micros: its time after the deadline."""
        work = _work(work_micros)
        with self._lock:
            counts = self._counts[query_class]
            counts.late_results += 1
            counts.late_work_micros += work

    def publish_closed_seconds(self, now_millis: int) -> None:
        """Publishes seconds that closed; called by one thread at a time.

        Counts since the last call belong to the newest of them.
        """
        open_second = now_millis // 1000
        first = max(self._next_second, open_second - _MAXIMUM_SECONDS)
        for second in range(first, open_second):
            bill = (0, 0)
            if second == open_second - 1:
                now = self._emitted()
                bill = (now[0] - self._emitted_before[0], now[1] - self._emitted_before[1])
                self._emitted_before = now
            with self._lock:
                meters = list(self._meters.values())
            for meter in meters:
                for name, counts in meter._taken(second == open_second - 1).items():
                    self._publish(meter._observation(name, second * 1000, counts, bill))
                    # The emitter serves all classes; its costs are attributed to the first one.
                    bill = (0, 0)
        self._next_second = max(self._next_second, open_second)

    def _taken(self, is_newest: bool) -> dict[str, _Counts]:
        with self._lock:
            if not is_newest:
                return {name: _Counts() for name in self._counts}
            taken = self._counts
            self._counts = {name: counts.begin_next() for name, counts in taken.items()}
            return taken

    def _observation(
        self, query_class: str, second_millis: int, counts: _Counts, bill: tuple[int, int]
    ) -> ObservationProto:
        service, tier, server = self._names
        wire = ObservationProto(
            service=service,
            tier=tier,
            server=server,
            query_class=query_class,
            second_millis=second_millis,
            offered=counts.offered,
            rejected=counts.rejected,
            answered=counts.answered,
            timed_out=counts.timed_out,
            late_results=counts.late_results,
            late_work_micros=min(LARGEST_COUNT, counts.late_work_micros),
            emitted_bytes=bill[0],
            dropped_events=bill[1],
            admitted_fraction=self._fraction(query_class),
            answer_work_micros=min(LARGEST_COUNT, counts.answer_work_micros),
            not_asked=counts.not_asked,
            not_asked_loss_sum=min(counts.not_asked_loss, counts.not_asked),
            variant=self._variant,
            listed=counts.listed,
            empty=counts.empty,
        )
        for component in sorted(counts.components):
            invoked, timed_out, missing, not_asked = counts.components[component]
            wire.components.add(component=component, invoked=invoked, timed_out=timed_out)
            if min(missing, counts.timed_out):
                # A component that an answer names twice counts once.
                wire.missing.add(component=component, answers=min(missing, counts.timed_out))
            if not_asked:
                wire.not_asked_components.add(component=component, answers=min(not_asked, counts.not_asked))
        for cost_bin in sorted(counts.costs):
            # An answer may leave in a later second than its query came; a part never exceeds its whole.
            offered, answered, work = counts.costs[cost_bin]
            wire.costs.add(
                bin=cost_bin,
                offered=min(offered, counts.offered),
                answered=min(answered, counts.answered),
                work_micros=min(LARGEST_COUNT, work),
            )
        for reason in sorted(counts.unmeasurable):
            wire.unmeasurable.add(reason=int(reason), answers=counts.unmeasurable[reason])  # type: ignore[arg-type]
        return wire
