package io.kipimo.simulator.service;

import io.kipimo.core.tails.TailSums;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.simulator.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A tier in operation. */
final class SimulatedTier {
    private static final long NANOS_A_MICRO = 1000;
    private static final double MICROS_A_SECOND = 1e6;

    final TierSpec spec;
    final int index;
    final Group[] groups;
    final TierCounts counts = new TierCounts();

    /** Number of copies of each further request. */
    int factor;

    /** Answers in the tier's cache; null without a cache. */
    final CachedAnswers cached;

    /** Meter of the tier; null unless its reports are used. */
    TierMeter meter;

    SimulatedTier(TierSpec spec, int index, Engine engine, Group.Driver driver, Consumer<Copy> done) {
        this.spec = spec;
        this.index = index;
        this.factor = spec.factor();
        this.cached =
                spec.answers().map(c -> new CachedAnswers(c, spec.partitions())).orElse(null);
        this.groups = new Group[spec.partitions()];
        for (int p = 0; p < spec.partitions(); p++) {
            Server[] servers = new Server[spec.serversPerPartition()];
            for (int s = 0; s < servers.length; s++) {
                servers[s] = new Server(this, s, spec.coresOf(p), engine, done);
            }
            groups[p] = new Group(this, servers, engine, driver);
        }
    }

    int cores() {
        int cores = 0;
        for (int p = 0; p < spec.partitions(); p++) {
            cores += spec.serversPerPartition() * spec.coresOf(p);
        }
        return cores;
    }

    TailSums tailSums(long nowNanos) {
        double present = 0;
        double busy = 0;
        for (Server server : servers()) {
            present += server.presentSeconds();
            busy += server.busyCoreSeconds();
        }
        long servers = (long) spec.partitions() * spec.serversPerPartition();
        long micros = nowNanos / NANOS_A_MICRO;
        return new TailSums(
                TrafficCountsBuilder.builder()
                        .arrivals(meter.begun())
                        .completions(counts.executions)
                        .timedOut(counts.timedOutCalls)
                        .failed(counts.refused)
                        .connections(meter.begun())
                        .inServiceMicros(Math.round(present * MICROS_A_SECOND))
                        .busyCoreMicros(Math.round(busy * MICROS_A_SECOND))
                        .coreMicros(cores() * micros)
                        .observedMicros(servers * micros)
                        .build(),
                meter.serverLatency());
    }

    List<Server> servers() {
        List<Server> all = new ArrayList<>();
        for (Group group : groups) {
            all.addAll(List.of(group.servers));
        }
        return all;
    }
}
