package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Traffic of one server, or of several servers together, in a period of time.
 *
 * @param arrivals requests that arrived
 * @param completions answers sent
 * @param timedOut requests given up after a time-out
 * @param failed requests answered with an error
 * @param connections connections opened
 * @param inServiceMicros time integral of the number of requests in service, request-microseconds
 * @param busyCoreMicros time integral of min(requests in service, cores), core-microseconds
 * @param coreMicros cores times observed time, core-microseconds; 0: unknown
 * @param tokensReturned tokens that were returned to the arbiter
 * @param tokenHeldMicros sum of the times for which these tokens were held, from allocation to return
 * @param tokenMicros tokens times observed time, token-microseconds; 0: no arbitration by tokens
 * @param observedMicros time that the servers' reports cover, server-microseconds
 */
@WithBuilder
public record TrafficCounts(
        @Range(most = TrafficCounts.MOST) long arrivals,
        @Range(most = TrafficCounts.MOST) long completions,
        @Range(most = TrafficCounts.MOST) long timedOut,
        @Range(most = TrafficCounts.MOST) long failed,
        @Range(most = TrafficCounts.MOST) long connections,
        @Range(most = TrafficCounts.MOST) long inServiceMicros,

        @Range(
                most = TrafficCounts.MOST,
                mostOf = {"inServiceMicros", "coreMicros"})
        long busyCoreMicros,

        @Range(most = TrafficCounts.MOST) long coreMicros,
        @Range(most = TrafficCounts.MOST) long tokensReturned,
        @Range(most = TrafficCounts.MOST) long tokenHeldMicros,
        @Range(most = TrafficCounts.MOST) long tokenMicros,
        @Range(most = TrafficCounts.MOST) long observedMicros) {
    /** Upper bound of sums: more than all servers of the world do in a day. */
    public static final long MOST = 1L << 62;

    public static final TrafficCounts NONE = TrafficCountsBuilder.builder().build();

    /**
     * Checks the counts.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public TrafficCounts {
        if ((arrivals
                        | completions
                        | timedOut
                        | failed
                        | connections
                        | inServiceMicros
                        | busyCoreMicros
                        | coreMicros
                        | tokensReturned
                        | tokenHeldMicros
                        | tokenMicros
                        | observedMicros)
                < 0) {
            throw new IllegalArgumentException(
                    ("counts are %s arrivals, %s completions, %s timed out, %s failed, %s connections, %s "
                                    + "us in service, %s of %s core-us, %s tokens returned, %s of %s token-us, %s us "
                                    + "observed; allowed: >= 0")
                            .formatted(
                                    arrivals,
                                    completions,
                                    timedOut,
                                    failed,
                                    connections,
                                    inServiceMicros,
                                    busyCoreMicros,
                                    coreMicros,
                                    tokensReturned,
                                    tokenHeldMicros,
                                    tokenMicros,
                                    observedMicros));
        }
    }

    /** Adds both counts; each sum is capped at {@link #MOST}. */
    public TrafficCounts plus(TrafficCounts other) {
        return TrafficCountsBuilder.builder()
                .arrivals(plus(arrivals, other.arrivals))
                .completions(plus(completions, other.completions))
                .timedOut(plus(timedOut, other.timedOut))
                .failed(plus(failed, other.failed))
                .connections(plus(connections, other.connections))
                .inServiceMicros(plus(inServiceMicros, other.inServiceMicros))
                .busyCoreMicros(plus(busyCoreMicros, other.busyCoreMicros))
                .coreMicros(plus(coreMicros, other.coreMicros))
                .tokensReturned(plus(tokensReturned, other.tokensReturned))
                .tokenHeldMicros(plus(tokenHeldMicros, other.tokenHeldMicros))
                .tokenMicros(plus(tokenMicros, other.tokenMicros))
                .observedMicros(plus(observedMicros, other.observedMicros))
                .build();
    }

    private static long plus(long one, long other) {
        long sum = one + other;
        return sum < 0 || sum > MOST ? MOST : sum;
    }
}
