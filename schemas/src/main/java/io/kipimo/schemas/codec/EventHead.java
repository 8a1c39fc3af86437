package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.QueryKey;

/**
 * What {@link EventScanner} finds in the bytes of an answer or a partial result without reading the rest, so that a
 * reader can leave out whole queries. The rest may be unusable.
 *
 * @param startedAtMillis as {@link LoggedEvent#startedAtMillis}
 * @param isQueryStart whether that is the start of the query, as far as its writer knew; otherwise it is the start of a
 *     replay or of a component's invocation, which came later
 * @param eventTimeMillis as {@link LoggedEvent#eventTimeMillis}
 */
public record EventHead(QueryKey key, long startedAtMillis, boolean isQueryStart, long eventTimeMillis) {}
