"""Kipimo for services in Python. Read client.Kipimo first."""

from .admission import ALL, AdmissionClient, ClassDefaults
from .client import Config, Emitter, Kipimo, now_millis
from .completeness import HEADER, CompletenessClient, format_prediction
from .decisions import Decision
from .fan_out import FanOutChoice, FanOutClient, FanOutReason, features_of
from .fusion import Fusion
from .ids import new_trace_id, trace_id_of
from .meter import ServiceMeter
from .outbox import Stats
from .records import (
    Answer,
    AnswerKind,
    Invocation,
    Items,
    Outcome,
    PartialResult,
    Phase,
    Unmeasurable,
)

__all__ = [
    "ALL",
    "HEADER",
    "AdmissionClient",
    "Answer",
    "AnswerKind",
    "ClassDefaults",
    "CompletenessClient",
    "Config",
    "Decision",
    "Emitter",
    "FanOutChoice",
    "FanOutClient",
    "FanOutReason",
    "Fusion",
    "Invocation",
    "Items",
    "Kipimo",
    "Outcome",
    "PartialResult",
    "Phase",
    "ServiceMeter",
    "Stats",
    "Unmeasurable",
    "features_of",
    "format_prediction",
    "new_trace_id",
    "now_millis",
    "trace_id_of",
]
