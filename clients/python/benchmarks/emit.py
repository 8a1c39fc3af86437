"""Events a second of the emitter, and the cost of a query for its caller.

    python benchmarks/emit.py [--bootstrap-servers HOST:PORT] [--events 100000]

Without a broker, a stub producer accepts everything, so the figure is the client's own.
"""

from __future__ import annotations

import argparse
import statistics
import time

from kipimo import (
    ALL,
    Answer,
    Config,
    Invocation,
    Items,
    Kipimo,
    Outcome,
    PartialResult,
    Phase,
    new_trace_id,
    now_millis,
)
from kipimo.outbox import Outbox, Stats


class Sink:
    """Accepts every record immediately."""

    def produce(self, topic, value, key, timestamp, on_delivery):
        on_delivery(None, None)

    def poll(self, seconds):
        if seconds:
            time.sleep(0.001)

    def flush(self, seconds):
        pass

    def purge(self):
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bootstrap-servers")
    parser.add_argument("--events", type=int, default=100_000)
    options = parser.parse_args()
    items = Items(list(range(20)), [float(20 - i) for i in range(20)])
    now = now_millis()
    events = [
        PartialResult(new_trace_id(), "dense", Phase.ONLINE, now, 9_000, items, now - 10)
        for _ in range(options.events)
    ]
    config = Config(
        "bench",
        "front-1",
        {"high": ALL},
        options.bootstrap_servers or "127.0.0.1:1",
        topic_prefix="bench.",
        initial_sampling_rate=0.01,
        buffer_events=1_000_000,
    )
    kipimo = Kipimo.connect(config)
    if options.bootstrap_servers:
        begun = time.perf_counter()
        for event in events:
            kipimo.emitter.emit(event)
        while kipimo.emitter.stats().delivered < len(events) and time.perf_counter() - begun < 60:
            time.sleep(0.01)
        elapsed = time.perf_counter() - begun
        print(f"emitter, broker: {kipimo.emitter.stats().delivered / elapsed:,.0f} events/s, 20 items each")
    else:
        outbox, stats = Outbox(1_000_000, Sink), Stats()
        begun = time.perf_counter()
        for event in events:
            outbox.offer("t", event.query_id, now, lambda e=event: e.to_wire("bench"), stats)
        outbox.close(600)
        elapsed = time.perf_counter() - begun
        print(f"emitter, no broker: {stats.delivered / elapsed:,.0f} events/s, 20 items each")

    invocations = [Invocation(c, Outcome.IN_TIME, 9_000) for c in ("bm25", "dense", "graph")]
    took = []
    for i in range(options.events):
        query_id = events[i].query_id
        begun = time.perf_counter_ns()
        kipimo.meter.offered("high")
        kipimo.admission.admits("high", query_id)
        kipimo.completeness.predict("high", invocations)
        kipimo.meter.answered("high", invocations)
        if kipimo.emitter.is_sampled(query_id):
            answer = Answer(query_id, "high", now, now, 50, invocations)
            kipimo.emitter.emit(answer)
            if kipimo.emitter.wants_partials(answer):
                kipimo.emitter.emit(events[i])
        took.append((time.perf_counter_ns() - begun) / 1_000)
    cuts = statistics.quantiles(took, n=1000)
    print(
        f"per query, sampled at 1 %: mean {statistics.fmean(took):.1f} µs,"
        f" median {cuts[499]:.1f} µs, p99 {cuts[989]:.1f} µs, p99.9 {cuts[998]:.1f} µs"
    )
    kipimo.close(0)


if __name__ == "__main__":
    main()
