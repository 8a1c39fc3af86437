"""Which queries are admitted. Rule and vectors: clients/vectors/admission.json, leases.json."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import xxhash

from .costs import fraction_of
from .decisions import ADMISSION, Decision
from .names import as_id

UNREADABLE = "UNREADABLE"

_SALT = 0x4B69706900000000
_HOUR_MILLIS = 3_600_000
_SLEW_UP_PER_SECOND = 0.1
_SLEW_DOWN_PER_SECOND = 0.5
_MAXIMUM_AGE_MILLIS = 300_000
_LONGEST_LEASE_MILLIS = 3_600_000
_DECAY_MILLIS = 60_000
_START_LEASE_MILLIS = 60_000


def admits(query_id: str, fraction: float, epoch_millis: int) -> bool:
    """Whether a query is admitted in the hour of epoch_millis."""
    if fraction >= 1:
        return True
    seed = _SALT + epoch_millis // _HOUR_MILLIS
    return (xxhash.xxh64_intdigest(as_id(query_id).encode(errors="replace"), seed) >> 11) * 2.0**-53 < fraction


@dataclass(frozen=True, slots=True)
class ClassDefaults:
    """Bounds of one class that hold for every decision: 0 < floor <= safe <= ceiling <= 1."""

    safe_fraction: float = 1.0
    floor: float = 1.0
    ceiling: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.floor <= self.safe_fraction <= self.ceiling <= 1:
            raise ValueError(f"{self}; allowed: 0 < floor <= safe_fraction <= ceiling <= 1")

    @staticmethod
    def sheddable(floor: float) -> ClassDefaults:
        """Admits everything without a decision, and the decided fraction, at least floor, with one."""
        return ClassDefaults(1.0, floor, 1.0)


ALL = ClassDefaults()


@dataclass(frozen=True, slots=True)
class _Taken:
    """The last applied decision: the fraction moves from start to target."""

    start: float
    target: float
    valid_until_millis: int = 0
    taken_at_millis: int = 0
    lease_millis: int = 0
    decision: Decision | None = None


class AdmissionClient:
    """The admitted fraction in force of each class. Safe for use by many threads; never blocks."""

    def __init__(
        self,
        service: str,
        classes: Mapping[str, ClassDefaults],
        wall_millis: Callable[[], int] | None = None,
        monotonic_millis: Callable[[], int] | None = None,
    ) -> None:
        self._service = service
        self._classes = dict(classes)
        self._wall = wall_millis or (lambda: time.time_ns() // 1_000_000)
        self._monotonic = monotonic_millis or (lambda: time.monotonic_ns() // 1_000_000)
        # No decision yet shows neither overload nor a lost controller.
        until, now = self._wall() + _START_LEASE_MILLIS, self._monotonic()
        self._taken = {
            n: _Taken(d.ceiling, d.ceiling, until, now, _START_LEASE_MILLIS) for n, d in classes.items()
        }
        self._refusals: Counter[str] = Counter()
        self._lock = threading.Lock()

    def admits(self, query_class: str, query_id: str, cost: float = 0.0) -> bool:
        """Whether a query is admitted; the same for the same id and cost for about an hour.

        cost: predicted, any number that grows with the work of the query, in the same unit in all front ends. If the
        policy's cost_order is above 0, the costliest queries of the class are shed first. 0: not known.
        """
        in_force = self.fraction(query_class)
        decision = self._taken[query_class].decision
        own = in_force if decision is None else fraction_of(decision, in_force, cost)
        return admits(query_id, own, self._wall())

    def fraction(self, query_class: str) -> float:
        """The admitted fraction in force, 0..1. Raises KeyError for an undeclared class."""
        taken = self._taken[query_class]
        since = max(0, self._monotonic() - taken.taken_at_millis)
        overdue = max(self._wall() - taken.valid_until_millis, since - taken.lease_millis)
        seconds = max(0, since - max(0, overdue)) / 1000.0
        low = taken.start - _SLEW_DOWN_PER_SECOND * seconds
        high = taken.start + _SLEW_UP_PER_SECOND * seconds
        leased = max(low, min(high, taken.target))
        if overdue <= 0:
            return leased
        safe = self._classes[query_class].safe_fraction
        if overdue >= _DECAY_MILLIS:
            return safe
        return leased + (safe - leased) * (overdue / _DECAY_MILLIS)

    def in_force(self, query_class: str) -> Decision | None:
        """The decision behind the fraction in force; None without one, or after its lease."""
        decision = self._taken[query_class].decision
        live = decision is not None and self._wall() < decision.valid_until_millis
        return decision if live else None

    def refusals(self) -> dict[str, int]:
        """How many decisions for this service were refused, by reason."""
        with self._lock:
            return dict(self._refusals)

    def offer(self, decision: Decision) -> None:
        """Applies or refuses a decision."""
        service, _, query_class = decision.scope.partition("/")
        if service != self._service:
            return
        with self._lock:
            refusal = self._refusal(decision, query_class)
            if refusal:
                self._refusals[refusal] += 1
                if refusal == "EXPIRED":
                    self._ended(decision, query_class)
                elif refusal == "SHADOW" and self._taken[query_class].decision is None:
                    # It prolongs the start: a controller is there, and is asked to change nothing.
                    ceiling = self._classes[query_class].ceiling
                    self._taken[query_class] = replace(
                        self._leased(decision, query_class), target=ceiling, decision=None
                    )
                return
            self._taken[query_class] = self._leased(decision, query_class)

    def _leased(self, decision: Decision, query_class: str) -> _Taken:
        bounds = self._classes[query_class]
        return _Taken(
            self.fraction(query_class),
            max(bounds.floor, min(bounds.ceiling, decision.value)),
            decision.valid_until_millis,
            self._monotonic(),
            min(decision.valid_until_millis - decision.issued_at_millis, _LONGEST_LEASE_MILLIS),
            decision,
        )

    def _ended(self, decision: Decision, query_class: str) -> None:
        """Before the first applied decision, an ended one that shed shows that control was lost."""
        taken, bounds = self._taken[query_class], self._classes[query_class]
        if taken.decision is None and decision.is_effective:
            value = bounds.safe_fraction if decision.value < bounds.ceiling else bounds.ceiling
            self._taken[query_class] = replace(taken, start=value, target=value)

    def unreadable(self) -> None:
        with self._lock:
            self._refusals[UNREADABLE] += 1

    def _refusal(self, decision: Decision, query_class: str) -> str:
        if query_class not in self._classes:
            return "OTHER_SCOPE"
        if decision.controller != ADMISSION:
            return "OTHER_CONTROLLER"
        if not decision.possible:
            return "IMPOSSIBLE"
        before = self._taken[query_class].decision
        if before is not None and not decision.is_newer_than(before):
            return "NOT_NEWER"
        now = self._wall()
        if now >= decision.valid_until_millis:
            return "EXPIRED"
        if now - decision.as_of_millis > _MAXIMUM_AGE_MILLIS:
            return "STALE"
        return "" if decision.is_effective else "SHADOW"
