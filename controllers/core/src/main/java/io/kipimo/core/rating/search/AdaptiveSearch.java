package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import java.util.List;

/**
 * Our technique: few experiments, a requested accuracy, and valid under noise.
 *
 * <p><b>The climb</b> squares its factor while throughput grows in proportion to the load, since
 * the target is then far from its peak. Once throughput per unit of load falls by more than noise,
 * it goes straight to the peak that this fall predicts.
 *
 * <p><b>Without noise</b> the secants of readings bound the throughput between them ({@link
 * ConcaveBound}). The search tries the peak of the parabola around the best reading, then loads
 * beside it, until no gap can hide more than {@code accuracy}. Under the paper's assumptions this
 * holds for every curve. Between the highest passing and the lowest failing load it bisects, in the
 * logarithm, until the same bound holds.
 *
 * <p><b>With noise</b> two readings of similar loads cannot be compared. If throughput does not
 * fall by more than noise before the agreement breaks, the rating is where it breaks, and the
 * search bisects for that load. Otherwise it fits a parabola through the origin ({@link
 * FallingLine}). It reads the loads that reduce the error of the peak most, usually loads far
 * beyond the peak, until the error is small enough and readings half-way to the peak and at it
 * agree with the fit. If readings deviate from that parabola by more than noise, the search
 * alternates between loads well below, at and well above the peak, until a parabola through these
 * alone is accurate enough ({@link Parabola#loss}). If that parabola does not fit either, the loads
 * move nearer to the peak. Deviations within noise go unnoticed.
 */
final class AdaptiveSearch {
    /** Largest factor of one step of the climb, unless the climbing factor is larger. */
    private static final int LARGEST_STEP = 16;

    /**
     * Least share of throughput per unit of load that must remain for growth to count as
     * proportional.
     */
    private static final double PROPORTIONAL = 0.9;

    /**
     * Neighbours of the best load farther away than this multiple of the needed distance are too
     * far.
     */
    private static final double NEIGHBOUR = 1.1;

    /**
     * If the vertex is above a passing load by less than this factor, the search bisects instead.
     */
    private static final double CREEPING = 1.1;

    /** Significant difference of two readings, in standard deviations of a reading. */
    private static final double SIGNIFICANT = 3 * Math.sqrt(2);

    /** Number of climbing steps within noise of the previous one that make a plateau. */
    private static final int PLATEAU = 2;

    /** Distance of the loads beside the peak, as a fraction of the peak. */
    private static final double SPREAD = 0.5;

    /** Least distance, for curves that a parabola fits only near the peak. */
    private static final double LEAST_SPREAD = SPREAD / 4;

    /** Largest distance from the peak at which readings count for the fit, in spreads. */
    private static final double REACH = 1.25;

    /** Largest distance at which readings count as at the peak, in spreads. */
    private static final double NEAR = 0.3;

    /** Least distance at which readings count as beside the peak, in spreads. */
    private static final double FAR = 0.7;

    /** A peak from this share of the highest passing load upwards counts as at that load. */
    private static final double RISING = 0.98;

    /** Least number of readings below, at and above the peak for accepting the fit. */
    private static final int LEAST_READINGS = 3;

    /** Least number of readings for accepting a parabola through the origin. */
    private static final int LEAST_FOR_LINE = 7;

    /** Readings between these shares of the peak's load are half-way to it. */
    private static final double[] HALF_WAY = {0.3, 0.7};

    /** Readings between these shares of the peak's load are at it. */
    private static final double[] AT_PEAK = {0.75, 1.3};

    /** Safety margin before the end of the line, in standard deviations. */
    private static final double CAREFUL = 3;

    /**
     * Limit of iterations: the peak selects the readings of the fit, and the fit moves the peak.
     */
    private static final int ROUNDS = 8;

    /** The iteration ends when the peak moves by less than this fraction of itself. */
    private static final double AT_REST = 0.01;

    private final SearchSettings settings;
    private final ResultMemory table;
    private final double noise;

    /** How far beside the best load an experiment is needed to bound the loss there. */
    private final double beside;

    private AdaptiveSearch(SearchSettings settings, ResultMemory table) {
        this.settings = settings;
        this.table = table;
        // Noise far below the requested accuracy is negligible.
        this.noise = settings.noise() < settings.accuracy() / 10 ? 0 : settings.noise();
        this.beside = 0.95 * Math.sqrt(settings.accuracy());
    }

    static Choice choose(SearchSettings settings, ResultMemory table) {
        return new AdaptiveSearch(settings, table).choose();
    }

    private Choice choose() {
        List<ExperimentReading> log = table.inOrder();
        if (!log.get(0).passed()) {
            return new Choice.Nothing();
        }
        Choice climb = climb(log);
        if (climb != null) {
            return climb;
        }
        return noise == 0 ? exact() : noisy();
    }

    /**
     * The next step up; null once some load was too high. It uses the readings in their order, so
     * later readings of the same load do not change the path.
     */
    private Choice climb(List<ExperimentReading> log) {
        int climb = settings.climb();
        double step = climb;
        int flat = 0;
        for (int i = 0; ; i++) {
            ExperimentReading last = log.get(i);
            if (i > 0) {
                ExperimentReading before = log.get(i - 1);
                double difference = last.throughput() - before.throughput();
                double margin = SIGNIFICANT * noise * before.throughput();
                if (!last.passed() || difference < -margin || (noise == 0 && difference <= 0)) {
                    return null;
                }
                flat += difference < margin ? 1 : 0;
                if (flat >= PLATEAU) {
                    return null;
                }
                step =
                        perLoad(last) > PROPORTIONAL * perLoad(before)
                                ? Math.min(Math.max(LARGEST_STEP, climb), step * step)
                                : climb;
            }
            if (last.load() >= settings.highestLoad()) {
                return new Choice.Settled(table.best(), Ending.HIGHEST_LOAD);
            }
            if (i + 1 == log.size()) {
                double next = last.load() * step;
                if (i > 0) {
                    next =
                            Math.min(
                                    next,
                                    noise > 0 ? beyondPeak(log) : peakAhead(log.get(i - 1), last));
                }
                return new Choice.Try(
                        Math.min(settings.highestLoad(), Math.round(next)), Purpose.CLIMB);
            }
        }
    }

    private static double perLoad(ExperimentReading reading) {
        return reading.throughput() / reading.load();
    }

    /**
     * Load at the peak if throughput per unit of load continues to fall as from {@code a} to {@code
     * b}; infinite if it does not fall. Always above {@code b}.
     */
    private double peakAhead(ExperimentReading a, ExperimentReading b) {
        double fall = perLoad(a) - perLoad(b);
        if (!(fall > 1e-9 * perLoad(a))) {
            return Double.POSITIVE_INFINITY;
        }
        double fallPerLoad = fall / (b.load() - a.load());
        double atZero = perLoad(a) + fallPerLoad * a.load();
        return Math.max(
                Math.max(b.load() + 1.0, Math.floor(b.load() * (1 + beside))),
                Math.rint(atZero / (2 * fallPerLoad)));
    }

    /**
     * Load whose reading improves the line through all readings most; infinite without such a line.
     * Always well above the last load.
     */
    private double beyondPeak(List<ExperimentReading> log) {
        FallingLine line = FallingLine.of(log, noise);
        long last = log.get(log.size() - 1).load();
        return line == null
                ? Double.POSITIVE_INFINITY
                : Math.max(Math.max(last + 1.0, last * (1 + SPREAD / 2)), highSide(line));
    }

    /** Load as close to the end of the line as the safety margin permits. */
    private static double highSide(FallingLine line) {
        double share = Math.min(1 - FallingLine.LEAST_SHARE, 1 - CAREFUL * line.error());
        return line.peak() * Math.max(1, 2 * share);
    }

    private Choice exact() {
        List<ExperimentReading> readings = table.byLoad();
        ExperimentReading best = table.best();
        ConcaveBound widest = ConcaveBound.highest(readings);
        if (widest == null
                || widest.throughput() <= best.throughput() * (1 + settings.accuracy())) {
            return new Choice.Settled(best, Ending.FOUND);
        }
        long load = atParabola(readings, best);
        return new Choice.Try(
                load > 0 ? load : within(widest, widest.above() == table.lowestFailing()),
                Purpose.NARROW);
    }

    /**
     * The vertex of the parabola around the best load or, if the best load is at the vertex, a load
     * beside it; 0 if neither helps.
     */
    private long atParabola(List<ExperimentReading> readings, ExperimentReading best) {
        int i = readings.indexOf(best);
        if (i < 1 || i + 1 >= readings.size()) {
            return 0;
        }
        ExperimentReading below = readings.get(i - 1);
        ExperimentReading above = readings.get(i + 1);
        Parabola parabola = Parabola.through(below, best, above);
        if (parabola == null) {
            return 0;
        }
        long aside = Math.max(1, (long) (beside * best.load()));
        long peak = Math.round(parabola.load());
        if (peak != best.load() && Math.abs(parabola.load() - best.load()) >= aside / 3.0) {
            return vertex(peak, below, best, above);
        }
        if (above.load() - best.load() > NEIGHBOUR * aside) {
            return best.load() + aside;
        }
        if (best.load() - below.load() > NEIGHBOUR * aside) {
            return best.load() - aside;
        }
        return 0;
    }

    /**
     * The vertex if it is worth an experiment, else 0. Towards a failing load the steps to vertices
     * become ever shorter, so bisection is better there.
     */
    private static long vertex(
            long load, ExperimentReading below, ExperimentReading best, ExperimentReading above) {
        boolean untried = load > below.load() && load < above.load() && load != best.load();
        boolean creeps = !above.passed() && load > best.load() && load < CREEPING * best.load();
        return untried && !creeps ? load : 0;
    }

    private static long within(ConcaveBound gap, boolean failsAbove) {
        double load;
        if (failsAbove) {
            load = Math.sqrt((double) Math.max(1, gap.below()) * gap.above());
        } else {
            // A reading close to a known load adds little information.
            double edge = 0.1 * (gap.above() - gap.below());
            load = Math.max(gap.below() + edge, Math.min(gap.above() - edge, (double) gap.load()));
        }
        return Math.max(gap.below() + 1, Math.min(gap.above() - 1, Math.round(load)));
    }

    private Choice noisy() {
        long failing = table.lowestFailing();
        long passing = table.highestPassing();
        if (failing != Long.MAX_VALUE && !fallsBefore(passing)) {
            if (failing - passing > Math.max(1, settings.accuracy() * passing)) {
                return bisection(passing, failing);
            }
            Choice boundary = boundary(passing);
            if (boundary != null) {
                return boundary;
            }
        }
        return peak(failing);
    }

    /** Whether throughput at {@code passing} is below that of a lower load, beyond noise. */
    private boolean fallsBefore(long passing) {
        ExperimentReading last = table.at(passing);
        double error = errorOf(last);
        for (ExperimentReading reading : table.byLoad()) {
            double difference = reading.throughput() - last.throughput();
            if (reading.load() < passing
                    && difference > Parabola.SURE * Math.hypot(error, errorOf(reading))) {
                return true;
            }
        }
        return false;
    }

    /** Standard deviation of the mean reading of a load, requests a second. */
    private double errorOf(ExperimentReading pooled) {
        double load = pooled.load();
        double readings = Math.max(1, count(load, load));
        return noise * pooled.throughput() / Math.sqrt(readings);
    }

    private static Choice bisection(long passing, long failing) {
        long middle = Math.round(Math.sqrt((double) passing * failing));
        return new Choice.Try(Math.max(passing + 1, Math.min(failing - 1, middle)), Purpose.NARROW);
    }

    /** The rating if throughput still rises where the agreement breaks; null if it does not. */
    private Choice boundary(long passing) {
        long below = Math.max(1, Math.round(passing * (1 - SPREAD)));
        if (below < passing
                && count(passing * (1 - REACH * SPREAD), passing * (1 - SPREAD / 2))
                        < LEAST_READINGS) {
            return attempt(below);
        }
        if (count(passing * (1 - SPREAD / 2), passing * (1 + SPREAD / 2)) < LEAST_READINGS) {
            return attempt(passing);
        }
        Parabola fit = fit((double) passing, SPREAD);
        if (fit != null && fit.load() < RISING * passing) {
            return null;
        }
        double throughput =
                table.inOrder().stream()
                        .filter(r -> Math.abs(r.load() - passing) <= (1 - RISING) * passing)
                        .mapToDouble(ExperimentReading::throughput)
                        .average()
                        .orElseThrow();
        return new Choice.Settled(
                new ExperimentReading(passing, throughput, Verdict.PASSED), Ending.FOUND);
    }

    private Choice peak(long failing) {
        FallingLine line = FallingLine.of(table.inOrder(), noise);
        return line != null && line.holds() ? along(line, failing) : around(failing);
    }

    private Choice along(FallingLine line, long failing) {
        double peak = line.peak();
        double low = peak / 2;
        double high = notFailing(peak, highSide(line), failing);
        double loss = Math.pow(Parabola.SURE * line.error(), 2);
        if (loss > settings.accuracy()) {
            return attempt(Math.round(line.errorWith(low) < line.errorWith(high) ? low : high));
        }
        if (count(HALF_WAY[0] * peak, HALF_WAY[1] * peak) == 0) {
            return attempt(Math.round(low));
        }
        if (count(AT_PEAK[0] * peak, AT_PEAK[1] * peak) == 0
                || table.inOrder().size() < LEAST_FOR_LINE) {
            return attempt(Math.round(peak));
        }
        return new Choice.Settled(
                new ExperimentReading(
                        Math.max(1, Math.round(peak)), line.throughput(), Verdict.PASSED),
                Ending.FOUND);
    }

    /** Reads loads around the peak, in the widest range that a parabola fits. */
    private Choice around(long failing) {
        double spread = SPREAD;
        Around around = around(spread);
        while (around.fit() != null
                && !around.fit().holds()
                && spread > LEAST_SPREAD
                && spread * around.peak() >= 4) {
            spread /= 2;
            around = around(spread);
        }
        return beside(around, spread, failing);
    }

    /**
     * Estimated peak.
     *
     * @param fit parabola around it; null if there is none
     */
    private record Around(double peak, Parabola fit) {}

    private Around around(double spread) {
        double peak = table.best().load();
        for (int round = 0; round < ROUNDS; round++) {
            Parabola fit = fit(peak, spread);
            if (fit == null) {
                break;
            }
            double moved = Math.max(peak * (1 - spread), Math.min(peak * (1 + spread), fit.load()));
            if (Math.abs(moved - peak) < AT_REST * peak) {
                return new Around(moved, fit);
            }
            peak = moved;
        }
        return new Around(peak, null);
    }

    private Parabola fit(double peak, double spread) {
        List<ExperimentReading> near =
                table.inOrder().stream()
                        .filter(r -> r.throughput() > 0)
                        .filter(r -> Math.abs(r.load() - peak) <= REACH * spread * peak)
                        .toList();
        return near.stream().mapToLong(ExperimentReading::load).distinct().count() < 3
                ? null
                : Parabola.fitted(near, noise);
    }

    private Choice beside(Around around, double spread, long failing) {
        double peak = around.peak();
        long below = count(peak * (1 - REACH * spread), peak * (1 - FAR * spread));
        long at = count(peak * (1 - NEAR * spread), peak * (1 + NEAR * spread));
        long above = count(peak * (1 + FAR * spread), peak * (1 + REACH * spread));
        if (at >= 1 && below >= 1 && above >= 1) {
            for (int side : new int[] {-1, 1}) {
                long between = Math.round(peak * (1 + side * spread / 2));
                if (between < failing && unread(between, peak, spread)) {
                    return attempt(between);
                }
            }
        }
        Parabola fit = around.fit();
        if (fit != null
                && fit.loss() <= settings.accuracy()
                && Math.min(below, Math.min(at, above)) >= LEAST_READINGS) {
            return new Choice.Settled(
                    new ExperimentReading(
                            Math.max(1, Math.round(fit.load())), fit.throughput(), Verdict.PASSED),
                    Ending.FOUND);
        }
        double load = peak;
        if (at >= Math.min(below, above)) {
            load =
                    below <= above
                            ? peak * (1 - spread)
                            : notFailing(peak, peak * (1 + spread), failing);
        }
        return attempt(Math.round(load));
    }

    /**
     * Whether {@code load}, half-way to one side, still needs a reading. Three loads alone fit a
     * parabola always.
     */
    private boolean unread(long load, double peak, double spread) {
        double distance = Math.abs(load - peak) / (peak * spread);
        if (distance <= NEAR || distance >= FAR) {
            return false;
        }
        return load < peak
                ? count(peak * (1 - FAR * spread), peak * (1 - NEAR * spread)) == 0
                : count(peak * (1 + NEAR * spread), peak * (1 + FAR * spread)) == 0;
    }

    /** Moves {@code load} below the first failing load if that is above the peak. */
    private static double notFailing(double peak, double load, long failing) {
        return failing > peak && failing < load ? (peak + failing) / 2 : load;
    }

    private Choice attempt(long load) {
        long allowed = Math.max(1, Math.min(settings.highestLoad(), load));
        return new Choice.Try(allowed, table.at(allowed) == null ? Purpose.NARROW : Purpose.REPEAT);
    }

    private long count(double from, double to) {
        return table.inOrder().stream()
                .filter(r -> r.throughput() > 0 && r.load() >= from && r.load() <= to)
                .count();
    }
}
