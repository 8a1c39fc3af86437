"""A front end with hardly any traffic: two queries, 15 s apart, each with a component in time and one that is late.

Arguments: the brokers, and the prefix of the topics.
"""

import sys
import time

import kipimo
from kipimo import Answer, Config, Invocation, Items, Kipimo, Outcome, PartialResult, Phase


def ask(client: Kipimo, query: str) -> None:
    started = kipimo.now_millis() - 1
    invocations = [Invocation("a", Outcome.IN_TIME, 500), Invocation("b", Outcome.TIMED_OUT, 1_000)]
    client.meter.offered("default")
    client.meter.answered("default", invocations)
    client.emitter.emit(Answer(query, "default", started, kipimo.now_millis(), 1, invocations))
    client.emitter.emit(PartialResult(query, "a", Phase.ONLINE, kipimo.now_millis(), 500, Items([1], [1.0]), started))
    time.sleep(0.5)
    client.emitter.emit(
        PartialResult(query, "b", Phase.MATURE, kipimo.now_millis(), 500_000, Items([2], [1.0]), started)
    )


def main() -> None:
    config = Config(
        service="quiet-python",
        server="front-1",
        bootstrap_servers=sys.argv[1],
        topic_prefix=sys.argv[2],
        classes={"default": kipimo.ALL},
        initial_sampling_rate=1.0,
    )
    client = Kipimo.connect(config)
    for number in range(2):
        if number > 0:
            time.sleep(15)
        ask(client, f"q{number}")
    time.sleep(25)  # Counts go on, and with them event time.
    client.close()


if __name__ == "__main__":
    main()
