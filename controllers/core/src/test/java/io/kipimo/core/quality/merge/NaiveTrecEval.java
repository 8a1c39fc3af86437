package io.kipimo.core.quality.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** trec_eval's measures, directly from their definitions, on graded judgements and a run. */
final class NaiveTrecEval {
    private NaiveTrecEval() {}

    /** Score as float, descending; ties by document id descending. */
    static List<String> ordered(List<ScoredDocument> run) {
        List<ScoredDocument> sorted = new ArrayList<>(run);
        sorted.sort(Comparator.comparing(ScoredDocument::score)
                .thenComparing(ScoredDocument::document)
                .reversed());
        return sorted.stream().map(ScoredDocument::document).toList();
    }

    /** Relevance k - rank + 1 of the best k mature documents. */
    static Map<String, Integer> judgements(List<ScoredDocument> mature, int k) {
        Map<String, Integer> judgements = new HashMap<>();
        for (String document : ordered(mature)) {
            if (judgements.size() < k) {
                judgements.put(document, k - judgements.size());
            }
        }
        return judgements;
    }

    static double recall(List<ScoredDocument> run, Map<String, Integer> judgements, int k) {
        long found =
                ordered(run).stream().limit(k).filter(judgements::containsKey).count();
        return (double) found / judgements.size();
    }

    static double averagePrecision(List<ScoredDocument> run, Map<String, Integer> judgements, int k) {
        List<String> documents = ordered(run).stream().limit(k).toList();
        double sum = 0;
        for (int i = 0; i < documents.size(); i++) {
            if (judgements.containsKey(documents.get(i))) {
                long found = documents.subList(0, i + 1).stream()
                        .filter(judgements::containsKey)
                        .count();
                sum += (double) found / (i + 1);
            }
        }
        return sum / judgements.size();
    }

    static double ndcg(List<ScoredDocument> run, Map<String, Integer> judgements, int k) {
        List<Integer> gains =
                ordered(run).stream().map(d -> judgements.getOrDefault(d, 0)).toList();
        List<Integer> ideal =
                judgements.values().stream().sorted(Comparator.reverseOrder()).toList();
        return dcg(gains, k) / dcg(ideal, k);
    }

    private static double dcg(List<Integer> gains, int k) {
        double sum = 0;
        for (int i = 0; i < Math.min(k, gains.size()); i++) {
            sum += gains.get(i) / (Math.log(i + 2) / Math.log(2));
        }
        return sum;
    }
}
