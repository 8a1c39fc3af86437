"""Makes trec_eval_golden.tsv with trec_eval itself (pip install pytrec_eval-terrier==0.5.11).

Run once: python3 trec_eval_golden.py > trec_eval_golden.tsv
Each line: k, online run, mature run (document:score, in random order), recall_k, ndcg_cut_k,
map_cut_k. The judgements are the best k of the mature run as trec_eval orders it (scores as float,
descending, ties by document id descending), relevance k - rank + 1.
"""

import random
import struct

import pytrec_eval


def as_float(score):
    return struct.unpack("f", struct.pack("f", score))[0]


def random_run(rng, pool, size, ties):
    documents = rng.sample(pool, min(size, len(pool)))
    return [(d, float(rng.randrange(ties)) if ties else round(rng.uniform(-5, 5), 4)) for d in documents]


def text(run):
    return " ".join(f"{document}:{score!r}" for document, score in run)


rng = random.Random(20)
print("# made by trec_eval_golden.py with pytrec_eval-terrier 0.5.11; not edited by hand")
for _ in range(1500):
    k = rng.choice([1, 2, 5, 10, 20])
    pool = [f"{rng.choice('aZ9')}{i}" for i in range(rng.choice([3, 10, 30]))]
    ties = rng.choice([0, 0, 2, 5])
    online = random_run(rng, pool, rng.randint(1, 25), ties)
    mature = random_run(rng, pool, rng.randint(1, 25), ties)
    ordered = sorted(mature, key=lambda item: (as_float(item[1]), item[0]), reverse=True)
    judgements = {"q": {document: k - rank for rank, (document, _) in enumerate(ordered[:k])}}
    measures = {f"recall.{k}", f"ndcg_cut.{k}", f"map_cut.{k}"}
    result = pytrec_eval.RelevanceEvaluator(judgements, measures).evaluate({"q": dict(online)})["q"]
    figures = [result[f"{measure}_{k}"] for measure in ("recall", "ndcg_cut", "map_cut")]
    print(k, text(online), text(mature), *[repr(figure) for figure in figures], sep="\t")
