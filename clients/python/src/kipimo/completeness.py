"""The expected quality of an answer, from its missing components. Vectors: clients/vectors/completeness.json."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from decimal import ROUND_DOWN, Decimal

from .decisions import UnreadableError, is_fraction
from .records import Invocation, Outcome
from .v1.completeness_pb2 import CompletenessModelProto

HEADER = "kipimo-completeness"
TRACE_ATTRIBUTE = "kipimo.completeness.predicted"

_MAXIMUM_AGE_MILLIS = 24 * 3600 * 1000


def format_prediction(prediction: float) -> str:
    """Two decimals, cut rather than rounded, so only a complete answer has 1.00."""
    return str(Decimal(repr(prediction)).quantize(Decimal("0.01"), ROUND_DOWN))


class CompletenessClient:
    """Follows the completeness models of a service. Safe for use by many threads."""

    def __init__(
        self, service: str, classes: Iterable[str], wall_millis: Callable[[], int] | None = None
    ) -> None:
        self._service = service
        self._models: dict[str, CompletenessModelProto | None] = dict.fromkeys(classes)
        self._losses: dict[str, dict[str, float]] = {}
        self._wall = wall_millis or (lambda: time.time_ns() // 1_000_000)
        self._lock = threading.Lock()
        self.unreadable_models = 0

    def predict(
        self,
        query_class: str,
        invocations: Iterable[Invocation],
        not_asked_loss: float | None = None,
    ) -> float | None:
        """Expected quality, 0..1; None if a component is missing and no model is a day old or less.

        Also None if a component was not asked and not_asked_loss, as in Answer, is not given. Raises KeyError for an
        undeclared class.
        """
        model = self._models[query_class]
        invocations = list(invocations)
        not_asked = 0.0
        if any(i.outcome is Outcome.NOT_ASKED for i in invocations):
            if not_asked_loss is None:
                return None
            not_asked = not_asked_loss
        missing = [i.component for i in invocations if i.outcome.is_late]
        if not missing:
            return max(0.0, 1.0 - not_asked)
        if model is None or self._wall() - model.as_of_millis > _MAXIMUM_AGE_MILLIS:
            return None
        losses = self._losses[query_class]
        quality = 1.0
        for component in missing:
            quality -= losses.get(component, model.usual_loss)
        return max(0.0, max(0.0, min(1.0, quality)) - not_asked)

    def offer(self, model: CompletenessModelProto) -> None:
        """Applies a model of this service unless it is older than the current one."""
        with self._lock:
            if model.service != self._service or model.query_class not in self._models:
                return
            before = self._models[model.query_class]
            if before is None or before.as_of_millis <= model.as_of_millis:
                self._losses[model.query_class] = {x.component: x.loss for x in model.losses}
                self._models[model.query_class] = model

    def offer_record(self, record: bytes) -> None:
        """Raises UnreadableError unless the record is a model."""
        try:
            model = CompletenessModelProto.FromString(record)
        except Exception as e:  # protobuf's DecodeError differs by implementation
            raise UnreadableError(str(e)) from e
        if not is_fraction(model.usual_loss) or not all(is_fraction(x.loss) for x in model.losses):
            raise UnreadableError("a loss is not within 0..1")
        self.offer(model)
