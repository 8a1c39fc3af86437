"""Names and ids that readers accept. Rule and vectors: clients/vectors/names.json."""

from __future__ import annotations

import hashlib
import re

LONGEST = 256

_NO_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NO_NAME_CHARACTER = re.compile("[/\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")


def _units(text: str) -> int:
    """Length in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_text(value: object) -> bool:
    return isinstance(value, str) and value != "" and _NO_CHARACTER.search(value) is None and _units(value) <= LONGEST


def is_name(value: object) -> bool:
    return is_text(value) and "/" not in value  # type: ignore[operator]


def cleaned(value: object) -> str:
    """The nearest name; empty if there is nothing to name."""
    if not isinstance(value, str) or is_name(value):
        return value if isinstance(value, str) else ""
    kept = _NO_NAME_CHARACTER.sub("_", value[:LONGEST])
    while _units(kept) > LONGEST:
        kept = kept[:-1]
    return kept


def as_id(value: object) -> str:
    """The text that draws are made by, whatever the caller has; empty without an id."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def identifier(value: object) -> str:
    """A text that identifies the same thing; empty if there is nothing to identify."""
    if not isinstance(value, str) or value == "" or is_text(value):
        return value if isinstance(value, str) else ""
    whole = _HALF.sub("\ufffd", value).encode()
    return "sha256:" + hashlib.sha256(whole).hexdigest()[:32]
