"""Forks, exits and SIGTERM of real processes, against librdkafka's broker for tests."""

import collections
import signal
import subprocess
import sys
import time
import uuid

import pytest
from confluent_kafka import Consumer, Producer

from kipimo.v1.observation_pb2 import ObservationProto

BEGIN = """
import logging, multiprocessing, os, signal, sys, time
from kipimo import *
logging.basicConfig(level=logging.WARNING)
def connect(**more):
    return Kipimo.connect(Config("shop", "front-1", {"low": ALL}, ADDRESS, topic_prefix=PREFIX, **more))
def emit(client, count, id="q"):
    for i in range(count):
        now = now_millis()
        client.meter.offered("low")
        client.emitter.emit(Answer(f"{id}{i}", "low", now, now, 100, [Invocation("a", Outcome.IN_TIME, 5)]))
"""


@pytest.fixture(scope="module")
def broker():
    cluster = Producer({"bootstrap.servers": "unused", "test.mock.num.brokers": 1})
    address = next(iter(cluster.list_topics(timeout=30).brokers.values()))
    yield f"{address.host}:{address.port}"
    del cluster


class Run:
    def __init__(self, broker: str, script: str) -> None:
        self.broker = broker
        self.prefix = f"{uuid.uuid4()}."
        text = f"ADDRESS = {broker!r}\nPREFIX = {self.prefix!r}\n{BEGIN}\n{script}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err

    def arrived(self, topic: str, least: int) -> list[bytes]:
        consumer = Consumer(
            {"bootstrap.servers": self.broker, "group.id": str(uuid.uuid4()), "auto.offset.reset": "earliest"}
        )
        consumer.subscribe([self.prefix + topic])
        found: list[bytes] = []
        until = time.monotonic() + 30
        while len(found) < least and time.monotonic() < until:
            found += [r.value() for r in consumer.consume(1_000, 0.5) if r.error() is None]
        consumer.close()
        return found


def ids(records: list[bytes]) -> int:
    return len(set(records))


def test_a_child_goes_on_after_a_fork(broker):
    run = Run(
        broker,
        """
client = connect()
emit(client, 50, "parent")
children = []
for child in range(2):
    pid = os.fork()
    if pid == 0:
        emit(client, 300, f"child{child}-")
        client.close()
        stats = client.emitter.stats()
        os._exit(0 if stats.dropped == 0 else 3)
    children.append(pid)
codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
emit(client, 50, "later")
client.close()
sys.exit(max(codes))
""",
    )
    code, _, err = run.end()
    assert code == 0, err
    assert ids(run.arrived("answers", 700)) == 700
    offered = collections.Counter()
    for value in run.arrived("observations", 3):
        observation = ObservationProto.FromString(value)
        offered[observation.server.rpartition("-")[0] or observation.server] += observation.offered
    assert sum(offered.values()) == 700
    assert offered["front-1"] == 600, "children count under their own names"


def test_an_exit_without_close_loses_nothing(broker):
    run = Run(broker, 'client = connect()\nemit(client, 500)')
    code, _, err = run.end()
    assert code == 0, err
    assert ids(run.arrived("answers", 500)) == 500


def test_an_exit_by_an_exception_loses_nothing(broker):
    run = Run(broker, 'client = connect()\nemit(client, 500)\nraise RuntimeError("broken")')
    assert run.end()[0] == 1
    assert ids(run.arrived("answers", 500)) == 500


def test_sigterm_loses_nothing_and_ends_the_process(broker):
    run = Run(broker, 'client = connect()\nemit(client, 500)\nprint("ready", flush=True)\ntime.sleep(60)')
    assert run.process.stdout.readline() == "ready\n"
    run.process.send_signal(signal.SIGTERM)
    assert run.end()[0] == -signal.SIGTERM
    assert ids(run.arrived("answers", 500)) == 500


def test_a_services_own_handler_of_sigterm_stays(broker):
    run = Run(
        broker,
        """
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
client = connect()
emit(client, 500)
print("ready", flush=True)
time.sleep(60)
""",
    )
    assert run.process.stdout.readline() == "ready\n"
    run.process.send_signal(signal.SIGTERM)
    assert run.end()[0] == 7
    assert ids(run.arrived("answers", 500)) == 500


def test_children_of_multiprocessing_lose_nothing(broker):
    run = Run(
        broker,
        """
client = connect()
context = multiprocessing.get_context("fork")
child = context.Process(target=emit, args=(client, 300))
child.start()
child.join()
sys.exit(child.exitcode)
""",
    )
    code, _, err = run.end()
    assert code == 0, err
    assert ids(run.arrived("answers", 300)) == 300


def test_no_event_ends_the_sender(broker):
    run = Run(
        broker,
        """
client = connect()
for bad in (None, 5, "", b"q", object()):
    client.emitter.emit(Answer(bad, "low", 1, 1, 1, []))
client.emitter.emit(None)
emit(client, 100)
client.close()
stats = client.emitter.stats()
print(stats.accepted, stats.delivered, stats.undelivered)
""",
    )
    code, out, err = run.end()
    assert (code, out) == (0, "106 100 6\n"), err
    assert err.count("an event is refused") == 1
    assert ids(run.arrived("answers", 100)) == 100


def test_what_is_lost_is_counted_and_told():
    run = Run(
        "127.0.0.1:1",
        """
client = connect()
emit(client, 20)
client.close(0.5)
stats = client.emitter.stats()
print(stats.delivered, stats.undelivered)
""",
    )
    code, out, err = run.end()
    assert (code, out) == (0, "0 20\n")
    assert "events that were not sent" in err
