package io.kipimo.examples.search.frontend;

import java.time.Duration;

/**
 * Settings of a front end.
 *
 * @param service the service's name on the topics
 * @param server this instance's name
 * @param deadline time from the intended start to the answer; at least 1 ms
 * @param expirationWindow time from the start of a query after which results are ignored; longer than the deadline
 * @param topK items in an answer, at least 1
 * @param aware whether the front end sends components the deadline and the sampling flag, and waits for late results
 *     itself; otherwise it abandons every component at the deadline, as services do
 */
public record FrontEndSettings(
        String service, String server, Duration deadline, Duration expirationWindow, int topK, boolean aware) {

    /** Settings of an aware front end. */
    public FrontEndSettings(String service, String server, Duration deadline, Duration expirationWindow, int topK) {
        this(service, server, deadline, expirationWindow, topK, true);
    }

    public FrontEndSettings {
        if (deadline.toMillis() < 1) {
            throw new IllegalArgumentException("deadline " + deadline + "; allowed: 1 ms or more");
        }
        if (expirationWindow.compareTo(deadline) <= 0) {
            throw new IllegalArgumentException(
                    "expiration window " + expirationWindow + "; allowed: above " + deadline);
        }
        if (topK < 1) {
            throw new IllegalArgumentException("topK " + topK + "; allowed: 1 or more");
        }
    }

    /** These settings with another deadline, and an expiration window above it. */
    public FrontEndSettings withDeadline(Duration newDeadline) {
        return new FrontEndSettings(service, server, newDeadline, newDeadline.plus(expirationWindow), topK, aware);
    }

    /** These settings for a front end that is not aware. */
    public FrontEndSettings unaware() {
        return new FrontEndSettings(service, server, deadline, expirationWindow, topK, false);
    }
}
