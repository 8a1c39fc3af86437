package io.kipimo.core.sampling.adaptive;

import io.kipimo.schemas.quality.QualityWindow;

/**
 * What the newest sliding window says of one class, unsampled.
 *
 * @param admitted share of the offered queries that was admitted, 0..1
 * @param lateWorkMicros that measuring caused
 * @param answerWorkMicros for the answers; 0: not known
 */
public record ClassLoad(double admitted, long lateWorkMicros, long answerWorkMicros) {
    static ClassLoad of(QualityWindow window) {
        return new ClassLoad(
                window.offered() > 0 ? 1 - (double) window.rejected() / window.offered() : 1,
                window.bill().lateWorkMicros(),
                window.bill().answerWorkMicros());
    }
}
