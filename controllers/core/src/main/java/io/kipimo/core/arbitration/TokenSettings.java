package io.kipimo.core.arbitration;

/**
 * Settings of a {@link TokenPool}.
 *
 * @param tokens C: most copies that a server works on at a time
 * @param lookAhead n: tokens drawn beyond those needed (power of many)
 * @param memory weight of the newest turn-round in a server's recent one, above 0, at most 1
 * @param forgetMicros a server without a turn-round for so long counts as unknown again, since it may have recovered
 * @param unknownInFlight most copies at a time at an unknown server
 */
public record TokenSettings(int tokens, int lookAhead, double memory, long forgetMicros, int unknownInFlight) {
    /** Two tokens a server, two more drawn. */
    public static final TokenSettings DEFAULT = new TokenSettings(2, 2, 0.3, 10_000_000, 1);

    public TokenSettings {
        ArbiterSettings.within("tokens", tokens, 1, 1_000_000);
        ArbiterSettings.within("lookAhead", lookAhead, 0, 1_000_000);
        ArbiterSettings.within("forgetMicros", forgetMicros, 1, Long.MAX_VALUE);
        ArbiterSettings.within("unknownInFlight", unknownInFlight, 1, 1_000_000);
        if (!(memory > 0 && memory <= 1)) {
            throw new IllegalArgumentException("memory is " + memory + "; allowed: above 0..1");
        }
    }
}
