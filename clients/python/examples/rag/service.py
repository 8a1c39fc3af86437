"""A retrieval service for RAG: three retrievers in parallel, a deadline, rank fusion.

    python service.py --bootstrap-servers broker:9092 --sampling-rate 0.2

    curl 'http://127.0.0.1:8080/search?q=read+a+zip+file&class=high'

The quality job cannot compute a rank fusion, so the policy's merge is REPLAYED_ANSWERS: for a
sampled query that lacks a retriever, the service waits for the late results. kipimo.Fusion fuses
again and emits the result as the replayed answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import corpus
from retrievers import Bm25, Dense, Links, Ranking, fuse

import kipimo
from kipimo import Answer, Fusion, Invocation, Items, Kipimo, Outcome

TOP_K = 10
LONGEST_HEAD = 16_384


def merged(results: Mapping[str, Items]) -> Items:
    """The service's merge, of results by retriever."""
    fused = fuse([items.ids for items in results.values()], TOP_K)
    return Items.in_order([document for document, _ in fused], [score for _, score in fused])


class Retrieval:
    """Queries all retrievers, answers at the deadline, and measures."""

    def __init__(
        self, client: Kipimo, deadline_millis: int, expiration_millis: int, late: Mapping[str, str]
    ) -> None:
        """late: DELAY_SECONDS:SHARE by retriever, a delay for a share of its queries."""
        documents = corpus.load()
        self.documents = documents
        self._retrievers = {"bm25": Bm25(documents), "dense": Dense(documents), "links": Links(documents)}
        self._client = client
        self._deadline_millis = deadline_millis
        self._expiration_millis = expiration_millis
        self._delays = {name: tuple(map(float, text.split(":"))) for name, text in late.items()}
        self._fusion = Fusion(client.emitter, merged)
        self._threads = ThreadPoolExecutor(8, "retriever")
        self._waiting: set[asyncio.Task[None]] = set()

    async def _ask(self, retriever: str, query_id: str, query: str) -> tuple[Ranking, int]:
        begun = time.perf_counter_ns()
        seconds, share = self._delays.get(retriever, (0.0, 0.0))
        if zlib.crc32(f"{retriever}/{query_id}".encode()) % 1000 < share * 1000:
            await asyncio.sleep(seconds)
        loop = asyncio.get_running_loop()
        ranking = await loop.run_in_executor(self._threads, self._retrievers[retriever].find, query)
        return ranking, (time.perf_counter_ns() - begun) // 1000

    async def exact(self, query: str) -> list[int]:
        """Without a deadline, unmeasured."""
        found = [(await self._ask(name, "", query))[0] for name in self._retrievers]
        return [document for document, _ in fuse(found, TOP_K)]

    async def search(self, query_class: str, query_id: str, query: str) -> dict[str, object] | None:
        """None: the query is not admitted."""
        client = self._client
        client.meter.offered(query_class)
        if not client.admission.admits(query_class, query_id):
            client.meter.rejected(query_class)
            return None
        started = kipimo.now_millis()
        tasks = {name: asyncio.create_task(self._ask(name, query_id, query)) for name in self._retrievers}
        await asyncio.wait(tasks.values(), timeout=self._deadline_millis / 1000)
        # Check each task once: a result that arrives later is late.
        invocations = [self._invocation(name, task) for name, task in tasks.items()]
        outcomes = {i.component: i.outcome for i in invocations}
        there = {n: Items.in_order(tasks[n].result()[0]) for n, o in outcomes.items() if o is Outcome.IN_TIME}
        answer = Answer(
            query_id,
            query_class,
            started,
            kipimo.now_millis(),
            self._deadline_millis,
            invocations,
            TOP_K,
            items=merged(there),
        )
        predicted = client.completeness.predict(query_class, invocations)
        client.meter.answered(query_class, invocations)
        late = {n: tasks[n] for n, o in outcomes.items() if o is Outcome.TIMED_OUT}
        sampled = client.emitter.is_sampled(query_id, started)
        if sampled:
            self._fusion.answered(answer, there)
        if sampled and late:
            waiting = asyncio.create_task(self._late(answer, late))
            self._waiting.add(waiting)
            waiting.add_done_callback(self._waiting.discard)
        else:
            for task in late.values():
                task.cancel()
        return {
            "query_id": query_id,
            "items": list(answer.items.ids),
            "names": [self._name(int(i)) for i in answer.items.ids],
            "missing": [n for n, o in outcomes.items() if o is not Outcome.IN_TIME],
            "sampled": sampled,
            "predicted": predicted,
        }

    def _name(self, document: int) -> str:
        return f"{self.documents[document].module}.{self.documents[document].name}"

    def _invocation(self, name: str, task: asyncio.Task[tuple[Ranking, int]]) -> Invocation:
        if not task.done():
            return Invocation(name, Outcome.TIMED_OUT, self._deadline_millis * 1000)
        if task.exception() is not None:
            return Invocation(name, Outcome.FAILED)
        return Invocation(name, Outcome.IN_TIME, task.result()[1])

    async def _late(self, answer: Answer, late: Mapping[str, asyncio.Task[tuple[Ranking, int]]]) -> None:
        """Waits for the late results; without all of them there is no mature answer."""
        await asyncio.wait(late.values(), timeout=self._expiration_millis / 1000)
        for name, task in late.items():
            if not task.done() or task.cancelled() or task.exception() is not None:
                task.cancel()
                continue
            ranking, micros = task.result()
            overtime = micros - self._deadline_millis * 1000
            self._client.meter.late_result(answer.query_class, overtime)
            self._fusion.late(answer.query_id, name, Items.in_order(ranking))


class Server:
    """Minimal HTTP/1.1 with one request per connection."""

    def __init__(self, retrieval: Retrieval) -> None:
        self._retrieval = retrieval

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
            status, body = await self._answer(head.decode("latin-1"))
            payload = json.dumps(body).encode()
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(payload)}\r\nConnection: close\r\n\r\n".encode()
                + payload
            )
            await writer.drain()
        except (EOFError, asyncio.LimitOverrunError, asyncio.TimeoutError, OSError):
            pass
        finally:
            writer.close()

    async def _answer(self, head: str) -> tuple[str, dict[str, object]]:
        lines = head.split("\r\n")
        target = urlsplit(lines[0].split(" ")[1])
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])
        }
        asked = {name: values[0] for name, values in parse_qs(target.query).items()}
        if "q" not in asked:
            return "400 Bad Request", {"error": "q is missing"}
        if target.path == "/exact":
            return "200 OK", {"items": await self._retrieval.exact(asked["q"])}
        query_class = asked.get("class", "high")
        # Callers are trusted here. At the edge, draw a new id for each query.
        query_id = kipimo.trace_id_of(headers.get("traceparent", "")) or kipimo.new_trace_id()
        try:
            answer = await self._retrieval.search(query_class, query_id, asked["q"])
        except KeyError:
            return "400 Bad Request", {"error": f"class is {query_class!r}"}
        if answer is None:
            return "429 Too Many Requests", {"query_id": query_id}
        return "200 OK", answer


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bootstrap-servers", required=True)
    parser.add_argument("--topic-prefix", default="kipimo.")
    parser.add_argument("--service", default="rag")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--sampling-rate", type=float, default=0.01)
    parser.add_argument("--deadline-millis", type=int, default=150)
    parser.add_argument("--expiration-millis", type=int, default=5_000)
    parser.add_argument(
        "--late",
        action="append",
        default=[],
        metavar="RETRIEVER=SECONDS:SHARE",
        help="overload a retriever for a share of the queries",
    )
    options = parser.parse_args()
    config = kipimo.Config(
        options.service,
        f"{options.service}-1",
        {"high": kipimo.ALL, "low": kipimo.ClassDefaults.sheddable(0.02)},
        options.bootstrap_servers,
        options.topic_prefix,
        initial_sampling_rate=options.sampling_rate,
    )
    async with Kipimo.connect(config) as client:
        late = dict(text.split("=", 1) for text in options.late)
        retrieval = Retrieval(client, options.deadline_millis, options.expiration_millis, late)
        server = await asyncio.start_server(
            Server(retrieval).serve, "127.0.0.1", options.port, limit=LONGEST_HEAD
        )
        port = server.sockets[0].getsockname()[1]
        print(f"{len(retrieval.documents)} documents, listening on {port}", flush=True)
        async with server:
            await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
