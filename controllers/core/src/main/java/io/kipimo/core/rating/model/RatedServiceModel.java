package io.kipimo.core.rating.model;

import io.kipimo.core.rating.ExperimentReading;

/** A service in a formula: what an experiment without noise would tell. */
@FunctionalInterface
public interface RatedServiceModel {
    /** The reading at {@code load}, 1 or more. */
    ExperimentReading at(long load);
}
