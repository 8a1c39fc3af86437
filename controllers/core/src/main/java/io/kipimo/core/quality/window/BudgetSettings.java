package io.kipimo.core.quality.window;

/**
 * Windows and period of an error budget.
 *
 * @param shortWindowMillis shows that the budget burns now; whole minutes
 * @param longWindowMillis shows that the loss matters; whole minutes, at least the short window
 * @param periodMillis over which the objective must be kept; whole hours, at least the long window
 * @param minimumSamples measured queries that a window needs; at least 1
 */
public record BudgetSettings(long shortWindowMillis, long longWindowMillis, long periodMillis, int minimumSamples) {
    static final long MINUTE_MILLIS = 60_000;
    static final long HOUR_MILLIS = 60 * MINUTE_MILLIS;

    /** Five minutes, an hour, four weeks. */
    public static final BudgetSettings DEFAULT =
            new BudgetSettings(5 * MINUTE_MILLIS, HOUR_MILLIS, 28 * 24 * HOUR_MILLIS, 20);

    /** @throws IllegalArgumentException if the times do not fit each other */
    public BudgetSettings {
        require(
                shortWindowMillis >= MINUTE_MILLIS && shortWindowMillis % MINUTE_MILLIS == 0,
                "short window is " + shortWindowMillis + " ms; allowed: whole minutes");
        require(
                longWindowMillis >= shortWindowMillis && longWindowMillis % MINUTE_MILLIS == 0,
                "long window is " + longWindowMillis + " ms; allowed: whole minutes, at least the short window");
        require(
                periodMillis >= longWindowMillis && periodMillis % HOUR_MILLIS == 0,
                "period is " + periodMillis + " ms; allowed: whole hours, at least the long window");
        require(minimumSamples >= 1, "minimum samples are " + minimumSamples + "; allowed: at least 1");
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw new IllegalArgumentException(problem);
        }
    }
}
