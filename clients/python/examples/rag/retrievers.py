"""Three ways to find documents, and the fusion of their ranks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import bm25s
import faiss
import numpy as np
from corpus import Document, words
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

DEPTH = 50

Ranking = list[int]


class Bm25:
    """BM25 (Robertson and Zaragoza 2009) over words."""

    def __init__(self, documents: list[Document]) -> None:
        self._index = bm25s.BM25()
        self._index.index([words(d.text) for d in documents], show_progress=False)

    def find(self, query: str) -> Ranking:
        known = [w for w in words(query) if w in self._index.vocab_dict]
        if not known:
            return []
        ids, scores = self._index.retrieve([known], k=DEPTH, show_progress=False)
        return [int(i) for i, score in zip(ids[0], scores[0]) if score > 0]


class Dense:
    """Latent semantic vectors (TF-IDF and SVD) in an HNSW graph (Malkov and Yashunin 2018)."""

    def __init__(self, documents: list[Document], dimensions: int = 64) -> None:
        faiss.omp_set_num_threads(1)
        self._words = TfidfVectorizer(tokenizer=words, token_pattern=None, sublinear_tf=True)
        counts = self._words.fit_transform([d.text for d in documents])
        self._svd = TruncatedSVD(dimensions, random_state=0)
        vectors = normalize(self._svd.fit_transform(counts)).astype(np.float32)
        self._index = faiss.IndexHNSWFlat(dimensions, 16, faiss.METRIC_INNER_PRODUCT)
        self._index.add(vectors)

    def find(self, query: str) -> Ranking:
        vector = normalize(self._svd.transform(self._words.transform([query])))
        _, ids = self._index.search(vector.astype(np.float32), DEPTH)
        return [int(i) for i in ids[0] if i >= 0]


class Links:
    """Personalised PageRank over links: a document links to those whose names it mentions."""

    STEPS = 3
    DAMPING = 0.7

    def __init__(self, documents: list[Document]) -> None:
        by_name: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for i, document in enumerate(documents):
            by_name[document.name.rsplit(".", 1)[-1].lower()].append(i)
            for word in set(words(document.name) + words(document.module)):
                self._by_word[word].append(i)
        edges = [
            (i, j)
            for i, document in enumerate(documents)
            for word in sorted(set(document.text.lower().split()))
            for j in by_name.get(word.strip("().,:`'\""), ())[:20]
            if i != j
        ]
        rows, columns = zip(*edges)
        shape = (len(documents), len(documents))
        links = sparse.csr_matrix((np.ones(len(edges)), (rows, columns)), shape=shape)
        self._step = normalize(links + links.T, norm="l1").T.tocsr()

    def find(self, query: str) -> Ranking:
        start = np.zeros(self._step.shape[0])
        for word in words(query):
            for i in self._by_word.get(word, ()):
                start[i] += 1 / len(self._by_word[word])
        if not start.any():
            return []
        start /= start.sum()
        rank = start
        for _ in range(self.STEPS):
            rank = (1 - self.DAMPING) * start + self.DAMPING * (self._step @ rank)
        best = np.argsort(-rank, kind="stable")[:DEPTH]
        return [int(i) for i in best if rank[i] > 0]


def fuse(rankings: Iterable[Ranking], top_k: int) -> list[tuple[int, float]]:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009), best first."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] += 1 / (60 + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:top_k]
