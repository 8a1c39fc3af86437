package io.kipimo.operators.ttl;

import io.kipimo.schemas.caching.TtlEstimate;

/**
 * An estimate to publish.
 *
 * @param isForgotten whether the key is not read any more, so that readers may drop the estimate
 */
public record TtlUpdate(TtlEstimate estimate, boolean isForgotten) {}
