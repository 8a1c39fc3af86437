package io.kipimo.core.rating.search;

/**
 * What a search found.
 *
 * @param load that reaches the rating; 0 if none does
 * @param throughput the rating, requests a second
 * @param experiments conducted, void ones included
 */
public record SearchResult(long load, double throughput, int experiments, Ending ending) {}
