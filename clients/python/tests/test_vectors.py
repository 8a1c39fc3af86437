"""Python makes every decision of the golden vectors as Java does."""

import hashlib
from typing import Any

import pytest
from google.protobuf import json_format
from vectors import load

from kipimo import Answer, Invocation, Items, Outcome, costs, format_prediction
from kipimo.admission import AdmissionClient, ClassDefaults, admits
from kipimo.completeness import CompletenessClient
from kipimo.decisions import Decision
from kipimo.fan_out import FanOutClient, Publication
from kipimo.sampling import (
    SamplingRates,
    exploration_randomness,
    is_explored,
    is_sampled,
    randomness,
    threshold,
)
from kipimo.v1 import completeness_pb2, decision_pb2, observation_pb2, quality_pb2

MASK = (1 << 64) - 1


def decision_of(fields: dict[str, Any]) -> Decision:
    return Decision.of(json_format.ParseDict(fields, decision_pb2.DecisionProto()))


def test_sampling():
    file = load("sampling.json")
    for row in file["thresholds"]:
        assert f"{threshold(row['rate']):016x}" == row["threshold"], row
    rates = [row["rate"] for row in file["thresholds"]]
    for row in file["vectors"]:
        assert f"{randomness(row['id']):016x}" == row["randomness"], row["id"]
        assert [r for r in rates if is_sampled(row["id"], r)] == row["sampledAtRates"], row["id"]


def test_exploration():
    file = load("exploration.json")
    for row in file["vectors"]:
        assert f"{exploration_randomness(row['id']):016x}" == row["randomness"], row["id"]
        explored = [share for share in file["shares"] if is_explored(row["id"], share)]
        assert explored == row["exploredAtShares"], row["id"]


@pytest.mark.parametrize("number", range(len(load("fan-out.json")["cases"])))
def test_fan_out(number):
    case = load("fan-out.json")["cases"][number]
    record = bytes.fromhex(case["publication"])
    assert Publication.parse(record).wire.SerializeToString() == record
    now = 0
    client = FanOutClient("search", ["low"], lambda: now)
    client.offer_record(record)
    assert len(case["choices"]) == 21
    for row in case["choices"]:
        now = row["nowMillis"]
        choice = client.choose("low", row["id"], [int(f) for f in row["features"]], row["components"])
        assert choice.reason.value == row["reason"], row
        assert choice.asked == tuple(row["asked"]), row
        told = choice.proposed or choice
        assert told.asked == tuple(row["proposed"]), row
        assert told.expected_quality == pytest.approx(row["expectedQuality"], rel=0, abs=1e-9), row
        assert choice.explored == (row["reason"] == "EXPLORED"), row


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_rates_outside_are_refused(rate):
    with pytest.raises(ValueError, match="allowed"):
        is_sampled("q", rate)


def test_admission():
    file = load("admission.json")
    for row in file["vectors"]:
        admitted = [f for f in file["fractions"] if admits(row["id"], f, row["epochMillis"])]
        assert admitted == row["admittedAtFractions"], row
    assert not admits("q", float("nan"), 0)


def random_ids(seed: int, count: int):
    state = seed

    def draw() -> str:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return f"{z ^ (z >> 31):016x}"

    for i in range(count):
        high, low = draw(), draw()
        yield (
            high + low,
            f"{high[:8]}-{low}",
            f"query-{int(low, 16) % 1_000_000_007}",
            f"größe/{high}{low}",
        )[i % 4]


def test_100_000_random_ids_are_decided_as_java_does():
    file = load("random-ids.json")
    ids = list(random_ids(file["seed"], file["ids"]))
    assert hashlib.sha256("".join(i + "\n" for i in ids).encode()).hexdigest() == file["idsSha256"]

    def check(row, rule):
        decisions = "".join("1" if rule(i) else "0" for i in ids)
        assert decisions.count("1") == row["count"]
        assert hashlib.sha256(decisions.encode()).hexdigest() == row["sha256"], row

    for row in file["sampling"]:
        check(row, lambda i, rate=row["rate"]: is_sampled(i, rate))
    for row in file["exploration"]:
        check(row, lambda i, share=row["share"]: is_explored(i, share))
    at = file["admissionEpochMillis"]
    for row in file["admission"]:
        check(row, lambda i, fraction=row["fraction"]: admits(i, fraction, at))


def test_100_000_random_ids_ask_the_components_that_java_asks():
    file = load("random-ids.json")
    row = file["fanOut"]
    client = FanOutClient("search", ["low"], lambda: row["nowMillis"])
    client.offer_record(bytes.fromhex(row["publication"]))
    digest = hashlib.sha256()
    for i, query_id in enumerate(random_ids(file["seed"], file["ids"])):
        features = [] if i % 10 == 9 else [i % 4, 7]
        choice = client.choose("low", query_id, features, row["components"])
        digest.update(f"{choice.reason.value} {','.join(choice.asked)}\n".encode())
    assert digest.hexdigest() == row["sha256"]


@pytest.mark.parametrize("case", load("leases.json")["cases"], ids=lambda c: c["name"])
def test_leases(case):
    clocks = {}
    bounds = ClassDefaults(case["safeFraction"], case["floor"], case["ceiling"])
    clocks.update(case["steps"][0])
    client = AdmissionClient(
        case["service"],
        {case["class"]: bounds},
        lambda: clocks["wallMillis"],
        lambda: clocks["monotonicMillis"],
    )
    for step in case["steps"]:
        clocks.update(step)
        if "offer" in step:
            before = client.refusals()
            client.offer(decision_of(step["offer"]))
            refused = [r for r, n in client.refusals().items() if before.get(r) != n]
            assert refused == ([step["refusal"]] if step["refusal"] else []), step
        assert client.fraction(case["class"]) == step["fraction"], step


def test_sampling_rates():
    file = load("sampling-rates.json")
    rates = SamplingRates(file["initialRate"])
    for fields in file["decisions"]:
        rates.accept(decision_of(fields))
    for row in file["at"]:
        assert rates.rate_at(row["startedAtMillis"]) == row["rate"], row
        assert rates.is_scarce_at(row["startedAtMillis"]) == row["scarce"], row


def test_completeness():
    file = load("completeness.json")
    now = 0
    client = CompletenessClient("shop", ["high"], lambda: now)
    learned = False
    for row in file["vectors"]:
        if row["learned"] and not learned:
            model = completeness_pb2.CompletenessModelProto()
            client.offer(json_format.ParseDict(file["model"], model))
            learned = True
        now = row["nowMillis"]
        missing = [Invocation(name, Outcome.TIMED_OUT) for name in row["missing"]]
        predicted = client.predict("high", [Invocation("there", Outcome.IN_TIME), *missing])
        assert predicted == (row["predicted"] if row["known"] else None), row
        assert ("" if predicted is None else format_prediction(predicted)) == row["header"], row


def test_items():
    for row in load("items.json")["vectors"]:
        sent = range(row["sent"])
        wire, truncated = Items(list(sent), [float(i) for i in sent]).to_wire()
        assert len(wire.numbers) == row["kept"] == len(wire.scores)
        assert truncated == row["truncated"]
        assert (wire.numbers[-1] if wire.numbers else -1) == row["lastKept"]


def test_costs():
    vectors = load("costs.json")
    for row in vectors["bins"]:
        assert costs.bin_of(row["cost"]) == row["bin"], row
    for row in vectors["fractions"]:
        order = tuple(map(tuple, row["costOrder"]))
        decision = Decision("admission", "shop/low", 1, 1, 1, 1, 2, row["value"], 2, "STEP", True, order)
        assert costs.fraction_of(decision, row["inForce"], row["cost"]) == row["fraction"], row


TYPES = {
    "kipimo.v1." + t.__name__: t
    for t in (
        quality_pb2.AnswerProto,
        quality_pb2.PartialResultProto,
        observation_pb2.ObservationProto,
        decision_pb2.DecisionProto,
    )
}


@pytest.mark.parametrize("row", load("messages.json")["vectors"], ids=lambda r: r["message"])
def test_messages(row):
    read = TYPES[row["message"]].FromString(bytes.fromhex(row["hex"]))
    assert read == json_format.ParseDict(row["fields"], type(read)())
    assert read.SerializeToString().hex() == row["hex"]


def test_an_answer_is_written_as_java_writes_it():
    row = load("messages.json")["vectors"][0]
    now = int(row["fields"]["started_at_millis"])
    answer = Answer(
        row["key"],
        "high",
        now,
        now + 52,
        50,
        [
            Invocation("bm25", Outcome.IN_TIME, 12_345),
            Invocation("dense", Outcome.TIMED_OUT, 50_000),
            Invocation("graph", Outcome.FAILED),
        ],
        top_k=10,
    )
    assert answer.to_wire("shop").SerializeToString().hex() == row["hex"]
