"""Decisions of controllers; topics admission and sampling."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .v1.decision_pb2 import DecisionProto

ADMISSION = "admission"
SAMPLING = "sampling"

_SHADOW = 1
_MODES = range(1, 5)
_LARGEST_COUNT = 1 << 53
LATEST_MILLIS = 7_258_118_400_000


class UnreadableError(ValueError):
    """A record that is no valid message of its topic."""


def is_fraction(value: float) -> bool:
    return math.isfinite(value) and 0 <= value <= 1


def is_count(value: int) -> bool:
    return 0 <= value < _LARGEST_COUNT


@dataclass(frozen=True, slots=True)
class Decision:
    controller: str
    scope: str
    epoch: int
    sequence: int
    issued_at_millis: int
    as_of_millis: int
    valid_until_millis: int
    value: float
    mode: int
    reason: str
    possible: bool = True
    # Steps of predicted cost, ascending: up to which cost, which fraction.
    cost_order: tuple[tuple[float, float], ...] = ()

    @property
    def is_effective(self) -> bool:
        return self.mode != _SHADOW

    def is_newer_than(self, other: Decision) -> bool:
        return (self.epoch, self.sequence) > (other.epoch, other.sequence)

    @staticmethod
    def of(wire: DecisionProto) -> Decision:
        """Raises UnreadableError where the Java codec refuses the record."""
        fractions = (wire.value, wire.previous, wire.measured, wire.low, wire.high, wire.objective)
        counts = (wire.epoch, wire.sequence, wire.config_version, wire.as_of_millis)
        if not (
            wire.controller
            and wire.scope
            and wire.reason
            and wire.mode in _MODES
            and wire.samples >= 0
            and 1 <= wire.issued_at_millis <= LATEST_MILLIS
            and wire.valid_until_millis >= wire.issued_at_millis
            and all(map(is_fraction, fractions))
            and all(0 <= c <= _LARGEST_COUNT for c in counts)
            and all(0 < s.up_to < math.inf and is_fraction(s.fraction) for s in wire.cost_order)
        ):
            raise UnreadableError(f"decision {wire.controller} of {wire.scope}")
        return Decision(
            wire.controller,
            wire.scope,
            wire.epoch,
            wire.sequence,
            wire.issued_at_millis,
            wire.as_of_millis,
            wire.valid_until_millis,
            wire.value,
            wire.mode,
            wire.reason,
            all(map(is_count, counts)) and is_count(wire.valid_until_millis),
            tuple((step.up_to, step.fraction) for step in wire.cost_order),
        )

    @staticmethod
    def parse(record: bytes) -> Decision:
        try:
            return Decision.of(DecisionProto.FromString(record))
        except UnreadableError:
            raise
        except Exception as e:  # protobuf's DecodeError differs by implementation
            raise UnreadableError(str(e)) from e
