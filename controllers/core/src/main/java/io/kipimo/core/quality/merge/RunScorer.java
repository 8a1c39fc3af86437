package io.kipimo.core.quality.merge;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares an online run with a mature run, query by query. Both are ordered as trec_eval orders them
 * ({@link io.kipimo.core.quality.merge.TrecOrder}); a repeated document of a query counts once, with its best score.
 * The mean is over the queries of the mature run (trec_eval's {@code -c}). A query that only the mature run has counts
 * as an empty answer; a query that only the online run has is reported and ignored.
 */
public final class RunScorer {
    private static final Merge ORDER = Merges.of(MergePolicy.TOP_K);

    private RunScorer() {}

    /**
     * The similarity of each query's online documents to its mature ones.
     *
     * @param online documents in any order, by query
     * @param mature documents in any order, by query
     */
    public static RunScores score(
            Map<String, List<ScoredDocument>> online,
            Map<String, List<ScoredDocument>> mature,
            List<Similarity> similarities) {
        SortedMap<String, SortedMap<String, Double>> queries = new TreeMap<>();
        mature.forEach((query, documents) ->
                queries.put(query, score(online.getOrDefault(query, List.of()), documents, similarities)));
        TreeSet<String> missingOnline = new TreeSet<>(mature.keySet());
        missingOnline.removeAll(online.keySet());
        TreeSet<String> ignored = new TreeSet<>(online.keySet());
        ignored.removeAll(mature.keySet());
        return new RunScores(queries, mean(queries, similarities), missingOnline, ignored);
    }

    private static SortedMap<String, Double> score(
            List<ScoredDocument> online, List<ScoredDocument> mature, List<Similarity> similarities) {
        Items onlineItems = items(online);
        Items matureItems = items(mature);
        ItemDictionary dictionary = ItemDictionary.of(List.of(onlineItems, matureItems));
        Ranking onlineRanking = ranking(dictionary.toNumbers(onlineItems));
        Ranking matureRanking = ranking(dictionary.toNumbers(matureItems));
        SortedMap<String, Double> scores = new TreeMap<>();
        for (Similarity similarity : similarities) {
            scores.put(similarity.name(), similarity.of(onlineRanking, matureRanking));
        }
        return scores;
    }

    private static SortedMap<String, Double> mean(
            SortedMap<String, SortedMap<String, Double>> queries, List<Similarity> similarities) {
        SortedMap<String, Double> means = new TreeMap<>();
        for (Similarity similarity : similarities) {
            queries.values().stream()
                    .mapToDouble(scores -> scores.get(similarity.name()))
                    .average()
                    .ifPresent(mean -> means.put(similarity.name(), mean));
        }
        return means;
    }

    private static Items items(List<ScoredDocument> documents) {
        String[] texts = new String[documents.size()];
        float[] scores = new float[documents.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = documents.get(i).document();
            scores[i] = documents.get(i).score();
        }
        return Items.ofTexts(texts, scores);
    }

    private static Ranking ranking(Items items) {
        return ORDER.merge(List.of(new Part("", items)), Math.max(1, items.size()));
    }
}
