package io.kipimo.core.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What copies of late requests bring, and what they cost, at servers without queues. */
class HedgingTest {
    private static final int SERVERS = 4;
    private static final int REQUESTS = 40_000;
    private static final long SLOW_MICROS = 100_000;

    private interface Latency {
        long micros(int server, SplittableRandom random);
    }

    private record End(long atMicros, long request, int index) {}

    private record Outcome(double p50Millis, double p99Millis, double copiesPerRequest) {}

    /** 2 to 10 ms, as each server usually takes. */
    private static long usual(SplittableRandom random) {
        return random.nextLong(2_000, 10_000);
    }

    private static Outcome run(int factor, double share, Latency latency) {
        Arbiter arbiter =
                new Arbiter(new RoundRobin(SERVERS), new Arbiter.Hedging(true, 0.95, 1_000_000, share, false));
        SplittableRandom random = new SplittableRandom(7);
        PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingLong(End::atMicros)
                .thenComparingLong(End::request)
                .thenComparingInt(End::index));
        long[] took = new long[REQUESTS];
        int sent = 0;
        long next = 0;
        while (next < REQUESTS || !ends.isEmpty()) {
            long arrival = next < REQUESTS ? next * 1_000 : Long.MAX_VALUE;
            long end = ends.isEmpty() ? Long.MAX_VALUE : ends.peek().atMicros();
            long timer = arbiter.nextTimerMicros();
            long now = Math.min(arrival, Math.min(end, timer));
            List<Action> actions;
            if (now == end) {
                End first = ends.remove();
                actions = arbiter.onEnd(first.request(), first.index(), AttemptEnd.COMPLETED, now);
            } else if (now == timer) {
                actions = arbiter.onTimer(now);
            } else {
                actions = arbiter.onRequest(next++, factor, now);
            }
            for (Action action : actions) {
                if (action instanceof Action.Send send) {
                    sent++;
                    ends.add(new End(now + latency.micros(send.server(), random), send.requestId(), send.index()));
                } else if (action instanceof Action.Respond respond) {
                    took[(int) respond.requestId()] = respond.latencyMicros();
                }
            }
        }
        // The first tenth learns.
        long[] learned = Arrays.copyOfRange(took, REQUESTS / 10, REQUESTS);
        Arrays.sort(learned);
        return new Outcome(
                learned[learned.length / 2] / 1e3, learned[learned.length * 99 / 100] / 1e3, (double) sent / REQUESTS);
    }

    /** One response in thirty takes ten times as long, at any server. */
    private static long stragglers(int server, SplittableRandom random) {
        return random.nextInt(30) == 0 ? SLOW_MICROS : usual(random);
    }

    @Test
    void copiesOfTheLateOnesTakeTheTailAwayWithinTheirShare() {
        Outcome alone = run(1, 0.05, HedgingTest::stragglers);
        Outcome hedged = run(2, 0.05, HedgingTest::stragglers);
        assertThat(alone.p99Millis()).isEqualTo(SLOW_MICROS / 1e3);
        assertThat(hedged.p99Millis()).isLessThan(0.3 * alone.p99Millis());
        assertThat(hedged.copiesPerRequest()).isBetween(1.02, 1.051);
        assertThat(hedged.p50Millis()).isCloseTo(alone.p50Millis(), within(0.1));
    }

    /**
     * A quarter of the requests go to a slow server. Neither the 95th percentile of all responses nor its own would
     * ever send a copy in time; that of the others does.
     */
    @Test
    void requestsOfASlowServerAreCopiedWhenAnotherWouldHaveAnswered() {
        Latency slow = (server, random) -> server == 3 ? SLOW_MICROS : usual(random);
        Outcome hedged = run(2, 0.3, slow);
        assertThat(hedged.p99Millis()).isLessThan(25);
        assertThat(hedged.copiesPerRequest()).isBetween(1.25, 1.3);
    }

    /** A brown-out of the first half does not keep copies away for long in the second. */
    @Test
    void afterABrownOutTheDelayIsShortAgainWithinAThousandRequests() {
        long[] delays = new long[2];
        Arbiter arbiter = new Arbiter(new RoundRobin(SERVERS), new Arbiter.Hedging(true, 0.95, 1_000_000, 0.05, false));
        for (int id = 0; id < 4_000; id++) {
            long now = id * 1_000_000L;
            arbiter.onRequest(id, 1, now);
            arbiter.onEnd(id, 0, AttemptEnd.COMPLETED, now + (id < 3_000 ? SLOW_MICROS : 10_000));
            delays[id / 3_000] = arbiter.hedgeDelayMicros();
        }
        assertThat(delays[0]).isCloseTo(SLOW_MICROS, within(2_000L));
        assertThat(delays[1]).isCloseTo(10_000, within(200L));
    }

    /** Every server is ten times as slow from the middle on. */
    @Test
    void inABrownOutTheWorkGrowsByTheShareAtMost() {
        for (double share : new double[] {0.01, 0.05, 0.2}) {
            int[] asked = {0};
            Latency brownOut = (server, random) -> asked[0]++ < REQUESTS / 2 ? usual(random) : SLOW_MICROS;
            Outcome hedged = run(2, share, brownOut);
            // Ten copies may have been saved up.
            assertThat(hedged.copiesPerRequest()).isLessThanOrEqualTo(1 + share + 10.0 / REQUESTS);
        }
    }
}
