"""Query ids: W3C trace ids of 128 random bits."""

from __future__ import annotations

import re
import secrets

_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?")


def new_trace_id() -> str:
    """32 lower-case hexadecimal digits, not all zero."""
    return f"{secrets.randbits(128) or 1:032x}"


def trace_id_of(traceparent: str) -> str | None:
    """The trace id of a W3C traceparent header; None if the header is malformed."""
    match = _TRACEPARENT.fullmatch(traceparent.strip())
    if match is None or not match[1].strip("0") or not match[2].strip("0"):
        return None
    if match[3] and match[0].startswith("00"):  # later versions may add fields, this one does not
        return None
    return match[1]
