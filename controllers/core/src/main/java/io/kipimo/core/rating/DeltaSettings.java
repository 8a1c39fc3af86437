package io.kipimo.core.rating;

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
public record DeltaSettings(
        long firstMillis,
        long longestMillis,
        double tolerance,
        int doublings,
        double fullUtilisation,
        long highestLoad) {
    /** Probes of 1 s to 1 h, three of them within 5 %; saturated at 80 % utilisation. */
    public static final DeltaSettings DEFAULT = new DeltaSettings(1_000, 3_600_000, 0.05, 3, 0.8, 1L << 40);

    public DeltaSettings {
        require(firstMillis > 0, "firstMillis", firstMillis, "more than 0");
        require(longestMillis >= firstMillis, "longestMillis", longestMillis, firstMillis + " or more");
        require(tolerance >= 0 && tolerance <= 1, "tolerance", tolerance, "0..1");
        require(doublings >= 2 && doublings <= 20, "doublings", doublings, "2..20");
        require(
                fullUtilisation > 0 && fullUtilisation <= 1,
                "fullUtilisation",
                fullUtilisation,
                "more than 0, up to 1");
        require(highestLoad >= 1, "highestLoad", highestLoad, "1 or more");
    }

    private static void require(boolean allowed, String field, Object value, String range) {
        if (!allowed) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: " + range);
        }
    }
}
