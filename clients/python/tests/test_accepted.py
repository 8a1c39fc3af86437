"""Whatever the API accepts, readers accept; no call makes a later record unreadable. Seeded."""

import math
import random
import time

import pytest
from test_client import SlowProducer, away
from vectors import load

from kipimo import Answer, Invocation, Items, Outcome, PartialResult, Phase
from kipimo.checks import RefusedError, check
from kipimo.client import Emitter
from kipimo.meter import ServiceMeter
from kipimo.names import cleaned, identifier, is_name, is_text
from kipimo.outbox import Outbox, Stats
from kipimo.sampling import SamplingRates
from kipimo.v1 import observation_pb2, quality_pb2

MESSAGES = {
    "AnswerProto": quality_pb2.AnswerProto,
    "PartialResultProto": quality_pb2.PartialResultProto,
    "ObservationProto": observation_pb2.ObservationProto,
}
EMOJI = "\U0001f600"
NAMES = [
    "titles", "titles\x9b", "shard/3", "x" * 255 + EMOJI, "x" * 10_000, EMOJI * 200, "", None, 7, b"a",
    "a\x00b", "a\u202eb", "a\ud83d", "\ude00", " ",
]  # fmt: skip
NUMBERS = [0, 1, -1, 1 << 53, 1 << 63, -(1 << 70), math.nan, math.inf, 1.5, None, "1"]


def utf16(units: str) -> str:
    return bytes.fromhex(units).decode("utf-16-be", "surrogatepass")


def test_names_are_as_in_java():
    for row in load("names.json")["vectors"]:
        text = utf16(row["utf16"])
        assert is_name(text) == row["isName"], text
        assert cleaned(text) == utf16(row["cleaned"]), text
        assert identifier(text) == utf16(row["identifier"]), text


def test_what_readers_refuse_is_refused_here():
    rows = load("readable.json")["vectors"]
    assert len(rows) > 300
    for row in rows:
        message = MESSAGES[row["message"]].FromString(bytes.fromhex(row["bytes"]))
        try:
            check(message)
            is_readable = True
        except RefusedError:
            is_readable = False
        assert is_readable == row["isReadable"], (row["refusal"], message)


class Calls:
    """Right values most of the time, so that the odd ones are met one by one, too."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.now = int(time.time() * 1000)

    def mostly(self, right, odd):
        return right if self.random.randrange(8) else self.random.choice(odd)

    def time(self):
        return self.mostly(self.now, [*NUMBERS, self.now * 10, self.now + 3_600_000])

    def invocations(self):
        names = self.random.sample(["a", "b", "c"], self.random.randrange(4))
        return [
            Invocation(self.mostly(n, NAMES), self.random.choice(list(Outcome)), self.mostly(1_000, NUMBERS[:6]))
            for n in names
        ]

    def items(self):
        ids = self.mostly(["d1", "d2"], [[1, 2], ["d1", 2], [None, None], ["x" * 300, "\ud800"], ["", "a"]])
        return Items(ids, self.mostly([2.0, 1.0], [[math.nan, 1], [1e300, 0], [None, 1]]))

    def event(self):
        if self.random.randrange(2):
            return Answer(
                self.mostly("q", NAMES), self.mostly("low", NAMES), self.time(), self.time(),
                self.mostly(100, NUMBERS), self.invocations(), self.mostly(10, NUMBERS),
                not_asked_loss=self.mostly(None, NUMBERS), variant=self.mostly("", NAMES),
            )  # fmt: skip
        return PartialResult(
            self.mostly("q", NAMES), self.mostly("a", NAMES), self.mostly(Phase.ONLINE, [None, 9]),
            self.time(), self.mostly(1_000, NUMBERS), self.items(), self.time(), self.mostly("", NAMES),
        )  # fmt: skip


class Recorder(SlowProducer):
    def __init__(self):
        super().__init__()
        self.is_open = True
        self.values = []

    def produce(self, topic, value, key, timestamp, on_delivery):
        self.values.append((topic, key, value))
        super().produce(topic, value, key, timestamp, on_delivery)


@pytest.mark.parametrize("seed", range(20))
def test_any_calls_of_the_emitter(seed):
    calls = Calls(seed)
    producer = Recorder()
    outbox = Outbox(1_000, lambda: producer)
    emitter = Emitter(away(), outbox, SamplingRates(1), lambda _: 0)
    for _ in range(200):
        emitter.emit(calls.mostly(calls.event(), [None, "answer", calls.event()]))
    emitter.emit(Answer("last", "low", calls.now, calls.now, 100, [Invocation("a", Outcome.IN_TIME, 1)]))
    outbox.close()
    for topic, key, value in producer.values:
        kind = quality_pb2.AnswerProto if topic.endswith("answers") else quality_pb2.PartialResultProto
        message = kind.FromString(value)
        check(message)
        assert key.decode() == message.query_id
    stats = emitter.stats()
    assert stats.delivered == len(producer.values) > 50
    assert stats.delivered + stats.undelivered == stats.accepted == 201
    assert producer.values[-1][1] == b"last"


@pytest.mark.parametrize("seed", range(50))
def test_any_calls_of_the_meter(seed):
    calls = Calls(seed)
    published = []
    meter = ServiceMeter("s", "t", "f", ["low"], lambda _: 1, lambda: (0, 0), published.append, 1_000_000)
    for second in range(3):
        for _ in range(10):
            one = meter
            if calls.random.randrange(3) == 0:
                try:
                    one = meter.of_variant(calls.random.choice(NAMES))
                except ValueError:
                    pass
            one.offered("low")
            # Values of a wrong type are refused at once, and change nothing later.
            for call in (
                lambda one=one: one.answered("low", calls.invocations(), None, calls.mostly(None, NUMBERS)),
                lambda one=one: one.late_result("low", calls.random.choice(NUMBERS)),
            ):
                try:
                    call()
                except TypeError:
                    pass
        meter.publish_closed_seconds(1_000_000 + 1_000 * (second + 1))
    assert published
    for one in published:
        check(observation_pb2.ObservationProto.FromString(one.SerializeToString()))


def test_many_long_names_fit_into_one_record():
    published = []
    meter = ServiceMeter("s", "t", "f", ["low"], lambda _: 1, lambda: (0, 0), published.append, 0)
    for i in range(12_000):
        meter.answered("low", [Invocation(f"{i}" + "検索" * 100, Outcome.TIMED_OUT, 1)])
    meter.publish_closed_seconds(1_000)
    assert len(published[0].SerializeToString()) < 1_000_000
    assert published[0].answered == 12_000


def test_names_are_counted_as_readers_spell_them():
    published = []
    meter = ServiceMeter("s", "t", "f", ["low"], lambda _: 1, lambda: (0, 0), published.append, 0)
    for name in ("shard/3", "shard/3", "a\x9b", ""):
        meter.answered("low", [Invocation(name, Outcome.IN_TIME, 1 << 70)])
    meter.publish_closed_seconds(1_000)
    assert [(c.component, c.invoked) for c in published[0].components] == [("a_", 1), ("shard_3", 2)]
    assert is_text(published[0].components[0].component)
