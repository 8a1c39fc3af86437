package io.kipimo.core.admission;

import io.kipimo.core.guard.LastMove;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.Optional;

/**
 * What is known of the present setting: sums over the batches since the last move, or since quality changed by itself.
 * So what was measured before neither delays nor repeats a move.
 *
 * @param sinceMillis start of the first of these batches, epoch milliseconds
 * @param answers of these batches; 0: none yet
 * @param meanSum sum of their quality, 0..{@code answers}; {@code lowSum} and {@code highSum} are of its interval's
 *     ends
 * @param timedOut answers without the result of some component
 * @param inTimeSum sum of the shares of their components' results that came in time: unlike quality it is counted,
 *     known at once, and independent of what is learned meanwhile
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

    /** Quality has changed by itself if a batch differs from those before by more standard deviations. */
    private static final double CHANGE = 3;

    /** The evidence with a batch in it. Of older batches about one averaging window counts. */
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

    /** Failed results are not counted by component, but each makes an answer lack one. */
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

    /** Upper end of that share by chance; 1 without answers. */
    double inTimeHigh(double lossPerTimeOut) {
        return answers == 0 ? 1 : inTime() + WIDTH * deviation(lossPerTimeOut, 1 - inTime());
    }

    /**
     * What shedding has to raise: the share of results in time, or quality if its loss is not of late results.
     *
     * @param objective of quality
     */
    EffectTest.Mark mark(double objective, double load, double opening, double lossPerTimeOut) {
        return isLate(objective)
                ? new EffectTest.Mark(load, inTime(), deviation(lossPerTimeOut, 1 - inTime()), opening, true)
                : new EffectTest.Mark(load, mean(), (highSum - lowSum) / answers / (2 * WIDTH), opening, false);
    }

    private boolean isLate(double objective) {
        return mean() >= objective || inTime() < objective;
    }

    /** The value of {@link #mark} that goes with an objective of quality. */
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
     * One more time-out than was seen is reckoned with, since none among a few answers is no proof.
     *
     * @param unknown what a time-out costs if none was seen
     * @param lost mean loss of an answer
     */
    private double deviation(double unknown, double lost) {
        double loss = timedOut == 0 ? unknown : lost * answers / timedOut;
        double share = Math.min(1, (timedOut + 1) / (answers + 1));
        return Math.min(1, loss) * Math.sqrt(share * (1 - share) / answers);
    }

    /**
     * The average of a batch's window, or that of the present setting if it is younger than the window. A batch that is
     * the first one after a move stands for itself.
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
