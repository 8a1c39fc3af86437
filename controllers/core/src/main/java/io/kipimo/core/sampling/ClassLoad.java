package io.kipimo.core.sampling;

import io.kipimo.schemas.quality.QualityWindow;

/**
 * Unsampled counts of one class in its newest sliding window.
 *
 * @param admitted share of the offered queries that was admitted, 0..1
 * @param lateWorkMicros late work that measuring caused, microseconds
 * @param answerWorkMicros work for the answers, microseconds; 0: not known
 */
record ClassLoad(double admitted, long lateWorkMicros, long answerWorkMicros) {
    static ClassLoad of(QualityWindow window) {
        return new ClassLoad(
                window.offered() > 0 ? 1 - (double) window.rejected() / window.offered() : 1,
                window.bill().lateWorkMicros(),
                window.bill().answerWorkMicros());
    }
}
