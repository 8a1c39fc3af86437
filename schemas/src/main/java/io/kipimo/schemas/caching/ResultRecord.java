package io.kipimo.schemas.caching;

/**
 * A record of a result as the query found it.
 *
 * @param document MongoDB's extended JSON; empty where the query is neither sorted nor limited
 */
public record ResultRecord(String record, long version, String document) {}
