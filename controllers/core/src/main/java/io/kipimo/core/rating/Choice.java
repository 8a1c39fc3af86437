package io.kipimo.core.rating;

/**
 * The next step that a search technique proposes. {@link Search} itself repeats void experiments and limits the number
 * of all experiments.
 */
sealed interface Choice {
    /** Run another experiment. */
    record Try(long load, Purpose purpose) implements Choice {}

    /** The rating was found. */
    record Settled(ExperimentReading reading, Ending ending) implements Choice {}

    /** There is no rating, since the lowest load failed. */
    record Nothing() implements Choice {}
}
