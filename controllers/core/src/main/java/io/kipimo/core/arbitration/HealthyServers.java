package io.kipimo.core.arbitration;

import io.kipimo.core.guard.Bounds;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Ejects servers that failed several times in a row. After the ejection a server is tried again. One more failure
 * ejects it for twice as long; a success lets it start anew. If all servers are ejected, all are used.
 */
public final class HealthyServers implements ServerChoice {

    /**
     * Settings of ejections, during which a failing server gets no copies.
     *
     * @param failures consecutive failures after which a server is ejected, at least 1
     * @param firstMicros length of the first ejection; doubled if the server fails again right after it
     * @param longestMicros upper bound of an ejection
     */
    public record Ejection(int failures, long firstMicros, long longestMicros) {
        /** Ejection after five failures, first for 1 s and then for twice as long each time, up to 30 s. */
        public static final Ejection DEFAULT = new Ejection(5, 1_000_000, 30_000_000);

        public Ejection {
            Bounds.within("failures", failures, 1, 1_000_000);
            Bounds.within("firstMicros", firstMicros, 1, Long.MAX_VALUE / 4);
            Bounds.within("longestMicros", longestMicros, firstMicros, Long.MAX_VALUE / 4);
        }
    }

    private final ServerChoice choice;
    private final Ejection settings;
    private final int[] failures;
    private final long[] outUntilMicros;
    private final long[] outForMicros;

    /** End of the last ejection. From then on no server is ejected. */
    private long lastUntilMicros = Long.MIN_VALUE;

    public HealthyServers(ServerChoice choice, Ejection settings) {
        this.choice = choice;
        this.settings = settings;
        this.failures = new int[choice.servers()];
        this.outUntilMicros = new long[choice.servers()];
        this.outForMicros = new long[choice.servers()];
        Arrays.fill(outUntilMicros, Long.MIN_VALUE);
    }

    @Override
    public int servers() {
        return choice.servers();
    }

    @Override
    public List<Integer> take(int wanted, IntPredicate excluded, long nowMicros) {
        int out = ejected(nowMicros);
        return out == 0 || out == servers()
                ? choice.take(wanted, excluded, nowMicros)
                : choice.take(wanted, server -> isEjected(server, nowMicros) || excluded.test(server), nowMicros);
    }

    @Override
    public boolean hasFree() {
        return choice.hasFree();
    }

    @Override
    public void giveBack(int server, long takenMicros, boolean counts, long nowMicros) {
        choice.giveBack(server, takenMicros, counts, nowMicros);
    }

    /** Records that the server answered. */
    public void succeeded(int server) {
        failures[server] = 0;
        outForMicros[server] = 0;
    }

    /** Records that the server did not answer, or answered with an error. */
    public void failed(int server, long nowMicros) {
        failures[server]++;
        if (failures[server] < settings.failures() || isEjected(server, nowMicros)) {
            return;
        }
        outForMicros[server] = outForMicros[server] == 0
                ? settings.firstMicros()
                : Math.min(2 * outForMicros[server], settings.longestMicros());
        outUntilMicros[server] = nowMicros + outForMicros[server];
        lastUntilMicros = Math.max(lastUntilMicros, outUntilMicros[server]);
        // After the ejection, one failure suffices for the next.
        failures[server] = settings.failures() - 1;
    }

    public boolean isEjected(int server, long nowMicros) {
        return nowMicros < outUntilMicros[server];
    }

    /** Number of ejected servers. */
    public int ejected(long nowMicros) {
        if (nowMicros >= lastUntilMicros) {
            return 0;
        }
        int out = 0;
        for (int server = 0; server < outUntilMicros.length; server++) {
            out += isEjected(server, nowMicros) ? 1 : 0;
        }
        return out;
    }
}
