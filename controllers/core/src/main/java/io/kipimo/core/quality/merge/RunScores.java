package io.kipimo.core.quality.merge;

import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Scores of two runs by {@link RunScorer}.
 *
 * @param queries for each query of the mature run, the value of each similarity by its name, 0..1
 * @param mean over these queries, by name of the similarity; empty without queries
 * @param missingOnline queries of the mature run that the online run lacks; they count as unanswered
 * @param ignored queries of the online run that the mature run lacks; they do not count
 */
public record RunScores(
        SortedMap<String, SortedMap<String, Double>> queries,
        SortedMap<String, Double> mean,
        SortedSet<String> missingOnline,
        SortedSet<String> ignored) {}
