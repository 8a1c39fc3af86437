package io.kipimo.core.rating;

/** A service as a formula: the reading that an experiment without noise would give. */
@FunctionalInterface
public interface RatedServiceModel {
    /** The reading at {@code load}, 1 or more. */
    ExperimentReading at(long load);
}
