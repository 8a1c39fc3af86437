package io.kipimo.examples.tiers;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * Neighbours that get in the way of a server now and then, of each server on its own: they come as
 * Poisson arrivals and stay an exponential time (sPARE, sec. V), in which copies take a multiple of
 * their time. That time is exponential itself, around its mean.
 *
 * <p>The same seed brings the same neighbours at the same times, whatever is asked of the servers.
 */
public final class Interference implements ServerTime {
    /** How often, for how long, how much. */
    public record Pattern(double meanGapMillis, double meanLengthMillis, double slowdown) {
        /** As published in length and gap; the slow-down is not published. */
        public static final Pattern PUBLISHED = new Pattern(40_000, 10_000, 8);

        /** The same share of the time, in turns that are shorter by a factor. */
        public Pattern faster(double factor) {
            return new Pattern(meanGapMillis / factor, meanLengthMillis / factor, slowdown);
        }
    }

    private final double meanMillis;
    private final Pattern pattern;
    private final Random times;
    private final Neighbours[] servers;

    /** When a server is in somebody's way. */
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
     * @param meanMillis in service, undisturbed
     * @param startMillis when the first gap begins; as {@code nowMillis} later
     */
    public Interference(
            int servers, double meanMillis, Pattern pattern, long startMillis, long seed) {
        this.meanMillis = meanMillis;
        this.pattern = pattern;
        // Random's first draws from seeds in a row are alike: neighbours would all come at once.
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
        return servers[server].inTheWay(pattern, nowMillis)
                ? Math.round(pattern.slowdown() * millis)
                : millis;
    }

    private static long exponential(Random random, double mean) {
        return Math.round(-mean * Math.log(1 - random.nextDouble()));
    }
}
