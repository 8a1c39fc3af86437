package io.kipimo.schemas.codec;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.FilterFill;
import io.kipimo.schemas.caching.InvalidatedKey;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.ResultChange;
import io.kipimo.schemas.caching.ResultRecord;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.TtlQuantiles;
import io.kipimo.schemas.caching.WriteKind;
import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.deadline.ComponentEconomics;
import io.kipimo.schemas.deadline.ComponentPoint;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.deadline.DeadlinePoint;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.Observation;
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
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentReport;
import io.kipimo.schemas.rating.ExperimentStep;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.ReportStage;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.TrialPurpose;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServiceLevel;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TokenUse;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.Vantage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The records of the golden files. The first of each type has every field set (query events: the
 * first two together); the second has as few as the checks allow. Add records at the end only. For
 * a field that is newer than the first file, the first record is repeated with it.
 */
final class GoldenRecords {
    private static final long STARTED = 1_764_000_000_000L;
    private static final String QUERY = "4bf92f3577b34da6a3ce929d0e0e4736";

    private static final Items NUMBERS =
            Items.ofNumbers(new long[] {7, -1, Long.MIN_VALUE}, new float[] {3.5f, 2.25f, -0.5f});
    private static final Items TEXTS =
            Items.ofTexts(new String[] {"doc-1", "Straße/東京"}, new float[] {1f, 0.1f});

    private static final Answer ANSWER =
            new Answer(
                    "search",
                    QUERY,
                    "high",
                    AnswerKind.REPLAYED,
                    STARTED,
                    STARTED + 31,
                    30,
                    20,
                    List.of(
                            new Invocation("shard-0", Outcome.IN_TIME, 12_345),
                            new Invocation("shard-1", Outcome.TIMED_OUT, 30_000),
                            new Invocation("shard-2", Outcome.FAILED, 1)),
                    NUMBERS,
                    true,
                    Optional.of(Unmeasurable.CUT));
    private static final Answer BARE_ANSWER =
            new Answer("s", "q", "c", AnswerKind.ONLINE, 1, 1, 0, 0, List.of(), Items.NONE, false);
    private static final PartialResult PARTIAL =
            new PartialResult(
                    "search",
                    QUERY,
                    "shard-1",
                    "shard-1-replica-2",
                    Phase.MATURE,
                    STARTED + 47,
                    46_501,
                    TEXTS,
                    true,
                    STARTED);
    private static final PartialResult BARE_PARTIAL =
            new PartialResult("s", "q", "c", "", Phase.ONLINE, 1, 0, Items.NONE, false);
    private static final MeasurementBill BILL =
            new MeasurementBill(3, 140_000, 65_536, 2, 9_000_000);

    private static final AdmissionPolicy ADMISSION =
            AdmissionPolicy.builder()
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

    private static final ReplicationPolicy REPLICATION =
            ReplicationPolicy.builder()
                    .shadow(true)
                    .tiers(
                            List.of(
                                    new ReplicatedTier("web", 6, 2, 3),
                                    new ReplicatedTier("store", 8, 2, 4)))
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
                    .override(
                            Optional.of(
                                    new FactorOverride(
                                            List.of(2, 1), STARTED + 1_800_000, "ada", "drill")))
                    .build();

    private static final Observation FULL_OBSERVATION =
            new Observation(
                    "search",
                    "front-end",
                    "front-end-1",
                    "low",
                    STARTED,
                    700,
                    100,
                    590,
                    60,
                    List.of(
                            new ComponentCount("shard-0", 590, 20),
                            new ComponentCount("shard-1", 590, 45)),
                    BILL,
                    0.85,
                    Map.of(Unmeasurable.FAILED_ANSWER, 7L));
    private static final Measurement FULL_MEASUREMENT =
            Measurement.builder()
                    .service("search")
                    .queryId(QUERY)
                    .queryClass("high")
                    .startedAtMillis(STARTED)
                    .measuredAtMillis(STARTED + 10_000)
                    .completeness(Completeness.NOT_MEASURABLE)
                    .degraded(true)
                    .topK(20)
                    .scores(
                            List.of(
                                    new Score("tpr@20", 0.6, 0.85),
                                    new Score("ndcg@10", 0.75, 0.9)))
                    .components(
                            List.of(
                                    new ComponentShare(
                                            "shard-1", Outcome.TIMED_OUT, 30_000, true, 0.15, 0.2),
                                    new ComponentShare(
                                            "shard-0", Outcome.IN_TIME, 12_345, false, 0, 0.65)))
                    .truncated(true)
                    .unmeasurable(Optional.of(Unmeasurable.CUT))
                    .build();
    private static final QualityWindow FULL_WINDOW =
            QualityWindow.builder()
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
                    .unmeasurable(
                            Map.of(Unmeasurable.NO_COMPONENTS, 20L, Unmeasurable.UNREADABLE, 3L))
                    .unmeasurableSamples(2)
                    .build();
    private static final Policy FULL_POLICY =
            Policy.builder()
                    .service("search")
                    .version(4)
                    .metrics(List.of("tpr@20", "rbo@0.9"))
                    .merge(
                            new MergePolicy(
                                    MergeKind.WEIGHTED,
                                    List.of("shard-1", "shard-0"),
                                    Map.of("shard-0", 2.0, "shard-1", 0.5)))
                    .topK(20)
                    .expirationWindowMillis(10_000)
                    .windowMillis(60_000)
                    .slideMillis(10_000)
                    .classes(
                            List.of(
                                    ClassPolicy.builder()
                                            .name("low")
                                            .priority(1)
                                            .objective(0.8)
                                            .safeFraction(0.5)
                                            .floor(0.05)
                                            .ceiling(1)
                                            .override(
                                                    Optional.of(
                                                            new ManualOverride(
                                                                    0.25,
                                                                    STARTED + 1_800_000,
                                                                    "ada",
                                                                    "fail-over drill")))
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
                    .sampling(
                            SamplingPolicy.builder()
                                    .minimumRate(0.005)
                                    .maximumRate(0.2)
                                    .targetHalfWidth(0.02)
                                    .fixedRate(0.1)
                                    .extraLoad(0.05)
                                    .build())
                    .killSwitch(true)
                    .replication(Optional.of(REPLICATION))
                    .build();

    private static final Map<Codec<?>, List<?>> OBSERVED_AND_CONTROLLED =
            Map.of(
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
                            new Observation(
                                    "s",
                                    "t",
                                    "v",
                                    "c",
                                    1,
                                    0,
                                    0,
                                    0,
                                    0,
                                    List.of(),
                                    MeasurementBill.NOTHING,
                                    0),
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
                            FULL_WINDOW),
                    Codecs.DECISION,
                    List.of(
                            new Decision(
                                    Decision.ADMISSION,
                                    "search/low",
                                    17,
                                    1_042,
                                    STARTED + 11_000,
                                    STARTED + 10_000,
                                    STARTED + 71_000,
                                    0.8,
                                    0.85,
                                    95,
                                    DecisionMode.ACTIVE,
                                    "BELOW_OBJECTIVE",
                                    4,
                                    0.88,
                                    0.86,
                                    0.91,
                                    0.9),
                            new Decision(
                                    "c",
                                    "s",
                                    0,
                                    0,
                                    1,
                                    0,
                                    1,
                                    0,
                                    0,
                                    0,
                                    DecisionMode.SHADOW,
                                    "r",
                                    0,
                                    0,
                                    0,
                                    0,
                                    0)),
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
                                    .classes(
                                            List.of(
                                                    ClassPolicy.builder()
                                                            .name("c")
                                                            .priority(0)
                                                            .objective(0)
                                                            .safeFraction(0)
                                                            .floor(1e-6)
                                                            .ceiling(1e-6)
                                                            .override(Optional.empty())
                                                            .build()))
                                    .admission(
                                            AdmissionPolicy.builder()
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
                                    .classes(
                                            List.of(
                                                    ClassPolicy.builder()
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
                            new DeadLetter(
                                    "t",
                                    0,
                                    0,
                                    RejectionReason.UNREADABLE,
                                    "",
                                    new byte[0],
                                    new byte[0],
                                    1)));

    private static final RatingRequest REQUEST =
            new RatingRequest(
                    "rating-1",
                    "search",
                    "search",
                    new AgreementTerms(0.95, 50_000, 0.01, 0.9, 0.02, 60_000),
                    new SearchTerms(RatingTechnique.ADAPTIVE, 2, 0.01, 0.02, 1_000, 100),
                    new ExperimentTerms(
                            LoadModel.CLOSED, 2, 100, 2_000, 5_000, 2, 1e-6, 3, 10_000, 7),
                    STARTED);
    private static final RatingRequest BARE_REQUEST =
            new RatingRequest(
                    "r",
                    "",
                    "t",
                    new AgreementTerms(0, 1, 0, 0, 0, 1),
                    new SearchTerms(RatingTechnique.GOLDEN, 2, 0, 1e-6, 1, 1),
                    new ExperimentTerms(LoadModel.OPEN, 1e-6, 0, 0, 1, 0, 0, 1, 1, 0),
                    1);
    private static final ExperimentCounts TRIAL_COUNTS =
            new ExperimentCounts(1_000, 960, 10, 200, 1, 900, 850.5, 980, 970);
    private static final RatingTrial TRIAL =
            new RatingTrial(
                    3,
                    40,
                    TrialPurpose.CONFIRM,
                    STARTED,
                    5_000,
                    120,
                    TrialVerdict.BOTTLENECK,
                    196.5,
                    TRIAL_COUNTS,
                    12_345.5,
                    9_000,
                    48_000,
                    61_000,
                    "used 95 % of this machine's processors");
    private static final RatingTrial BARE_TRIAL =
            new RatingTrial(
                    1,
                    1,
                    TrialPurpose.NOISE,
                    1,
                    0,
                    0,
                    TrialVerdict.PASSED,
                    0,
                    ExperimentCounts.NONE,
                    0,
                    0,
                    0,
                    0,
                    "");

    private static final Map<Codec<?>, List<?>> RATING =
            Map.of(
                    Codecs.RATING,
                    List.of(
                            new Rating(
                                    REQUEST,
                                    RatingState.FOUND,
                                    List.of(TRIAL, BARE_TRIAL),
                                    40,
                                    196.5,
                                    0.03,
                                    90_000,
                                    88_000,
                                    "as before",
                                    STARTED + 90_000),
                            Rating.requested(BARE_REQUEST)),
                    Codecs.EXPERIMENT,
                    List.of(
                            new Experiment(
                                    "rating-1",
                                    3,
                                    ExperimentStep.RUN,
                                    "search",
                                    List.of("loadgen-1", "loadgen-2"),
                                    LoadModel.CLOSED,
                                    80,
                                    100,
                                    2_000,
                                    5_000,
                                    50_000,
                                    10,
                                    STARTED,
                                    TRIAL_COUNTS),
                            new Experiment(
                                    "r",
                                    1,
                                    ExperimentStep.ROLL_CALL,
                                    "t",
                                    List.of(),
                                    LoadModel.OPEN,
                                    0,
                                    0,
                                    0,
                                    1,
                                    1,
                                    0,
                                    1,
                                    ExperimentCounts.NONE)),
                    Codecs.EXPERIMENT_REPORT,
                    List.of(
                            new ExperimentReport(
                                    "rating-1",
                                    3,
                                    "loadgen-1",
                                    ReportStage.DONE,
                                    STARTED,
                                    TRIAL_COUNTS,
                                    5_000,
                                    120,
                                    new byte[] {1, -1},
                                    800,
                                    0.95,
                                    "used 95 % of this machine's processors",
                                    10),
                            new ExperimentReport(
                                    "r",
                                    1,
                                    "g",
                                    ReportStage.HERE,
                                    1,
                                    ExperimentCounts.NONE,
                                    0,
                                    0,
                                    new byte[0],
                                    0,
                                    0,
                                    "",
                                    0)));

    private static final Map<Codec<?>, List<?>> ADVICE =
            Map.of(
                    Codecs.DEADLINE_CURVE,
                    List.of(
                            new DeadlineCurve(
                                    "search",
                                    "high",
                                    "tpr@20",
                                    STARTED,
                                    STARTED + 60_000,
                                    30,
                                    400,
                                    90,
                                    List.of(
                                            new DeadlinePoint(
                                                    15, new Estimate(0.7, 0.72, 0.74), 0.4),
                                            new DeadlinePoint(
                                                    30, new Estimate(0.93, 0.95, 0.97), 0.8)),
                                    List.of(
                                            new ComponentEconomics(
                                                    "shard-1",
                                                    400,
                                                    60,
                                                    0.03,
                                                    4.5,
                                                    0.975,
                                                    0.98,
                                                    0.75,
                                                    List.of(
                                                            new ComponentPoint(15, 0.5, 0.85),
                                                            new ComponentPoint(60, 0.99, 0.98))))),
                            new DeadlineCurve("s", "c", "m", 1, 1, 0, 0, 0, List.of(), List.of())),
                    Codecs.ERROR_BUDGET,
                    List.of(
                            new ErrorBudget(
                                    "search",
                                    "high",
                                    "tpr@20",
                                    STARTED,
                                    0.9,
                                    new BurnRate(300_000, 14.5, 15, 15.5, 30_000, 1_500),
                                    new BurnRate(3_600_000, 1.5, 2, 2.5, 360_000, 18_000),
                                    -0.25,
                                    2_419_200_000L,
                                    86_400_000,
                                    BudgetVerdict.EXHAUSTED,
                                    List.of(
                                            new LossCause("shard-1", 0.75),
                                            new LossCause("shard-0", 0.25))),
                            new ErrorBudget(
                                    "s",
                                    "c",
                                    "m",
                                    1,
                                    0,
                                    new BurnRate(1, 0, 0, 0, 0, 0),
                                    new BurnRate(1, 0, 0, 0, 0, 0),
                                    0,
                                    1,
                                    0,
                                    BudgetVerdict.NOT_ENOUGH,
                                    List.of())),
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
                    Codecs.REPLICATION_DECISION,
                    List.of(
                            new ReplicationDecision(
                                    "pages",
                                    17,
                                    42,
                                    STARTED + 11_000,
                                    STARTED + 10_000,
                                    STARTED + 71_000,
                                    List.of(
                                            new TierFactor("web", 3, 2, 1, true, true),
                                            new TierFactor("store", 1, 1, 1, false, false)),
                                    DecisionMode.ACTIVE,
                                    "TRIAL_RUNNING",
                                    true,
                                    210,
                                    812_000.5,
                                    900_000,
                                    Optional.of(
                                            new TrialEvidence(
                                                    List.of(1, 1),
                                                    List.of(3, 1),
                                                    4_000,
                                                    600,
                                                    786_792,
                                                    259_804,
                                                    -526_988,
                                                    -604_747,
                                                    -449_230,
                                                    Optional.of(-530_808.5))),
                                    List.of(
                                            new BrokenConstraint(
                                                    "SERVER_CAPACITY", "store", 0.93, 0.9)),
                                    4),
                            new ReplicationDecision(
                                    "s",
                                    0,
                                    0,
                                    1,
                                    0,
                                    1,
                                    List.of(new TierFactor("t", 1, 1, 1, false, false)),
                                    DecisionMode.SHADOW,
                                    "r",
                                    false,
                                    0,
                                    0,
                                    0,
                                    Optional.empty(),
                                    List.of(),
                                    0)));

    private static final TrafficCounts COUNTS =
            new TrafficCounts(
                    410, 405, 3, 1, 82, 5_100_000, 3_600_000, 4_000_000, 409, 6_200_000, 8_000_000,
                    1_000_000);

    private static final Map<Codec<?>, List<?>> TAILS =
            Map.of(
                    Codecs.SERVER_OBSERVATION,
                    List.of(
                            new ServerObservation(
                                    "search",
                                    "index",
                                    "shard-1",
                                    "shard-1-b",
                                    Vantage.SERVER,
                                    STARTED,
                                    COUNTS,
                                    new byte[] {1, 2, -3},
                                    List.of(
                                            new Stay(STARTED * 1000, STARTED * 1000 + 12_345),
                                            new Stay(STARTED * 1000 + 7, STARTED * 1000 + 7))),
                            new ServerObservation(
                                    "s",
                                    "t",
                                    "c",
                                    "1",
                                    Vantage.ARBITER,
                                    1,
                                    new TrafficCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
                                    new byte[0],
                                    List.of())),
                    Codecs.TAIL_WINDOW,
                    List.of(
                            new TailWindow(
                                    TailLevel.SERVER,
                                    TailWindowKind.SLIDING,
                                    "search",
                                    "index",
                                    "shard-1",
                                    "shard-1-b",
                                    STARTED,
                                    STARTED + 600_000,
                                    1,
                                    COUNTS,
                                    41,
                                    8.2,
                                    Optional.of(5.0),
                                    5.1,
                                    Optional.of(0.9),
                                    0.0073,
                                    0.0024,
                                    Optional.of(
                                            new LatencyStatistics(
                                                    405,
                                                    9_000,
                                                    20_000,
                                                    31_000,
                                                    80_000.5,
                                                    99_000,
                                                    12_000.25,
                                                    100_000,
                                                    1.5,
                                                    0.4,
                                                    2.58,
                                                    6.67,
                                                    List.of(
                                                            new ServiceLevel(10_000, 0.55),
                                                            new ServiceLevel(50_000, 0.97)))),
                                    Optional.of(new Demand(405, 8_888.5, 1.1)),
                                    Optional.of(new ProcessingCapacity(4, 450, 0.91)),
                                    Optional.of(new TokenUse(8, 15_158.9, 527.7, 0.775, 7)),
                                    new byte[] {1, 2, -3}),
                            new TailWindow(
                                    TailLevel.SERVICE,
                                    TailWindowKind.TUMBLING,
                                    "s",
                                    "",
                                    "",
                                    "",
                                    1,
                                    2,
                                    0,
                                    TrafficCounts.NONE,
                                    0,
                                    0,
                                    Optional.empty(),
                                    0,
                                    Optional.empty(),
                                    0,
                                    0,
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    new byte[0])));

    private static final String FIND_RED = "things?{\"colour\":\"red\"}";

    private static final Map<Codec<?>, List<?>> CACHING =
            Map.of(
                    Codecs.CACHE_READ,
                    List.of(
                            new CacheRead(
                                    "shop",
                                    "things",
                                    FIND_RED,
                                    CachedKind.QUERY,
                                    STARTED,
                                    45_000,
                                    List.of("7", "Straße/東京")),
                            new CacheRead("s", "t", "k", CachedKind.RECORD, 1, 0, List.of())),
                    Codecs.TTL_ESTIMATE,
                    List.of(
                            new TtlEstimate(
                                    "shop",
                                    "things",
                                    FIND_RED,
                                    CachedKind.QUERY,
                                    45_000,
                                    Optional.of(64_921.5),
                                    true,
                                    0.25,
                                    12,
                                    STARTED,
                                    ResultRepresentation.ID_LIST,
                                    12.5),
                            new TtlEstimate(
                                    "s",
                                    "t",
                                    "k",
                                    CachedKind.RECORD,
                                    0,
                                    Optional.empty(),
                                    false,
                                    0,
                                    0,
                                    1,
                                    ResultRepresentation.ANY,
                                    0),
                            new TtlEstimate(
                                    "shop",
                                    "things",
                                    FIND_RED,
                                    CachedKind.QUERY,
                                    45_000,
                                    Optional.of(64_921.5),
                                    true,
                                    0.25,
                                    12,
                                    STARTED,
                                    ResultRepresentation.OBJECT_LIST,
                                    0.5)),
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
                            new Subscription(
                                    "shop",
                                    "things",
                                    FIND_RED,
                                    "{\"colour\": \"red\"}",
                                    "{\"price\": 1}",
                                    10,
                                    20,
                                    ResultRepresentation.OBJECT_LIST,
                                    STARTED,
                                    List.of(
                                            new ResultRecord("7", 1_041, "{\"colour\": \"red\"}"),
                                            new ResultRecord("9", 0, "")),
                                    STARTED + 3),
                            new Subscription(
                                    "s",
                                    "t",
                                    "k",
                                    "{}",
                                    "",
                                    0,
                                    0,
                                    ResultRepresentation.ANY,
                                    1,
                                    List.of(),
                                    1)),
                    Codecs.INVALIDATION,
                    List.of(
                            new Invalidation(
                                    "shop",
                                    "things",
                                    FIND_RED,
                                    CachedKind.QUERY,
                                    ResultChange.ADDED,
                                    "7",
                                    1_042,
                                    STARTED,
                                    InvalidationMode.SOFT,
                                    5_000,
                                    3,
                                    77,
                                    STARTED - 10,
                                    20_000),
                            new Invalidation(
                                    "s",
                                    "t",
                                    "k",
                                    CachedKind.RECORD,
                                    ResultChange.UNKNOWN,
                                    "",
                                    0,
                                    1,
                                    InvalidationMode.HARD,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0),
                            Invalidation.mark(STARTED),
                            new Invalidation(
                                    "shop",
                                    "things",
                                    FIND_RED,
                                    CachedKind.QUERY,
                                    ResultChange.MOVED,
                                    "7",
                                    1_042,
                                    STARTED,
                                    InvalidationMode.SOFT,
                                    5_000,
                                    3,
                                    78,
                                    STARTED,
                                    10_000)),
                    Codecs.CACHING_WINDOW,
                    List.of(
                            new CachingWindow(
                                    "shop",
                                    "things",
                                    STARTED,
                                    STARTED + 10_000,
                                    1_200,
                                    340,
                                    55,
                                    Optional.of(
                                            new TtlQuantiles(
                                                    1_200, 1_000, 8_000.5, 45_000, 45_001)),
                                    List.of(new InvalidatedKey(FIND_RED, 12)),
                                    Optional.of(
                                            new FilterFill(120, 4_000, 14_600, 0.004, 2.56e-10)),
                                    Optional.of(new CacheCounts(9_000, 6_000, 1_800, 150, 30, 2))),
                            new CachingWindow(
                                    "s",
                                    "t",
                                    1,
                                    2,
                                    0,
                                    0,
                                    0,
                                    Optional.empty(),
                                    List.of(),
                                    Optional.empty(),
                                    Optional.empty())),
                    Codecs.CACHE_USE,
                    List.of(
                            new CacheUse(
                                    "shop",
                                    "things",
                                    "browser/4711",
                                    STARTED,
                                    new CacheCounts(90, 60, 18, 5, 3, 1)),
                            new CacheUse("s", "t", "r", 1, CacheCounts.NONE)));

    private GoldenRecords() {}

    @SuppressWarnings("unchecked") // Each list holds records of its codec's type.
    static <T> List<T> of(Codec<T> codec) {
        return (List<T>)
                Stream.of(OBSERVED_AND_CONTROLLED, ADVICE, TAILS, CACHING, RATING)
                        .filter(records -> records.containsKey(codec))
                        .findFirst()
                        .orElseThrow()
                        .get(codec);
    }
}
