"""The queue's bound, an unavailable broker, and the counts of a second."""

import asyncio
import threading
import time

import pytest

from kipimo import (
    ALL,
    AdmissionClient,
    Answer,
    AnswerKind,
    ClassDefaults,
    Config,
    Decision,
    Fusion,
    Invocation,
    Items,
    Kipimo,
    Outcome,
    PartialResult,
    Phase,
    Unmeasurable,
    new_trace_id,
    trace_id_of,
)
from kipimo import sampling
from kipimo.admission import admits
from kipimo.client import Emitter
from kipimo.meter import ServiceMeter
from kipimo.outbox import Outbox, Stats
from kipimo.sampling import SamplingRates

LATE = Invocation("dense", Outcome.TIMED_OUT, 50_000)
THERE = Invocation("bm25", Outcome.IN_TIME, 10_000)


def away(**more):
    # Nothing listens on port 1.
    return Config(
        "shop", "front-1", {"high": ALL, "low": ClassDefaults.sheddable(0.02)}, "127.0.0.1:1", **more
    )


def partial(query_id: str) -> PartialResult:
    return PartialResult(query_id, "dense", Phase.MATURE, 2_000, 5, Items([1], [1.0]), 1_000)


def test_an_observation_states_the_safe_fraction_of_its_class():
    kipimo = Kipimo.connect(
        Config("shop", "front-1", {"high": ALL, "low": ClassDefaults(0.5, 0.1, 1.0)}, "127.0.0.1:1")
    )
    published = []
    kipimo._outbox.offer = lambda _topic, _key, _time, encode, _stats: published.append(encode())
    kipimo.meter.publish_closed_seconds(int(time.time() * 1000) + 2_000)
    stated = {o.query_class: o.safe_fraction for o in published}
    kipimo.close(0)
    assert stated == {"high": 1.0, "low": 0.5}


def test_with_the_broker_away_nothing_blocks_and_what_does_not_fit_is_dropped_and_counted():
    kipimo = Kipimo.connect(away(buffer_events=100))
    slowest = 0.0
    for i in range(5_000):
        before = time.perf_counter()
        kipimo.emitter.emit(partial(str(i)))
        slowest = max(slowest, time.perf_counter() - before)
        assert kipimo.waiting_events <= 100
    assert slowest < 0.5
    assert kipimo.admission.fraction("low") == 1
    assert kipimo.completeness.predict("high", [THERE, LATE]) is None
    begun = time.monotonic()
    kipimo.close(1)
    assert time.monotonic() - begun < 8
    stats = kipimo.emitter.stats()
    assert stats.delivered == 0
    assert stats.accepted <= 100
    assert stats.accepted + stats.dropped_full == 5_000
    assert stats.undelivered == stats.accepted


async def test_an_event_loop_goes_on_with_the_broker_away():
    longest = 0.0
    async with Kipimo.connect(away(buffer_events=50)) as kipimo:
        for i in range(200):
            before = time.perf_counter()
            kipimo.emitter.emit(partial(str(i)))
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)
        closing = asyncio.create_task(kipimo.aclose(1))
        while not closing.done():
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)
    assert longest < 0.5


class SlowProducer:
    """Refuses as librdkafka does when its queue is full."""

    def __init__(self):
        self.sent = []
        self.is_open = False

    def produce(self, topic, value, key, timestamp, on_delivery):
        if not self.is_open:
            raise BufferError
        self.sent.append((topic, key, timestamp))
        on_delivery(None, None)

    def poll(self, seconds):
        time.sleep(min(seconds, 0.001))

    def flush(self, seconds):
        pass

    def purge(self):
        pass


class Text:
    def SerializeToString(self):
        return b"text"


def test_events_wait_in_order_until_the_producer_takes_them():
    producer = SlowProducer()
    stats = Stats()
    outbox = Outbox(3, lambda: producer)
    taken = [outbox.offer("t", str(i), i, Text, stats) for i in range(5)]
    assert taken == [True, True, True, False, False]
    producer.is_open = True
    outbox.close()
    assert producer.sent == [("t", b"0", 0), ("t", b"1", 1), ("t", b"2", 2)]
    assert (stats.delivered, stats.dropped_full, stats.undelivered) == (3, 2, 0)
    assert stats.delivered_bytes == 3 * 5


class UnconfirmedProducer(SlowProducer):
    """Confirms what is sent when it is told to."""

    def __init__(self):
        super().__init__()
        self.confirmations = []
        self.allowed = threading.Semaphore(0)

    def produce(self, topic, value, key, timestamp, on_delivery):
        self.sent.append((topic, key, timestamp))
        self.confirmations.append(on_delivery)

    def poll(self, seconds):
        super().poll(seconds)
        while self.confirmations and self.allowed.acquire(blocking=False):
            self.confirmations.pop(0)(None, None)


def test_counts_wait_until_all_earlier_events_have_arrived():
    producer = UnconfirmedProducer()
    stats = Stats()
    outbox = Outbox(10, lambda: producer, last_topic="counts")
    for topic, millis in [("answers", 1), ("answers", 2), ("counts", 3), ("answers", 4), ("counts", 5)]:
        outbox.offer(topic, "k", millis, Text, stats)

    def sent(number):
        until = time.monotonic() + 30
        while len(producer.sent) < number and time.monotonic() < until:
            time.sleep(0.001)
        return [millis for _, _, millis in producer.sent]

    assert sent(3) == [1, 2, 4]
    producer.allowed.release()
    assert sent(3) == [1, 2, 4]
    producer.allowed.release()
    assert sent(4) == [1, 2, 4, 3]
    producer.allowed.release()
    assert sent(5) == [1, 2, 4, 3, 5]
    producer.allowed.release(2)
    outbox.close()
    assert (stats.delivered, stats.dropped) == (5, 0)


def test_what_cannot_be_encoded_is_counted():
    stats = Stats()
    outbox = Outbox(3, SlowProducer)

    def broken():
        raise ValueError("no")

    outbox.offer("t", "k", 0, broken, stats)
    outbox.close()
    assert stats.undelivered == 1


def test_the_meter_counts_every_query_once():
    published = []
    meter = ServiceMeter(
        "shop", "front", "f1", ["high", "low"], lambda _: 0.5, lambda: (70, 2), published.append, 1_500
    )
    for _ in range(3):
        meter.offered("high")
    meter.rejected("high")
    meter.answered("high", [THERE, LATE])
    meter.answered("high", [])
    meter.late_result("high", 30_000)
    meter.publish_closed_seconds(1_999)
    assert not published
    meter.publish_closed_seconds(4_000)
    assert [(o.query_class, o.second_millis) for o in published] == [
        (c, s) for s in (1_000, 2_000, 3_000) for c in ("high", "low")
    ]
    o = published[4]
    assert (o.offered, o.rejected, o.answered, o.timed_out) == (3, 1, 2, 1)
    assert [(c.component, c.invoked, c.timed_out) for c in o.components] == [
        ("bm25", 1, 0),
        ("dense", 1, 1),
    ]
    assert [(m.component, m.answers) for m in o.missing] == [("dense", 1)]
    assert [(u.reason, u.answers) for u in o.unmeasurable] == [(Unmeasurable.NO_COMPONENTS, 1)]
    assert (o.late_results, o.late_work_micros, o.answer_work_micros) == (1, 30_000, 60_000)
    assert (o.emitted_bytes, o.dropped_events, o.admitted_fraction) == (70, 2, 0.5)
    assert sum(o.offered for o in published) == 3
    with pytest.raises(KeyError):
        meter.offered("undeclared")


def test_answers_without_an_item_are_part_of_those_whose_list_is_known():
    published = []
    meter = ServiceMeter("s", "t", "f", ["c"], lambda _: 1, lambda: (0, 0), published.append, 0)
    meter.listed("c", 10)
    meter.listed("c", 0)
    meter.answered("c", [THERE])
    meter.publish_closed_seconds(1_000)
    meter.answered("c", [THERE])
    meter.publish_closed_seconds(2_000)
    assert [(o.answered, o.listed, o.empty) for o in published] == [(1, 1, 1), (1, 1, 0)]


def test_each_variant_is_counted_by_itself():
    published = []
    meter = ServiceMeter("s", "t", "f", ["c"], lambda _: 1, lambda: (7, 0), published.append, 0, "stable")
    canary = meter.of_variant("canary")
    assert meter.of_variant("canary") is canary
    assert canary.of_variant("stable") is meter
    canary.offered("c")
    meter.publish_closed_seconds(1_000)
    assert [(o.variant, o.offered, o.emitted_bytes) for o in published] == [("stable", 0, 7), ("canary", 1, 0)]


def test_few_variants_are_counted_by_name():
    meter = ServiceMeter("s", "t", "f", ["c"], lambda _: 1, lambda: (0, 0), print, 0)
    assert [meter.of_variant(f"arm{i}").variant for i in range(7)] == [f"arm{i}" for i in range(7)]
    assert meter.of_variant("one more").variant == "other"
    assert meter.of_variant("yet another") is meter.of_variant("other")
    with pytest.raises(ValueError, match="variant is 'a/b'"):
        meter.of_variant("a/b")


def test_an_answer_has_the_variant_of_its_instance_unless_it_names_its_own():
    sent = []

    class Recorder:
        def offer(self, topic, key, millis, encode, stats):
            sent.append(encode())

    emitter = Emitter(away(variant="canary"), Recorder(), SamplingRates(1), lambda _: 0)
    emitter.emit(Answer("q", "high", 1, 2, 3, [THERE]))
    emitter.emit(Answer("q", "high", 1, 2, 3, [THERE], variant="arm"))
    assert [answer.variant for answer in sent] == ["canary", "arm"]


def test_what_was_not_asked_is_counted_apart_from_what_was_late():
    published = []
    meter = ServiceMeter(
        "shop", "web", "w1", ["high"], lambda _: 1.0, lambda: (0, 0), published.append, 1_000_000
    )
    left_out = Invocation("graph", Outcome.NOT_ASKED)
    meter.answered("high", [THERE, left_out], not_asked_loss=0.25)
    meter.answered("high", [THERE, LATE, left_out])
    meter.answered("high", [left_out])
    meter.publish_closed_seconds(1_001_000)

    (o,) = published
    assert (o.answered, o.timed_out, o.not_asked, o.not_asked_loss_sum) == (3, 1, 2, 1.25)
    assert [(c.component, c.answers) for c in o.not_asked_components] == [("graph", 2)]
    assert [(c.component, c.answers) for c in o.missing] == [(LATE.component, 1)]
    assert [(c.reason, c.answers) for c in o.unmeasurable] == [(int(Unmeasurable.NO_COMPONENTS), 1)]


def test_an_answer_that_left_components_out_says_so():
    left_out = Invocation("graph", Outcome.NOT_ASKED)
    answer = Answer("q", "high", 1, 2, 3, [THERE, left_out], not_asked_loss=0.0, explored=True)
    wire = answer.to_wire("shop")

    assert not answer.is_degraded
    assert wire.invocations[1].outcome == 4
    assert wire.HasField("not_asked_loss") and wire.explored
    assert not Answer("q", "high", 1, 2, 3, [THERE]).to_wire("shop").HasField("not_asked_loss")


def test_a_part_never_exceeds_its_whole():
    published = []
    meter = ServiceMeter("s", "t", "f", ["c"], lambda _: 1, lambda: (0, 0), published.append, 0)
    meter.rejected("c")
    meter.publish_closed_seconds(1_000)
    meter.offered("c")
    meter.publish_closed_seconds(2_000)
    assert [(o.offered, o.rejected) for o in published] == [(0, 0), (1, 1)]


def test_partials_are_wanted_of_degraded_answers_and_of_few_others():
    kipimo = Kipimo.connect(away(initial_sampling_rate=1.0, profiling_share=0.1))
    try:
        wants = kipimo.emitter.wants_partials
        assert wants(Answer("q", "high", 1, 2, 50, [THERE, LATE]))
        assert not wants(Answer("q", "high", 1, 2, 50, []))
        cut = Answer("q", "high", 1, 2, 50, [LATE], unmeasurable=Unmeasurable.CUT)
        assert not wants(cut)
        clean = sum(wants(Answer(str(i), "high", 1, 2, 50, [THERE])) for i in range(5_000))
        assert 400 < clean < 600
    finally:
        kipimo.close(0)


@pytest.mark.parametrize(
    "change", [{"service": "a/b"}, {"initial_sampling_rate": 2}, {"buffer_events": 0}, {"tier": ""}]
)
def test_bad_configurations_name_the_problem(change):
    settings = {"service": "shop", "server": "f", "classes": {"high": ALL}}
    with pytest.raises(ValueError, match="allowed"):
        Config(**{**settings, "bootstrap_servers": "b", **change})


def test_trace_ids():
    made = new_trace_id()
    assert trace_id_of(f"00-{made}-00f067aa0ba902b7-01") == made
    assert trace_id_of("00-" + "0" * 32 + "-00f067aa0ba902b7-01") is None
    assert trace_id_of("garbage") is None
    assert trace_id_of("00-" + "AB" * 16 + "-00f067aa0ba902b7-01") is None
    assert trace_id_of(f"ff-{made}-00f067aa0ba902b7-01") is None
    assert trace_id_of(f"00-{made}-00f067aa0ba902b7-01-x") is None
    assert trace_id_of(f"01-{made}-00f067aa0ba902b7-01-x") == made


@pytest.mark.parametrize("query_id", [None, "", 7, b"x", object()])
def test_a_query_without_an_id_is_not_sampled_and_raises_nowhere(query_id):
    kipimo = Kipimo.connect(away(initial_sampling_rate=1.0))
    try:
        assert not kipimo.emitter.is_sampled(query_id)
        assert kipimo.admission.admits("low", query_id)
        kipimo.fan_out.choose("low", query_id, [1], ["bm25"])
        answer = Answer(query_id, "low", 1_000, 1_050, 50, [THERE, LATE])
        assert not kipimo.emitter.wants_partials(answer)
        kipimo.emitter.emit(answer)
        assert not kipimo.emitter.wants_partials(None)
        # Draws by any id are made, without a class that sheds, too.
        assert isinstance(sampling.is_explored(query_id, 0.5), bool)
        assert isinstance(admits(query_id, 0.5, 0), bool)
    finally:
        kipimo.close(0)


def test_queries_of_a_predicted_cost_are_counted_by_its_range():
    published = []
    meter = ServiceMeter(
        "shop", "front", "front-1", ["low"], lambda _: 1.0, lambda: (0, 0), published.append, 0
    )
    meter.offered("low", 4.0)
    meter.offered("low", 4.1)
    meter.offered("low", float("nan"))
    meter.offered("low")
    meter.answered("low", [THERE, LATE], cost=4.0)
    meter.publish_closed_seconds(1_000)
    assert [(c.bin, c.offered, c.answered, c.work_micros) for c in published[0].costs] == [(8, 2, 1, 60_000)]
    assert published[0].offered == 4


def test_the_costliest_queries_are_shed_first_while_the_decision_is_in_force():
    wall = [1_000_000]
    client = AdmissionClient(
        "shop", {"low": ClassDefaults.sheddable(0.02)}, lambda: wall[0], lambda: wall[0]
    )
    order = ((10.0, 1.0), (100.0, 0.0))
    decided = Decision(
        "admission", "shop/low", 1, 1, wall[0], wall[0], wall[0] + 60_000, 0.5, 2, "STEP", True, order
    )
    client.offer(decided)
    ids = [new_trace_id() for _ in range(200)]
    assert any(client.admits("low", i, 1_000.0) for i in ids), "the fraction is not reached yet"
    wall[0] += 10_000
    assert all(client.admits("low", i, 9.9) for i in ids)
    assert not any(client.admits("low", i, 1_000.0) for i in ids)
    for unknown in (0.0, -1.0, float("nan"), float("inf"), None):
        assert [client.admits("low", i, unknown) for i in ids] == [client.admits("low", i) for i in ids]


def fused(results):
    """Reciprocal rank fusion."""
    scores: dict[object, float] = {}
    for items in results.values():
        for rank, item in enumerate(items.ids):
            scores[item] = scores.get(item, 0.0) + 1 / (61 + rank)
    best = sorted(scores, key=lambda i: -scores[i])[:2]
    return Items.in_order(best, [scores[i] for i in best])


class Recorder:
    def __init__(self):
        self.emitted, self.refused = [], []

    def emit(self, event):
        self.emitted.append(event)

    def refuse(self, problem):
        self.refused.append(problem)


def test_a_service_that_fuses_ranks_emits_both_answers_of_a_query():
    recorder = Recorder()
    fusion = Fusion(recorder, fused)
    answer = Answer("q", "low", 1_000, 1_050, 50, [THERE, LATE, Invocation("graph", Outcome.NOT_ASKED)])
    fusion.answered(answer, {"bm25": Items.in_order(["a", "b", "c"])})
    fusion.late("other", "dense", Items.in_order(["c"]))
    fusion.late("q", "dense", Items.in_order(["c", "d"]))
    fusion.late("q", "dense", Items.in_order(["d"]))
    online, mature = recorder.emitted
    assert (online.kind, list(online.items.ids)) == (AnswerKind.ONLINE, ["a", "b"])
    assert (mature.kind, list(mature.items.ids)) == (AnswerKind.REPLAYED, ["c", "a"])
    assert mature.is_degraded is False
    assert mature.answered_at_millis > answer.answered_at_millis


def test_a_whole_answer_and_one_that_can_have_no_mature_answer_wait_for_nothing():
    recorder = Recorder()
    fusion = Fusion(recorder, fused, open_queries=1)
    failed = Invocation("dense", Outcome.FAILED)
    fusion.answered(Answer("whole", "low", 1_000, 1_050, 50, [THERE]), {"bm25": Items.in_order(["a"])})
    fusion.answered(Answer("failed", "low", 1_000, 1_050, 50, [THERE, failed]), {})
    for query in ("given up", "kept"):
        fusion.answered(Answer(query, "low", 1_000, 1_050, 50, [LATE]), {})
        assert len(fusion._open) == 1
    for query in ("whole", "failed", "given up", "kept"):
        fusion.late(query, "dense", Items.in_order(["b"]))
    assert [e.query_id for e in recorder.emitted if e.kind is AnswerKind.REPLAYED] == ["kept"]


def test_a_merge_that_fails_is_counted_and_does_not_raise():
    recorder = Recorder()
    Fusion(recorder, lambda _: 1 / 0).answered(Answer("q", "low", 1_000, 1_050, 50, [LATE]), {})
    assert recorder.emitted == []
    assert len(recorder.refused) == 1
