package io.kipimo.core.rating;

import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.List;

/**
 * Ends an experiment early once its verdict is certain enough.
 *
 * <p>The experiment is evaluated many times, so intervals that are valid at one time only would fail at some time.
 * These intervals are valid at all times together (Howard, Ramdas, McAuliffe, Sekhon, "Time-uniform, nonparametric,
 * nonasymptotic confidence sequences", 2021, eq. 1), for values in 0..1:
 *
 * <pre>|mean - truth| &lt; 0.85 sqrt((ln ln 2n + 0.72 ln(10.4 / error)) / n)</pre>
 *
 * <p>Requests that wait in one queue are correlated, so n is the number of requests divided by {@code dependence}.
 *
 * @param error probability that a verdict is wrong, 1e-12..0.1
 * @param dependence number of successive requests that count as one, 1 or more
 */
record EarlyStop(double error, double dependence) {
    /** Forecast of the verdict while the experiment runs. */
    public enum Outlook {
        /** Not certain yet: the experiment goes on. */
        OPEN,
        /** The agreement will be kept; wrong with probability {@code error} at most. */
        SURELY_PASSES,
        /** The agreement will be broken; wrong with probability {@code error} at most. */
        SURELY_FAILS
    }

    public EarlyStop {
        if (!(error >= 1e-12 && error <= 0.1)) {
            throw new IllegalArgumentException("error is " + error + "; allowed: 1e-12..0.1");
        }
        if (!(dependence >= 1 && Double.isFinite(dependence))) {
            throw new IllegalArgumentException("dependence is " + dependence + "; allowed: finite, 1 or more");
        }
    }

    /**
     * Forecasts the verdict from {@code tally}.
     *
     * @param expectedRequests requests of the whole experiment; 0: not known, as with a closed load
     */
    public Outlook of(AgreementTerms agreement, ExperimentCounts tally, long expectedRequests) {
        long late = tally.requests() - tally.within();
        if (expectedRequests > 0
                && (late > (1 - agreement.leastWithin()) * expectedRequests
                        || tally.errors() > agreement.mostErrors() * expectedRequests)) {
            return Outlook.SURELY_FAILS;
        }
        List<Outlook> parts = List.of(
                atLeast(agreement.leastWithin(), (double) tally.within(), tally.requests()),
                atMost(agreement.mostErrors(), (double) tally.errors(), tally.requests()),
                atMost(agreement.mostUnpredictable(), (double) tally.unpredictable(), tally.reads()),
                atLeast(agreement.leastQuality(), tally.qualitySum(), tally.scored()));
        if (parts.contains(Outlook.SURELY_FAILS)) {
            return Outlook.SURELY_FAILS;
        }
        return parts.contains(Outlook.OPEN) ? Outlook.OPEN : Outlook.SURELY_PASSES;
    }

    private Outlook atMost(double bound, double sum, long n) {
        return atLeast(1 - bound, n - sum, n);
    }

    private Outlook atLeast(double bound, double sum, long n) {
        if (bound == 0) {
            return Outlook.SURELY_PASSES;
        }
        double radius = radius(n);
        double mean = n == 0 ? bound : sum / n;
        if (mean < bound - radius) {
            return Outlook.SURELY_FAILS;
        }
        return mean > bound + radius ? Outlook.SURELY_PASSES : Outlook.OPEN;
    }

    /** Half the width of the interval of a mean of {@code n} values; 1 for too few values. */
    double radius(long n) {
        double independent = n / dependence;
        if (independent < 2) {
            return 1;
        }
        double width = Math.log(Math.log(2 * independent)) + 0.72 * Math.log(10.4 / error);
        return Math.min(1, 0.85 * Math.sqrt(width / independent));
    }
}
