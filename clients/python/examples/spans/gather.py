"""Two retrievals at once by asyncio.gather, each in a span with its items. A lost one does not fail the answer."""

import asyncio

from opentelemetry.trace import SpanKind
from questions import PATIENCE, ask_all, search, start, tracer


async def retrieve(component: str, question: str) -> list[str]:
    with tracer.start_as_current_span(component, kind=SpanKind.CLIENT) as span:
        found = await asyncio.to_thread(search, component, question)
        span.set_attribute("kipimo.items.ids", found)  # also when it is empty
        return found


async def answer(question: str) -> list[str]:
    found = await asyncio.gather(
        *(asyncio.wait_for(retrieve(component, question), PATIENCE) for component in ("titles", "texts")),
        return_exceptions=True,
    )
    return [item for items in found if not isinstance(items, BaseException) for item in items]


if __name__ == "__main__":
    provider = start("gather")
    loop = asyncio.new_event_loop()
    ask_all(lambda question: loop.run_until_complete(answer(question)), provider)
