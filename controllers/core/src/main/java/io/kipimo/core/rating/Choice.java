package io.kipimo.core.rating;

/** Choice of a technique, before void experiments and limits are considered. */
sealed interface Choice {
    /** Run another experiment. */
    record Try(long load, Purpose purpose) implements Choice {}

    /** The rating was found. */
    record Settled(ExperimentReading reading, Ending ending) implements Choice {}

    /** There is no rating, since the lowest load failed. */
    record Nothing() implements Choice {}
}
