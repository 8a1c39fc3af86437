package io.kipimo.simulator.service;

import io.kipimo.core.arbitration.AttemptEnd;
import io.kipimo.core.arbitration.TokenPool;
import io.kipimo.core.replication.TierReading;
import io.kipimo.core.tails.BaselineEstimator;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.core.tails.TokenCapacity;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Times;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reports of a tier's arbiter and servers: requests and copies with their latencies, and the demand that the product's
 * own estimator derives from arrivals and departures (sPARE, sec. V-A).
 */
final class TierMeter {
    private static final double MICROS_A_SECOND = 1e6;

    private final Engine engine;
    private final TierSpec spec;
    private final Map<Server, BaselineEstimator> estimators = new LinkedHashMap<>();
    private LatencySketch requestLatency = new LatencySketch();
    private LatencySketch copyLatency = new LatencySketch();
    private final LatencySketch serverLatency = new LatencySketch();
    private long requests;
    private long copyIds;

    /** Last known mean demand of a request, core-microseconds; at first the configured one. */
    private double demandMicros;

    TierMeter(TierSpec spec, Engine engine) {
        this.spec = spec;
        this.engine = engine;
        this.demandMicros = Math.max(1e-3, spec.demand().mean() * MICROS_A_SECOND);
    }

    void opened(Request request) {
        requests++;
        request.openedNanos = engine.nowNanos();
    }

    void answered(Request request) {
        requestLatency.record(micros(engine.nowNanos() - request.openedNanos));
    }

    void sent(Copy copy) {
        copy.sentNanos = engine.nowNanos();
    }

    void begun(Copy copy) {
        copy.number = copyIds++;
        copy.begunNanos = engine.nowNanos();
        estimator(copy.server).arrive(copy.number, micros(engine.nowNanos()));
    }

    /** Copies that have reached their servers so far. */
    long begun() {
        return copyIds;
    }

    /** Times of copies from arrival at a server to departure, so far. */
    LatencySketch serverLatency() {
        return serverLatency;
    }

    void worked(Copy copy) {
        serverLatency.record(micros(engine.nowNanos() - copy.begunNanos));
        estimator(copy.server).depart(copy.number, micros(engine.nowNanos()));
    }

    void abandoned(Copy copy) {
        estimator(copy.server).abandon(copy.number, micros(engine.nowNanos()));
    }

    void ended(Copy copy, AttemptEnd end) {
        if (end == AttemptEnd.COMPLETED) {
            copyLatency.record(micros(engine.nowNanos() - copy.sentNanos));
        }
    }

    /** Returns the report of everything since the last call. */
    TierReading take(double seconds) {
        double micros = 0;
        double squares = 0;
        long measured = 0;
        for (BaselineEstimator estimator : estimators.values()) {
            Demand demand = estimator.take();
            measured += demand.requests();
            micros += demand.requests() * demand.meanMicros();
            double variation = demand.coefficientOfVariation();
            squares += demand.requests() * demand.meanMicros() * demand.meanMicros() * (1 + variation * variation);
        }
        double spread = 0;
        if (measured > 0 && micros > 0) {
            demandMicros = micros / measured;
            double variance = squares / measured - demandMicros * demandMicros;
            spread = Math.sqrt(Math.max(0, variance)) / demandMicros;
        }
        int servers = spec.partitions() * spec.serversPerPartition();
        Optional<TokenCapacity> tokens = copyLatency.isEmpty() || copyLatency.meanMicros() == 0
                ? Optional.empty()
                : spec.arbitration()
                        .tokens()
                        .map(TokenPool.Tokens::tokens)
                        .map(c -> new TokenCapacity(servers, c, copyLatency.meanMicros()));
        TierReading reading = new TierReading(
                new ServerCapacity(servers, spec.cores(), demandMicros),
                spread,
                tokens,
                requests / seconds,
                requests / seconds,
                requestLatency,
                copyLatency);
        requestLatency = new LatencySketch();
        copyLatency = new LatencySketch();
        requests = 0;
        return reading;
    }

    private BaselineEstimator estimator(Server server) {
        return estimators.computeIfAbsent(server, s -> new BaselineEstimator(spec.cores(), Integer.MAX_VALUE));
    }

    private static long micros(long nanos) {
        return nanos / (Times.SECOND / 1_000_000);
    }
}
