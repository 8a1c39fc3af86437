package io.kipimo.operators.ttl;

import io.kipimo.schemas.caching.TtlEstimate;

/**
 * An estimate to be told.
 *
 * @param isForgotten whether the key is not read any more: whoever keeps the estimate may drop it
 */
public record TtlUpdate(TtlEstimate estimate, boolean isForgotten) {}
