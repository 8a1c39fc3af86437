package io.kipimo.core.rating;

/** What a technique would do next. {@link Search} repeats void experiments and limits the number of all. */
sealed interface Choice {
    /** Run another experiment. */
    record Try(long load, Purpose purpose) implements Choice {}

    /** The rating was found. */
    record Settled(ExperimentReading reading, Ending ending) implements Choice {}

    /** There is no rating, since the lowest load failed. */
    record Nothing() implements Choice {}
}
