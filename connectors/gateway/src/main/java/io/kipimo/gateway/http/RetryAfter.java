package io.kipimo.gateway.http;

import java.util.random.RandomGenerator;

/** Value of {@code Retry-After} in refusals. It is random, so that callers do not all retry at once. */
public final class RetryAfter {
    public static final String HEADER = "Retry-After";

    private static final int LEAST_SECONDS = 1;
    private static final int MOST_SECONDS = 5;

    private RetryAfter() {}

    /** A random number of whole seconds, 1..5. */
    public static String seconds(RandomGenerator random) {
        return Integer.toString(random.nextInt(LEAST_SECONDS, MOST_SECONDS + 1));
    }
}
