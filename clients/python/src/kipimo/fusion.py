"""Services whose merge is none of the policy's kinds, such as rank fusion: both answers of a query are emitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from .client import Emitter, now_millis
from .records import Answer, AnswerKind, Invocation, Items, Outcome

Merge = Callable[[Mapping[str, Items]], Items]


class Fusion:
    """Emits both answers of sampled queries of a service with its own merge; merge.kind is REPLAYED_ANSWERS.

    Emit the answer by answered() when it leaves. Give each result that comes later to late(). When the last one is
    there, the mature answer, merge of all results, is emitted. Bounded; never blocks; safe for many threads as long as
    one query is of one thread at a time. A result that never comes gives no mature answer: the quality is 0..1.
    """

    def __init__(self, emitter: Emitter, merge: Merge, open_queries: int = 10_000) -> None:
        """merge: the service's own, from results by component to the answer's items, best first, with their order.

        open_queries: most queries that wait for late results; the oldest is given up.
        """
        if open_queries < 1:
            raise ValueError(f"open_queries is {open_queries}; allowed: at least 1")
        self._emitter = emitter
        self._merge = merge
        self._most = open_queries
        self._open: dict[str, tuple[Answer, dict[str, Items]]] = {}

    def answered(self, answer: Answer, in_time: Mapping[str, Items]) -> None:
        """Emits an answer with the merge of its in-time results as its items; the caller knows it is sampled."""
        try:
            answer = replace(answer, items=self._merge(dict(in_time)))
        except Exception as e:
            self._emitter.refuse(e)
            return
        self._emitter.emit(answer)
        awaited = any(i.outcome is Outcome.TIMED_OUT for i in answer.invocations)
        failed = any(i.outcome is Outcome.FAILED for i in answer.invocations)
        if awaited and not failed and answer.unmeasurable is None:
            while len(self._open) >= self._most:
                self._open.pop(next(iter(self._open)), None)
            self._open[answer.query_id] = (answer, dict(in_time))

    def late(self, query_id: str, component: str, items: Items) -> None:
        """Takes a result that came after the answer; ignores those of other queries."""
        entry = self._open.get(query_id)
        if entry is None:
            return
        answer, results = entry
        results[component] = items
        asked = [i.component for i in answer.invocations if i.outcome is not Outcome.NOT_ASKED]
        if any(c not in results for c in asked):
            return
        self._open.pop(query_id, None)
        try:
            mature = replace(
                answer,
                kind=AnswerKind.REPLAYED,
                answered_at_millis=now_millis(),
                invocations=[Invocation(c, Outcome.IN_TIME) for c in asked],
                items=self._merge(results),
            )
        except Exception as e:
            self._emitter.refuse(e)
            return
        self._emitter.emit(mature)
