"""Reads clients/vectors."""

import json
from pathlib import Path
from typing import Any

DIRECTORY = Path(__file__).resolve().parents[2] / "vectors"


def load(name: str) -> dict[str, Any]:
    return json.loads((DIRECTORY / name).read_text(encoding="utf-8"))
