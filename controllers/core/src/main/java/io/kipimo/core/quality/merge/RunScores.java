package io.kipimo.core.quality.merge;

import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Scores of two runs by {@link RunScorer}.
 *
 * @param queries value by name of the similarity, 0..1, by query, for all queries of the mature run
 * @param mean over these queries, by name of the similarity; empty without queries
 * @param missingOnline queries of the mature run that the online run lacks; they count as unanswered
 * @param ignored queries of the online run that the mature run lacks; they do not count
 */
public record RunScores(
        SortedMap<String, SortedMap<String, Double>> queries,
        SortedMap<String, Double> mean,
        SortedSet<String> missingOnline,
        SortedSet<String> ignored) {}
