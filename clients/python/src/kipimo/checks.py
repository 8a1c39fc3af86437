"""What readers accept. Vectors: clients/vectors/records.json."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from .names import LONGEST, is_name, is_text
from .v1.items_pb2 import ItemsProto
from .v1.observation_pb2 import ObservationProto
from .v1.quality_pb2 import AnswerProto, PartialResultProto

MOST_AHEAD_MILLIS = 60_000
LARGEST_COUNT = 1 << 53
LONGEST_MICROS = 864_000_000_000
MOST_PARTS = 10_000

_LATEST_MILLIS = 7_258_118_400_000
_LONGEST_DEADLINE_MILLIS = 864_000_000
_COST_BINS = 200


class RefusedError(ValueError):
    """A record that readers would refuse; names the field."""


def _name(field: str, value: str) -> None:
    if not is_name(value):
        raise RefusedError(f"{field} is {value[:60]!r}; allowed: 1..{LONGEST} characters, no '/', no control characters")


def _text(field: str, value: str) -> None:
    if not is_text(value):
        raise RefusedError(f"{field} is {value[:60]!r}; allowed: 1..{LONGEST} characters, no control characters")


def _within(field: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise RefusedError(f"{field} is {value}; allowed: {least}..{most}")


def _once(field: str, values: Iterable[Any]) -> None:
    every = list(values)
    _within(f"parts of {field}", len(every), 0, MOST_PARTS)
    if len(set(every)) < len(every):
        raise RefusedError(f"{field} names one twice; allowed: once")


def _items(wire: ItemsProto) -> None:
    if wire.numbers and wire.texts:
        raise RefusedError("items have numbers and texts; allowed: one kind")
    if len(wire.scores) != len(wire.numbers) + len(wire.texts):
        raise RefusedError(f"items have {len(wire.scores)} scores; allowed: one for each id")
    for score in wire.scores[:MOST_PARTS]:
        if not math.isfinite(score):
            raise RefusedError(f"items.scores is {score}; allowed: finite")
    for text in wire.texts[:MOST_PARTS]:
        _text("items.texts", text)


def _answer(wire: AnswerProto) -> None:
    _name("service", wire.service)
    _text("query_id", wire.query_id)
    _name("query_class", wire.query_class)
    _within("kind", wire.kind, 1, 2)
    _within("started_at_millis", wire.started_at_millis, 1, _LATEST_MILLIS)
    _within("answered_at_millis", wire.answered_at_millis, wire.started_at_millis, _LATEST_MILLIS)
    _within("deadline_millis", wire.deadline_millis, 0, _LONGEST_DEADLINE_MILLIS)
    _within("top_k", wire.top_k, 0, MOST_PARTS)
    for i in wire.invocations:
        _name("invocations.component", i.component)
        _within("invocations.outcome", i.outcome, 1, 4)
        _within("invocations.latency_micros", i.latency_micros, 0, LONGEST_MICROS)
    _once("invocations", (i.component for i in wire.invocations))
    _items(wire.items)
    _within("unmeasurable", wire.unmeasurable, 0, 5)
    _within("not_asked_loss", wire.not_asked_loss, 0, 1)
    if wire.variant:
        _name("variant", wire.variant)


def _partial(wire: PartialResultProto) -> None:
    _name("service", wire.service)
    _text("query_id", wire.query_id)
    _name("component", wire.component)
    if wire.server:
        _text("server", wire.server)
    _within("phase", wire.phase, 1, 2)
    _within("completed_at_millis", wire.completed_at_millis, 1, _LATEST_MILLIS)
    _within("latency_micros", wire.latency_micros, 0, LONGEST_MICROS)
    _items(wire.items)
    _within("started_at_millis", wire.started_at_millis, 0, _LATEST_MILLIS)


def _observation(wire: ObservationProto) -> None:
    for field in ("service", "tier", "server", "query_class"):
        _name(field, getattr(wire, field))
    if wire.variant:
        _name("variant", wire.variant)
    _within("second_millis", wire.second_millis, 1, _LATEST_MILLIS)
    for field, most in (
        ("offered", LARGEST_COUNT),
        ("rejected", wire.offered),
        ("answered", LARGEST_COUNT),
        ("timed_out", wire.answered),
        ("late_results", LARGEST_COUNT),
        ("late_work_micros", LARGEST_COUNT),
        ("emitted_bytes", LARGEST_COUNT),
        ("dropped_events", LARGEST_COUNT),
        ("answer_work_micros", LARGEST_COUNT),
        ("admitted_fraction", 1),
        ("safe_fraction", 1),
        ("not_asked", wire.answered),
        ("not_asked_loss_sum", wire.not_asked),
        ("listed", wire.answered),
        ("empty", wire.listed),
    ):
        _within(field, getattr(wire, field), 0, most)
    _within("parts of components", len(wire.components), 0, MOST_PARTS)
    for c in wire.components:
        _name("components.component", c.component)
        _within("components.invoked", c.invoked, 0, LARGEST_COUNT)
        _within("components.timed_out", c.timed_out, 0, c.invoked)
    for field, most in (("missing", wire.timed_out), ("not_asked_components", wire.not_asked)):
        for m in getattr(wire, field):
            _name(f"{field}.component", m.component)
            _within(f"{field}.answers", m.answers, 0, most)
        _once(field, (m.component for m in getattr(wire, field)))
    for u in wire.unmeasurable:
        _within("unmeasurable.reason", u.reason, 1, 5)
        _within("unmeasurable.answers", u.answers, 0, wire.answered)
    _once("unmeasurable", (u.reason for u in wire.unmeasurable))
    _within("unmeasurable answers", sum(u.answers for u in wire.unmeasurable), 0, wire.answered)
    for c in wire.costs:
        _within("costs.bin", c.bin, -_COST_BINS, _COST_BINS)
        _within("costs.offered", c.offered, 0, wire.offered)
        _within("costs.answered", c.answered, 0, wire.answered)
        _within("costs.work_micros", c.work_micros, 0, LARGEST_COUNT)
    _once("costs", (c.bin for c in wire.costs))


_CHECKS: dict[type, Callable[[Any], None]] = {
    AnswerProto: _answer,
    PartialResultProto: _partial,
    ObservationProto: _observation,
}


def check(message: Any) -> None:
    """Raises RefusedError if readers would refuse the message."""
    known = _CHECKS.get(type(message))
    if known is not None:
        known(message)
