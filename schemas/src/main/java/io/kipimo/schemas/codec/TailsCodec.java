package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_NUMBER;
import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;

import com.google.protobuf.ByteString;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.LatencyStatisticsBuilder;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.ServiceLevel;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TokenUse;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import io.kipimo.schemas.wire.DemandProto;
import io.kipimo.schemas.wire.LatencyStatisticsProto;
import io.kipimo.schemas.wire.ProcessingCapacityProto;
import io.kipimo.schemas.wire.ServerObservationProto;
import io.kipimo.schemas.wire.ServiceLevelProto;
import io.kipimo.schemas.wire.StayProto;
import io.kipimo.schemas.wire.TailLevelProto;
import io.kipimo.schemas.wire.TailWindowKindProto;
import io.kipimo.schemas.wire.TailWindowProto;
import io.kipimo.schemas.wire.TokenUseProto;
import io.kipimo.schemas.wire.TrafficCountsProto;
import io.kipimo.schemas.wire.VantageProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Servers' observations and tail windows on the wire. */
final class TailsCodec {
    /** A paused server reports the whole pause in one observation. */
    private static final long LONGEST_SECOND_MICROS = 60_000_000;

    /** Upper bound of rates, loads and latencies in a window. */
    private static final double GREATEST = 1e18;

    private static final Vantage[] VANTAGES = Vantage.values();
    private static final TailLevel[] LEVELS = TailLevel.values();
    private static final TailWindowKind[] KINDS = TailWindowKind.values();

    private TailsCodec() {}

    static ServerObservationProto toWire(ServerObservation observation) {
        ServerObservationProto.Builder wire =
                ServerObservationProto.newBuilder()
                        .setService(observation.service())
                        .setTier(observation.tier())
                        .setComponent(observation.component())
                        .setServer(observation.server())
                        .setVantage(VantageProto.forNumber(observation.vantage().ordinal() + 1))
                        .setSecondMillis(observation.secondMillis())
                        .setCounts(toWire(observation.counts()))
                        .setLatencies(ByteString.copyFrom(observation.latencies()));
        for (Stay stay : observation.stays()) {
            wire.addStays(
                    StayProto.newBuilder()
                            .setArrivalMicros(stay.arrivalMicros())
                            .setDepartureMicros(stay.departureMicros()));
        }
        return wire.build();
    }

    static ServerObservation fromWire(ServerObservationProto wire) throws InvalidRecordException {
        if (!wire.hasCounts()) {
            throw new InvalidRecordException(
                    MISSING_FIELD, "counts are not set; allowed: the second's");
        }
        return ServerObservationBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .tier(Checks.name("tier", wire.getTier()))
                .component(Checks.name("component", wire.getComponent()))
                .server(Checks.name("server", wire.getServer()))
                .vantage(Checks.constant("vantage", wire.getVantageValue(), VANTAGES))
                .secondMillis(Checks.millis("second_millis", wire.getSecondMillis()))
                .counts(
                        counts(
                                wire.getCounts(),
                                ServerObservation.MOST_IN_A_SECOND,
                                Checks.within(
                                        "counts.observed_micros",
                                        wire.getCounts().getObservedMicros(),
                                        1,
                                        LONGEST_SECOND_MICROS)))
                .latencies(sketch(wire.getLatencies()))
                .stays(stays(wire.getStaysList()))
                .build();
    }

    private static List<Stay> stays(List<StayProto> wire) throws InvalidRecordException {
        if (wire.size() > ServerObservation.MOST_STAYS) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_NUMBER,
                    "stays has "
                            + wire.size()
                            + " parts; allowed: at most "
                            + ServerObservation.MOST_STAYS);
        }
        List<Stay> stays = new ArrayList<>(wire.size());
        for (StayProto stay : wire) {
            long arrival =
                    Checks.within(
                            "stays.arrival_micros",
                            stay.getArrivalMicros(),
                            1,
                            Checks.LATEST_MILLIS * 1000);
            stays.add(
                    new Stay(
                            arrival,
                            Checks.within(
                                    "stays.departure_micros",
                                    stay.getDepartureMicros(),
                                    arrival,
                                    arrival + Checks.LONGEST_MICROS)));
        }
        return List.copyOf(stays);
    }

    private static byte[] sketch(ByteString wire) throws InvalidRecordException {
        if (wire.size() > ServerObservation.MOST_SKETCH_BYTES) {
            throw new InvalidRecordException(
                    IMPOSSIBLE_NUMBER,
                    "latencies has "
                            + wire.size()
                            + " bytes; allowed: at most "
                            + ServerObservation.MOST_SKETCH_BYTES);
        }
        return wire.toByteArray();
    }

    private static TrafficCountsProto toWire(TrafficCounts counts) {
        return TrafficCountsProto.newBuilder()
                .setArrivals(counts.arrivals())
                .setCompletions(counts.completions())
                .setTimedOut(counts.timedOut())
                .setFailed(counts.failed())
                .setConnections(counts.connections())
                .setInServiceMicros(counts.inServiceMicros())
                .setBusyCoreMicros(counts.busyCoreMicros())
                .setCoreMicros(counts.coreMicros())
                .setTokensReturned(counts.tokensReturned())
                .setTokenHeldMicros(counts.tokenHeldMicros())
                .setTokenMicros(counts.tokenMicros())
                .setObservedMicros(counts.observedMicros())
                .build();
    }

    private static TrafficCounts counts(TrafficCountsProto wire, long most, long observedMicros)
            throws InvalidRecordException {
        long inService =
                Checks.within("counts.in_service_micros", wire.getInServiceMicros(), 0, most);
        long cores = Checks.within("counts.core_micros", wire.getCoreMicros(), 0, most);
        return TrafficCountsBuilder.builder()
                .arrivals(Checks.within("counts.arrivals", wire.getArrivals(), 0, most))
                .completions(Checks.within("counts.completions", wire.getCompletions(), 0, most))
                .timedOut(Checks.within("counts.timed_out", wire.getTimedOut(), 0, most))
                .failed(Checks.within("counts.failed", wire.getFailed(), 0, most))
                .connections(Checks.within("counts.connections", wire.getConnections(), 0, most))
                .inServiceMicros(inService)
                .busyCoreMicros(
                        Checks.within(
                                "counts.busy_core_micros",
                                wire.getBusyCoreMicros(),
                                0,
                                Math.min(inService, cores)))
                .coreMicros(cores)
                .tokensReturned(
                        Checks.within("counts.tokens_returned", wire.getTokensReturned(), 0, most))
                .tokenHeldMicros(
                        Checks.within(
                                "counts.token_held_micros", wire.getTokenHeldMicros(), 0, most))
                .tokenMicros(Checks.within("counts.token_micros", wire.getTokenMicros(), 0, most))
                .observedMicros(observedMicros)
                .build();
    }

    static TailWindowProto toWire(TailWindow window) {
        TailWindowProto.Builder wire =
                TailWindowProto.newBuilder()
                        .setLevel(TailLevelProto.forNumber(window.level().ordinal() + 1))
                        .setKind(TailWindowKindProto.forNumber(window.kind().ordinal() + 1))
                        .setService(window.service())
                        .setTier(window.tier())
                        .setComponent(window.component())
                        .setServer(window.server())
                        .setStartMillis(window.startMillis())
                        .setEndMillis(window.endMillis())
                        .setServers(window.servers())
                        .setCounts(toWire(window.counts()))
                        .setRequestsPerSecond(window.requestsPerSecond())
                        .setConnectionsPerSecond(window.connectionsPerSecond())
                        .setConcurrency(window.concurrency())
                        .setTimedOutShare(window.timedOutShare())
                        .setFailedShare(window.failedShare())
                        .setLatencies(ByteString.copyFrom(window.latencies()));
        window.requestsPerConnection().ifPresent(wire::setRequestsPerConnection);
        window.utilisation().ifPresent(wire::setUtilisation);
        window.latency().map(TailsCodec::toWire).ifPresent(wire::setLatency);
        window.demand()
                .ifPresent(
                        d ->
                                wire.setDemand(
                                        DemandProto.newBuilder()
                                                .setRequests(d.requests())
                                                .setMeanMicros(d.meanMicros())
                                                .setCoefficientOfVariation(
                                                        d.coefficientOfVariation())));
        window.capacity()
                .ifPresent(
                        c ->
                                wire.setCapacity(
                                        ProcessingCapacityProto.newBuilder()
                                                .setCores(c.cores())
                                                .setRequestsPerSecond(c.requestsPerSecond())
                                                .setLoad(c.load())));
        window.tokens()
                .ifPresent(
                        t ->
                                wire.setTokens(
                                        TokenUseProto.newBuilder()
                                                .setTokens(t.tokens())
                                                .setHoldMicros(t.holdMicros())
                                                .setConnectionsPerSecond(t.connectionsPerSecond())
                                                .setLoad(t.load())
                                                .setSmallestTokens(t.smallestTokens())));
        return wire.build();
    }

    private static LatencyStatisticsProto toWire(LatencyStatistics latency) {
        LatencyStatisticsProto.Builder wire =
                LatencyStatisticsProto.newBuilder()
                        .setCount(latency.count())
                        .setP50Micros(latency.p50Micros())
                        .setP90Micros(latency.p90Micros())
                        .setP95Micros(latency.p95Micros())
                        .setP99Micros(latency.p99Micros())
                        .setP999Micros(latency.p999Micros())
                        .setMeanMicros(latency.meanMicros())
                        .setMaximumMicros(latency.maximumMicros())
                        .setCoefficientOfVariation(latency.coefficientOfVariation())
                        .setQuartileDispersion(latency.quartileDispersion())
                        .setP95OverMean(latency.p95OverMean())
                        .setP99OverMean(latency.p99OverMean());
        for (ServiceLevel level : latency.serviceLevels()) {
            wire.addServiceLevels(
                    ServiceLevelProto.newBuilder()
                            .setObjectiveMicros(level.objectiveMicros())
                            .setShare(level.share()));
        }
        return wire.build();
    }

    static TailWindow fromWire(TailWindowProto wire) throws InvalidRecordException {
        TailLevel level = Checks.constant("level", wire.getLevelValue(), LEVELS);
        boolean inTier = level != TailLevel.SERVICE;
        boolean inComponent = level == TailLevel.COMPONENT || level == TailLevel.SERVER;
        long start = Checks.millis("start_millis", wire.getStartMillis());
        if (!wire.hasCounts()) {
            throw new InvalidRecordException(
                    MISSING_FIELD, "counts are not set; allowed: the window's");
        }
        return TailWindowBuilder.builder()
                .level(level)
                .kind(Checks.constant("kind", wire.getKindValue(), KINDS))
                .service(Checks.name("service", wire.getService()))
                .tier(named(level, "tier", wire.getTier(), inTier))
                .component(named(level, "component", wire.getComponent(), inComponent))
                .server(named(level, "server", wire.getServer(), level == TailLevel.SERVER))
                .startMillis(start)
                .endMillis(
                        Checks.within(
                                "end_millis",
                                wire.getEndMillis(),
                                start + 1,
                                Checks.LATEST_MILLIS + 1))
                .servers((int) Checks.within("servers", wire.getServers(), 0, Integer.MAX_VALUE))
                .counts(
                        counts(
                                wire.getCounts(),
                                TrafficCounts.MOST,
                                Checks.within(
                                        "counts.observed_micros",
                                        wire.getCounts().getObservedMicros(),
                                        0,
                                        TrafficCounts.MOST)))
                .requestsPerSecond(figure("requests_per_second", wire.getRequestsPerSecond()))
                .connectionsPerSecond(
                        figure("connections_per_second", wire.getConnectionsPerSecond()))
                .requestsPerConnection(
                        wire.hasRequestsPerConnection()
                                ? Optional.of(
                                        figure(
                                                "requests_per_connection",
                                                wire.getRequestsPerConnection()))
                                : Optional.empty())
                .concurrency(figure("concurrency", wire.getConcurrency()))
                .utilisation(
                        wire.hasUtilisation()
                                ? Optional.of(Checks.fraction("utilisation", wire.getUtilisation()))
                                : Optional.empty())
                .timedOutShare(Checks.fraction("timed_out_share", wire.getTimedOutShare()))
                .failedShare(Checks.fraction("failed_share", wire.getFailedShare()))
                .latency(
                        wire.hasLatency()
                                ? Optional.of(fromWire(wire.getLatency()))
                                : Optional.empty())
                .demand(
                        wire.hasDemand()
                                ? Optional.of(fromWire(wire.getDemand()))
                                : Optional.empty())
                .capacity(
                        wire.hasCapacity()
                                ? Optional.of(fromWire(wire.getCapacity()))
                                : Optional.empty())
                .tokens(
                        wire.hasTokens()
                                ? Optional.of(fromWire(wire.getTokens()))
                                : Optional.empty())
                .latencies(sketch(wire.getLatencies()))
                .build();
    }

    private static String named(TailLevel level, String field, String value, boolean expected)
            throws InvalidRecordException {
        if (expected) {
            return Checks.name(field, value);
        }
        if (!value.isEmpty()) {
            throw Checks.inconsistent(
                    field
                            + " is '"
                            + Names.printable(value)
                            + "' at level "
                            + level
                            + "; allowed: empty");
        }
        return value;
    }

    private static double figure(String field, double value) throws InvalidRecordException {
        return Checks.within(field, value, 0, GREATEST);
    }

    private static LatencyStatistics fromWire(LatencyStatisticsProto wire)
            throws InvalidRecordException {
        long maximum =
                Checks.within(
                        "latency.maximum_micros", wire.getMaximumMicros(), 0, (long) GREATEST);
        double most = (double) maximum;
        double p50 = Checks.within("latency.p50_micros", wire.getP50Micros(), 0, most);
        double p90 = Checks.within("latency.p90_micros", wire.getP90Micros(), p50, most);
        double p95 = Checks.within("latency.p95_micros", wire.getP95Micros(), p90, most);
        double p99 = Checks.within("latency.p99_micros", wire.getP99Micros(), p95, most);
        Checks.parts("latency.service_levels", wire.getServiceLevelsCount());
        List<ServiceLevel> levels = new ArrayList<>(wire.getServiceLevelsCount());
        long least = 0;
        for (ServiceLevelProto level : wire.getServiceLevelsList()) {
            least =
                    Checks.within(
                            "latency.service_levels.objective_micros",
                            level.getObjectiveMicros(),
                            least,
                            Checks.LONGEST_MICROS);
            levels.add(
                    new ServiceLevel(
                            least,
                            Checks.fraction("latency.service_levels.share", level.getShare())));
        }
        return LatencyStatisticsBuilder.builder()
                .count(Checks.within("latency.count", wire.getCount(), 1, TrafficCounts.MOST))
                .p50Micros(p50)
                .p90Micros(p90)
                .p95Micros(p95)
                .p99Micros(p99)
                .p999Micros(Checks.within("latency.p999_micros", wire.getP999Micros(), p99, most))
                .meanMicros(Checks.within("latency.mean_micros", wire.getMeanMicros(), 0, most))
                .maximumMicros(maximum)
                .coefficientOfVariation(
                        figure(
                                "latency.coefficient_of_variation",
                                wire.getCoefficientOfVariation()))
                .quartileDispersion(
                        Checks.fraction(
                                "latency.quartile_dispersion", wire.getQuartileDispersion()))
                .p95OverMean(figure("latency.p95_over_mean", wire.getP95OverMean()))
                .p99OverMean(figure("latency.p99_over_mean", wire.getP99OverMean()))
                .serviceLevels(List.copyOf(levels))
                .build();
    }

    private static Demand fromWire(DemandProto wire) throws InvalidRecordException {
        return new Demand(
                Checks.within("demand.requests", wire.getRequests(), 1, TrafficCounts.MOST),
                figure("demand.mean_micros", wire.getMeanMicros()),
                figure("demand.coefficient_of_variation", wire.getCoefficientOfVariation()));
    }

    private static ProcessingCapacity fromWire(ProcessingCapacityProto wire)
            throws InvalidRecordException {
        return new ProcessingCapacity(
                figure("capacity.cores", wire.getCores()),
                figure("capacity.requests_per_second", wire.getRequestsPerSecond()),
                figure("capacity.load", wire.getLoad()));
    }

    private static TokenUse fromWire(TokenUseProto wire) throws InvalidRecordException {
        return new TokenUse(
                figure("tokens.tokens", wire.getTokens()),
                figure("tokens.hold_micros", wire.getHoldMicros()),
                figure("tokens.connections_per_second", wire.getConnectionsPerSecond()),
                figure("tokens.load", wire.getLoad()),
                (int)
                        Checks.within(
                                "tokens.smallest_tokens",
                                wire.getSmallestTokens(),
                                1,
                                Integer.MAX_VALUE));
    }
}
