package io.kipimo.http;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For all tests that have this in their class path: conditions are polled often, and a busy machine gets time. */
public final class Patience implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
        Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
    }
}
