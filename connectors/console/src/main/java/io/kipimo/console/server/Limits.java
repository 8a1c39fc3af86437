package io.kipimo.console.server;

import java.time.Duration;

/**
 * How much of the console its clients may hold at a time.
 *
 * @param connections open ones
 * @param streams of events, each on a connection of its own
 * @param untakenBytes of responses that were written and not taken by their clients yet, of all
 * @param input how long a request may take to arrive, from the connection's opening or the end of
 *     the response before
 * @param untaken how long a client may leave lying what was written to it
 * @param exchange how long an exchange may take in all, unless it is a stream
 */
record Limits(
        int connections,
        int streams,
        long untakenBytes,
        Duration input,
        Duration untaken,
        Duration exchange) {

    /** A policy is written after waiting for brokers, twice at most. */
    static final Limits DEFAULT =
            new Limits(
                    512,
                    256,
                    64L << 20,
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(60));
}
