package io.kipimo.core.admission;

import io.kipimo.core.guard.LastMove;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.Optional;

/**
 * Sums over the batches under the present setting: those since the last move, or since quality changed by itself. So
 * earlier measurements neither delay nor repeat a move.
 *
 * @param sinceMillis start of the first of these batches, epoch milliseconds
 * @param answers number of answers in these batches; 0: none yet
 * @param meanSum sum of their quality, 0..{@code answers}; {@code lowSum} and {@code highSum} are the sums of the ends
 *     of its interval
 * @param timedOut number of answers without the result of some component
 * @param inTimeSum sum over the answers of the share of components' results that came in time. Unlike quality, this
 *     share is counted, known at once, and independent of what is learned meanwhile
 */
record SettingEvidence(
        long sinceMillis,
        double answers,
        double meanSum,
        double lowSum,
        double highSum,
        double timedOut,
        double inTimeSum) {
    static final SettingEvidence NONE = new SettingEvidence(0, 0, 0, 0, 0, 0, 0);

    /** Half-widths of intervals are this many standard deviations. */
    static final double WIDTH = 1.96;

    /**
     * Quality counts as changed by itself if the share of results in time differs from that of the batches before by
     * more than this many standard deviations.
     */
    private static final double CHANGE = 3;

    /** Returns the evidence with a batch added. Of the older batches, about one averaging window counts. */
    SettingEvidence with(
            QualityWindow batch, LastMove move, double objective, long windowMillis, double lossPerTimeOut) {
        Estimate e = batch.estimate()
                .orElseGet(() -> new Estimate(Math.min(inTime(batch), 1 - batch.timeOutShare()), inTime(batch), 1));
        if (batch.answered() == 0 || !move.isShownBy(batch.startMillis(), batch.endMillis(), e.mean() < objective)) {
            return this;
        }
        double n = batch.answered();
        SettingEvidence own = new SettingEvidence(
                batch.startMillis(), n, n * e.mean(), n * e.low(), n * e.high(), batch.timedOut(), n * inTime(batch));
        if (answers == 0) {
            return own;
        }
        double deviation =
                Math.hypot(deviation(lossPerTimeOut, 1 - inTime()), own.deviation(lossPerTimeOut, 1 - own.inTime()));
        if (Math.abs(inTime() - own.inTime()) > CHANGE * deviation) {
            return own;
        }
        long since = Math.max(sinceMillis, batch.endMillis() - windowMillis);
        double kept =
                Math.max(0, batch.startMillis() - since) / (double) Math.max(1, batch.startMillis() - sinceMillis);
        return new SettingEvidence(
                since,
                kept * answers + own.answers,
                kept * meanSum + own.meanSum,
                kept * lowSum + own.lowSum,
                kept * highSum + own.highSum,
                kept * timedOut + own.timedOut,
                kept * inTimeSum + own.inTimeSum);
    }

    /**
     * Returns the share of results in time. Failed results are not counted by component. So at least one missing result
     * is assumed for each answer that lacks a component.
     */
    private static double inTime(QualityWindow batch) {
        long invoked = 0;
        long timedOut = 0;
        for (ComponentAttribution c : batch.components()) {
            invoked += c.invoked();
            timedOut += c.timedOut();
        }
        long missing = Math.max(timedOut, batch.timedOut());
        return invoked == 0 ? 1 - batch.timeOutShare() : Math.max(0, 1 - (double) missing / invoked);
    }

    double mean() {
        return Math.min(1, meanSum / answers);
    }

    /** Share of the components' results that came in time, 0..1. */
    double inTime() {
        return Math.min(1, inTimeSum / answers);
    }

    /** Returns the upper end of the interval of the share of results in time, by chance alone; 1 without answers. */
    double inTimeHigh(double lossPerTimeOut) {
        return answers == 0 ? 1 : inTime() + WIDTH * deviation(lossPerTimeOut, 1 - inTime());
    }

    /**
     * Returns the figure that shedding has to raise: the share of results in time, or quality if late results do not
     * cause its loss.
     *
     * @param objective objective of quality
     */
    EffectTest.Mark mark(double objective, double load, double opening, double lossPerTimeOut) {
        return isLate(objective)
                ? new EffectTest.Mark(load, inTime(), deviation(lossPerTimeOut, 1 - inTime()), opening, true)
                : new EffectTest.Mark(load, mean(), (highSum - lowSum) / answers / (2 * WIDTH), opening, false);
    }

    private boolean isLate(double objective) {
        return mean() >= objective || inTime() < objective;
    }

    /** Returns the objective of the figure in {@link #mark} that corresponds to an objective of quality. */
    double markAt(double objective) {
        return !isLate(objective) || mean() >= objective
                ? objective
                : 1 - (1 - inTime()) * (1 - objective) / (1 - mean());
    }

    /** Half-width of the interval of quality by the chance of time-outs alone; 1 without answers. */
    double chance(double lossPerTimeOut) {
        return answers == 0 ? 1 : WIDTH * deviation(lossPerTimeOut, 1 - mean());
    }

    /**
     * Returns the standard deviation of the mean loss. It counts one time-out more than was seen, since a few answers
     * without any time-out prove nothing.
     *
     * @param unknown loss of a time-out to assume if none was seen
     * @param lost mean loss of an answer
     */
    private double deviation(double unknown, double lost) {
        double loss = timedOut == 0 ? unknown : lost * answers / timedOut;
        double share = Math.min(1, (timedOut + 1) / (answers + 1));
        return Math.min(1, loss) * Math.sqrt(share * (1 - share) / answers);
    }

    /**
     * Returns the batch with the average to control by. If the present setting is younger than the averaging window,
     * that is the average of the setting; otherwise the batch stays as it is. For the first batch after a move, the
     * batch's own estimate is the average.
     */
    QualityWindow average(QualityWindow batch, long windowMillis, double lossPerTimeOut) {
        if (batch.estimate().isEmpty()
                || batch.averaged().isEmpty()
                || (answers > 0 && sinceMillis <= batch.endMillis() - windowMillis)) {
            return batch;
        }
        if (answers == 0) {
            return batch.toBuilder().averaged(batch.estimate()).build();
        }
        double chance = chance(lossPerTimeOut);
        return batch.toBuilder()
                .averaged(Optional.of(new Estimate(
                        Math.max(0, Math.min(lowSum / answers, mean() - chance)),
                        mean(),
                        Math.min(1, Math.max(highSum / answers, mean() + chance)))))
                .build();
    }
}
