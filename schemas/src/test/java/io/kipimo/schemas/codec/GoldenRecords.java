package io.kipimo.schemas.codec;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudgetBuilder;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindowBuilder;
import io.kipimo.schemas.caching.FilterFill;
import io.kipimo.schemas.caching.InvalidatedKey;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.LinkTruth;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.SubscriptionBuilder;
import io.kipimo.schemas.caching.TtlEstimateBuilder;
import io.kipimo.schemas.caching.TtlQuantiles;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.deadline.ComponentEconomicsBuilder;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurveBuilder;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.deadline.FanOutCurve;
import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.fanout.ContributionTable;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.policy.TargetLatency;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Estimator;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentBuilder;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentCountsBuilder;
import io.kipimo.schemas.rating.ExperimentReportBuilder;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingBuilder;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.RatingTrialBuilder;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidenceBuilder;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.LatencyStatisticsBuilder;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.ServerTruth;
import io.kipimo.schemas.tails.ServiceLevel;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TokenUse;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The records of the golden files. The first of each type has every field set (query events: the first two together);
 * the second has as few as the checks allow. Add records at the end only. For a field that is newer than the first
 * file, the first record is repeated with it.
 */
final class GoldenRecords {
    private static final long STARTED = 1_764_000_000_000L;
    private static final String QUERY = "4bf92f3577b34da6a3ce929d0e0e4736";

    private static final Items NUMBERS =
            Items.ofNumbers(new long[] {7, -1, Long.MIN_VALUE}, new float[] {3.5f, 2.25f, -0.5f});
    private static final Items TEXTS = Items.ofTexts(new String[] {"doc-1", "Straße/東京"}, new float[] {1f, 0.1f});

    private static final Answer ANSWER = AnswerBuilder.builder()
            .service("search")
            .queryId(QUERY)
            .queryClass("high")
            .kind(AnswerKind.REPLAYED)
            .startedAtMillis(STARTED)
            .answeredAtMillis(STARTED + 31)
            .deadlineMillis(30)
            .topK(20)
            .invocations(List.of(
                    new Invocation("shard-0", Outcome.IN_TIME, 12_345),
                    new Invocation("shard-1", Outcome.TIMED_OUT, 30_000),
                    new Invocation("shard-2", Outcome.FAILED, 1)))
            .items(NUMBERS)
            .truncated(true)
            .unmeasurable(Optional.of(Unmeasurable.CUT))
            .build();
    private static final Answer BARE_ANSWER = AnswerBuilder.builder()
            .service("s")
            .queryId("q")
            .queryClass("c")
            .kind(AnswerKind.ONLINE)
            .startedAtMillis(1)
            .answeredAtMillis(1)
            .items(Items.NONE)
            .build();
    private static final PartialResult PARTIAL = PartialResultBuilder.builder()
            .service("search")
            .queryId(QUERY)
            .component("shard-1")
            .server("shard-1-replica-2")
            .phase(Phase.MATURE)
            .completedAtMillis(STARTED + 47)
            .latencyMicros(46_501)
            .items(TEXTS)
            .truncated(true)
            .startedAtMillis(STARTED)
            .build();
    private static final PartialResult BARE_PARTIAL = PartialResultBuilder.builder()
            .service("s")
            .queryId("q")
            .component("c")
            .server("")
            .phase(Phase.ONLINE)
            .completedAtMillis(1)
            .items(Items.NONE)
            .build();
    private static final MeasurementBill BILL = new MeasurementBill(3, 140_000, 65_536, 2, 9_000_000);

    private static final AdmissionPolicy ADMISSION = AdmissionPolicy.builder()
            .controller(ControllerKind.AIMD)
            .signal(Signal.CASCADE)
            .shadow(true)
            .kp(0.5)
            .ki(0.05)
            .kd(0.01)
            .currentWeight(0.4)
            .timeOutObjective(0.1)
            .batchQueries(100)
            .periodMillis(10_000)
            .minimumSamples(20)
            .minimumRatePerSecond(0.1)
            .deadBand(0.01)
            .slewUp(0.1)
            .slewDown(0.5)
            .staleAfterPeriods(3)
            .leaseMillis(60_000)
            .decayMillis(60_000)
            .build();

    private static final ReplicationPolicy REPLICATION = ReplicationPolicy.builder()
            .shadow(true)
            .tiers(List.of(new ReplicatedTier("web", 6, 2, 3), new ReplicatedTier("store", 8, 2, 4)))
            .target(TargetLatency.P95)
            .objectiveMillis(800)
            .maximumCollision(0.5)
            .maximumUtilisation(0.8)
            .holdUtilisation(0.9)
            .extraLoadShare(0.05)
            .modelFirst(true)
            .trials(TrialPolicy.DEFAULT)
            .loadChange(0.25)
            .variabilityChange(0.5)
            .smoothingMillis(300_000)
            .periodMillis(10_000)
            .staleAfterMillis(30_000)
            .leaseMillis(60_000)
            .override(Optional.of(new FactorOverride(List.of(2, 1), STARTED + 1_800_000, "ada", "drill")))
            .build();

    private static final Observation FULL_OBSERVATION = ObservationBuilder.builder()
            .service("search")
            .tier("front-end")
            .server("front-end-1")
            .queryClass("low")
            .secondMillis(STARTED)
            .offered(700)
            .rejected(100)
            .answered(590)
            .timedOut(60)
            .components(List.of(new ComponentCount("shard-0", 590, 20), new ComponentCount("shard-1", 590, 45)))
            .bill(BILL)
            .admittedFraction(0.85)
            .unmeasurable(Map.of(Unmeasurable.FAILED_ANSWER, 7L))
            .missing(List.of(new MissingCount("shard-0", 21), new MissingCount("shard-1", 45)))
            .build();
    private static final Measurement FULL_MEASUREMENT = Measurement.builder()
            .service("search")
            .queryId(QUERY)
            .queryClass("high")
            .startedAtMillis(STARTED)
            .measuredAtMillis(STARTED + 10_000)
            .completeness(Completeness.NOT_MEASURABLE)
            .degraded(true)
            .topK(20)
            .scores(List.of(new Score("tpr@20", 0.6, 0.85), new Score("ndcg@10", 0.75, 0.9)))
            .components(List.of(
                    new ComponentShare("shard-1", Outcome.TIMED_OUT, 30_000, true, 0.15, 0.2),
                    new ComponentShare("shard-0", Outcome.IN_TIME, 12_345, false, 0, 0.65)))
            .truncated(true)
            .unmeasurable(Optional.of(Unmeasurable.CUT))
            .build();
    private static final QualityWindow FULL_WINDOW = QualityWindow.builder()
            .service("search")
            .queryClass("high")
            .metric("tpr@20")
            .kind(WindowKind.BATCH)
            .startMillis(STARTED)
            .endMillis(STARTED + 10_000)
            .offered(1_000)
            .rejected(50)
            .answered(940)
            .timedOut(120)
            .samples(95)
            .degradedSamples(13)
            .expired(2)
            .orphans(1)
            .estimate(Optional.of(new Estimate(0.93, 0.95, 0.97)))
            .averaged(Optional.of(new Estimate(0.94, 0.955, 0.965)))
            .averagedSamples(560)
            .plainMean(0.951)
            .standardDeviation(0.12)
            .p5(0.7)
            .p50(1)
            .minimum(0.45)
            .belowObjective(0.08)
            .objective(0.9)
            .components(List.of(new ComponentAttribution("shard-1", 940, 90, 3.25)))
            .failedMature(0.1538)
            .maturePer100Queries(98.9)
            .lossPerTimeOut(Optional.of(0.36))
            .bill(BILL)
            .unmeasurable(Map.of(Unmeasurable.NO_COMPONENTS, 20L, Unmeasurable.UNREADABLE, 3L))
            .unmeasurableSamples(2)
            .estimator(Optional.of(Estimator.MODEL_ASSISTED))
            .build();
    private static final Policy FULL_POLICY = Policy.builder()
            .service("search")
            .version(4)
            .metrics(List.of("tpr@20", "rbo@0.9"))
            .merge(new MergePolicy(
                    MergeKind.WEIGHTED, List.of("shard-1", "shard-0"), Map.of("shard-0", 2.0, "shard-1", 0.5)))
            .topK(20)
            .expirationWindowMillis(10_000)
            .windowMillis(60_000)
            .slideMillis(10_000)
            .classes(List.of(
                    ClassPolicy.builder()
                            .name("low")
                            .priority(1)
                            .objective(0.8)
                            .safeFraction(0.5)
                            .floor(0.05)
                            .ceiling(1)
                            .override(Optional.of(
                                    new ManualOverride(0.25, STARTED + 1_800_000, "ada", "fail-over drill")))
                            .build(),
                    ClassPolicy.builder()
                            .name("high")
                            .priority(0)
                            .objective(0.9)
                            .safeFraction(1)
                            .floor(0.5)
                            .ceiling(1)
                            .override(Optional.empty())
                            .build()))
            .admission(ADMISSION)
            .sampling(SamplingPolicy.builder()
                    .minimumRate(0.005)
                    .maximumRate(0.2)
                    .targetHalfWidth(0.02)
                    .fixedRate(0.1)
                    .extraLoad(0.05)
                    .build())
            .killSwitch(true)
            .replication(Optional.of(REPLICATION))
            .build();

    private static final Map<Codec<?>, List<?>> OBSERVED_AND_CONTROLLED = Map.of(
            Codecs.ANSWER,
            List.of(ANSWER, BARE_ANSWER, ANSWER),
            Codecs.PARTIAL_RESULT,
            List.of(PARTIAL, BARE_PARTIAL, PARTIAL),
            Codecs.QUERY_EVENT,
            List.of(
                    new QueryEvent(ANSWER, null, 3, 1_234_567),
                    new QueryEvent(null, PARTIAL, 2, 42),
                    QueryEvent.of(BARE_PARTIAL),
                    new QueryEvent(ANSWER, null, 3, 1_234_567),
                    new QueryEvent(null, PARTIAL, 2, 42)),
            Codecs.OBSERVATION,
            List.of(
                    FULL_OBSERVATION,
                    ObservationBuilder.builder()
                            .service("s")
                            .tier("t")
                            .server("v")
                            .queryClass("c")
                            .secondMillis(1)
                            .bill(MeasurementBill.NOTHING)
                            .build(),
                    FULL_OBSERVATION,
                    FULL_OBSERVATION,
                    FULL_OBSERVATION),
            Codecs.MEASUREMENT,
            List.of(
                    FULL_MEASUREMENT,
                    Measurement.builder()
                            .service("s")
                            .queryId("q")
                            .queryClass("")
                            .startedAtMillis(1)
                            .measuredAtMillis(1)
                            .completeness(Completeness.ORPHAN)
                            .degraded(false)
                            .topK(0)
                            .scores(List.of())
                            .components(List.of())
                            .truncated(false)
                            .build(),
                    FULL_MEASUREMENT,
                    FULL_MEASUREMENT),
            Codecs.QUALITY_WINDOW,
            List.of(
                    FULL_WINDOW,
                    QualityWindow.builder()
                            .service("s")
                            .queryClass("c")
                            .metric("m")
                            .kind(WindowKind.SLIDING)
                            .startMillis(1)
                            .endMillis(1)
                            .offered(0)
                            .rejected(0)
                            .answered(0)
                            .timedOut(0)
                            .samples(0)
                            .degradedSamples(0)
                            .expired(0)
                            .orphans(0)
                            .estimate(Optional.empty())
                            .averaged(Optional.empty())
                            .averagedSamples(0)
                            .plainMean(0)
                            .standardDeviation(0)
                            .p5(0)
                            .p50(0)
                            .minimum(0)
                            .belowObjective(0)
                            .objective(0)
                            .components(List.of())
                            .failedMature(0)
                            .maturePer100Queries(0)
                            .lossPerTimeOut(Optional.empty())
                            .bill(MeasurementBill.NOTHING)
                            .build(),
                    FULL_WINDOW,
                    FULL_WINDOW,
                    FULL_WINDOW),
            Codecs.DECISION,
            List.of(
                    DecisionBuilder.builder()
                            .controller(Decision.ADMISSION)
                            .scope("search/low")
                            .epoch(17)
                            .sequence(1_042)
                            .issuedAtMillis(STARTED + 11_000)
                            .asOfMillis(STARTED + 10_000)
                            .validUntilMillis(STARTED + 71_000)
                            .value(0.8)
                            .previous(0.85)
                            .samples(95)
                            .mode(DecisionMode.ACTIVE)
                            .reason("BELOW_OBJECTIVE")
                            .configVersion(4)
                            .measured(0.88)
                            .low(0.86)
                            .high(0.91)
                            .objective(0.9)
                            .build(),
                    DecisionBuilder.builder()
                            .controller("c")
                            .scope("s")
                            .issuedAtMillis(1)
                            .validUntilMillis(1)
                            .mode(DecisionMode.SHADOW)
                            .reason("r")
                            .build()),
            Codecs.EPOCH_CLAIM,
            List.of(new EpochClaim(Decision.SAMPLING, "sampling-job/0", STARTED)),
            Codecs.POLICY,
            List.of(
                    FULL_POLICY,
                    Policy.builder()
                            .service("s")
                            .version(0)
                            .metrics(List.of("m"))
                            .merge(MergePolicy.TOP_K)
                            .topK(1)
                            .expirationWindowMillis(1)
                            .windowMillis(100)
                            .slideMillis(100)
                            .classes(List.of(ClassPolicy.builder()
                                    .name("c")
                                    .priority(0)
                                    .objective(0)
                                    .safeFraction(0)
                                    .floor(1e-6)
                                    .ceiling(1e-6)
                                    .override(Optional.empty())
                                    .build()))
                            .admission(AdmissionPolicy.builder()
                                    .controller(ControllerKind.PID)
                                    .signal(Signal.QUALITY)
                                    .shadow(true)
                                    .kp(0.5)
                                    .ki(0.05)
                                    .kd(0)
                                    .currentWeight(0.4)
                                    .timeOutObjective(0.1)
                                    .batchQueries(100)
                                    .periodMillis(10_000)
                                    .minimumSamples(20)
                                    .minimumRatePerSecond(0.1)
                                    .deadBand(0.01)
                                    .slewUp(0.1)
                                    .slewDown(0.5)
                                    .staleAfterPeriods(3)
                                    .leaseMillis(60_000)
                                    .decayMillis(60_000)
                                    .build())
                            .sampling(SamplingPolicy.DEFAULT)
                            .killSwitch(false)
                            .build(),
                    Policy.builder()
                            .service("pages")
                            .version(2)
                            .metrics(List.of("m"))
                            .merge(MergePolicy.TOP_K)
                            .topK(1)
                            .expirationWindowMillis(1)
                            .windowMillis(100)
                            .slideMillis(100)
                            .classes(List.of(ClassPolicy.builder()
                                    .name("c")
                                    .priority(0)
                                    .objective(0)
                                    .safeFraction(0)
                                    .floor(1e-6)
                                    .ceiling(1e-6)
                                    .override(Optional.empty())
                                    .build()))
                            .admission(AdmissionPolicy.DEFAULT)
                            .sampling(SamplingPolicy.DEFAULT)
                            .killSwitch(false)
                            .replication(Optional.of(REPLICATION))
                            .build(),
                    FULL_POLICY),
            Codecs.DEAD_LETTER,
            List.of(
                    new DeadLetter(
                            "kipimo.answers",
                            2,
                            99,
                            RejectionReason.IMPOSSIBLE_NUMBER,
                            "top_k is -1; allowed: 0..10000",
                            QUERY.getBytes(StandardCharsets.UTF_8),
                            new byte[] {0, -1, 127, -128},
                            STARTED),
                    new DeadLetter("t", 0, 0, RejectionReason.UNREADABLE, "", new byte[0], new byte[0], 1)));

    private static final RatingRequest REQUEST = new RatingRequest(
            "rating-1",
            "search",
            "search",
            new AgreementTerms(0.95, 50_000, 0.01, 0.9, 0.02, 60_000),
            new SearchTerms(RatingTechnique.ADAPTIVE, 2, 0.01, 0.02, 1_000, 100),
            ExperimentTermsBuilder.builder()
                    .model(LoadModel.CLOSED)
                    .unit(2)
                    .thinkMillis(100)
                    .warmUpMillis(2_000)
                    .millis(5_000)
                    .noiseReadings(2)
                    .earlyStopError(1e-6)
                    .generators(3)
                    .patienceMillis(10_000)
                    .seed(7)
                    .build(),
            STARTED);
    private static final RatingRequest BARE_REQUEST = new RatingRequest(
            "r",
            "",
            "t",
            new AgreementTerms(0, 1, 0, 0, 0, 1),
            new SearchTerms(RatingTechnique.GOLDEN, 2, 0, 1e-6, 1, 1),
            ExperimentTermsBuilder.builder()
                    .model(LoadModel.OPEN)
                    .unit(1e-6)
                    .millis(1)
                    .generators(1)
                    .patienceMillis(1)
                    .build(),
            1);
    private static final ExperimentCounts TRIAL_COUNTS = ExperimentCountsBuilder.builder()
            .requests(1_000)
            .within(960)
            .errors(10)
            .reads(200)
            .unpredictable(1)
            .scored(900)
            .qualitySum(850.5)
            .answered(980)
            .withinFromSending(970)
            .build();
    private static final RatingTrial TRIAL = RatingTrialBuilder.builder()
            .number(3)
            .load(40)
            .purpose(TrialPurpose.CONFIRM)
            .startedAtMillis(STARTED)
            .measuredMillis(5_000)
            .prepareMillis(120)
            .verdict(TrialVerdict.BOTTLENECK)
            .throughput(196.5)
            .counts(TRIAL_COUNTS)
            .meanMicros(12_345.5)
            .p50Micros(9_000)
            .p95Micros(48_000)
            .p99Micros(61_000)
            .remark("used 95 % of this machine's processors")
            .build();
    private static final RatingTrial BARE_TRIAL = RatingTrialBuilder.builder()
            .number(1)
            .load(1)
            .purpose(TrialPurpose.NOISE)
            .startedAtMillis(1)
            .verdict(TrialVerdict.PASSED)
            .counts(ExperimentCounts.NONE)
            .remark("")
            .build();

    private static final Map<Codec<?>, List<?>> RATING = Map.of(
            Codecs.RATING,
            List.of(
                    RatingBuilder.builder()
                            .request(REQUEST)
                            .state(RatingState.FOUND)
                            .trials(List.of(TRIAL, BARE_TRIAL))
                            .load(40)
                            .throughput(196.5)
                            .noise(0.03)
                            .elapsedMillis(90_000)
                            .predictedMillis(88_000)
                            .remark("as before")
                            .updatedAtMillis(STARTED + 90_000)
                            .build(),
                    Rating.requested(BARE_REQUEST)),
            Codecs.EXPERIMENT,
            List.of(
                    ExperimentBuilder.builder()
                            .ratingId("rating-1")
                            .number(3)
                            .step(ExperimentStep.RUN)
                            .target("search")
                            .generators(List.of("loadgen-1", "loadgen-2"))
                            .model(LoadModel.CLOSED)
                            .amount(80)
                            .thinkMillis(100)
                            .warmUpMillis(2_000)
                            .millis(5_000)
                            .boundMicros(50_000)
                            .seed(10)
                            .issuedAtMillis(STARTED)
                            .previous(TRIAL_COUNTS)
                            .build(),
                    ExperimentBuilder.builder()
                            .ratingId("r")
                            .number(1)
                            .step(ExperimentStep.ROLL_CALL)
                            .target("t")
                            .model(LoadModel.OPEN)
                            .millis(1)
                            .boundMicros(1)
                            .issuedAtMillis(1)
                            .previous(ExperimentCounts.NONE)
                            .build()),
            Codecs.EXPERIMENT_REPORT,
            List.of(
                    ExperimentReportBuilder.builder()
                            .ratingId("rating-1")
                            .number(3)
                            .generator("loadgen-1")
                            .stage(ReportStage.DONE)
                            .atMillis(STARTED)
                            .counts(TRIAL_COUNTS)
                            .measuredMillis(5_000)
                            .prepareMillis(120)
                            .latencies(new byte[] {1, -1})
                            .lagMicros(800)
                            .ownCpu(0.95)
                            .remark("used 95 % of this machine's processors")
                            .seed(10)
                            .build(),
                    ExperimentReportBuilder.builder()
                            .ratingId("r")
                            .number(1)
                            .generator("g")
                            .stage(ReportStage.HERE)
                            .atMillis(1)
                            .counts(ExperimentCounts.NONE)
                            .latencies(new byte[0])
                            .remark("")
                            .build()));

    private static final Map<Codec<?>, List<?>> ADVICE = Map.of(
            Codecs.DEADLINE_CURVE,
            List.of(
                    DeadlineCurveBuilder.builder()
                            .service("search")
                            .queryClass("high")
                            .metric("tpr@20")
                            .startMillis(STARTED)
                            .endMillis(STARTED + 60_000)
                            .deadlineMillis(30)
                            .profiles(400)
                            .degradedProfiles(90)
                            .points(List.of(
                                    new DeadlinePoint(15, new Estimate(0.7, 0.72, 0.74), 0.4),
                                    new DeadlinePoint(30, new Estimate(0.93, 0.95, 0.97), 0.8)))
                            .components(List.of(ComponentEconomicsBuilder.builder()
                                    .component("shard-1")
                                    .invoked(400)
                                    .late(60)
                                    .lostQuality(0.03)
                                    .lostQualityPerLateMinute(4.5)
                                    .qualityIfFaster(0.975)
                                    .qualityIfReplicated(0.98)
                                    .qualityIfDropped(0.75)
                                    .points(List.of(
                                            new ComponentPoint(15, 0.5, 0.85), new ComponentPoint(60, 0.99, 0.98)))
                                    .build()))
                            .build(),
                    DeadlineCurveBuilder.builder()
                            .service("s")
                            .queryClass("c")
                            .metric("m")
                            .startMillis(1)
                            .endMillis(1)
                            .build(),
                    DeadlineCurveBuilder.builder()
                            .service("search")
                            .queryClass("low")
                            .metric("tpr@20")
                            .startMillis(STARTED)
                            .endMillis(STARTED + 60_000)
                            .profiles(400)
                            .fanOut(new FanOutCurve(
                                    9_000,
                                    true,
                                    List.of(new FanOutFloor(0.95, 0.625, new Estimate(0.95, 0.96, 0.97), 0.01)),
                                    List.of(new FanOutFloor(0.95, 0.5, new Estimate(0.97, 0.98, 0.99), 0))))
                            .build()),
            Codecs.ERROR_BUDGET,
            List.of(
                    ErrorBudgetBuilder.builder()
                            .service("search")
                            .queryClass("high")
                            .metric("tpr@20")
                            .endMillis(STARTED)
                            .objective(0.9)
                            .shortWindow(new BurnRate(300_000, 14.5, 15, 15.5, 30_000, 1_500))
                            .longWindow(new BurnRate(3_600_000, 1.5, 2, 2.5, 360_000, 18_000))
                            .remaining(-0.25)
                            .periodMillis(2_419_200_000L)
                            .coveredMillis(86_400_000)
                            .verdict(BudgetVerdict.EXHAUSTED)
                            .causes(List.of(new LossCause("shard-1", 0.75), new LossCause("shard-0", 0.25)))
                            .build(),
                    ErrorBudgetBuilder.builder()
                            .service("s")
                            .queryClass("c")
                            .metric("m")
                            .endMillis(1)
                            .shortWindow(new BurnRate(1, 0, 0, 0, 0, 0))
                            .longWindow(new BurnRate(1, 0, 0, 0, 0, 0))
                            .periodMillis(1)
                            .verdict(BudgetVerdict.NOT_ENOUGH)
                            .build()),
            Codecs.COMPLETENESS_MODEL,
            List.of(
                    new CompletenessModel(
                            "search",
                            "high",
                            "tpr@20",
                            STARTED,
                            1_250,
                            0.21,
                            List.of(new ComponentLoss("shard-1", 0.24, 800)),
                            List.of(
                                    new CalibrationBin(0.6, 0.7, 40, 0.66, 0.64),
                                    new CalibrationBin(0.7, 0.8, 700, 0.76, 0.765))),
                    new CompletenessModel("s", "c", "m", 1, 0, 0, List.of(), List.of())),
            Codecs.FAN_OUT_PUBLICATION,
            List.of(
                    FanOutPublicationBuilder.builder()
                            .service("search")
                            .queryClass("low")
                            .version(STARTED)
                            .learnedAtMillis(STARTED)
                            .validUntilMillis(STARTED + 600_000)
                            .state(FanOutState.SHADOW)
                            .reason("saves 41 % of the work at floor 0.93")
                            .floor(0.93)
                            .price(0.5)
                            .exploration(0.02)
                            .queries(6_000)
                            .saving(0.41)
                            .quality(0.95)
                            .model(Optional.of(new ContributionTable(
                                    List.of("shard-0", "shard-1"),
                                    new double[] {12_000, 8_000},
                                    new double[] {0.5, -0.25},
                                    1,
                                    0.03125,
                                    new byte[] {-128, 0, 1, 127},
                                    new double[] {0, 0, 0, 0, 0, 40, 0, 0, 300, 9},
                                    new double[] {0, 0, 0, 0, 0, 22, 0, 0, 255, 8.5},
                                    new double[] {0, 0, 0, 0, 0, 21, 0, 0, 256, 8.5})))
                            .build(),
                    FanOutPublicationBuilder.builder()
                            .service("s")
                            .queryClass("c")
                            .learnedAtMillis(1)
                            .validUntilMillis(1)
                            .state(FanOutState.OFF)
                            .reason("r")
                            .build()),
            Codecs.REPLICATION_DECISION,
            List.of(
                    ReplicationDecisionBuilder.builder()
                            .service("pages")
                            .epoch(17)
                            .sequence(42)
                            .issuedAtMillis(STARTED + 11_000)
                            .asOfMillis(STARTED + 10_000)
                            .validUntilMillis(STARTED + 71_000)
                            .tiers(List.of(
                                    new TierFactor("web", 3, 2, 1, true, true),
                                    new TierFactor("store", 1, 1, 1, false, false)))
                            .mode(DecisionMode.ACTIVE)
                            .reason("TRIAL_RUNNING")
                            .inTrial(true)
                            .requests(210)
                            .measuredMicros(812_000.5)
                            .objectiveMicros(900_000)
                            .evidence(Optional.of(TrialEvidenceBuilder.builder()
                                    .from(List.of(1, 1))
                                    .to(List.of(3, 1))
                                    .baselineRequests(4_000)
                                    .trialRequests(600)
                                    .baselineMicros(786_792)
                                    .trialMicros(259_804)
                                    .changeMicros(-526_988)
                                    .lowMicros(-604_747)
                                    .highMicros(-449_230)
                                    .predictedMicros(Optional.of(-530_808.5))
                                    .build()))
                            .broken(List.of(new BrokenConstraint("SERVER_CAPACITY", "store", 0.93, 0.9)))
                            .configVersion(4)
                            .build(),
                    ReplicationDecisionBuilder.builder()
                            .service("s")
                            .issuedAtMillis(1)
                            .validUntilMillis(1)
                            .tiers(List.of(new TierFactor("t", 1, 1, 1, false, false)))
                            .mode(DecisionMode.SHADOW)
                            .reason("r")
                            .build()));

    private static final TrafficCounts COUNTS = TrafficCountsBuilder.builder()
            .arrivals(410)
            .completions(405)
            .timedOut(3)
            .failed(1)
            .connections(82)
            .inServiceMicros(5_100_000)
            .busyCoreMicros(3_600_000)
            .coreMicros(4_000_000)
            .tokensReturned(409)
            .tokenHeldMicros(6_200_000)
            .tokenMicros(8_000_000)
            .observedMicros(1_000_000)
            .build();

    private static final Map<Codec<?>, List<?>> TAILS = Map.of(
            Codecs.SERVER_OBSERVATION,
            List.of(
                    ServerObservationBuilder.builder()
                            .service("search")
                            .tier("index")
                            .component("shard-1")
                            .server("shard-1-b")
                            .vantage(Vantage.SERVER)
                            .secondMillis(STARTED)
                            .counts(COUNTS)
                            .latencies(new byte[] {1, 2, -3})
                            .stays(List.of(
                                    new Stay(STARTED * 1000, STARTED * 1000 + 12_345),
                                    new Stay(STARTED * 1000 + 7, STARTED * 1000 + 7)))
                            .build(),
                    ServerObservationBuilder.builder()
                            .service("s")
                            .tier("t")
                            .component("c")
                            .server("1")
                            .vantage(Vantage.ARBITER)
                            .secondMillis(1)
                            .counts(TrafficCountsBuilder.builder()
                                    .observedMicros(1)
                                    .build())
                            .latencies(new byte[0])
                            .build()),
            Codecs.REPLICA_TRUTH,
            List.of(
                    new ReplicaTruth(
                            "search",
                            "shard-1",
                            "gateway-1",
                            STARTED,
                            STARTED + 900_000,
                            900,
                            40,
                            7,
                            2,
                            1,
                            List.of(new ServerTruth("a:8983", 949, 5, 1), new ServerTruth("b:8983", 949, 2, 1)),
                            List.of(
                                    new DivergentQuery(
                                            "q-1",
                                            STARTED + 1,
                                            "a:8983",
                                            "b:8983",
                                            false,
                                            5,
                                            List.of("d1", "d2", "d3")),
                                    new DivergentQuery("q-2", STARTED, "b:8983", "a:8983", true, 0, List.of()))),
                    new ReplicaTruth("s", "c", "r", 1, 1, 0, 0, 0, 0, 0, List.of(), List.of())),
            Codecs.TAIL_WINDOW,
            List.of(
                    TailWindowBuilder.builder()
                            .level(TailLevel.SERVER)
                            .kind(TailWindowKind.SLIDING)
                            .service("search")
                            .tier("index")
                            .component("shard-1")
                            .server("shard-1-b")
                            .startMillis(STARTED)
                            .endMillis(STARTED + 600_000)
                            .servers(1)
                            .counts(COUNTS)
                            .requestsPerSecond(41)
                            .connectionsPerSecond(8.2)
                            .requestsPerConnection(Optional.of(5.0))
                            .concurrency(5.1)
                            .utilisation(Optional.of(0.9))
                            .timedOutShare(0.0073)
                            .failedShare(0.0024)
                            .latency(Optional.of(LatencyStatisticsBuilder.builder()
                                    .count(405)
                                    .p50Micros(9_000)
                                    .p90Micros(20_000)
                                    .p95Micros(31_000)
                                    .p99Micros(80_000.5)
                                    .p999Micros(99_000)
                                    .meanMicros(12_000.25)
                                    .maximumMicros(100_000)
                                    .coefficientOfVariation(1.5)
                                    .quartileDispersion(0.4)
                                    .p95OverMean(2.58)
                                    .p99OverMean(6.67)
                                    .serviceLevels(
                                            List.of(new ServiceLevel(10_000, 0.55), new ServiceLevel(50_000, 0.97)))
                                    .build()))
                            .demand(Optional.of(new Demand(405, 8_888.5, 1.1)))
                            .capacity(Optional.of(new ProcessingCapacity(4, 450, 0.91)))
                            .tokens(Optional.of(new TokenUse(8, 15_158.9, 527.7, 0.775, 7)))
                            .latencies(new byte[] {1, 2, -3})
                            .build(),
                    TailWindowBuilder.builder()
                            .level(TailLevel.SERVICE)
                            .kind(TailWindowKind.TUMBLING)
                            .service("s")
                            .tier("")
                            .component("")
                            .server("")
                            .startMillis(1)
                            .endMillis(2)
                            .counts(TrafficCounts.NONE)
                            .latencies(new byte[0])
                            .build()));

    private static final String FIND_RED = "things?{\"colour\":\"red\"}";

    private static final Map<Codec<?>, List<?>> CACHING = Map.of(
            Codecs.CACHE_READ,
            List.of(
                    new CacheRead(
                            "shop", "things", FIND_RED, CachedKind.QUERY, STARTED, 45_000, List.of("7", "Straße/東京")),
                    new CacheRead("s", "t", "k", CachedKind.RECORD, 1, 0, List.of())),
            Codecs.TTL_ESTIMATE,
            List.of(
                    TtlEstimateBuilder.builder()
                            .service("shop")
                            .table("things")
                            .key(FIND_RED)
                            .kind(CachedKind.QUERY)
                            .ttlMillis(45_000)
                            .meanMillis(Optional.of(64_921.5))
                            .isLearnt(true)
                            .lossPerChange(0.25)
                            .invalidations(12)
                            .estimatedMillis(STARTED)
                            .representation(ResultRepresentation.ID_LIST)
                            .hitsSavedPerSecond(12.5)
                            .build(),
                    TtlEstimateBuilder.builder()
                            .service("s")
                            .table("t")
                            .key("k")
                            .kind(CachedKind.RECORD)
                            .estimatedMillis(1)
                            .representation(ResultRepresentation.ANY)
                            .build(),
                    TtlEstimateBuilder.builder()
                            .service("shop")
                            .table("things")
                            .key(FIND_RED)
                            .kind(CachedKind.QUERY)
                            .ttlMillis(45_000)
                            .meanMillis(Optional.of(64_921.5))
                            .isLearnt(true)
                            .lossPerChange(0.25)
                            .invalidations(12)
                            .estimatedMillis(STARTED)
                            .representation(ResultRepresentation.OBJECT_LIST)
                            .hitsSavedPerSecond(0.5)
                            .build()),
            Codecs.RECORD_WRITE,
            List.of(
                    new RecordWrite(
                            "shop",
                            "things",
                            "7",
                            WriteKind.UPDATE,
                            1_042,
                            STARTED,
                            "{\"colour\": \"red\",\n \"price\": 3}"),
                    new RecordWrite("s", "t", "r", WriteKind.DELETE, 0, 1, "")),
            Codecs.SUBSCRIPTION,
            List.of(
                    SubscriptionBuilder.builder()
                            .service("shop")
                            .table("things")
                            .key(FIND_RED)
                            .filter("{\"colour\": \"red\"}")
                            .sort("{\"price\": 1}")
                            .limit(10)
                            .offset(20)
                            .representation(ResultRepresentation.OBJECT_LIST)
                            .evaluatedMillis(STARTED)
                            .result(List.of(
                                    new ResultRecord("7", 1_041, "{\"colour\": \"red\"}"),
                                    new ResultRecord("9", 0, "")))
                            .registeredMillis(STARTED + 3)
                            .build(),
                    SubscriptionBuilder.builder()
                            .service("s")
                            .table("t")
                            .key("k")
                            .filter("{}")
                            .sort("")
                            .representation(ResultRepresentation.ANY)
                            .evaluatedMillis(1)
                            .registeredMillis(1)
                            .build()),
            Codecs.INVALIDATION,
            List.of(
                    InvalidationBuilder.builder()
                            .service("shop")
                            .table("things")
                            .key(FIND_RED)
                            .kind(CachedKind.QUERY)
                            .change(ResultChange.ADDED)
                            .record("7")
                            .version(1_042)
                            .writtenMillis(STARTED)
                            .mode(InvalidationMode.SOFT)
                            .serveStaleMillis(5_000)
                            .partition(3)
                            .sequence(77)
                            .completeBeforeMillis(STARTED - 10)
                            .retryAfterMillis(20_000)
                            .build(),
                    InvalidationBuilder.builder()
                            .service("s")
                            .table("t")
                            .key("k")
                            .kind(CachedKind.RECORD)
                            .change(ResultChange.UNKNOWN)
                            .record("")
                            .writtenMillis(1)
                            .mode(InvalidationMode.HARD)
                            .build(),
                    Invalidation.mark(STARTED),
                    InvalidationBuilder.builder()
                            .service("shop")
                            .table("things")
                            .key(FIND_RED)
                            .kind(CachedKind.QUERY)
                            .change(ResultChange.MOVED)
                            .record("7")
                            .version(1_042)
                            .writtenMillis(STARTED)
                            .mode(InvalidationMode.SOFT)
                            .serveStaleMillis(5_000)
                            .partition(3)
                            .sequence(78)
                            .completeBeforeMillis(STARTED)
                            .retryAfterMillis(10_000)
                            .build()),
            Codecs.CACHING_WINDOW,
            List.of(
                    CachingWindowBuilder.builder()
                            .service("shop")
                            .table("things")
                            .startMillis(STARTED)
                            .endMillis(STARTED + 10_000)
                            .originReads(1_200)
                            .writes(340)
                            .invalidations(55)
                            .handedOut(Optional.of(new TtlQuantiles(1_200, 1_000, 8_000.5, 45_000, 45_001)))
                            .mostInvalidated(List.of(new InvalidatedKey(FIND_RED, 12)))
                            .filter(Optional.of(new FilterFill(120, 4_000, 14_600, 0.004, 2.56e-10)))
                            .use(Optional.of(new CacheCounts(9_000, 6_000, 1_800, 150, 30, 2)))
                            .build(),
                    CachingWindowBuilder.builder()
                            .service("s")
                            .table("t")
                            .startMillis(1)
                            .endMillis(2)
                            .build()),
            Codecs.CACHE_USE,
            List.of(
                    new CacheUse("shop", "things", "browser/4711", STARTED, new CacheCounts(90, 60, 18, 5, 3, 1)),
                    new CacheUse("s", "t", "r", 1, CacheCounts.NONE)),
            Codecs.CACHE_TRUTH,
            List.of(
                    new CacheTruth(
                            "shop",
                            "things",
                            "probe-1",
                            STARTED,
                            STARTED + 3_600_000,
                            List.of(
                                    new LinkTruth(CacheLink.CLIENT, 60_000, 900, 2, 7, 1, STARTED + 3_599_000),
                                    new LinkTruth(CacheLink.FILTER, 300_000, 0, 0, 1, 0, 0))),
                    new CacheTruth("s", "t", "p", 1, 1, List.of())));

    private GoldenRecords() {}

    @SuppressWarnings("unchecked") // Each list holds records of its codec's type.
    static <T> List<T> of(Codec<T> codec) {
        return (List<T>) Stream.of(OBSERVED_AND_CONTROLLED, ADVICE, TAILS, CACHING, RATING)
                .filter(records -> records.containsKey(codec))
                .findFirst()
                .orElseThrow()
                .get(codec);
    }
}
