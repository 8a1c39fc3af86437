package io.kipimo.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For every test class, found by JUnit: a condition gets {@link Patience#PATIENCE}, and is asked often at first, then
 * ten times a second, since what it asks may cost as much as what it waits for.
 */
public final class PatientAwaitility implements BeforeAllCallback {
    private static final Duration FIRST = Duration.ofMillis(5);
    private static final Duration LATER = Duration.ofMillis(100);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Patience.PATIENCE);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(
                last -> last.compareTo(LATER) < 0 ? last.multipliedBy(2) : LATER, FIRST));
    }
}
