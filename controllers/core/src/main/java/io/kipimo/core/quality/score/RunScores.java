package io.kipimo.core.quality.score;

import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What {@link RunScorer} found.
 *
 * @param queries value by name of the similarity, 0..1, by query; all queries of the mature run
 * @param mean over these queries, by name of the similarity; empty without queries
 * @param missingOnline queries of the mature run that the online run lacks; they count as
 *     unanswered
 * @param ignored queries of the online run that the mature run lacks; they count for nothing
 */
public record RunScores(
        SortedMap<String, SortedMap<String, Double>> queries,
        SortedMap<String, Double> mean,
        SortedSet<String> missingOnline,
        SortedSet<String> ignored) {}
