package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;

/** What a technique wants, before void experiments and limits are looked at. */
sealed interface Choice {
    /** Another experiment. */
    record Try(long load, Purpose purpose) implements Choice {}

    /** The rating. */
    record Settled(ExperimentReading reading, Ending ending) implements Choice {}

    /** The lowest load failed. */
    record Nothing() implements Choice {}
}
