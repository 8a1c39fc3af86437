"""Which components a query asks. Rule and vectors: clients/vectors/fan-out.json, exploration.json."""

from __future__ import annotations

import enum
import functools
import logging
import math
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from . import sampling
from .decisions import LATEST_MILLIS, UnreadableError, is_fraction
from .records import MAXIMUM_FEATURES
from .v1.fan_out_pb2 import ContributionTableProto, FanOutPublicationProto

_LOG = logging.getLogger("kipimo")

_MASK = (1 << 64) - 1
_FNV_OFFSET = 0xCBF29CE484222325
_FNV_PRIME = 0x100000001B3
_ROW_FACTOR = 0x9E3779B97F4A7C15

_ON = 1
_OFF = 3
_STATES = range(1, 4)
_MOST_TEXT = 256
_MOST_COUNT = 1 << 53
_MOST_PRICE = 1e6
_MOST_COMPONENTS = 1_000
_MOST_ROW_BITS = 17
_MOST_BYTES = 128 * 1024
_LEAST_COST = 2.0**-1022
_MOST_COST = 1e15
_MOST_LOGIT = 1e6

_BINS = 10
_LEAST_CHOICES = 200
_LEAST_IN_BIN = 30
_MOST_CORRECTION = 0.25


def features_of(texts: Iterable[str]) -> list[int]:
    """The 64-bit FNV-1a hashes of the first 64 texts, such as a query's terms, as in Java's Features.ofTexts."""
    hashes = []
    for text in texts:
        if len(hashes) == MAXIMUM_FEATURES:
            break
        value = _FNV_OFFSET
        for byte in text.encode(errors="replace"):
            value = (value ^ byte) * _FNV_PRIME & _MASK
        hashes.append(value)
    return hashes


class FanOutReason(enum.Enum):
    """Why a choice asks these components. All but CHOSEN ask all."""

    CHOSEN = "CHOSEN"
    ALL_NEEDED = "ALL_NEEDED"
    OTHER_LAYOUT = "OTHER_LAYOUT"
    NO_FEATURES = "NO_FEATURES"
    NOT_CALIBRATED = "NOT_CALIBRATED"
    NOT_PUBLISHED = "NOT_PUBLISHED"
    EXPIRED = "EXPIRED"
    OFF = "OFF"
    EXPLORED = "EXPLORED"
    SHADOW = "SHADOW"


@dataclass(frozen=True, slots=True)
class FanOutChoice:
    """The components to ask, in the order in which they were given.

    expected_quality: share of the full answer, 0..1, that the asked components are expected to have.
    proposed: what would have been asked, if the reason is SHADOW.
    """

    asked: tuple[str, ...]
    reason: FanOutReason
    expected_quality: float = 1.0
    proposed: FanOutChoice | None = None

    @property
    def explored(self) -> bool:
        """Whether the query is always asked in full, so that its answer teaches the model."""
        return self.reason is FanOutReason.EXPLORED

    @property
    def expected_loss(self) -> float:
        """Share of the full answer that is expected to be lost, 0..1."""
        return 1.0 - self.expected_quality

    @property
    def not_asked_loss(self) -> float | None:
        """What an answer and the meter state as not_asked_loss; None if all components are asked."""
        return self.expected_loss if self.reason is FanOutReason.CHOSEN else None


class _Model:
    """A learned model of one service. Immutable."""

    def __init__(self, table: ContributionTableProto) -> None:
        self._indices = {name: i for i, name in enumerate(table.components)}
        self._costs = tuple(table.costs)
        self._all_costs = 0.0
        # sum() rounds differently.
        for cost in self._costs:
            self._all_costs += cost
        self._bias = list(table.bias)
        self._row_bits = table.row_bits
        self._step = table.step
        self._table = memoryview(table.table).cast("b")
        self._errors = [
            (kept - predicted) / tested if tested >= _LEAST_IN_BIN else 0.0
            for tested, predicted, kept in zip(table.tested, table.predicted, table.kept, strict=True)
        ]
        self._holds = math.fsum(table.tested) >= _LEAST_CHOICES and min(self._errors) >= -_MOST_CORRECTION

    def choose(
        self, features: Sequence[int], components: tuple[str, ...], price: float, floor: float
    ) -> FanOutChoice:
        if len(components) != len(self._indices) or self._indices.keys() != set(components):
            return FanOutChoice(components, FanOutReason.OTHER_LAYOUT)
        if not len(features):
            return FanOutChoice(components, FanOutReason.NO_FEATURES)
        if not self._holds:
            return FanOutChoice(components, FanOutReason.NOT_CALIBRATED)
        shares = self._predict(features)
        asked = set()
        expected = 0.0
        for c in self._order(shares):
            needed = not asked or self._corrected(expected) < floor
            if needed or shares[c] > price * self._costs[c] / self._all_costs:
                asked.add(c)
                expected += shares[c]
        if len(asked) == len(shares):
            return FanOutChoice(components, FanOutReason.ALL_NEEDED)
        chosen = tuple(name for name in components if self._indices[name] in asked)
        return FanOutChoice(chosen, FanOutReason.CHOSEN, self._corrected(expected))

    def _predict(self, features: Sequence[int]) -> list[float]:
        """Share of the full answer of each component."""
        logits, step, n = self._bias, self._step, len(self._bias)
        for feature in features[:MAXIMUM_FEATURES]:
            at = ((int(feature) * _ROW_FACTOR & _MASK) >> (64 - self._row_bits)) * n
            weights = self._table[at : at + n]
            logits = [logit + step * weight for logit, weight in zip(logits, weights, strict=True)]
        most = max(logits)
        shares = [math.exp(logit - most) for logit in logits]
        total = 0.0
        for share in shares:
            total += share
        return [share / total for share in shares]

    def _order(self, shares: list[float]) -> list[int]:
        """The greatest share first, then by falling share for its cost."""
        costs = self._costs
        best = shares.index(max(shares))

        def compare(a: int, b: int) -> int:
            left, right = shares[a] * costs[b], shares[b] * costs[a]
            return (left < right) - (left > right)

        others = [c for c in range(len(shares)) if c != best]
        return [best, *sorted(others, key=functools.cmp_to_key(compare))]

    def _corrected(self, quality: float) -> float:
        tenth = max(0, min(_BINS - 1, int(quality * _BINS)))
        return max(0.0, min(1.0, quality + self._errors[tenth]))


class Publication:
    """A publication as a front end uses it. Immutable."""

    def __init__(self, wire: FanOutPublicationProto) -> None:
        """Raises UnreadableError where the Java codec refuses the record."""
        problem = _problem(wire)
        if problem:
            raise UnreadableError(f"publication of {wire.service}/{wire.query_class}: {problem}")
        self.wire = wire
        self._model = None if wire.state == _OFF else _Model(wire.model)
        self._price = wire.price if wire.price > 0 else math.inf

    @staticmethod
    def parse(record: bytes) -> Publication:
        try:
            wire = FanOutPublicationProto.FromString(record)
        except Exception as e:  # protobuf's DecodeError differs by implementation
            raise UnreadableError(str(e)) from e
        return Publication(wire)

    def exploration_at(self, millis: int) -> float:
        """Share of the queries that are explored; 0 if all are asked in full."""
        live = self._model is not None and millis < self.wire.valid_until_millis
        return self.wire.exploration if live else 0.0

    def choose(
        self, query_id: str, features: Sequence[int], components: tuple[str, ...], now_millis: int
    ) -> FanOutChoice:
        """Whether a query is explored is decided first, by its id alone."""
        if now_millis >= self.wire.valid_until_millis:
            return FanOutChoice(components, FanOutReason.EXPIRED)
        if self._model is None:
            return FanOutChoice(components, FanOutReason.OFF)
        if sampling.is_explored(query_id, self.wire.exploration):
            return FanOutChoice(components, FanOutReason.EXPLORED)
        choice = self._model.choose(features, components, self._price, self.wire.floor)
        if self.wire.state == _ON:
            return choice
        return FanOutChoice(components, FanOutReason.SHADOW, proposed=choice)


class FanOutClient:
    """Follows the models of what components contribute. Any doubt asks all components.

    Safe for use by many threads; never blocks. An undeclared class raises KeyError.
    """

    def __init__(
        self, service: str, classes: Iterable[str], wall_millis: Callable[[], int] | None = None
    ) -> None:
        self._service = service
        self._newest: dict[str, Publication | None] = dict.fromkeys(classes)
        self._published: tuple[Publication, ...] = ()
        self._wall = wall_millis or (lambda: time.time_ns() // 1_000_000)
        self._reasons: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.unreadable_publications = 0

    def choose(
        self, query_class: str, query_id: str, features: Sequence[int], components: Iterable[str]
    ) -> FanOutChoice:
        """The components to ask for a query.

        features: hashes, the same as in the query's answer. components: all of the service, once each.
        """
        newest = self._newest[query_class]
        names = tuple(components)
        if newest is None:
            choice = FanOutChoice(names, FanOutReason.NOT_PUBLISHED)
        else:
            choice = newest.choose(query_id, features, names, self._wall())
        with self._lock:
            self._reasons[choice.reason.value] += 1
        return choice

    def reasons(self) -> dict[str, int]:
        """Number of choices of all classes, by the name of their reason."""
        with self._lock:
            return dict(self._reasons)

    def publication(self, query_class: str) -> FanOutPublicationProto | None:
        """The newest publication of a class, expired or not."""
        newest = self._newest[query_class]
        return None if newest is None else newest.wire

    def exploration_at(self, started_at_millis: int) -> float:
        """Share of the queries that are explored, and so always sampled; the greatest of all classes.

        A component does not know a query's class.
        """
        return max((p.exploration_at(started_at_millis) for p in self._published), default=0.0)

    def offer_record(self, record: bytes) -> None:
        """Keeps a publication of this service unless it is older. Raises UnreadableError if it cannot be used."""
        publication = Publication.parse(record)
        wire = publication.wire
        with self._lock:
            if wire.service != self._service or wire.query_class not in self._newest:
                return
            before = self._newest[wire.query_class]
            if before is None or before.wire.version <= wire.version:
                self._newest[wire.query_class] = publication
                self._published = tuple(p for p in self._newest.values() if p is not None)

    def unreadable(self) -> None:
        with self._lock:
            self.unreadable_publications += 1
            first = self.unreadable_publications == 1
        if first:
            _LOG.warning(
                "a model in topic fan-out cannot be used; without a good one, all components are asked (logged once)"
            )


def _problem(wire: FanOutPublicationProto) -> str:
    """What the Java codec refuses; empty: nothing."""
    fractions = (wire.floor, wire.exploration, wire.saving, wire.quality)
    if not (_is_name(wire.service) and _is_name(wire.query_class) and _is_text(wire.reason)):
        return "a text is not allowed"
    if wire.state not in _STATES or wire.HasField("model") == (wire.state == _OFF):
        return f"state {wire.state} does not fit the model"
    if not (
        1 <= wire.learned_at_millis <= wire.valid_until_millis <= LATEST_MILLIS
        and 0 <= wire.version <= _MOST_COUNT
        and 0 <= wire.queries <= _MOST_COUNT
        and 0 <= wire.price <= _MOST_PRICE
        and all(map(is_fraction, fractions))
    ):
        return "a number is not allowed"
    return _table_problem(wire.model) if wire.HasField("model") else ""


def _table_problem(table: ContributionTableProto) -> str:
    n = len(table.components)
    if not 1 <= n <= _MOST_COMPONENTS or len(set(table.components)) != n:
        return f"{n} components, or one twice"
    if not all(map(_is_name, table.components)):
        return "a component's name is not allowed"
    if not 0 <= table.row_bits <= _MOST_ROW_BITS:
        return f"row_bits is {table.row_bits}"
    if len(table.table) > _MOST_BYTES or len(table.table) != n << table.row_bits:
        return f"the table has {len(table.table)} bytes"
    # Comparisons refuse NaN.
    allowed = (
        _are_within(table.costs, n, _LEAST_COST, _MOST_COST)
        and _are_within(table.bias, n, -_MOST_LOGIT, _MOST_LOGIT)
        and 0 <= table.step <= _MOST_LOGIT
        and all(_are_within(s, _BINS, 0, _MOST_COUNT) for s in (table.tested, table.predicted, table.kept))
    )
    return "" if allowed else "a number of the model is not allowed"


def _are_within(values: Sequence[float], size: int, least: float, most: float) -> bool:
    return len(values) == size and all(least <= value <= most for value in values)


def _is_text(text: str) -> bool:
    """At most 256 UTF-16 code units, no control characters."""
    units = len(text) + sum(c > "\uffff" for c in text)
    return units <= _MOST_TEXT and not any(unicodedata.category(c) == "Cc" for c in text)


def _is_name(text: str) -> bool:
    return bool(text) and "/" not in text and _is_text(text)
