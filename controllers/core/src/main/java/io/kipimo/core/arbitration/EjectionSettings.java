package io.kipimo.core.arbitration;

/**
 * When a server gets no copies for a while.
 *
 * @param failures in a row after which it is left out, at least 1
 * @param firstMicros how long, the first time; doubled each time that it fails again at once
 * @param longestMicros at most
 */
public record EjectionSettings(int failures, long firstMicros, long longestMicros) {
    /** Five failures in a row, for 1 s, 2 s and so on up to 30 s. */
    public static final EjectionSettings DEFAULT = new EjectionSettings(5, 1_000_000, 30_000_000);

    public EjectionSettings {
        ArbiterSettings.within("failures", failures, 1, 1_000_000);
        ArbiterSettings.within("firstMicros", firstMicros, 1, Long.MAX_VALUE / 4);
        ArbiterSettings.within("longestMicros", longestMicros, firstMicros, Long.MAX_VALUE / 4);
    }
}
