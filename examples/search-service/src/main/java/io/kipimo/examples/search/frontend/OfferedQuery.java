package io.kipimo.examples.search.frontend;

/**
 * A query that asks to be admitted.
 *
 * @param cost predicted, above 0; only the ranking of queries counts
 */
public record OfferedQuery(String queryClass, String id, double cost) {}
