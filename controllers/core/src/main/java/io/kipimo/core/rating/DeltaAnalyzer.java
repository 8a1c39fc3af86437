package io.kipimo.core.rating;

import io.kipimo.core.guard.Bounds;
import java.util.List;

/**
 * Finds the shortest experiment whose figures are permanent, so that a longer one gives equal figures (sec. 3): (probes
 * so far) -> (next probe | duration).
 *
 * <p>At one load it doubles the duration until, over the last q probes, the mix of requests is as requested and
 * throughput and utilisation stay within a tolerance. The duration of the first of these probes is sufficient for that
 * load. Then it divides the load by the utilisation of the busiest resource and starts again, until that resource is
 * saturated. The result is the longest duration over all loads.
 *
 * <p>As with the search, the log of probes is the whole state.
 */
public final class DeltaAnalyzer {

    /**
     * Settings of the Delta analyzer.
     *
     * @param firstMillis t: length of the first probe, more than 0
     * @param longestMillis length of the longest probe, {@code firstMillis} or more
     * @param tolerance largest difference at which mix, throughput and utilisation count as equal, 0..1
     * @param doublings q: number of successive probes that must agree, 2..20
     * @param fullUtilisation utilisation from which a resource counts as saturated, more than 0, up to 1
     * @param highestLoad highest load to impose, 1 or more
     */
    public record Probes(
            long firstMillis,
            long longestMillis,
            double tolerance,
            int doublings,
            double fullUtilisation,
            long highestLoad) {
        /**
         * Probes of 1 s to 1 h, three successive ones of which must agree within 5 %; a resource is saturated at 80 %
         * utilisation.
         */
        public static final Probes DEFAULT = new Probes(1_000, 3_600_000, 0.05, 3, 0.8, 1L << 40);

        public Probes {
            Bounds.require(firstMillis > 0, "firstMillis", firstMillis, "more than 0");
            Bounds.require(longestMillis >= firstMillis, "longestMillis", longestMillis, firstMillis + " or more");
            Bounds.require(tolerance >= 0 && tolerance <= 1, "tolerance", tolerance, "0..1");
            Bounds.require(doublings >= 2 && doublings <= 20, "doublings", doublings, "2..20");
            Bounds.require(
                    fullUtilisation > 0 && fullUtilisation <= 1,
                    "fullUtilisation",
                    fullUtilisation,
                    "more than 0, up to 1");
            Bounds.require(highestLoad >= 1, "highestLoad", highestLoad, "1 or more");
        }
    }

    /** Least factor of growth that counts as a growing utilisation. */
    private static final double BUSIER = 1.01;

    /** Largest factor between two successive loads, since a low utilisation predicts saturation poorly. */
    private static final double LARGEST_STEP = 16;

    private DeltaAnalyzer() {}

    /** The next step after {@code log}, which is in the order of the runs. */
    public static DeltaStep next(Probes settings, List<Probe> log) {
        long load = 1;
        long longest = 0;
        double busiest = 0;
        int first = 0;
        while (true) {
            int end = first;
            while (end < log.size() && log.get(end).load() == load && !permanent(settings, log.subList(first, end))) {
                end++;
            }
            List<Probe> here = log.subList(first, end);
            if (!permanent(settings, here)) {
                long millis = here.isEmpty()
                        ? settings.firstMillis()
                        : 2 * here.get(here.size() - 1).millis();
                if (millis > settings.longestMillis()) {
                    return new DeltaStep.DeltaEnd(here.isEmpty() ? millis : millis / 2, DeltaEnding.NOT_PERMANENT);
                }
                return new DeltaStep.DeltaRun(load, millis);
            }
            longest = Math.max(
                    longest, here.get(here.size() - settings.doublings()).millis());
            double utilisation = here.get(here.size() - 1).utilisation();
            if (utilisation >= settings.fullUtilisation()) {
                return new DeltaStep.DeltaEnd(longest, DeltaEnding.SATURATED);
            }
            if (load > 1 && utilisation < busiest * BUSIER) {
                return new DeltaStep.DeltaEnd(longest, DeltaEnding.NOTHING_BUSIER);
            }
            if (load >= settings.highestLoad()) {
                return new DeltaStep.DeltaEnd(longest, DeltaEnding.HIGHEST_LOAD);
            }
            busiest = utilisation;
            load = Math.min(settings.highestLoad(), higher(load, utilisation));
            first = end;
        }
    }

    private static long higher(long load, double utilisation) {
        double factor = Math.min(LARGEST_STEP, 1 / utilisation);
        return Math.max(load + 1, Math.round(load * factor));
    }

    /** Whether the last q probes agree with the requested mix and with each other. */
    private static boolean permanent(Probes settings, List<Probe> probes) {
        int q = settings.doublings();
        if (probes.size() < q) {
            return false;
        }
        List<Probe> last = probes.subList(probes.size() - q, probes.size());
        double tolerance = settings.tolerance();
        return last.stream().allMatch(p -> p.mixError() <= tolerance)
                && same(tolerance, last.stream().mapToDouble(Probe::throughput).toArray())
                && same(tolerance, last.stream().mapToDouble(Probe::utilisation).toArray());
    }

    private static boolean same(double tolerance, double[] values) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (double value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        return most - least <= tolerance * most;
    }
}
