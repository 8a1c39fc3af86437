"""Order and ids of items. Vectors: clients/vectors/order.json."""

import math
import random
import struct
import uuid

import pytest
from vectors import load

from kipimo.records import Items

MOST = (2 - 2**-23) * 2.0**127


def f32(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]


def test_vectors():
    for row in load("order.json")["vectors"]:
        ids = [str(i) for i in range(len(row["scores"]))]
        given = Items.in_order(ids, row["scores"]).scores
        assert [f32(s) for s in given] == [f32(s) for s in row["inOrder"]], row


def test_scores_fall_as_scores_and_then_places_do():
    rng = random.Random(20261126)
    for _ in range(2000):
        scores = [f32(rng.choice([1, 1 - 2**-24, 0.0, -0.0, 2**-149, MOST, -MOST])) for _ in range(rng.randrange(30))]
        falling = Items.in_order(range(len(scores)), scores).scores
        best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        ranked = [f32(falling[i]) for i in best]
        assert all(map(math.isfinite, ranked))
        assert all(a > b for a, b in zip(ranked, ranked[1:], strict=False)), scores


def test_without_scores_places_rank():
    assert Items.in_order(["b", "a"]).scores == [1, 0.5]
    assert Items.in_order([]).to_wire()[0].ByteSize() == 0
    with pytest.raises(ValueError, match="not finite"):
        Items.in_order(["a"], [math.nan])


@pytest.mark.parametrize(
    ("ids", "numbers", "texts"),
    [
        ([7, (1 << 64) - 1], [7, (1 << 64) - 1], []),
        ([-1, 7], [(1 << 64) - 1, 7], []),
        ([-1, (1 << 64) - 1], [], ["-1", "18446744073709551615"]),
        ([1 << 64, 0], [], ["18446744073709551616", "0"]),
        ([1.5, 1.25], [], ["1.5", "1.25"]),
        ([7, "seven"], [], ["7", "seven"]),
        ([uuid.UUID(int=(1 << 64) + 5), uuid.UUID(int=5)], [], [str(uuid.UUID(int=(1 << 64) + 5)), str(uuid.UUID(int=5))]),
        (["x" * 300], [], ["sha256:0d4e2ca9e9cbced7a7a5380eb29e1a37"]),
        ([None, "a"], [], ["", "a"]),
    ],
)
def test_ids_that_differ_stay_different(ids, numbers, texts):
    wire, _ = Items(ids, [1.0] * len(ids)).to_wire()
    assert list(wire.numbers) == numbers
    assert list(wire.texts) == texts
