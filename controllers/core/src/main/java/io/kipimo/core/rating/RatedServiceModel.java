package io.kipimo.core.rating;

/** A service that is described by a formula: it gives the reading of an experiment without noise. */
@FunctionalInterface
public interface RatedServiceModel {
    /** The reading at {@code load}, 1 or more. */
    ExperimentReading at(long load);
}
