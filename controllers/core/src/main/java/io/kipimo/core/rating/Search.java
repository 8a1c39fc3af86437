package io.kipimo.core.rating;

import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import java.util.List;

/**
 * One step of the search for the rating: (readings so far) -> (load to try next | rating).
 *
 * <p>The log of readings is the whole state. Each step is computed from it again, so a search can stop, restart and
 * continue from its log. A load in the log is requested again only after a void experiment or, with
 * {@link RatingTechnique#ADAPTIVE}, because of noise.
 *
 * <p>The techniques golden and approximate are the paper's algorithms 1 to 3 with their memory of results. Points are
 * real numbers, and the load of a point is its floor. If the paper's golden section ends on a load that breaks the
 * agreement, the result is the best load that keeps it.
 */
public final class Search {
    /** The techniques that can also search on a model. */
    public static final List<RatingTechnique> TECHNIQUES =
            List.of(RatingTechnique.GOLDEN, RatingTechnique.APPROXIMATE, RatingTechnique.ADAPTIVE);

    private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

    /** Number of successive void experiments after which the generator counts as too weak. */
    private static final int MOST_VOID = 3;

    private Search() {}

    /**
     * The next step after {@code log}, which is in the order of the runs.
     *
     * @throws IllegalArgumentException if the log begins with a load other than 1, as no search does
     */
    public static SearchStep next(SearchTerms settings, List<ExperimentReading> log) {
        if (!log.isEmpty() && log.get(0).load() != 1) {
            throw new IllegalArgumentException(
                    "load of the first reading is " + log.get(0).load() + "; allowed: 1");
        }
        ResultMemory table = new ResultMemory(log);
        int voids = 0;
        for (int i = log.size() - 1; i >= 0 && log.get(i).verdict() == Verdict.VOID; i--) {
            voids++;
        }
        if (voids >= MOST_VOID) {
            return done(table, log, Ending.GENERATOR_BOTTLENECK);
        }
        Choice choice = choose(settings, table);
        if (choice instanceof Choice.Settled settled) {
            ExperimentReading rated = settled.reading();
            if (rated.load() > table.lowestFailing()) {
                rated = table.best();
            }
            return new SearchStep.SearchEnd(
                    new SearchResult(rated.load(), rated.throughput(), log.size(), settled.ending()));
        }
        if (choice instanceof Choice.Nothing) {
            return new SearchStep.SearchEnd(new SearchResult(0, 0, log.size(), Ending.FIRST_FAILED));
        }
        if (log.size() >= settings.mostExperiments()) {
            return done(table, log, Ending.TOO_MANY_EXPERIMENTS);
        }
        Choice.Try wanted = (Choice.Try) choice;
        return new SearchStep.SearchRun(wanted.load(), voids > 0 ? Purpose.RETRY : wanted.purpose());
    }

    private static SearchStep done(ResultMemory table, List<ExperimentReading> log, Ending ending) {
        ExperimentReading best = table.best();
        return new SearchStep.SearchEnd(
                best == null
                        ? new SearchResult(0, 0, log.size(), ending)
                        : new SearchResult(best.load(), best.throughput(), log.size(), ending));
    }

    private static Choice choose(SearchTerms settings, ResultMemory table) {
        ExperimentReading first = table.at(1);
        if (first == null) {
            return new Choice.Try(1, Purpose.CLIMB);
        }
        return switch (settings.technique()) {
            case GOLDEN, APPROXIMATE -> first.passed() ? climb(settings, table) : new Choice.Nothing();
            case ADAPTIVE, SWEEP, SQUEEZE -> AdaptiveSearch.choose(settings, table);
        };
    }

    /** Algorithm 1: multiplies the load until it fails or throughput rises no more, then narrows down the peak. */
    private static Choice climb(SearchTerms settings, ResultMemory table) {
        double highest = 0;
        long load = 1;
        double previous = 1.0 / settings.climb();
        while (true) {
            ExperimentReading reading = table.at(load);
            if (reading == null) {
                return new Choice.Try(load, Purpose.CLIMB);
            }
            if (!reading.passed() || !higher(reading.throughput(), highest, settings)) {
                return settings.technique() == RatingTechnique.GOLDEN
                        ? golden(settings, table, previous / settings.climb(), (double) load)
                        : approximate(settings, table, previous, (double) load);
            }
            if (load == settings.highestLoad()) {
                return new Choice.Settled(table.best(), Ending.HIGHEST_LOAD);
            }
            highest = reading.throughput();
            previous = load;
            load = Math.min(settings.highestLoad(), load * settings.climb());
        }
    }

    /** Algorithm 2: narrows down the peak by golden section. */
    private static Choice golden(SearchTerms settings, ResultMemory table, double from, double to) {
        double start = from;
        double end = to;
        double point1 = end + GOLDEN_RATIO * (start - end);
        double point2 = start + GOLDEN_RATIO * (end - start);
        while (end - start > 1) {
            ExperimentReading lower = table.at(load(point1));
            ExperimentReading upper = table.at(load(point2));
            if (lower == null || upper == null) {
                return new Choice.Try(load(lower == null ? point1 : point2), Purpose.NARROW);
            }
            if (peaksBelow(lower, upper, settings)) {
                end = point2;
                point2 = point1;
                point1 = end + GOLDEN_RATIO * (start - end);
            } else {
                start = point1;
                point1 = point2;
                point2 = start + GOLDEN_RATIO * (end - start);
            }
        }
        ExperimentReading last = table.at(load(start));
        if (last == null) {
            return new Choice.Try(load(start), Purpose.NARROW);
        }
        return new Choice.Settled(last.passed() ? last : table.best(), Ending.FOUND);
    }

    /** Whether the peak is below {@code upper}. True if both loads fail. */
    private static boolean peaksBelow(ExperimentReading lower, ExperimentReading upper, SearchTerms settings) {
        if (!lower.passed()) {
            return !upper.passed();
        }
        return !upper.passed() || higher(lower.throughput(), upper.throughput(), settings);
    }

    /** Algorithm 3: narrows down the peak by halving the range. */
    private static Choice approximate(SearchTerms settings, ResultMemory table, double from, double to) {
        double start = from;
        double end = to;
        ExperimentReading best = table.at(load(start));
        while (end - start >= 2) {
            double middle = start + (end - start) / 2;
            ExperimentReading reading = table.at(load(middle));
            if (reading == null) {
                return new Choice.Try(load(middle), Purpose.NARROW);
            }
            if (reading.passed() && higher(reading.throughput(), best.throughput(), settings)) {
                start = middle;
                best = reading;
            } else {
                end = middle;
            }
        }
        return new Choice.Settled(best, Ending.FOUND);
    }

    private static boolean higher(double a, double b, SearchTerms settings) {
        return a > b * (1 + settings.epsilon());
    }

    /** The load of a point; 1 or more. */
    private static long load(double point) {
        return Math.max(1, (long) Math.floor(point));
    }
}
