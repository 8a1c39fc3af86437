package io.kipimo.http;

import java.time.Duration;

/**
 * Limits on resources that clients may use at a time.
 *
 * @param connections most open connections, but no more than {@link Descriptors} allow
 * @param streams most event streams; each uses one connection
 * @param untakenBytes most bytes of responses, of all clients, that were written and not yet read
 * @param input longest time for a request to arrive, since the connection was opened or the previous response ended
 * @param untaken longest time for a client to read what was written
 * @param exchange longest time of an exchange, unless it is a stream
 */
public record Limits(
        int connections, int streams, long untakenBytes, Duration input, Duration untaken, Duration exchange) {

    /** Default limits. An exchange may be long, because writing a policy waits for brokers up to twice. */
    public static final Limits DEFAULT =
            new Limits(512, 256, 64L << 20, Duration.ofSeconds(15), Duration.ofSeconds(15), Duration.ofSeconds(60));
}
