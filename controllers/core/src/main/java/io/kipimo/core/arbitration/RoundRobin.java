package io.kipimo.core.arbitration;

import io.kipimo.core.guard.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Takes the servers in turn, whatever their load (sPARE, sec. III-C). No copy ever waits. */
public final class RoundRobin implements ServerChoice {
    private final int servers;
    private int next;

    public RoundRobin(int servers) {
        Bounds.within("servers", servers, 1, Integer.MAX_VALUE);
        this.servers = servers;
    }

    @Override
    public int servers() {
        return servers;
    }

    @Override
    public List<Integer> take(int wanted, IntPredicate excluded, long nowMicros) {
        List<Integer> taken = new ArrayList<>(wanted);
        for (int i = 0; i < servers && taken.size() < wanted; i++) {
            int server = next;
            next = next + 1 == servers ? 0 : next + 1;
            if (!excluded.test(server)) {
                taken.add(server);
            }
        }
        return taken;
    }

    @Override
    public boolean hasFree() {
        return true;
    }

    @Override
    public void giveBack(int server, long takenMicros, boolean counts, long nowMicros) {
        // Nothing was reserved.
    }
}
