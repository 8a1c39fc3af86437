package io.kipimo.schemas.codec;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.LossCause;
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
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.policy.Signal;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentBlame;
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
import io.kipimo.schemas.quality.WindowKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records worth keeping as golden files. The first of each type has every field set (query events:
 * the first two together); the last is as bare as the checks allow. Add at the end only.
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
                    true);
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
                    true);
    private static final PartialResult BARE_PARTIAL =
            new PartialResult("s", "q", "c", "", Phase.ONLINE, 1, 0, Items.NONE, false);
    private static final MeasurementBill BILL = new MeasurementBill(3, 140_000, 65_536, 2);

    private static final AdmissionPolicy ADMISSION =
            new AdmissionPolicy(
                    ControllerKind.AIMD,
                    Signal.CASCADE,
                    true,
                    0.5,
                    0.05,
                    0.01,
                    0.4,
                    0.1,
                    100,
                    10_000,
                    20,
                    0.1,
                    0.01,
                    0.1,
                    0.5,
                    3,
                    60_000,
                    60_000);

    private static final Map<Codec<?>, List<?>> OBSERVED_AND_CONTROLLED =
            Map.of(
                    Codecs.ANSWER,
                    List.of(ANSWER, BARE_ANSWER),
                    Codecs.PARTIAL_RESULT,
                    List.of(PARTIAL, BARE_PARTIAL),
                    Codecs.QUERY_EVENT,
                    List.of(
                            new QueryEvent(ANSWER, null, 3, 1_234_567),
                            new QueryEvent(null, PARTIAL, 2, 42),
                            QueryEvent.of(BARE_PARTIAL)),
                    Codecs.OBSERVATION,
                    List.of(
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
                                    0.85),
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
                                    0)),
                    Codecs.MEASUREMENT,
                    List.of(
                            new Measurement(
                                    "search",
                                    QUERY,
                                    "high",
                                    STARTED,
                                    STARTED + 10_000,
                                    Completeness.EXPIRED,
                                    true,
                                    20,
                                    List.of(
                                            new Score("tpr@20", 0.6, 0.85),
                                            new Score("ndcg@10", 0.75, 0.9)),
                                    List.of(
                                            new ComponentShare(
                                                    "shard-1",
                                                    Outcome.TIMED_OUT,
                                                    30_000,
                                                    true,
                                                    0.15,
                                                    0.2),
                                            new ComponentShare(
                                                    "shard-0",
                                                    Outcome.IN_TIME,
                                                    12_345,
                                                    false,
                                                    0,
                                                    0.65)),
                                    true),
                            new Measurement(
                                    "s",
                                    "q",
                                    "",
                                    1,
                                    1,
                                    Completeness.ORPHAN,
                                    false,
                                    0,
                                    List.of(),
                                    List.of(),
                                    false)),
                    Codecs.QUALITY_WINDOW,
                    List.of(
                            new QualityWindow(
                                    "search",
                                    "high",
                                    "tpr@20",
                                    WindowKind.BATCH,
                                    STARTED,
                                    STARTED + 10_000,
                                    1_000,
                                    50,
                                    940,
                                    120,
                                    95,
                                    13,
                                    2,
                                    1,
                                    Optional.of(new Estimate(0.93, 0.95, 0.97)),
                                    Optional.of(new Estimate(0.94, 0.955, 0.965)),
                                    560,
                                    0.951,
                                    0.12,
                                    0.7,
                                    1,
                                    0.45,
                                    0.08,
                                    0.9,
                                    List.of(new ComponentBlame("shard-1", 940, 90, 3.25)),
                                    0.1538,
                                    98.9,
                                    Optional.of(0.36),
                                    BILL),
                            new QualityWindow(
                                    "s",
                                    "c",
                                    "m",
                                    WindowKind.SLIDING,
                                    1,
                                    1,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    Optional.empty(),
                                    Optional.empty(),
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    List.of(),
                                    0,
                                    0,
                                    Optional.empty(),
                                    MeasurementBill.NOTHING)),
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
                            new Policy(
                                    "search",
                                    4,
                                    List.of("tpr@20", "rbo@0.9"),
                                    new MergePolicy(
                                            MergeKind.WEIGHTED,
                                            List.of("shard-1", "shard-0"),
                                            Map.of("shard-0", 2.0, "shard-1", 0.5)),
                                    20,
                                    10_000,
                                    60_000,
                                    10_000,
                                    List.of(
                                            new ClassPolicy(
                                                    "low",
                                                    1,
                                                    0.8,
                                                    0.5,
                                                    0.05,
                                                    1,
                                                    Optional.of(
                                                            new ManualOverride(
                                                                    0.25,
                                                                    STARTED + 1_800_000,
                                                                    "ada",
                                                                    "fail-over drill"))),
                                            new ClassPolicy(
                                                    "high", 0, 0.9, 1, 0.5, 1, Optional.empty())),
                                    ADMISSION,
                                    new SamplingPolicy(0.005, 0.2, 0.02, 0.1),
                                    true),
                            new Policy(
                                    "s",
                                    0,
                                    List.of("m"),
                                    MergePolicy.TOP_K,
                                    1,
                                    1,
                                    100,
                                    100,
                                    List.of(
                                            new ClassPolicy(
                                                    "c", 0, 0, 0, 1e-6, 1e-6, Optional.empty())),
                                    new AdmissionPolicy(
                                            ControllerKind.PID,
                                            Signal.QUALITY,
                                            true,
                                            0.5,
                                            0.05,
                                            0,
                                            0.4,
                                            0.1,
                                            100,
                                            10_000,
                                            20,
                                            0.1,
                                            0.01,
                                            0.1,
                                            0.5,
                                            3,
                                            60_000,
                                            60_000),
                                    SamplingPolicy.DEFAULT,
                                    false)),
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
                            new CompletenessModel("s", "c", "m", 1, 0, 0, List.of(), List.of())));

    private GoldenRecords() {}

    @SuppressWarnings("unchecked") // Each list holds records of its codec's type.
    static <T> List<T> of(Codec<T> codec) {
        return (List<T>) (ADVICE.containsKey(codec) ? ADVICE : OBSERVED_AND_CONTROLLED).get(codec);
    }
}
