package io.kipimo.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For every test class, found by JUnit: a condition gets {@link Patience#PATIENCE}, and is asked often at first, then
 * each time after a quarter of what it has waited, twice a second at least, since what it asks may cost as much as what
 * it waits for.
 */
public final class PatientAwaitility implements BeforeAllCallback {
    private static final Duration FIRST = Duration.ofMillis(5);
    private static final Duration LONGEST = Duration.ofMillis(500);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Patience.PATIENCE);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(
                last -> last.compareTo(LONGEST) < 0 ? last.multipliedBy(5).dividedBy(4) : LONGEST, FIRST));
    }
}
