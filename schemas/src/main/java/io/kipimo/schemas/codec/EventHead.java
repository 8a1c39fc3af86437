package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.QueryKey;

/**
 * Query and times of an answer or a partial result. {@link EventScanner} finds them without reading the rest of the
 * bytes, so that a reader can leave out whole queries. The rest may be unusable.
 *
 * @param startedAtMillis as {@link LoggedEvent#startedAtMillis}
 * @param isQueryStart whether {@code startedAtMillis} is the start of the query, as far as the event's writer knew;
 *     otherwise it is the later start of a replay or of a component's invocation
 * @param eventTimeMillis as {@link LoggedEvent#eventTimeMillis}
 */
public record EventHead(QueryKey key, long startedAtMillis, boolean isQueryStart, long eventTimeMillis) {}
