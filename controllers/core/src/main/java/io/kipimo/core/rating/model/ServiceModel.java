package io.kipimo.core.rating.model;

import io.kipimo.core.rating.Reading;

/** A service in a formula: what an experiment without noise would tell. */
@FunctionalInterface
public interface ServiceModel {
    /** The reading at {@code load}, 1 or more. */
    Reading at(long load);
}
