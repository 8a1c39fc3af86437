package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Policies and windows of a service of two tiers, for the tests of core and of the jobs. */
public final class TierWindowSamples {
    public static final long WINDOW_MILLIS = TwoTiers.WINDOW_MILLIS;
    public static final List<String> TIERS = List.of("web", "store");

    private TierWindowSamples() {}

    /** A service under interference in its first tier; copies help. */
    public static final class Service {
        private final TwoTiers tiers;

        public Service(double pagesPerSecond, long seed) {
            tiers = new TwoTiers(pagesPerSecond, new double[] {6, 1}, seed);
        }

        public void load(double pagesPerSecond) {
            tiers.pagesPerSecond = pagesPerSecond;
        }

        /** Output of the tails job for ten seconds with these factors. */
        public List<TailWindow> window(long startMillis, List<Integer> factors) {
            return windows(tiers.window(startMillis, new Factors(factors)));
        }
    }

    private static List<TailWindow> windows(ReplicationReading reading) {
        List<TailWindow> windows = new ArrayList<>();
        for (int i = 0; i < reading.tiers().size(); i++) {
            TierReading tier = reading.tiers().get(i);
            windows.add(window(TailLevel.TIER, TIERS.get(i), tier, reading, tier.copyLatency()));
            windows.add(window(TailLevel.ARBITER, TIERS.get(i), tier, reading, tier.requestLatency()));
        }
        return windows;
    }

    private static TailWindow window(
            TailLevel level, String name, TierReading tier, ReplicationReading reading, LatencySketch sketch) {
        boolean servers = level == TailLevel.TIER;
        double cores = (double) tier.servers().servers() * tier.servers().cores();
        return TailWindowBuilder.builder()
                .level(level)
                .kind(TailWindowKind.TUMBLING)
                .service("pages")
                .tier(name)
                .component("")
                .server("")
                .startMillis(reading.startMillis())
                .endMillis(reading.endMillis())
                .servers(servers ? tier.servers().servers() : 1)
                .counts(TrafficCounts.NONE)
                .requestsPerSecond(tier.requestsPerSecond())
                .connectionsPerSecond(tier.connectionsPerSecond())
                .concurrency(1)
                .demand(servers ? Optional.of(new Demand(1000, tier.servers().demandMicros(), 0.5)) : Optional.empty())
                .capacity(
                        servers
                                ? Optional.of(new ProcessingCapacity(
                                        cores, tier.servers().requestsPerSecond(), 0.3))
                                : Optional.empty())
                .latencies(sketch.toBytes())
                .build();
    }

    /** Not in shadow mode, without a limit on extra load, with trials of seconds to minutes. */
    public static ReplicationPolicy replication() {
        TrialPolicy t = TrialPolicy.DEFAULT;
        return ReplicationPolicy.builder()
                .shadow(false)
                .tiers(List.of(new ReplicatedTier("web", 0, 0, 0), new ReplicatedTier("store", 8, 2, 4)))
                .extraLoadShare(1)
                .trials(t)
                .build();
    }

    public static Policy policy(long version, Optional<ReplicationPolicy> replication) {
        return Policy.builder()
                .service("pages")
                .version(version)
                .metrics(List.of("tpr@4"))
                .topK(4)
                .classes(List.of(ClassPolicy.builder()
                        .name("all")
                        .priority(0)
                        .objective(0.9)
                        .build()))
                .replication(replication)
                .build();
    }

    public static Policy overridden(long version, List<Integer> factors) {
        return policy(
                version,
                Optional.of(replication().withOverride(Optional.of(new FactorOverride(factors, 0, "ann", "drill")))));
    }
}
