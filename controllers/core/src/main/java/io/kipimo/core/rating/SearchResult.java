package io.kipimo.core.rating;

/**
 * Result of a search.
 *
 * @param load load that reaches the rating; 0 if none does
 * @param throughput the rating, requests a second
 * @param experiments number of experiments, void ones included
 */
public record SearchResult(long load, double throughput, int experiments, Ending ending) {}
