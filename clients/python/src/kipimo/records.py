"""Records that a service emits; topics answers and partials.

Names that readers refuse are cleaned, ids get a digest (names.py).
"""

from __future__ import annotations

import enum
import math
import operator
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from .names import cleaned, identifier
from .v1.items_pb2 import ItemsProto
from .v1.quality_pb2 import AnswerProto, PartialResultProto

MAXIMUM_ITEMS = 10_000
MAXIMUM_FEATURES = 64

_UNSIGNED = (1 << 64) - 1
_LARGEST_FLOAT = (2 - 2**-23) * 2.0**127
_SMALLEST_FLOAT = 2.0**-149


class Outcome(enum.IntEnum):
    IN_TIME = 1
    TIMED_OUT = 2
    FAILED = 3
    NOT_ASKED = 4

    @property
    def is_late(self) -> bool:
        """Asked, but its result was not in the answer."""
        return self in (Outcome.TIMED_OUT, Outcome.FAILED)


class AnswerKind(enum.IntEnum):
    ONLINE = 1
    REPLAYED = 2


class Phase(enum.IntEnum):
    ONLINE = 1
    MATURE = 2


class Unmeasurable(enum.IntEnum):
    NO_COMPONENTS = 1
    FAILED_ANSWER = 2
    UNREADABLE = 3
    NOT_ASKED = 4
    CUT = 5
    NO_LIST = 6
    # The quality job writes it.
    MERGE_DIFFERS = 7


def _float32(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]  # type: ignore[no-any-return]


def _below(value: float) -> float:
    """The next lower number of 32 bits."""
    if math.isinf(value):
        return min(value, _LARGEST_FLOAT)
    bits = struct.unpack("<i", struct.pack("<f", value + 0.0))[0]
    return -_SMALLEST_FLOAT if bits == 0 else struct.unpack("<f", struct.pack("<i", bits - 1 if bits > 0 else bits + 1))[0]


def _numbers(ids: Sequence[object]) -> list[int] | None:
    """The ids as numbers of 64 bits; None: they are not all such numbers, or signed and unsigned ones."""
    try:
        numbers = [operator.index(i) for i in ids]  # type: ignore[arg-type]
    except TypeError:
        return None
    least, most = min(numbers, default=0), max(numbers, default=0)
    return numbers if least >= -(1 << 63) and most < (1 << 63 if least < 0 else 1 << 64) else None


@dataclass(frozen=True, slots=True)
class Items:
    """Ranked items, best first: an id each, a number of 64 bits or a text, and a finite score each.

    Equal scores rank by id; Items.in_order keeps the list's own order. Ids of other types, such as UUIDs, are their text.
    """

    ids: Sequence[object] = ()
    scores: Sequence[float] = ()

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.scores):
            raise ValueError(f"{len(self.ids)} ids and {len(self.scores)} scores; allowed: equal")

    @classmethod
    def in_order(cls, ids: Sequence[object], scores: Sequence[float] | None = None) -> Items:
        """Items of a list whose order counts: equal scores fall with the place; without scores, places rank."""
        given = [1 / (i + 1) for i in range(len(ids))] if scores is None else scores
        numbers = [_float32(score) for score in given]
        if not all(map(math.isfinite, numbers)):
            raise ValueError("a score is not finite; allowed: finite")
        falling, last = list(numbers), math.inf
        best = sorted(range(len(numbers)), key=lambda i: -numbers[i])
        for i in best:
            last = falling[i] = min(numbers[i], _below(last))
        if best and last == -math.inf:
            for place, i in enumerate(best):
                falling[i] = _float32(1 / (place + 1))
        return cls(ids, falling)

    def to_wire(self) -> tuple[ItemsProto, bool]:
        """The first 10,000 items, and whether some were cut."""
        ids = self.ids[:MAXIMUM_ITEMS]
        wire = ItemsProto(scores=self.scores[:MAXIMUM_ITEMS])
        numbers = _numbers(ids)
        if numbers is None:
            wire.texts.extend(["" if i is None else identifier(str(i)) for i in ids])
        else:
            wire.numbers.extend([i & _UNSIGNED for i in numbers])
        return wire, len(self.ids) > MAXIMUM_ITEMS


@dataclass(frozen=True, slots=True)
class Invocation:
    component: str
    outcome: Outcome
    latency_micros: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that left. Name every component that the query invoked, or chose not to ask, once each.

    not_asked_loss: share of the full answer, 0..1, that the NOT_ASKED components are expected to cost; None: unknown.
    explored: the query was asked in full by the exploration rule.
    features: hashes of what is known of the query before it asks (features_of); those after the 64th are cut.
    variant: release or experiment arm that made the answer; empty: that of the instance (Config).
    """

    query_id: str
    query_class: str
    started_at_millis: int
    answered_at_millis: int
    deadline_millis: int
    invocations: Sequence[Invocation]
    top_k: int = 0
    kind: AnswerKind = AnswerKind.ONLINE
    items: Items = field(default_factory=Items)
    unmeasurable: Unmeasurable | None = None
    not_asked_loss: float | None = None
    explored: bool = False
    features: Sequence[int] = ()
    variant: str = ""

    @property
    def is_degraded(self) -> bool:
        return any(i.outcome.is_late for i in self.invocations)

    def to_wire(self, service: str) -> AnswerProto:
        wire = AnswerProto(
            service=service,
            query_id=identifier(self.query_id),
            query_class=cleaned(self.query_class),
            kind=int(self.kind),  # type: ignore[arg-type]
            started_at_millis=self.started_at_millis,
            answered_at_millis=self.answered_at_millis,
            deadline_millis=self.deadline_millis,
            top_k=self.top_k,
            unmeasurable=int(self.unmeasurable or 0),  # type: ignore[arg-type]
            variant=cleaned(self.variant),
        )
        if self.not_asked_loss is not None:
            wire.not_asked_loss = self.not_asked_loss
        wire.explored = self.explored
        wire.features.extend([int(f) & _UNSIGNED for f in self.features[:MAXIMUM_FEATURES]])
        for i in self.invocations:
            wire.invocations.add(
                component=cleaned(i.component),
                outcome=int(i.outcome),  # type: ignore[arg-type]
                latency_micros=i.latency_micros,
            )
        if len(self.items.ids):
            items, wire.truncated = self.items.to_wire()
            wire.items.CopyFrom(items)
        return wire


@dataclass(frozen=True, slots=True)
class PartialResult:
    """One component's result, in time (ONLINE) or after the answer (MATURE)."""

    query_id: str
    component: str
    phase: Phase
    completed_at_millis: int
    latency_micros: int
    items: Items
    started_at_millis: int
    server: str = ""

    def to_wire(self, service: str) -> PartialResultProto:
        items, truncated = self.items.to_wire()
        return PartialResultProto(
            service=service,
            query_id=identifier(self.query_id),
            component=cleaned(self.component),
            server=cleaned(self.server),
            phase=int(self.phase),  # type: ignore[arg-type]
            completed_at_millis=self.completed_at_millis,
            latency_micros=self.latency_micros,
            items=items,
            truncated=truncated,
            started_at_millis=self.started_at_millis,
        )
