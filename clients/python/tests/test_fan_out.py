"""Any doubt asks all components; explored queries are sampled; the answers state the choice."""

import threading
from math import inf, log, nan

import pytest
from vectors import load

from kipimo import (
    ALL,
    Answer,
    Config,
    FanOutClient,
    FanOutReason,
    Invocation,
    Kipimo,
    Outcome,
    features_of,
    now_millis,
)
from kipimo.client import Emitter
from kipimo.decisions import UnreadableError
from kipimo.follower import TopicFollower
from kipimo.sampling import SamplingRates, is_explored, is_sampled
from kipimo.v1.fan_out_pb2 import FanOutPublicationProto

COMPONENTS = ("shard-0", "shard-1", "shard-2")
KNOWN = [0, 7]
ON, SHADOW, OFF = (bytes.fromhex(load("fan-out.json")["cases"][i]["publication"]) for i in (0, 3, 4))
LEARNED = FanOutPublicationProto.FromString(ON).learned_at_millis
ENDS = FanOutPublicationProto.FromString(ON).valid_until_millis


def changed(record=ON, change=lambda p: None, **fields) -> bytes:
    publication = FanOutPublicationProto.FromString(record)
    for name, value in fields.items():
        setattr(publication, name, value)
    change(publication)
    return publication.SerializeToString()


def client(*records, now=LEARNED, classes=("low", "high")) -> FanOutClient:
    made = FanOutClient("search", classes, lambda: now)
    for record in records:
        made.offer_record(record)
    return made


def choose(fan_out, features=KNOWN, components=COMPONENTS, query_class="low"):
    return fan_out.choose(query_class, "query-0", features, components)


def asks_all(fan_out, reason, **more):
    choice = choose(fan_out, **more)
    assert choice.reason is reason
    assert choice.asked == tuple(more.get("components", COMPONENTS))
    assert choice.expected_loss == 0
    assert choice.not_asked_loss is None
    return choice


def test_a_good_publication_leaves_components_out():
    fan_out = client(ON)
    choice = choose(fan_out)
    assert choice.asked == ("shard-0",)
    assert choice.reason is FanOutReason.CHOSEN
    assert choice.not_asked_loss == choice.expected_loss == pytest.approx(0.150757379)
    assert not choice.explored and choice.proposed is None
    assert fan_out.reasons() == {"CHOSEN": 1}
    assert fan_out.publication("low").version == 5


def test_without_a_publication_of_its_class_a_query_asks_all():
    asks_all(client(), FanOutReason.NOT_PUBLISHED)
    asks_all(client(ON), FanOutReason.NOT_PUBLISHED, query_class="high")
    assert choose(client(), components=()).asked == ()


def test_a_publication_holds_until_its_lease_ends():
    assert choose(client(ON, now=ENDS - 1)).reason is FanOutReason.CHOSEN
    asks_all(client(ON, now=ENDS), FanOutReason.EXPIRED)


@pytest.mark.parametrize(
    "components",
    [
        COMPONENTS[:2],
        (*COMPONENTS, "shard-3"),
        ("shard-0", "shard-1", "shard-9"),
        ("shard-0", "shard-1", "shard-1"),
        ("shard-0", "shard-1", "shard-1", "shard-2"),
    ],
)
def test_other_components_are_all_asked(components):
    asks_all(client(ON), FanOutReason.OTHER_LAYOUT, components=components)


def test_a_query_without_features_asks_all():
    asks_all(client(ON), FanOutReason.NO_FEATURES, features=[])


def test_only_64_features_count():
    many = KNOWN * 32
    assert choose(client(ON), features=many + [3] * 500) == choose(client(ON), features=many)


def test_features_are_64_bits_whatever_their_sign():
    unsigned = choose(client(ON), features=[(1 << 64) - 1, 7])
    assert unsigned == choose(client(ON), features=[-1, 7])


@pytest.mark.parametrize("factor", [0.1, 2])
def test_predictions_that_do_not_hold_ask_all(factor):
    def few(p):
        p.model.tested[:] = [x * factor for x in p.model.tested]

    def too_good(p):
        p.model.predicted[:] = [x * factor for x in p.model.predicted]

    asks_all(client(changed(change=few if factor < 1 else too_good)), FanOutReason.NOT_CALIBRATED)


def test_after_the_greatest_share_the_one_with_most_for_its_cost_comes_next():
    def change(p):
        p.model.bias[:] = [log(0.5), log(0.3), log(0.2)]
        p.model.costs[:] = [9, 10, 1]
        p.model.step = 0
        p.model.kept[:] = p.model.predicted

    choice = choose(client(changed(change=change, floor=0.65)))
    assert choice.asked == ("shard-0", "shard-2")
    assert choice.expected_loss == pytest.approx(0.3)
    # By price * cost / all costs: 0.3 of 10 / 20 is worth 0.5, but not 0.7.
    worth = choose(client(changed(change=change, floor=0.1, price=0.5)))
    assert worth.asked == COMPONENTS
    assert choose(client(changed(change=change, floor=0.1, price=0.7))).asked == ("shard-0", "shard-2")


def test_a_shadow_asks_all_and_proposes():
    choice = asks_all(client(SHADOW), FanOutReason.SHADOW)
    assert choice.proposed.asked == ("shard-0",)
    assert choice.proposed.expected_loss > 0


def test_off_asks_all_and_explores_nothing():
    fan_out = client(OFF)
    asks_all(fan_out, FanOutReason.OFF)
    assert fan_out.exploration_at(LEARNED) == 0


def with_numbers(field, value):
    def change(p):
        numbers = getattr(p.model, field)
        numbers[0] = value

    return change


IMPOSSIBLE = {
    "garbage": b"\xff\xff",
    "no service": changed(service=""),
    "a scope as class": changed(query_class="a/b"),
    "a control character": changed(reason="a\nb"),
    "a long reason": changed(reason="x" * 257),
    "a long reason in UTF-16": changed(reason="🔎" * 129),
    "no state": changed(state=0),
    "a state of the future": changed(state=9),
    "a version below 0": changed(version=-1),
    "learned never": changed(learned_at_millis=0),
    "a lease that ends before it began": changed(valid_until_millis=LEARNED - 1),
    "a lease beyond 2200": changed(valid_until_millis=7_258_118_400_001),
    "a NaN floor": changed(floor=nan),
    "a floor above 1": changed(floor=1.1),
    "a price below 0": changed(price=-1),
    "an infinite price": changed(price=inf),
    "too much exploration": changed(exploration=1.5),
    "NaN exploration": changed(exploration=nan),
    "ON without a model": changed(change=lambda p: p.ClearField("model")),
    "OFF with a model": changed(state=3),
    "no components": changed(change=lambda p: p.model.ClearField("components")),
    "a component twice": changed(change=with_numbers("components", "shard-1")),
    "a component without a name": changed(change=with_numbers("components", "")),
    "a bias too few": changed(change=lambda p: p.model.bias.pop()),
    "a cost too many": changed(change=lambda p: p.model.costs.append(1)),
    "nine tenths": changed(change=lambda p: p.model.kept.pop()),
    "a table too short": changed(change=lambda p: setattr(p.model, "table", p.model.table[:-1])),
    "a table too long": changed(change=lambda p: setattr(p.model, "table", p.model.table + b"\0")),
    "no table": changed(change=lambda p: p.model.ClearField("table")),
    "more rows than stated": changed(change=lambda p: setattr(p.model, "row_bits", 3)),
    "rows below 0": changed(change=lambda p: setattr(p.model, "row_bits", -1)),
    "too many rows": changed(change=lambda p: setattr(p.model, "row_bits", 18)),
    "a NaN step": changed(change=lambda p: setattr(p.model, "step", nan)),
    "a step below 0": changed(change=lambda p: setattr(p.model, "step", -1)),
    "a cost of 0": changed(change=with_numbers("costs", 0)),
    "an infinite cost": changed(change=with_numbers("costs", inf)),
    **{
        f"NaN in {field}": changed(change=with_numbers(field, nan))
        for field in ("costs", "bias", "tested", "predicted", "kept")
    },
    "an infinite bias": changed(change=with_numbers("bias", -inf)),
    "a sum below 0": changed(change=with_numbers("kept", -1)),
}


@pytest.mark.parametrize("record", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_an_impossible_publication_is_refused_and_the_last_good_one_holds_on(record):
    fresh, good = client(), client(ON)
    for fan_out in (fresh, good):
        with pytest.raises(UnreadableError):
            fan_out.offer_record(record)
    asks_all(fresh, FanOutReason.NOT_PUBLISHED)
    assert choose(good).reason is FanOutReason.CHOSEN


def test_the_follower_counts_what_is_refused():
    fan_out = client(ON)
    follower = TopicFollower.__new__(TopicFollower)
    follower._takers = {"fan-out": (fan_out.offer_record, fan_out.unreadable)}
    for record in IMPOSSIBLE.values():
        follower._hand("fan-out", record)
    assert fan_out.unreadable_publications == len(IMPOSSIBLE)
    assert choose(fan_out).reason is FanOutReason.CHOSEN


@pytest.mark.parametrize(
    ("model", "price"),
    [
        (lambda m: m.costs.__setitem__(slice(None), [2.0**-1022, 1e15, 1]), 0.2),
        (lambda m: m.bias.__setitem__(slice(None), [1e6, -1e6, 0]), 1e6),
        (lambda m: setattr(m, "step", 1e6), 0),
    ],
)
def test_extreme_numbers_still_choose(model, price):
    fan_out = client(changed(change=lambda p: model(p.model), price=price))
    for features in (KNOWN, [3, 7], [-1]):
        choice = choose(fan_out, features=features)
        assert choice.asked
        assert 0 <= choice.expected_loss <= 1


def test_the_newest_version_of_the_own_service_and_class_holds():
    fan_out = client(changed(OFF, version=6), ON)
    asks_all(fan_out, FanOutReason.OFF)
    fan_out.offer_record(changed(service="other", version=9))
    fan_out.offer_record(changed(query_class="undeclared", version=9))
    asks_all(fan_out, FanOutReason.OFF)
    fan_out.offer_record(changed(version=6))
    assert choose(fan_out).reason is FanOutReason.CHOSEN
    with pytest.raises(KeyError):
        choose(fan_out, query_class="undeclared")


def test_explored_queries_are_sampled_of_whatever_class():
    fan_out = client(ON, changed(SHADOW, query_class="high", exploration=0.3))
    config = Config("search", "f", {"low": ALL}, "b", initial_sampling_rate=0.01, profiling_share=0)
    emitter = Emitter(config, None, SamplingRates(0.01), fan_out.exploration_at)
    explored = 0
    for i in range(2_000):
        query_id = f"query-{i}"
        in_any = is_explored(query_id, 0.3)
        assert emitter.is_sampled(query_id, LEARNED) == (is_sampled(query_id, 0.01) or in_any)
        clean = Answer(query_id, "low", LEARNED, LEARNED, 50, [Invocation("shard-0", Outcome.IN_TIME)])
        assert emitter.wants_partials(clean) == in_any
        choices = [fan_out.choose(c, query_id, KNOWN, COMPONENTS) for c in ("low", "high")]
        for choice in choices:
            assert not choice.explored or emitter.is_sampled(query_id, LEARNED)
        explored += any(c.explored for c in choices)
        assert emitter.is_sampled(query_id, ENDS) == is_sampled(query_id, 0.01)
    assert 500 < explored < 700


def test_a_connection_follows_the_topic_and_samples_what_it_explores():
    kipimo = Kipimo.connect(Config("search", "f1", {"low": ALL}, "127.0.0.1:1", initial_sampling_rate=0.0))
    try:
        asks_all(kipimo.fan_out, FanOutReason.NOT_PUBLISHED)
        assert not kipimo.emitter.is_sampled("query-0")
        lasting = changed(valid_until_millis=now_millis() + 3_600_000, exploration=1.0)
        kipimo._follower._hand("kipimo.fan-out", lasting)
        assert choose(kipimo.fan_out).explored
        assert kipimo.emitter.is_sampled("query-0")
        kipimo._follower._hand("kipimo.fan-out", b"\xff")
        assert kipimo.fan_out.unreadable_publications == 1
    finally:
        kipimo.close(0)


def test_choices_hold_while_publications_change():
    fan_out = client(ON)
    done = threading.Event()

    def publish():
        for version in range(6, 500):
            fan_out.offer_record(changed(OFF if version % 2 else ON, version=version))
        done.set()

    thread = threading.Thread(target=publish)
    thread.start()
    while not done.is_set():
        assert choose(fan_out).reason in (FanOutReason.CHOSEN, FanOutReason.OFF)
    thread.join()


def test_features_are_hashed_as_in_java():
    assert features_of(["", "a", "foobar"]) == [0xCBF29CE484222325, 0xAF63DC4C8601EC8C, 0x85944171F73967E8]
    assert len(features_of(str(i) for i in range(100))) == 64
    assert features_of(["\ud800"]) == features_of(["?"])


def test_an_answer_states_its_features_and_the_first_64_alone():
    answer = Answer("q", "low", 1, 2, 3, [], features=[-1, *range(100)])
    wire = answer.to_wire("search")
    assert list(wire.features) == [(1 << 64) - 1, *range(63)]
    assert not Answer("q", "low", 1, 2, 3, []).to_wire("search").features
