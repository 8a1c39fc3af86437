"""Two retrievers of LangChain. Its instrumentation makes the spans: nothing of this code knows of Kipimo."""

import asyncio

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from opentelemetry.instrumentation.langchain import LangchainInstrumentor
from questions import PATIENCE, ask_all, search, start


class Retriever(BaseRetriever):
    def _get_relevant_documents(self, query: str, *, run_manager) -> list[Document]:
        return [Document(page_content=item) for item in search(self.name, query)]


RETRIEVERS = [Retriever(name="titles"), Retriever(name="texts")]


async def retrieve(retriever: Retriever, question: str) -> list[Document]:
    try:
        return await asyncio.wait_for(retriever.ainvoke(question), PATIENCE)
    except Exception:
        return []


async def answer(question: str) -> list[str]:
    found = await asyncio.gather(*(retrieve(retriever, question) for retriever in RETRIEVERS))
    return [document.page_content for documents in found for document in documents]


if __name__ == "__main__":
    provider = start("langchain_app")
    LangchainInstrumentor().instrument()
    loop = asyncio.new_event_loop()
    ask_all(lambda question: loop.run_until_complete(answer(question)), provider)
