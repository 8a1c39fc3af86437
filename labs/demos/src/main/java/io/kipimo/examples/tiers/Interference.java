package io.kipimo.examples.tiers;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * Neighbours that disturb servers from time to time, each server independently. They arrive as a Poisson process and
 * stay for an exponential time (sPARE, sec. V). Meanwhile copies take a multiple of their service time. The service
 * time itself is exponential.
 *
 * <p>The same seed gives the same neighbours at the same times, whatever the load.
 */
public final class Interference implements ServerTime {
    /** Mean gap between disturbances, their mean length, and the factor on service times. */
    public record Pattern(double meanGapMillis, double meanLengthMillis, double slowdown) {
        /** Length and gap are the paper's, which does not give a slow-down. */
        public static final Pattern PUBLISHED = new Pattern(40_000, 10_000, 8);

        /** The same share of disturbed time, with gaps and lengths divided by a factor. */
        public Pattern faster(double factor) {
            return new Pattern(meanGapMillis / factor, meanLengthMillis / factor, slowdown);
        }
    }

    private final double meanMillis;
    private final Pattern pattern;
    private final Random times;
    private final Neighbours[] servers;

    /** Times at which neighbours disturb a server. */
    private static final class Neighbours {
        private final Random random;
        private long fromMillis;
        private long untilMillis;

        Neighbours(long seed, long startMillis) {
            random = new Random(seed);
            untilMillis = startMillis;
        }

        boolean inTheWay(Pattern pattern, long nowMillis) {
            while (nowMillis >= untilMillis) {
                fromMillis = untilMillis + exponential(random, pattern.meanGapMillis());
                untilMillis = fromMillis + exponential(random, pattern.meanLengthMillis());
            }
            return nowMillis >= fromMillis;
        }
    }

    /**
     * @param meanMillis mean service time without disturbance
     * @param startMillis when the first gap begins, on the clock of {@code nowMillis}
     */
    public Interference(int servers, double meanMillis, Pattern pattern, long startMillis, long seed) {
        this.meanMillis = meanMillis;
        this.pattern = pattern;
        // First draws of Random from consecutive seeds are similar: all neighbours would arrive at
        // once.
        SplittableRandom seeds = new SplittableRandom(seed);
        this.times = new Random(seeds.nextLong());
        this.servers = new Neighbours[servers];
        for (int i = 0; i < servers; i++) {
            this.servers[i] = new Neighbours(seeds.nextLong(), startMillis);
        }
    }

    @Override
    public long millis(int server, long nowMillis) {
        long millis = 1 + exponential(times, meanMillis - 1);
        return servers[server].inTheWay(pattern, nowMillis) ? Math.round(pattern.slowdown() * millis) : millis;
    }

    private static long exponential(Random random, double mean) {
        return Math.round(-mean * Math.log(1 - random.nextDouble()));
    }
}
