package io.kipimo.examples.search.frontend;

/**
 * A query that asks to be admitted.
 *
 * @param cost predicted cost, above 0; it serves only to rank queries
 */
public record OfferedQuery(String queryClass, String id, double cost) {}
