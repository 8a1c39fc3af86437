package io.kipimo.harness.oracle;

import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.PartialResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Merges and compares answers by the definitions alone, without optimisation. */
final class PlainRanking {
    /** Limit of items of a result. Results with more items are cut. */
    private static final int MAXIMUM_ITEMS = 10_000;

    private PlainRanking() {}

    /** Identifiers of one result. Numbers become texts that sort like unsigned numbers. */
    static List<String> ids(Items items) {
        List<String> ids = new ArrayList<>();
        for (long number : items.numbers()) {
            String digits = Long.toUnsignedString(number);
            ids.add("0".repeat(20 - digits.length()) + digits);
        }
        ids.addAll(List.of(items.texts()));
        return ids.subList(0, Math.min(MAXIMUM_ITEMS, ids.size()));
    }

    /**
     * The k best items of all results. Each item has its best score; items are sorted by score, then by id, both
     * descending.
     */
    static List<String> topK(List<PartialResult> results, int k) {
        return topKOf(results.stream().map(PartialResult::items).toList(), k);
    }

    /** Best score of each item. */
    static Map<String, Float> bestScores(List<PartialResult> results) {
        return bestScoresOf(results.stream().map(PartialResult::items).toList());
    }

    private static Map<String, Float> bestScoresOf(List<Items> results) {
        Map<String, Float> best = new LinkedHashMap<>();
        for (Items items : results) {
            List<String> ids = ids(items);
            for (int i = 0; i < ids.size(); i++) {
                best.merge(ids.get(i), items.scores()[i], Math::max);
            }
        }
        return best;
    }

    private static List<String> topKOf(List<Items> results, int k) {
        return bestScoresOf(results).entrySet().stream()
                .sorted(Map.Entry.<String, Float>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .limit(k)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The k best items of a whole answer. */
    static List<String> topK(Items answer, int k) {
        return topKOf(List.of(answer), k);
    }

    static double similarity(String metric, List<String> online, List<String> mature) {
        if (mature.isEmpty()) {
            return 1;
        }
        int k = Integer.parseInt(metric.substring(metric.indexOf('@') + 1));
        if (metric.startsWith("tpr@")) {
            return truePositiveRate(online, mature, k);
        }
        if (metric.startsWith("ndcg@")) {
            return normalizedGain(online, mature, k);
        }
        throw new IllegalArgumentException("metric is " + metric + "; allowed: tpr@k, ndcg@k");
    }

    private static double truePositiveRate(List<String> online, List<String> mature, int k) {
        Set<String> wanted = new HashSet<>(mature.subList(0, Math.min(k, mature.size())));
        long found = online.stream().limit(k).filter(wanted::contains).count();
        return (double) found / wanted.size();
    }

    /**
     * Normalized discounted cumulative gain: the mature item at rank r has gain k - r + 1, and rank r is discounted by
     * log2(r + 1).
     */
    private static double normalizedGain(List<String> online, List<String> mature, int k) {
        return gain(online, mature, k) / gain(mature, mature, k);
    }

    private static double gain(List<String> ranking, List<String> mature, int k) {
        List<String> judged = mature.subList(0, Math.min(k, mature.size()));
        double gain = 0;
        for (int rank = 1; rank <= Math.min(k, ranking.size()); rank++) {
            int at = judged.indexOf(ranking.get(rank - 1));
            if (at >= 0) {
                gain += (k - at) * Math.log(2) / Math.log(rank + 1);
            }
        }
        return gain;
    }
}
