"""A pipeline of Haystack with two retrievers, of which one may fail. OpenInference's instrumentation makes the spans."""

from haystack import Document, Pipeline, component
from haystack.components.joiners import DocumentJoiner
from openinference.instrumentation.haystack import HaystackInstrumentor
from questions import ask_all, search, start


class Found:
    """Documents of one retriever."""

    name: str

    def documents(self, query: str) -> dict[str, list[Document]]:
        ids = search(self.name, query)
        return {"documents": [Document(id=item, content=item, score=1 / (1 + n)) for n, item in enumerate(ids)]}


@component
class TitleRetriever(Found):
    name = "titles"

    @component.output_types(documents=list[Document])
    def run(self, query: str):
        return self.documents(query)


@component
class TextRetriever(Found):
    name = "texts"

    @component.output_types(documents=list[Document])
    def run(self, query: str):
        return self.documents(query)


@component
class SoftRetriever:
    """Another retriever, or nothing if that fails."""

    def __init__(self, retriever):
        self.retriever = retriever

    @component.output_types(documents=list[Document])
    def run(self, query: str):
        try:
            return self.retriever.run(query=query)
        except Exception:
            return {"documents": []}


def pipeline() -> Pipeline:
    made = Pipeline()
    made.add_component("titles", TitleRetriever())
    made.add_component("texts", SoftRetriever(TextRetriever()))
    made.add_component("joined", DocumentJoiner())
    made.connect("titles", "joined")
    made.connect("texts", "joined")
    return made


if __name__ == "__main__":
    provider = start("haystack_app")
    HaystackInstrumentor().instrument()
    both = pipeline()

    def answer(question: str) -> list[str]:
        found = both.run({"titles": {"query": question}, "texts": {"query": question}})
        return [document.id for document in found["joined"]["documents"]]

    ask_all(answer, provider)
