"""What the examples of this directory share: OpenTelemetry's setup, and retrievers that fail in the usual ways."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

#: How long the application waits for a retriever, seconds.
PATIENCE = 0.4

#: Documents of each retriever, best first.
DOCUMENTS = {"titles": ["a", "b"], "texts": ["c", "d"]}

QUESTIONS = [
    "whole",  # both retrievers answer
    "nothing",  # one rightly finds nothing
    "raises",  # one raises; the application goes on without it
    "swallows",  # one fails inside; it catches that and returns an empty list
    "slow",  # one takes too long; the application goes on without it
]

tracer = trace.get_tracer("kipimo-example")


def start(service: str) -> TracerProvider:
    """Sends spans to OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, http://localhost:4318/v1/traces by default."""
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider


def search(component: str, question: str) -> list[str]:
    """A search engine's answer: ids, best first. Only the texts have trouble."""
    if component == "texts":
        match question:
            case "nothing":
                return []
            case "raises":
                raise ConnectionError("no route to the texts")
            case "swallows":
                try:
                    with tracer.start_as_current_span("GET /texts", kind=trace.SpanKind.CLIENT):
                        raise ConnectionError("no route to the texts")
                except ConnectionError:
                    return []
            case "slow":
                time.sleep(2 * PATIENCE)
    return DOCUMENTS[component]


def ask_all(ask, provider: TracerProvider) -> None:
    """Asks each question within a span of its own, and prints it with its trace id and answer, one JSON a line."""
    for question in QUESTIONS:
        with tracer.start_as_current_span("ask", kind=trace.SpanKind.SERVER) as span:
            answer = ask(question)
        print(json.dumps({"question": question, "trace": f"{span.get_span_context().trace_id:032x}", "answer": answer}))
    sys.stdout.flush()
    time.sleep(2 * PATIENCE)
    provider.shutdown()
