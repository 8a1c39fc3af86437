"""Predicted costs of queries: ranges that are counted, and admission by them. Vectors: clients/vectors/costs.json."""

from __future__ import annotations

import math

from .decisions import Decision

_MOST_BIN = 200
_BINS_PER_POWER = 4
_LOG_2 = math.log(2)


def is_known(cost: object) -> bool:
    """Whether a cost is one: finite and above 0."""
    return isinstance(cost, (int, float)) and 0 < cost < math.inf


def bin_of(cost: float) -> int:
    """The range of a known cost: floor(4 log2(cost)), within -200..200."""
    return max(-_MOST_BIN, min(_MOST_BIN, math.floor(_BINS_PER_POWER * math.log(cost) / _LOG_2)))


def fraction_of(decision: Decision, in_force: float, cost: float) -> float:
    """The admitted fraction of a query with this predicted cost.

    The order applies only while the decided fraction is in force: not while it is approached, not after the lease.
    """
    steps = decision.cost_order
    if not steps or in_force != decision.value or not is_known(cost):
        return in_force
    return next((fraction for up_to, fraction in steps if cost < up_to), steps[-1][1])
