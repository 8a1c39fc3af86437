package io.kipimo.testing;

import java.time.Duration;

/**
 * How long a test waits for what must happen before it fails. It is one setting: many times what a quiet machine needs,
 * so that a machine at a load of twenty is not called wrong. A test that needs more waits for something that is wrong.
 */
public final class Patience {
    /** Minutes; {@code -Dkipimo.patience.minutes} changes it, 1..60. */
    public static final Duration PATIENCE = Duration.ofMinutes(Integer.getInteger("kipimo.patience.minutes", 4));

    private Patience() {}
}
