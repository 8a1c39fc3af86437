package io.kipimo.core.invalidation;

import io.kipimo.schemas.caching.InvalidationMode;
import java.util.Optional;

/**
 * States which changes invalidate a query's cached result, and in which mode.
 *
 * @param serveStaleMillis milliseconds for which the stale result may be served after a soft invalidation, at least 1;
 *     0 if the mode is hard
 */
public record InvalidationRule(Representation representation, InvalidationMode mode, long serveStaleMillis) {
    public InvalidationRule {
        boolean isSoft = mode == InvalidationMode.SOFT;
        if (isSoft ? serveStaleMillis < 1 : serveStaleMillis != 0) {
            throw new IllegalArgumentException("serveStaleMillis %s with %s; allowed: from 1 with SOFT, 0 with HARD"
                    .formatted(serveStaleMillis, mode));
        }
    }

    public static InvalidationRule hard(Representation representation) {
        return new InvalidationRule(representation, InvalidationMode.HARD, 0);
    }

    public static InvalidationRule soft(Representation representation, long serveStaleMillis) {
        return new InvalidationRule(representation, InvalidationMode.SOFT, serveStaleMillis);
    }

    /** Mode of the invalidation after a change; empty if the cached result is still valid. */
    public Optional<InvalidationMode> on(ChangeKind kind) {
        return representation.isInvalidatedBy(kind) ? Optional.of(mode) : Optional.empty();
    }
}
