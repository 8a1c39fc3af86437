package io.kipimo.console.page;

import io.kipimo.core.replication.ReplicationReason;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.ErrorBudgetBuilder;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachingWindowBuilder;
import io.kipimo.schemas.caching.FilterFill;
import io.kipimo.schemas.caching.InvalidatedKey;
import io.kipimo.schemas.caching.LinkTruth;
import io.kipimo.schemas.caching.TtlQuantiles;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentEconomicsBuilder;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.RatingTrialBuilder;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.schemas.replication.TrialEvidenceBuilder;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.LatencyStatisticsBuilder;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.ReplicaTruthBuilder;
import io.kipimo.schemas.tails.ServerTruth;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records in the form in which jobs write them. */
final class SampleRecords {
    static final double OBJECTIVE = 0.9;
    static final String METRIC = "ndcg@10";
    private static final long WINDOW_MILLIS = 600_000;
    private static final long SLIDE_MILLIS = 10_000;
    private static final double DEADLINE_MILLIS = 100;
    private static final List<String> COMPONENTS = List.of("shard-0", "shard-1", "shard-2");

    private SampleRecords() {}

    /** An active policy; the first class is the highest. */
    static Policy policy(String service, String... classes) {
        List<ClassPolicy> named = new ArrayList<>();
        for (int i = 0; i < classes.length; i++) {
            named.add(ClassPolicy.builder()
                    .name(classes[i])
                    .priority(i)
                    .objective(OBJECTIVE)
                    .safeFraction(i == 0 ? 1 : 0.5)
                    .floor(0.02)
                    .build());
        }
        AdmissionPolicy d = AdmissionPolicy.DEFAULT;
        AdmissionPolicy active = d.toBuilder().shadow(false).build();
        return Policy.builder()
                .service(service)
                .version(7)
                .metrics(List.of(METRIC))
                .topK(10)
                .expirationWindowMillis(2_000)
                .windowMillis(WINDOW_MILLIS)
                .slideMillis(SLIDE_MILLIS)
                .classes(named)
                .admission(active)
                .build();
    }

    /** A window with this quality and a half-width of 0.01. */
    static QualityWindow window(String service, String queryClass, long endMillis, double mean) {
        return window(
                service, queryClass, endMillis, Optional.of(new Estimate(mean - 0.01, mean, Math.min(1, mean + 0.01))));
    }

    /** Like {@code w}, with unmeasurable answers. */
    static QualityWindow with(QualityWindow w, Map<Unmeasurable, Long> unmeasurable) {
        return w.toBuilder().unmeasurable(unmeasurable).unmeasurableSamples(0).build();
    }

    /** A window of one variant, with a tenth of the queries. */
    static QualityWindow ofVariant(String variant, QualityWindow w) {
        return w.toBuilder()
                .variant(variant)
                .offered(w.offered() / 10)
                .rejected(0)
                .answered(w.answered() / 10)
                .timedOut(w.timedOut() / 10)
                .samples(w.samples() / 10)
                .degradedSamples(w.degradedSamples() / 10)
                .build();
    }

    /** A window with too few samples. */
    static QualityWindow tooFew(String service, String queryClass, long endMillis) {
        return window(service, queryClass, endMillis, Optional.empty());
    }

    private static QualityWindow window(
            String service, String queryClass, long endMillis, Optional<Estimate> estimate) {
        double lost = 1 - estimate.map(Estimate::mean).orElse(1.0);
        int samples = estimate.isPresent() ? 2_400 : 3;
        return QualityWindow.builder()
                .service(service)
                .queryClass(queryClass)
                .metric(METRIC)
                .kind(WindowKind.SLIDING)
                .startMillis(endMillis - WINDOW_MILLIS)
                .endMillis(endMillis)
                .offered(30_000)
                .rejected(6_000)
                .answered(24_000)
                .timedOut(3_000)
                .samples(samples)
                .degradedSamples(samples / 8)
                .expired(samples / 600)
                .orphans(1)
                .estimate(estimate)
                .plainMean(1 - lost)
                .standardDeviation(0.1)
                .p5(0.6)
                .p50(1)
                .minimum(0.2)
                .belowObjective(0.1)
                .objective(OBJECTIVE)
                .components(List.of(
                        new ComponentAttribution("shard-0", 24_000, 200, samples * lost * 0.1),
                        new ComponentAttribution("shard-1", 24_000, 150, samples * lost * 0.2),
                        new ComponentAttribution("shard-2", 24_000, 2_700, samples * lost * 0.7)))
                .failedMature(0.05)
                .maturePer100Queries(12.5)
                .lossPerTimeOut(Optional.of(lost * 8))
                .bill(new MeasurementBill(310, 41_000_000, 12_000_000, 0, 1_640_000_000))
                .listed(2_400)
                .empty(72)
                .build();
    }

    static Decision admission(String service, String queryClass, long atMillis, double from, double to) {
        String reason = to < from ? "SHUT" : to > from ? "OPENED" : "PROTECTED";
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(service + "/" + queryClass)
                .epoch(12)
                .sequence(atMillis / 1000)
                .issuedAtMillis(atMillis)
                .asOfMillis(atMillis)
                .validUntilMillis(atMillis + 3_600_000)
                .value(to)
                .previous(from)
                .samples(214)
                .mode(to == from ? DecisionMode.HOLD : DecisionMode.ACTIVE)
                .reason(reason)
                .configVersion(7)
                .measured(0.88)
                .low(0.87)
                .high(0.89)
                .objective(OBJECTIVE)
                .build();
    }

    static Decision sampling(String service, long atMillis, double rate) {
        return DecisionBuilder.builder()
                .controller(Decision.SAMPLING)
                .scope(service)
                .epoch(12)
                .sequence(atMillis / 1000)
                .issuedAtMillis(atMillis)
                .asOfMillis(atMillis)
                .validUntilMillis(atMillis + 3_600_000)
                .value(rate)
                .previous(rate)
                .samples(214)
                .mode(DecisionMode.ACTIVE)
                .reason("INTERVAL_NARROW_ENOUGH")
                .configVersion(7)
                .measured(0.01)
                .low(0.01)
                .high(0.01)
                .objective(0.02)
                .build();
    }

    /** Quality 1 - 0.6 exp(-deadline / 60 ms). */
    static DeadlineCurve curve(String service, String queryClass, long endMillis) {
        List<DeadlinePoint> points = new ArrayList<>();
        for (int deadline = 20; deadline <= 300; deadline += 10) {
            double mean = 1 - 0.6 * Math.exp(-deadline / 60.0);
            points.add(new DeadlinePoint(
                    deadline,
                    new Estimate(mean - 0.005, mean, Math.min(1, mean + 0.005)),
                    1 - Math.exp(-deadline / 50.0)));
        }
        List<ComponentEconomics> economics = COMPONENTS.stream()
                .map(c -> ComponentEconomicsBuilder.builder()
                        .component(c)
                        .invoked(1_800)
                        .late(200)
                        .lostQuality(0.03)
                        .lostQualityPerLateMinute(1.2)
                        .qualityIfFaster(0.91)
                        .qualityIfReplicated(0.93)
                        .qualityIfDropped(0.6)
                        .build())
                .toList();
        return DeadlineCurveBuilder.builder()
                .service(service)
                .queryClass(queryClass)
                .metric(METRIC)
                .startMillis(endMillis - WINDOW_MILLIS)
                .endMillis(endMillis)
                .deadlineMillis(DEADLINE_MILLIS)
                .profiles(1_800)
                .degradedProfiles(400)
                .points(points)
                .components(economics)
                .build();
    }

    /** As above, with a learned choice that saves 40 % of the work, or none. */
    static DeadlineCurve featured(String service, String queryClass, long endMillis, boolean pays) {
        List<FanOutFloor> floors = new ArrayList<>();
        for (double floor : new double[] {0.98, 0.95, 0.9, 0.8}) {
            double effort = pays ? floor - 0.38 : 1;
            double mean = pays ? floor + 0.015 : 1;
            floors.add(new FanOutFloor(
                    floor, effort, new Estimate(mean - 0.005, mean, Math.min(1, mean + 0.005)), pays ? 0.01 : 0));
        }
        return DeadlineCurveBuilder.builder(curve(service, queryClass, endMillis))
                .fanOut(new FanOutCurve(12_000, true, floors, floors))
                .build();
    }

    static FanOutPublication fanOut(String service, String queryClass, long nowMillis) {
        return FanOutPublicationBuilder.builder()
                .service(service)
                .queryClass(queryClass)
                .version(nowMillis)
                .learnedAtMillis(nowMillis)
                .validUntilMillis(nowMillis + 600_000)
                .state(FanOutState.SHADOW)
                .reason("saves 48 % of the work at floor 0.93")
                .model(Optional.empty())
                .build();
    }

    static ErrorBudget budget(String service, String queryClass, long endMillis, double burn) {
        return ErrorBudgetBuilder.builder()
                .service(service)
                .queryClass(queryClass)
                .metric(METRIC)
                .endMillis(endMillis)
                .objective(OBJECTIVE)
                .shortWindow(new BurnRate(300_000, burn * 0.8, burn, burn * 1.2, 12_000, 1_200))
                .longWindow(new BurnRate(3_600_000, burn * 0.9, burn, burn * 1.1, 144_000, 14_400))
                .remaining(0.62)
                .periodMillis(28 * 86_400_000L)
                .coveredMillis(3 * 86_400_000L)
                .verdict(burn > 1 ? BudgetVerdict.SLOW_BURN : BudgetVerdict.FINE)
                .causes(List.of(new LossCause("shard-2", 0.7), new LossCause("shard-1", 0.2)))
                .build();
    }

    static CompletenessModel completeness(String service, String queryClass, long asOfMillis) {
        List<CalibrationBin> bins = new ArrayList<>();
        for (int i = 4; i < 10; i++) {
            double predicted = i / 10.0 + 0.05;
            bins.add(new CalibrationBin(i / 10.0, (i + 1) / 10.0, 100L * i, predicted, predicted - 0.02));
        }
        return new CompletenessModel(
                service,
                queryClass,
                METRIC,
                asOfMillis,
                8_100,
                0.1,
                List.of(new ComponentLoss("shard-2", 0.2, 4_000)),
                bins);
    }

    static Measurement measurement(String service, String queryClass, long measuredAtMillis, int number) {
        List<ComponentShare> shares = COMPONENTS.stream()
                .map(c -> new ComponentShare(c, Outcome.IN_TIME, 20_000 + 700L * number, false, 0, 0.33))
                .toList();
        return Measurement.builder()
                .service(service)
                .queryId("query-" + number)
                .queryClass(queryClass)
                .startedAtMillis(measuredAtMillis - 100)
                .measuredAtMillis(measuredAtMillis)
                .completeness(Completeness.COMPLETE)
                .topK(10)
                .scores(List.of(new Score(METRIC, 1, 1)))
                .components(shares)
                .build();
    }

    /** A query whose last component timed out and lost this much. */
    static Measurement degraded(String service, String queryClass, long measuredAtMillis, String queryId, double lost) {
        Measurement clean = measurement(service, queryClass, measuredAtMillis, 1);
        List<ComponentShare> shares = new ArrayList<>(clean.components());
        shares.set(2, new ComponentShare("shard-2", Outcome.TIMED_OUT, 120_000, false, lost, 0.33));
        return clean.toBuilder()
                .queryId(queryId)
                .degraded(true)
                .scores(List.of(new Score(METRIC, 1 - lost, 1 - lost)))
                .components(shares)
                .build();
    }

    static DeadLetter deadLetter(long seenAtMillis) {
        return new DeadLetter(
                "kipimo.partial-results",
                3,
                81_231,
                RejectionReason.IMPOSSIBLE_NUMBER,
                "latency_micros is -5; allowed: 0 or more",
                new byte[0],
                new byte[0],
                seenAtMillis);
    }

    /** Windows of the last half hour with this quality; decisions lower the second class. */
    static void feed(FedConsole console, String service, double mean, String... classes) {
        long now = FedConsole.now();
        long last = now - now % SLIDE_MILLIS;
        console.policy(policy(service, classes));
        for (String queryClass : classes) {
            for (long end = last - 1_800_000; end <= last; end += SLIDE_MILLIS) {
                console.model.window(window(service, queryClass, end, mean), now);
            }
        }
        for (int i = 0; i < classes.length; i++) {
            double from = 1;
            for (long at = last - 300_000; at < last; at += 60_000) {
                double to = i == 0 || mean >= OBJECTIVE ? 1 : from - 0.1;
                console.model.decision(admission(service, classes[i], at, from, to));
                from = to;
            }
        }
        console.model.read(now, now);
    }

    /**
     * A tier "front" of two servers and a tier "index" of three shards with eight servers each. The third server of
     * shard-1 is slow.
     */
    static void feedTails(FedConsole console, String service) {
        long now = FedConsole.now();
        long end = now - now % SLIDE_MILLIS;
        tails(console, service, end, TailLevel.TIER, "front", "", "", 2, 30_000);
        tails(console, service, end, TailLevel.COMPONENT, "front", "front", "", 2, 30_000);
        tails(console, service, end, TailLevel.SERVER, "front", "front", "front-1", 1, 30_000);
        tails(console, service, end, TailLevel.SERVER, "front", "front", "front-2", 1, 28_000);
        tails(console, service, end, TailLevel.TIER, "index", "", "", 24, 60_000);
        for (String shard : COMPONENTS) {
            tails(console, service, end, TailLevel.COMPONENT, "index", shard, "", 8, 60_000);
            for (int i = 1; i <= 8; i++) {
                boolean slow = shard.equals("shard-1") && i == 3;
                tails(
                        console,
                        service,
                        end,
                        TailLevel.SERVER,
                        "index",
                        shard,
                        shard + "-<i>" + i,
                        1,
                        slow ? 140_000 : 40_000 + 1_500 * i);
            }
        }
        console.model.read(now, now);
    }

    /** Two servers of shard-1, of which the first lacks items for good, in one of 800 answers. */
    static void feedReplicaTruth(FedConsole console, String service) {
        long now = FedConsole.now();
        console.model.replicaTruth(
                ReplicaTruthBuilder.builder()
                        .service(service)
                        .component("shard-1")
                        .reporter("gateway-1")
                        .startMillis(now - 900_000)
                        .endMillis(now)
                        .same(700)
                        .ties(95)
                        .lag(4)
                        .different(1)
                        .servers(List.of(new ServerTruth("a-<i>1", 800, 3, 1), new ServerTruth("b-2", 800, 1, 0)))
                        .queries(List.of(new DivergentQuery(
                                "q-<i>7", now - 4_000, "a-<i>1", "b-2", false, 5, List.of("d1", "d2", "d3"))))
                        .build(),
                now);
        console.model.read(now, now);
    }

    private static void tails(
            FedConsole console,
            String service,
            long endMillis,
            TailLevel level,
            String tier,
            String component,
            String server,
            int servers,
            double p99Micros) {
        double rate = 400.0 * servers;
        double utilisation = Math.min(0.95, p99Micros / 150_000);
        console.model.tails(
                TailWindowBuilder.builder()
                        .level(level)
                        .kind(TailWindowKind.TUMBLING)
                        .service(service)
                        .tier(tier)
                        .component(component)
                        .server(server)
                        .startMillis(endMillis - SLIDE_MILLIS)
                        .endMillis(endMillis)
                        .servers(servers)
                        .counts(TrafficCounts.NONE)
                        .requestsPerSecond(rate)
                        .connectionsPerSecond(rate)
                        .requestsPerConnection(Optional.of(1.0))
                        .concurrency(4.2)
                        .utilisation(Optional.of(utilisation))
                        .timedOutShare(0.004)
                        .failedShare(0.0002)
                        .latency(Optional.of(LatencyStatisticsBuilder.builder()
                                .count(4_000)
                                .p50Micros(p99Micros / 5)
                                .p90Micros(p99Micros / 3)
                                .p95Micros(p99Micros / 2)
                                .p99Micros(p99Micros)
                                .p999Micros(p99Micros * 1.4)
                                .meanMicros(p99Micros / 4)
                                .maximumMicros((long) (p99Micros * 2))
                                .coefficientOfVariation(1.1)
                                .quartileDispersion(0.4)
                                .p95OverMean(2)
                                .p99OverMean(4)
                                .build()))
                        .demand(Optional.of(new Demand(4_000, 8_000, 1)))
                        .capacity(Optional.of(new ProcessingCapacity(8, rate / utilisation, utilisation)))
                        .latencies(new byte[0])
                        .build(),
                FedConsole.now());
    }

    /** Two tiers, web and store, after a search: one trial was kept, one had no benefit. */
    static void feedReplication(FedConsole console, String service) {
        long now = FedConsole.now();
        console.model.replication(factors(service, 1, now - 300_000, 2, 1, ReplicationReason.TRIAL_STARTED, null));
        console.model.replication(factors(
                service,
                2,
                now - 240_000,
                2,
                2,
                ReplicationReason.TRIAL_KEPT,
                TrialEvidenceBuilder.builder()
                        .from(List.of(1, 1))
                        .to(List.of(2, 1))
                        .baselineRequests(900)
                        .trialRequests(870)
                        .baselineMicros(212_000)
                        .trialMicros(64_000)
                        .changeMicros(-148_000)
                        .lowMicros(-163_000)
                        .highMicros(-131_000)
                        .predictedMicros(Optional.of(-150_300.0))
                        .build()));
        console.model.replication(factors(service, 3, now - 200_000, 3, 2, ReplicationReason.TRIAL_STARTED, null));
        console.model.replication(factors(
                service,
                4,
                now - 140_000,
                2,
                2,
                ReplicationReason.TRIAL_NO_BETTER,
                TrialEvidenceBuilder.builder()
                        .from(List.of(2, 1))
                        .to(List.of(3, 1))
                        .baselineRequests(870)
                        .trialRequests(880)
                        .baselineMicros(64_000)
                        .trialMicros(63_400)
                        .changeMicros(-600)
                        .lowMicros(-1_100)
                        .highMicros(200)
                        .build()));
        console.model.replication(factors(service, 5, now - 10_000, 2, 2, ReplicationReason.RESTING, null));
        console.model.read(now, now);
    }

    /** This many copies in tier web, some of them proven; one in tier store. */
    static ReplicationDecision factors(
            String service,
            long sequence,
            long atMillis,
            int copies,
            int proven,
            ReplicationReason reason,
            TrialEvidence evidence) {
        return ReplicationDecisionBuilder.builder()
                .service(service)
                .epoch(3)
                .sequence(sequence)
                .issuedAtMillis(atMillis)
                .asOfMillis(atMillis - 2_000)
                .validUntilMillis(atMillis + 60_000)
                .tiers(List.of(
                        new TierFactor("web", copies, proven, proven, false, false),
                        new TierFactor("store", 1, 1, 1, true, true)))
                .mode(reason == ReplicationReason.RESTING ? DecisionMode.HOLD : DecisionMode.ACTIVE)
                .reason(reason.name())
                .inTrial(copies != proven)
                .requests(640)
                .measuredMicros(64_000)
                .objectiveMicros(80_000)
                .evidence(Optional.ofNullable(evidence))
                .configVersion(7)
                .build();
    }

    /** Two cached tables of a service without classes. */
    static void feedCaching(FedConsole console, String service) {
        caching(console, service, "products", 1, 0.02, 120);
        caching(console, service, "orders", 2, 0.01, 10);
    }

    /** A prober that finds lost purges of "products", and cannot judge the filter. */
    static void feedTruth(FedConsole console, String service) {
        long now = FedConsole.now();
        console.model.cacheTruth(
                new CacheTruth(
                        service,
                        "products",
                        "probe-1",
                        now - 3_600_000,
                        now,
                        List.of(
                                new LinkTruth(CacheLink.CLIENT, 60_000, 1_200, 0, 0, 0, now),
                                new LinkTruth(CacheLink.PURGE, 60_000, 330, 12, 0, 12, now),
                                new LinkTruth(CacheLink.FILTER, 60_000, 0, 0, 3, 0, 0))),
                now);
        console.model.read(now, now);
    }

    /** The filter of "orders" reports every fifth fresh key as stale. */
    static void feedFullFilter(FedConsole console, String service) {
        caching(console, service, "orders", 1, 0.2, 900);
    }

    private static void caching(
            FedConsole console, String service, String table, int most, double falsePositiveRate, long staleKeys) {
        long now = FedConsole.now();
        console.model.caching(
                CachingWindowBuilder.builder()
                        .service(service)
                        .table(table)
                        .startMillis(now - 10_000)
                        .endMillis(now)
                        .originReads(500)
                        .writes(40)
                        .invalidations(30)
                        .handedOut(Optional.of(new TtlQuantiles(500, 1_000, 12_000, 60_000, 60_000)))
                        .mostInvalidated(
                                List.of(new InvalidatedKey("q-<i>cheapest", 12 / most), new InvalidatedKey("p-17", 3)))
                        .filter(Optional.of(new FilterFill(
                                staleKeys, 2_400, 14_600, Math.pow(falsePositiveRate, 0.25), falsePositiveRate)))
                        .use(Optional.of(new CacheCounts(2_000, 900, 600, 300, 90, 10)))
                        .build(),
                now);
        console.model.read(now, now);
    }

    /** A rating of a target whose name looks like markup. */
    static void feedRating(FedConsole console, String service, RatingState state, String remark) {
        feedRating(console, service, state, remark, 640);
    }

    /**
     * A rating with another result.
     *
     * @param rated requests served a second
     */
    static void feedRating(FedConsole console, String service, RatingState state, String remark, double rated) {
        long now = FedConsole.now();
        console.model.rating(RatingBuilder.builder()
                .request(new RatingRequest(
                        "r1",
                        service,
                        "front<i>",
                        new AgreementTerms(0.95, 50_000, 0, 0.9, 0.01, 1_000),
                        new SearchTerms(RatingTechnique.ADAPTIVE, 2, 0, 0.02, 1_000, 100),
                        ExperimentTermsBuilder.builder()
                                .model(LoadModel.OPEN)
                                .unit(10)
                                .millis(1_000)
                                .generators(1)
                                .patienceMillis(1_000)
                                .seed(1)
                                .build(),
                        now - 60_000))
                .state(state)
                .trials(List.of(
                        trial(1, 1, rated / 64, TrialVerdict.PASSED),
                        trial(2, 64, rated, TrialVerdict.PASSED),
                        trial(3, 70, 0.94 * rated, TrialVerdict.FAILED)))
                .load(64)
                .throughput(rated)
                .noise(0.01)
                .elapsedMillis(30_000)
                .predictedMillis(29_000)
                .remark(remark)
                .updatedAtMillis(now)
                .build());
        console.model.read(now, now);
    }

    private static RatingTrial trial(int number, long load, double throughput, TrialVerdict verdict) {
        return RatingTrialBuilder.builder()
                .number(number)
                .load(load)
                .purpose(TrialPurpose.CLIMB)
                .measuredMillis(1_000)
                .verdict(verdict)
                .throughput(throughput)
                .counts(ExperimentCounts.NONE)
                .p95Micros(20_000)
                .remark("")
                .build();
    }

    /** All records that a service screen can show. */
    static void feedAdvice(FedConsole console, String service, String... classes) {
        long now = FedConsole.now();
        feedTails(console, service);
        feedReplication(console, service);
        console.model.decision(sampling(service, now - 60_000, 0.042));
        for (String queryClass : classes) {
            console.model.curve(curve(service, queryClass, now));
            console.model.budget(budget(service, queryClass, now, 1.9));
            console.model.completeness(completeness(service, queryClass, now));
            for (int i = 0; i < 100; i++) {
                console.model.measurement(measurement(service, queryClass, now - 1000, i), now);
            }
        }
        console.model.read(now, now);
    }
}
