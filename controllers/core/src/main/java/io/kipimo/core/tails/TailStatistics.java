package io.kipimo.core.tails;

import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.LatencyStatisticsBuilder;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.ServiceLevel;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TokenUse;
import io.kipimo.schemas.tails.TrafficCounts;
import java.util.List;
import java.util.Optional;

/** Computes the figures of a window from its sums. */
public final class TailStatistics {
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;

    private TailStatistics() {}

    /**
     * Computes the window of a scope.
     *
     * @param endMillis end, after the start
     * @param objectivesMicros latency bounds, ascending; the window gets the share at or under each
     * @throws IllegalArgumentException if the window has no length
     */
    public static TailWindow window(
            TailScope scope,
            TailWindowKind kind,
            long startMillis,
            long endMillis,
            TailSums sums,
            List<Long> objectivesMicros) {
        if (endMillis <= startMillis) {
            throw new IllegalArgumentException(
                    "window is from " + startMillis + " to " + endMillis + " ms; allowed: an end after the start");
        }
        TrafficCounts counts = sums.counts();
        double micros = (endMillis - startMillis) * MICROS_PER_MILLI;
        double requestsPerSecond = counts.arrivals() * MICROS_PER_SECOND / micros;
        boolean worksAsOne = scope.level() != TailLevel.SERVICE;
        boolean serves = worksAsOne && scope.level() != TailLevel.ARBITER;
        Optional<Demand> demand = demand(sums);
        return TailWindowBuilder.builder()
                .level(scope.level())
                .kind(kind)
                .service(scope.service())
                .tier(scope.tier())
                .component(scope.component())
                .server(scope.server())
                .startMillis(startMillis)
                .endMillis(endMillis)
                .servers(sums.servers())
                .counts(counts)
                .requestsPerSecond(requestsPerSecond)
                .connectionsPerSecond(counts.connections() * MICROS_PER_SECOND / micros)
                .requestsPerConnection(ratio(counts.arrivals(), counts.connections()))
                .concurrency(counts.inServiceMicros() / micros)
                .utilisation(share(counts.busyCoreMicros(), counts.coreMicros()))
                .timedOutShare(share(counts.timedOut(), counts.arrivals()).orElse(0.0))
                .failedShare(share(counts.failed(), counts.arrivals()).orElse(0.0))
                .latency(latency(sums.latencies(), objectivesMicros))
                .demand(demand)
                .capacity(
                        serves ? demand.flatMap(d -> capacity(counts, micros, d, requestsPerSecond)) : Optional.empty())
                .tokens(serves ? tokens(sums, micros) : Optional.empty())
                .latencies(sums.latencies().toBytes())
                .build();
    }

    /** Statistics of the latencies; empty without any. */
    public static Optional<LatencyStatistics> latency(LatencySketch latencies, List<Long> objectivesMicros) {
        if (latencies.isEmpty()) {
            return Optional.empty();
        }
        double q1 = latencies.quantileMicros(0.25);
        double q3 = latencies.quantileMicros(0.75);
        double p95 = latencies.quantileMicros(0.95);
        double p99 = latencies.quantileMicros(0.99);
        double mean = latencies.meanMicros();
        return Optional.of(LatencyStatisticsBuilder.builder()
                .count(latencies.count())
                .p50Micros(latencies.quantileMicros(0.5))
                .p90Micros(latencies.quantileMicros(0.9))
                .p95Micros(p95)
                .p99Micros(p99)
                .p999Micros(latencies.quantileMicros(0.999))
                .meanMicros(mean)
                .maximumMicros(latencies.maximumMicros())
                .coefficientOfVariation(latencies.coefficientOfVariation())
                .quartileDispersion(over(q3 - q1, q3 + q1))
                .p95OverMean(over(p95, mean))
                .p99OverMean(over(p99, mean))
                .serviceLevels(objectivesMicros.stream()
                        .map(o -> new ServiceLevel(o, latencies.shareAtMost(o)))
                        .toList())
                .build());
    }

    /**
     * Returns T of the Baseline estimator. The estimator divides intervals among the requests in service, and their
     * shares add up to the busy core time. So over a window T is busy core time divided by completions, apart from
     * effects at the window's edges. The variation of the demands comes from single stays if there are any.
     */
    private static Optional<Demand> demand(TailSums sums) {
        TrafficCounts counts = sums.counts();
        LatencySketch single = sums.demands();
        if (counts.busyCoreMicros() > 0 && counts.completions() > 0) {
            return Optional.of(new Demand(
                    counts.completions(),
                    (double) counts.busyCoreMicros() / counts.completions(),
                    single.coefficientOfVariation()));
        }
        return single.meanMicros() == 0
                ? Optional.empty()
                : Optional.of(new Demand(single.count(), single.meanMicros(), single.coefficientOfVariation()));
    }

    /**
     * Returns the processing capacity M * V * mu (sPARE, sec. V-A1). It uses the observed core time, because servers
     * may differ and may be absent at times.
     */
    private static Optional<ProcessingCapacity> capacity(
            TrafficCounts counts, double windowMicros, Demand demand, double requestsPerSecond) {
        if (counts.coreMicros() == 0) {
            return Optional.empty();
        }
        double cores = counts.coreMicros() / windowMicros;
        double capacity = cores * demand.perCoreSecond();
        return Optional.of(new ProcessingCapacity(cores, capacity, requestsPerSecond / capacity));
    }

    /** Returns the use of the tokens (sPARE, sec. V-A2); empty if none were observed. */
    private static Optional<TokenUse> tokens(TailSums sums, double windowMicros) {
        TrafficCounts counts = sums.counts();
        if (counts.tokenMicros() == 0
                || counts.tokensReturned() == 0
                || counts.tokenHeldMicros() == 0
                || sums.servers() == 0) {
            return Optional.empty();
        }
        double tokens = counts.tokenMicros() / windowMicros;
        double hold = (double) counts.tokenHeldMicros() / counts.tokensReturned();
        double capacity = tokens * MICROS_PER_SECOND / hold;
        double returned = counts.tokensReturned() * MICROS_PER_SECOND / windowMicros;
        return Optional.of(new TokenUse(
                tokens,
                hold,
                capacity,
                returned / capacity,
                TokenCapacity.smallestTokens(returned, 1, sums.servers(), hold)));
    }

    private static Optional<Double> ratio(long part, long whole) {
        return whole == 0 ? Optional.empty() : Optional.of((double) part / whole);
    }

    private static Optional<Double> share(long part, long whole) {
        return ratio(part, whole).map(ratio -> Math.min(1, ratio));
    }

    /** The ratio; 0 if {@code whole} is 0. */
    private static double over(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }
}
