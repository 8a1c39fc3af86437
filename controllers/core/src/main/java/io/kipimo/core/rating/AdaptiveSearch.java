package io.kipimo.core.rating;

import io.kipimo.schemas.rating.SearchTerms;
import java.util.List;

/**
 * Kipimo's own search technique: it narrows a bracket around the peak of throughput until the throughputs of its loads
 * differ by no more than noise or the requested accuracy. The rating is always a load that was measured and passed at
 * least twice.
 *
 * <p>The technique assumes that throughput rises to one peak or plateau and does not rise again, and that all loads
 * above a failing one fail. It assumes no formula of throughput. The noise is estimated from loads that were measured
 * more than once ({@link Noise}).
 *
 * <p><b>The climb</b> squares its factor, up to {@value #LARGEST_STEP}, while throughput grows in proportion to the
 * load. It ends at a load that fails, that serves less than a lower one, or that is {@value #LARGEST_STEP} times
 * another one and serves no more.
 *
 * <p><b>The bracket</b> consists of the best load and its measured neighbours. A load is valued by the mean of the
 * readings at it and near it, because a maximum of single noisy readings is biased. The next load is the vertex of the
 * parabola through the three, or the middle of the wider side. The bracket is narrow enough when a parabola would lose
 * no more than accuracy and noise between its loads (throughput falls with the square of the distance from its peak).
 * Next to a failing load, the search is a bisection. Loads with equal throughput over a wide range are a
 * <b>plateau</b>, whose middle is the rating.
 */
final class AdaptiveSearch {
    /** Largest factor of a step of the climb, unless the climbing factor is larger. */
    private static final int LARGEST_STEP = 16;

    /** Least factor of a step of the climb. */
    private static final double LEAST_STEP = 1.5;

    /** Share of throughput per load that must remain for growth to count as proportional. */
    private static final double PROPORTIONAL = 0.9;

    /** Significant difference of two readings, in standard deviations of the difference. */
    private static final double SIGNIFICANT = 2;

    /** Significant difference, as a fraction, before any load was measured twice. */
    private static final double UNKNOWN = 0.05;

    /** Throughput that the distance to the neighbours may cost, as a multiple of the noise. */
    private static final double LOST_TO_NOISE = 1.5;

    /** Largest distance of the neighbours from the best load, as a fraction of it. */
    private static final double MOST_BESIDE = 0.5;

    /** Readings within this multiple of the neighbours' largest distance count in the value of a load. */
    private static final double NEAR = 1.5;

    /** Error of the rating at which no more readings are needed, as a fraction. */
    private static final double ERROR = 0.03;

    /** Readings after which the rating is settled whatever its error. */
    private static final double MOST_READINGS = 6;

    /** Means of equal readings may differ by this fraction. */
    private static final double ROUNDING = 1e-9;

    /** Least width of a plateau, as a factor. */
    private static final double PLATEAU = 8;

    /** Largest gap below a plateau and around its middle, as factors. */
    private static final double GAP = 2;

    private final SearchTerms settings;
    private final ResultMemory table;

    /** Passing loads below the lowest failing one, lowest first. */
    private final List<ExperimentReading> passing;

    private final double noise;

    /** Largest distance between the best load and one of its neighbours, as a fraction of the best load. */
    private final double beside;

    private AdaptiveSearch(SearchTerms settings, ResultMemory table) {
        this.settings = settings;
        this.table = table;
        this.passing = table.passing();
        this.noise = table.noise();
        double lost = settings.accuracy() + (Double.isNaN(noise) ? 0 : LOST_TO_NOISE * noise);
        this.beside = Math.min(MOST_BESIDE, Math.sqrt(lost));
    }

    static Choice choose(SearchTerms settings, ResultMemory table) {
        return new AdaptiveSearch(settings, table).choose();
    }

    private Choice choose() {
        if (passing.isEmpty()) {
            return new Choice.Nothing();
        }
        return isClosed() ? narrow() : climb();
    }

    /** Least significant difference of two readings, as a fraction. */
    private double margin(ExperimentReading a, ExperimentReading b) {
        return Double.isNaN(noise)
                ? UNKNOWN
                : SIGNIFICANT * noise * Math.sqrt(1.0 / table.count(a.load()) + 1.0 / table.count(b.load()));
    }

    private boolean isHigher(ExperimentReading a, ExperimentReading b) {
        return a.throughput() > b.throughput() * (1 + margin(a, b));
    }

    private boolean isClosed() {
        ExperimentReading top = highest();
        return table.lowestFailing() != Long.MAX_VALUE
                || top.load() >= settings.highestLoad()
                || passing.stream()
                        .anyMatch(
                                r -> isHigher(r, top) || (r.load() * LARGEST_STEP <= top.load() && !isHigher(top, r)));
    }

    private ExperimentReading highest() {
        return passing.get(passing.size() - 1);
    }

    private Choice climb() {
        ExperimentReading top = highest();
        double step = settings.climb();
        if (passing.size() > 1) {
            ExperimentReading before = passing.get(passing.size() - 2);
            double share = perLoad(top) / perLoad(before);
            if (!isHigher(top, before)) {
                step = Math.max(step, (double) LARGEST_STEP * before.load() / top.load());
            } else if (share > PROPORTIONAL) {
                double last = (double) top.load() / before.load();
                step = Math.min(Math.max(LARGEST_STEP, step), last * last);
            } else if (share < 1 - margin(top, before)) {
                step = Math.min(step, Math.max(LEAST_STEP, peakAhead(before, top) / top.load()));
            }
        }
        long next = Math.max(top.load() + 1, Math.round(top.load() * step));
        return new Choice.Try(Math.min(settings.highestLoad(), next), Purpose.CLIMB);
    }

    private static double perLoad(ExperimentReading reading) {
        return reading.throughput() / reading.load();
    }

    /** Load of the peak if throughput per load continues to fall as from {@code a} to {@code b}. */
    private static double peakAhead(ExperimentReading a, ExperimentReading b) {
        double fall = (perLoad(a) - perLoad(b)) / (b.load() - a.load());
        return (perLoad(b) + fall * b.load()) / (2 * fall);
    }

    /**
     * Value of a load.
     *
     * @param throughput mean of the readings at the load and near it; the weight of a reading falls with its distance
     * @param weight sum of these weights; a reading at the load itself has weight 1
     */
    private record LoadValue(double throughput, double weight) {}

    private LoadValue value(ExperimentReading of) {
        double reach = NEAR * Math.log1p(beside);
        double sum = 0;
        double weights = 0;
        for (ExperimentReading reading : passing) {
            double distance = Math.abs(Math.log((double) reading.load() / of.load()));
            double weight = Math.max(0, 1 - distance / reach) * table.count(reading.load());
            sum += weight * reading.throughput();
            weights += weight;
        }
        return new LoadValue(sum / weights, weights);
    }

    private Choice narrow() {
        int best = 0;
        for (int i = 1; i < passing.size(); i++) {
            if (value(passing.get(i)).throughput() > value(passing.get(best)).throughput()) {
                best = i;
            }
        }
        boolean bounded = table.lowestFailing() != Long.MAX_VALUE || highest().load() >= settings.highestLoad();
        if (bounded && isAsGood(highest(), passing.get(best))) {
            best = passing.size() - 1;
        }
        ExperimentReading chosen = passing.get(best);
        if (best + 1 == passing.size() && chosen.load() >= settings.highestLoad()) {
            return settle(chosen, value(chosen).weight(), Ending.HIGHEST_LOAD);
        }
        Choice plateau = plateau(best);
        if (plateau != null) {
            return plateau;
        }
        boolean breaks = best + 1 == passing.size() && table.lowestFailing() != Long.MAX_VALUE;
        if (Double.isNaN(noise) && !breaks) {
            return new Choice.Try(chosen.load(), Purpose.REPEAT);
        }
        Choice nearer = nearer(best);
        if (nearer != null) {
            return nearer;
        }
        // A load measured twice that is as good as the best saves another experiment.
        ExperimentReading rated = chosen;
        for (ExperimentReading reading : passing) {
            if (table.count(chosen.load()) < 2
                    && table.count(reading.load()) > 1
                    && !bounded
                    && isAsGood(reading, chosen)) {
                rated = reading;
            }
        }
        return settle(rated, value(rated).weight(), Ending.FOUND);
    }

    /** Whether a reading's value is below that of the best by at most the standard deviation of their difference. */
    private boolean isAsGood(ExperimentReading reading, ExperimentReading best) {
        LoadValue a = value(reading);
        LoadValue b = value(best);
        double error = Double.isNaN(noise) ? 0 : noise * Math.sqrt(1 / a.weight() + 1 / b.weight());
        return a.throughput() >= b.throughput() * (1 - Math.max(error, ROUNDING));
    }

    /** Ends with the rating, or asks for another reading of its load if there are too few. */
    private Choice settle(ExperimentReading rated, double readings, Ending ending) {
        double needed = Math.min(MOST_READINGS, Math.pow(noise / ERROR, 2));
        return table.count(rated.load()) < 2 || readings < needed
                ? new Choice.Try(rated.load(), Purpose.REPEAT)
                : new Choice.Settled(rated, ending);
    }

    /**
     * A load between the best one and a neighbour that is too far away; null if both are near. The next neighbour above
     * may be a failing load.
     */
    private Choice nearer(int best) {
        long load = passing.get(best).load();
        boolean last = best + 1 == passing.size();
        long below = best == 0 ? load : passing.get(best - 1).load();
        long above = last ? table.lowestFailing() : passing.get(best + 1).load();
        if (last && above == Long.MAX_VALUE) {
            above = load;
        }
        double most = 1 + (last ? settings.accuracy() : 1.1 * beside);
        boolean farAbove = above - load > 1 && above > load * most;
        boolean farBelow = load - below > 1 && load > below * (1 + 1.1 * beside);
        if (!farAbove && !farBelow) {
            return null;
        }
        if (last && farAbove) {
            return between(load, above);
        }
        double vertex = best == 0 || last
                ? Double.NaN
                : vertex(passing.get(best - 1), passing.get(best), passing.get(best + 1));
        long peak = Math.round(vertex);
        if (Math.abs(vertex - load) > beside * load / 3
                && peak > below
                && peak < above
                && peak != load
                && (peak < load ? farBelow : farAbove)) {
            return new Choice.Try(peak, Purpose.NARROW);
        }
        boolean upwards = farAbove && (!farBelow || (double) above / load > (double) load / below);
        // At the vertex already, a load just beside it proves that.
        long aside = Double.isNaN(vertex) ? load : Math.max(1, (long) (beside * load));
        return upwards
                ? between(load, Math.min(above, load + 2 * aside))
                : between(Math.max(below, load - 2 * aside), load);
    }

    private static Choice between(long below, long above) {
        long middle = Math.round(Math.sqrt((double) Math.max(1, below) * above));
        return new Choice.Try(Math.max(below + 1, Math.min(above - 1, middle)), Purpose.NARROW);
    }

    /** Load of the peak of the parabola through three readings; NaN if it is not concave. */
    private static double vertex(ExperimentReading a, ExperimentReading b, ExperimentReading c) {
        double rising = slope(a, b);
        double falling = slope(b, c);
        double curvature = (falling - rising) / (c.load() - a.load());
        // Rounding errors of a straight line must not count as curvature.
        return rising - falling > 1e-9 * Math.abs(rising)
                ? (a.load() + b.load()) / 2.0 - rising / (2 * curvature)
                : Double.NaN;
    }

    private static double slope(ExperimentReading a, ExperimentReading b) {
        return (b.throughput() - a.throughput()) / (b.load() - a.load());
    }

    /**
     * Chooses the middle of the plateau around the best load, or an experiment that must come first. Null if there is
     * no plateau.
     */
    private Choice plateau(int best) {
        int from = best;
        while (from > 0 && isSame(passing.get(from - 1), passing.get(best))) {
            from--;
        }
        int to = best;
        while (to + 1 < passing.size() && isSame(passing.get(to + 1), passing.get(best))) {
            to++;
        }
        long low = passing.get(from).load();
        long high = passing.get(to).load();
        boolean endsAtFailure = to + 1 == passing.size() && table.lowestFailing() != Long.MAX_VALUE;
        if (to - from < 2 || high < PLATEAU * low || endsAtFailure) {
            return null;
        }
        // A higher peak may be hidden before throughput collapses to a plateau.
        long below = from == 0 ? low : passing.get(from - 1).load();
        if (low - below > 1 && low > GAP * below) {
            return between(below, low);
        }
        double middle = Math.sqrt((double) low * high);
        double readings = 0;
        ExperimentReading rated = passing.get(from);
        for (ExperimentReading reading : passing.subList(from, to + 1)) {
            readings += table.count(reading.load());
            if (distance(reading, middle) < distance(rated, middle)) {
                rated = reading;
            }
        }
        return distance(rated, middle) > GAP
                ? new Choice.Try(Math.round(middle), Purpose.NARROW)
                : settle(rated, readings, Ending.FOUND);
    }

    private boolean isSame(ExperimentReading reading, ExperimentReading best) {
        double least = Math.max(settings.accuracy(), margin(reading, best));
        return reading.throughput() >= best.throughput() * (1 - least);
    }

    /** Distance of {@code load} from a reading's load, as a factor of at least 1. */
    private static double distance(ExperimentReading reading, double load) {
        return Math.max(reading.load() / load, load / reading.load());
    }
}
