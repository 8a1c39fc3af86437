package io.kipimo.core.arbitration;

/**
 * When, and for how long, a failing server gets no copies.
 *
 * @param failures consecutive failures after which a server is ejected, at least 1
 * @param firstMicros length of the first ejection; doubled if the server fails again right after it
 * @param longestMicros upper bound of an ejection
 */
public record EjectionSettings(int failures, long firstMicros, long longestMicros) {
    /** Ejection after five failures, for 1 s, 2 s and so on up to 30 s. */
    public static final EjectionSettings DEFAULT = new EjectionSettings(5, 1_000_000, 30_000_000);

    public EjectionSettings {
        ArbiterSettings.within("failures", failures, 1, 1_000_000);
        ArbiterSettings.within("firstMicros", firstMicros, 1, Long.MAX_VALUE / 4);
        ArbiterSettings.within("longestMicros", longestMicros, firstMicros, Long.MAX_VALUE / 4);
    }
}
