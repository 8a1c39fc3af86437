"""Which queries are sampled. Rule and vectors: clients/vectors/sampling.json, sampling-rates.json."""

from __future__ import annotations

import math
import re
import threading

import xxhash

from .decisions import Decision
from .names import as_id

RANDOMNESS_RANGE = 1 << 56
PROPAGATION_MILLIS = 5_000

# "Explore!" in ASCII.
_EXPLORATION_SALT = 0x4578706C6F726521
_KEPT = 64
_TRACE_ID = re.compile(r"[0-9a-f]{32}")
_ZEROS = "0" * 32
_SCARCE = frozenset({"BUDGET_SPENT", "EXTRA_LOAD"})


def randomness(query_id: str) -> int:
    """R of a query id, 0..2^56 - 1."""
    query_id = as_id(query_id)
    if len(query_id) == 32 and _TRACE_ID.fullmatch(query_id) and query_id != _ZEROS:
        return int(query_id[18:], 16)
    return xxhash.xxh64_intdigest(query_id.encode(errors="replace"), 0) & (RANDOMNESS_RANGE - 1)


def threshold(rate: float) -> int:
    """T of a rate in 0..1, 0..2^56. Raises ValueError for another rate."""
    if not 0 <= rate <= 1:
        raise ValueError(f"sampling rate is {rate}; allowed: 0..1")
    scaled = rate * RANDOMNESS_RANGE
    whole = math.floor(scaled)
    return RANDOMNESS_RANGE - (whole + (scaled - whole >= 0.5))


def is_sampled(query_id: str, rate: float) -> bool:
    return randomness(query_id) >= threshold(rate)


def exploration_randomness(query_id: str) -> int:
    """R' of a query id, 0..2^56 - 1."""
    return xxhash.xxh64_intdigest(as_id(query_id).encode(errors="replace"), _EXPLORATION_SALT) & (RANDOMNESS_RANGE - 1)


def is_explored(query_id: str, share: float) -> bool:
    """Whether a query is always asked in full, and always sampled. Vectors: clients/vectors/exploration.json."""
    return exploration_randomness(query_id) >= threshold(share)


class SamplingRates:
    """The rate for a query by its start. All emitters of a service must agree on it."""

    def __init__(self, initial: float) -> None:
        threshold(initial)
        self._initial = initial
        self._decisions: tuple[Decision, ...] = ()
        self._lock = threading.Lock()

    def accept(self, decision: Decision) -> None:
        """Applies a newer decision that is not in shadow mode; ignores others."""
        with self._lock:
            known = self._decisions
            if not decision.is_effective or (known and not decision.is_newer_than(known[-1])):
                return
            kept = [d for d in known if d.issued_at_millis < decision.issued_at_millis]
            self._decisions = (*kept, decision)[-_KEPT:]

    def rate_at(self, started_at_millis: int) -> float:
        decision = self._in_force_at(started_at_millis)
        return self._initial if decision is None else decision.value

    def is_scarce_at(self, started_at_millis: int) -> bool:
        """Whether measuring is at its budget, so that only degraded answers send their results."""
        decision = self._in_force_at(started_at_millis)
        return decision is not None and decision.reason in _SCARCE

    def _in_force_at(self, started_at_millis: int) -> Decision | None:
        for decision in reversed(self._decisions):
            if started_at_millis >= decision.issued_at_millis + PROPAGATION_MILLIS:
                expired = started_at_millis >= decision.valid_until_millis + PROPAGATION_MILLIS
                return None if expired else decision
        return None
