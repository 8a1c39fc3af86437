package io.kipimo.schemas.caching;

/**
 * A record of a result, as it was when the query was evaluated.
 *
 * @param document MongoDB's extended JSON; empty if the query is neither sorted nor limited
 */
public record ResultRecord(String record, long version, String document) {}
