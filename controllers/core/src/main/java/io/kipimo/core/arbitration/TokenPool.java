package io.kipimo.core.arbitration;

import io.kipimo.core.guard.Bounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The choice of servers in TAD (sPARE, sec. IV-A): C tokens a server in a pool. For r copies it draws tokens of n + r
 * different servers and takes those of the r servers with the shortest recent turn-round. It puts the other tokens back
 * at the end, so that the next request draws others. The tokens of a slow server return late, so the server gets no
 * more work than it completes.
 *
 * <p>Beyond the paper: a server without recent history counts as fast as the tier's median, and gets few copies at a
 * time. If an empty statistic counted as infinitely fast, the server would be flooded. If the unfinished copies of a
 * server have run, on average, for longer than its turn-round, that average counts.
 */
public final class TokenPool implements ServerChoice {

    /**
     * Settings of a {@link TokenPool}.
     *
     * @param tokens C: most copies that a server works on at a time
     * @param lookAhead n: tokens drawn beyond those needed (power of many)
     * @param memory weight of the newest turn-round in a server's recent one, above 0, at most 1
     * @param forgetMicros a server without a turn-round for so long counts as unknown again, since it may have
     *     recovered
     * @param unknownInFlight most copies at a time at an unknown server
     */
    public record Tokens(int tokens, int lookAhead, double memory, long forgetMicros, int unknownInFlight) {
        /** Two tokens a server, and two tokens drawn beyond those needed. */
        public static final Tokens DEFAULT = new Tokens(2, 2, 0.3, 10_000_000, 1);

        public Tokens {
            Bounds.within("tokens", tokens, 1, 1_000_000);
            Bounds.within("lookAhead", lookAhead, 0, 1_000_000);
            Bounds.within("forgetMicros", forgetMicros, 1, Long.MAX_VALUE);
            Bounds.within("unknownInFlight", unknownInFlight, 1, 1_000_000);
            Bounds.require(memory > 0 && memory <= 1, "memory", memory, "above 0..1");
        }
    }

    private final Tokens settings;
    private final int[] out;
    private final double[] turnRound;
    private final long[] knownAtMicros;
    // Sum of the times at which the unfinished copies were taken.
    private final long[] takenSumMicros;
    // Servers with free tokens, each once, however many tokens are left.
    private final ArrayDeque<Integer> free;
    private final boolean[] queued;
    private double median;
    private int untilMedian;

    /**
     * Creates a pool with all tokens and without history.
     *
     * @param servers M, at least 1
     */
    public TokenPool(int servers, Tokens settings) {
        Bounds.within("servers", servers, 1, Integer.MAX_VALUE);
        this.settings = settings;
        this.out = new int[servers];
        this.turnRound = new double[servers];
        this.knownAtMicros = new long[servers];
        this.takenSumMicros = new long[servers];
        this.free = new ArrayDeque<>(servers);
        this.queued = new boolean[servers];
        Arrays.fill(knownAtMicros, Long.MIN_VALUE);
        for (int server = 0; server < servers; server++) {
            enqueue(server);
        }
    }

    @Override
    public int servers() {
        return out.length;
    }

    /** Number of the server's tokens that unfinished copies hold. */
    public int out(int server) {
        return out[server];
    }

    @Override
    public List<Integer> take(int wanted, IntPredicate excluded, long nowMicros) {
        List<Integer> drawn = new ArrayList<>(wanted + settings.lookAhead());
        List<Integer> putBack = new ArrayList<>();
        for (int left = free.size(); left > 0; left--) {
            if (drawn.size() == wanted + settings.lookAhead()) {
                break;
            }
            int server = free.remove();
            queued[server] = false;
            boolean usable = !excluded.test(server) && mayTake(server, nowMicros);
            (usable ? drawn : putBack).add(server);
        }
        drawn.sort(Comparator.comparingDouble(server -> expectedMicros(server, nowMicros)));
        List<Integer> taken = new ArrayList<>(drawn.subList(0, Math.min(wanted, drawn.size())));
        for (int server : taken) {
            out[server]++;
            takenSumMicros[server] += nowMicros;
        }
        putBack.forEach(this::enqueue);
        drawn.forEach(this::enqueue);
        return taken;
    }

    @Override
    public boolean hasFree() {
        return !free.isEmpty();
    }

    @Override
    public void giveBack(int server, long takenMicros, boolean counts, long nowMicros) {
        if (out[server] == 0) {
            throw new IllegalArgumentException(
                    "server " + server + " has no token out; allowed: servers with unfinished copies");
        }
        out[server]--;
        takenSumMicros[server] -= takenMicros;
        if (counts) {
            double took = nowMicros - takenMicros;
            turnRound[server] = isKnown(server, nowMicros)
                    ? turnRound[server] + settings.memory() * (took - turnRound[server])
                    : took;
            knownAtMicros[server] = nowMicros;
            untilMedian--;
        }
        enqueue(server);
    }

    private void enqueue(int server) {
        if (!queued[server] && out[server] < settings.tokens()) {
            queued[server] = true;
            free.add(server);
        }
    }

    private boolean mayTake(int server, long nowMicros) {
        return isKnown(server, nowMicros) || out[server] < settings.unknownInFlight();
    }

    private boolean isKnown(int server, long nowMicros) {
        long knownAt = knownAtMicros[server];
        return knownAt != Long.MIN_VALUE && nowMicros - knownAt <= settings.forgetMicros();
    }

    /**
     * Returns the recent turn-round of a server, microseconds; for an unknown server it is the tier's median. If the
     * unfinished copies have run for longer on average, it is that average.
     */
    private double expectedMicros(int server, long nowMicros) {
        double recent = isKnown(server, nowMicros) ? turnRound[server] : median(nowMicros);
        return out[server] == 0 ? recent : Math.max(recent, nowMicros - (double) takenSumMicros[server] / out[server]);
    }

    /**
     * Returns the median turn-round. It is computed again after as many turn-rounds as there are known servers, which
     * spreads its cost.
     */
    private double median(long nowMicros) {
        if (untilMedian <= 0) {
            double[] known = new double[out.length];
            int count = 0;
            for (int server = 0; server < out.length; server++) {
                if (isKnown(server, nowMicros)) {
                    known[count++] = turnRound[server];
                }
            }
            Arrays.sort(known, 0, count);
            median = count == 0 ? 0 : known[count / 2];
            untilMedian = Math.max(1, count);
        }
        return median;
    }
}
