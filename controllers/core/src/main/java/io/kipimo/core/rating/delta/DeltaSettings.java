package io.kipimo.core.rating.delta;

/**
 * What the Delta analyzer goes by.
 *
 * @param firstMillis t: length of the first probe, more than 0
 * @param longestMillis no longer probe is run, {@code firstMillis} or more
 * @param tolerance by which mix, throughput and utilisation may differ and still be the same, 0..1
 * @param doublings q: so many probes in a row must agree, 2..20
 * @param fullUtilisation of the busiest resource, that counts as saturated, 0..1 without 0
 * @param highestLoad no higher load is imposed, 1 or more
 */
public record DeltaSettings(
        long firstMillis,
        long longestMillis,
        double tolerance,
        int doublings,
        double fullUtilisation,
        long highestLoad) {
    /** One second at first, an hour at most, three probes within 5 %, 80 % busy is full. */
    public static final DeltaSettings DEFAULT =
            new DeltaSettings(1_000, 3_600_000, 0.05, 3, 0.8, 1L << 40);

    public DeltaSettings {
        require(firstMillis > 0, "firstMillis", firstMillis, "more than 0");
        require(
                longestMillis >= firstMillis,
                "longestMillis",
                longestMillis,
                firstMillis + " or more");
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
