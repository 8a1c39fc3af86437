package io.kipimo.gateway.http;

import java.util.random.RandomGenerator;

/**
 * When somebody who was refused may come again: spread out, so that they do not all come again at
 * once.
 */
public final class RetryAfter {
    public static final String HEADER = "Retry-After";

    private static final int LEAST_SECONDS = 1;
    private static final int MOST_SECONDS = 5;

    private RetryAfter() {}

    /** Whole seconds, 1..5. */
    public static String seconds(RandomGenerator random) {
        return Integer.toString(random.nextInt(LEAST_SECONDS, MOST_SECONDS + 1));
    }
}
