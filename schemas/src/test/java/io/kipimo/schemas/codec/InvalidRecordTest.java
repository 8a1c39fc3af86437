package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_NUMBER;
import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_TEXT;
import static io.kipimo.schemas.deadletter.RejectionReason.INCONSISTENT;
import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;
import static io.kipimo.schemas.deadletter.RejectionReason.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.CacheReadProto;
import io.kipimo.schemas.wire.CacheUseProto;
import io.kipimo.schemas.wire.CachedKindProto;
import io.kipimo.schemas.wire.ClassPolicyProto;
import io.kipimo.schemas.wire.CompletenessModelProto;
import io.kipimo.schemas.wire.CompletenessProto;
import io.kipimo.schemas.wire.CostCountProto;
import io.kipimo.schemas.wire.CostStepProto;
import io.kipimo.schemas.wire.DeadlineCurveProto;
import io.kipimo.schemas.wire.DecisionProto;
import io.kipimo.schemas.wire.ErrorBudgetProto;
import io.kipimo.schemas.wire.FanOutPublicationProto;
import io.kipimo.schemas.wire.FanOutStateProto;
import io.kipimo.schemas.wire.InvalidationModeProto;
import io.kipimo.schemas.wire.InvalidationProto;
import io.kipimo.schemas.wire.InvocationProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.schemas.wire.MeasurementProto;
import io.kipimo.schemas.wire.MergeKindProto;
import io.kipimo.schemas.wire.MissingCountProto;
import io.kipimo.schemas.wire.ObservationProto;
import io.kipimo.schemas.wire.PartialResultProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.QualityWindowProto;
import io.kipimo.schemas.wire.QueryEventProto;
import io.kipimo.schemas.wire.RecordWriteProto;
import io.kipimo.schemas.wire.ReplicationDecisionProto;
import io.kipimo.schemas.wire.ReplicationPolicyProto;
import io.kipimo.schemas.wire.ResultChangeProto;
import io.kipimo.schemas.wire.ScoreProto;
import io.kipimo.schemas.wire.ServerObservationProto;
import io.kipimo.schemas.wire.SubscriptionProto;
import io.kipimo.schemas.wire.TailLevelProto;
import io.kipimo.schemas.wire.TailWindowProto;
import io.kipimo.schemas.wire.UnmeasurableCountProto;
import io.kipimo.schemas.wire.UnmeasurableProto;
import io.kipimo.schemas.wire.WriteKindProto;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check refuses with the right reason, and its message has the field, the value and what is allowed. */
class InvalidRecordTest {
    private static final String MESSAGE_WITH_ALLOWED = ".*(; allowed: ).+";

    /** Keys of cached entries may be longer, because URLs are among them. */
    private static final Set<String> LONGER_TEXTS =
            Set.of("key", "record", "record_keys", "result.record", "most_invalidated.key");

    /** Constants that may be unset. */
    private static final Set<String> OPTIONAL_CONSTANTS = Set.of("unmeasurable", "estimator");

    /** JSON texts, which other code parses, and details of dead letters. */
    private static final Set<String> JSON = Set.of("detail", "document", "filter", "sort", "result.document");

    static List<Codec<?>> codecs() {
        return Codecs.all();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void nothingAtAllIsUnreadable(Codec<?> codec) {
        assertThat(refusal(codec, null).reason()).isEqualTo(UNREADABLE);
        assertThat(refusal(codec, new byte[0]).reason()).isEqualTo(UNREADABLE);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void bytesOfSomethingElseAreUnreadable(Codec<?> codec) {
        byte[] text = "{\"service\": \"search\"}".getBytes(StandardCharsets.UTF_8);
        InvalidRecordException refusal = refusal(codec, text);
        assertThat(refusal.reason()).isEqualTo(UNREADABLE);
        assertThat(refusal).hasMessageStartingWith("not a " + codec.name());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void aRecordCutInTheMiddleOfAFieldIsUnreadable(Codec<?> codec) {
        byte[] whole = samples(codec).get(0).toByteArray();
        // The first field is a text or a message of more than two bytes.
        assertThat(refusal(codec, Arrays.copyOf(whole, 3)).reason()).isEqualTo(UNREADABLE);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void numbersThatAreNoneAreRefusedInEveryField(Codec<?> codec) {
        for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            refusesEach(codec, f -> f.getJavaType() == JavaType.DOUBLE, value, Set.of());
            refusesEach(codec, f -> f.getJavaType() == JavaType.FLOAT, (float) value, Set.of());
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void negativeNumbersAreRefusedWhereverTheyMeanNothing(Codec<?> codec) {
        // Attribution, changes and logits are signed, -1 stands for "no time-out seen", and a
        // budget may be
        // overspent.
        Set<String> signed = Set.of(
                "components.lost_quality",
                "components.lost_quality_per_late_minute",
                "loss_per_time_out",
                "remaining",
                "evidence.change_micros",
                "evidence.low_micros",
                "evidence.high_micros",
                "evidence.predicted_micros",
                "model.bias");
        refusesEach(codec, f -> f.getJavaType() == JavaType.DOUBLE, -1.0, signed);
        refusesEach(codec, f -> f.getJavaType() == JavaType.INT, -1, Set.of());
        refusesEach(codec, InvalidRecordTest::isInt64, -1L, Set.of());
        refusesEach(codec, f -> f.getJavaType() == JavaType.INT, Integer.MIN_VALUE, Set.of());
        refusesEach(codec, InvalidRecordTest::isInt64, Long.MIN_VALUE, Set.of());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void hugeNumbersAreRefusedWhereverThereIsABound(Codec<?> codec) {
        Set<String> unbounded =
                Set.of("components.lost_quality", "components.lost_quality_per_late_minute", "mature_per_100_queries");
        refusesEach(codec, f -> f.getJavaType() == JavaType.DOUBLE, Double.MAX_VALUE, unbounded);
        // These times have no upper bound.
        refusesEach(codec, InvalidRecordTest::isInt64, Long.MAX_VALUE, Set.of("valid_until_millis", "end_millis"));
    }

    /** Excludes identifiers of items, which may be any 64 bits. */
    private static boolean isInt64(FieldDescriptor field) {
        return field.getType() == FieldDescriptor.Type.INT64;
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void emptyNamesAreMissing(Codec<?> codec) {
        refusesEach(
                codec,
                f -> f.getJavaType() == JavaType.STRING,
                "",
                Set.of(
                        "server",
                        "partial.server",
                        "detail",
                        "sort",
                        "queries.items",
                        "result.document",
                        "request.service",
                        "trials.remark",
                        "remark"),
                MISSING_FIELD);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void overLongTextIsRefused(Codec<?> codec) {
        refusesEach(
                codec,
                f -> f.getJavaType() == JavaType.STRING,
                "x".repeat(257),
                union(LONGER_TEXTS, JSON),
                IMPOSSIBLE_TEXT);
        refusesEach(codec, f -> f.getJavaType() == JavaType.STRING, "x".repeat(2_049), JSON, IMPOSSIBLE_TEXT);
        refusesEach(
                codec,
                f -> f.getJavaType() == JavaType.STRING,
                "x".repeat(1_000_001),
                Set.of("detail"),
                IMPOSSIBLE_TEXT);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void controlCharactersAreRefusedAndNotRepeated(Codec<?> codec) {
        for (String text : List.of("a\nb", "\u0000", "a\u001b[31m", "\u0085", "a\u007f")) {
            List<InvalidRecordException> refusals =
                    refusesEach(codec, f -> f.getJavaType() == JavaType.STRING, text, JSON, IMPOSSIBLE_TEXT);
            assertThat(refusals)
                    .allSatisfy(e -> assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl));
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void constantsThatAreUnsetOrUnknownAreRefused(Codec<?> codec) {
        for (Message sample : samples(codec)) {
            for (FieldDescriptor field : enumFields(sample)) {
                Predicate<FieldDescriptor> it = field::equals;
                if (!OPTIONAL_CONSTANTS.contains(field.getName())) {
                    expect(codec, sample, it, field.getEnumType().findValueByNumber(0), MISSING_FIELD);
                }
                expect(codec, sample, it, field.getEnumType().findValueByNumberCreatingIfUnknown(999), IMPOSSIBLE_TEXT);
            }
        }
    }

    private static Set<FieldDescriptor> enumFields(Message message) {
        return message.getAllFields().entrySet().stream()
                .flatMap(e -> switch (e.getKey().getJavaType()) {
                    case ENUM -> Stream.of(e.getKey());
                    case MESSAGE ->
                        (e.getKey().isRepeated() ? ((List<?>) e.getValue()).stream() : Stream.of(e.getValue()))
                                .flatMap(m -> enumFields((Message) m).stream());
                    default -> Stream.empty();
                })
                .collect(Collectors.toSet());
    }

    @Test
    void namesHaveNoSlashBecauseScopesDo() {
        assertRefused(Codecs.ANSWER, answer().setService("a/b"), IMPOSSIBLE_TEXT, "service is 'a/b'; allowed: no '/'");
    }

    @Test
    void anAnswerDoesNotLeaveBeforeItsQueryCame() {
        assertRefused(
                Codecs.ANSWER,
                answer().setStartedAtMillis(2000).setAnsweredAtMillis(1999),
                INCONSISTENT,
                "answered_at_millis is 1999, before started_at_millis, 2000; allowed: not before");
    }

    @Test
    void anAnswerNamesEachComponentOnce() {
        assertRefused(
                Codecs.ANSWER,
                answer().addInvocations(answer().getInvocations(0)),
                INCONSISTENT,
                "invocations names component 'shard-0' twice; allowed: once");
    }

    @Test
    void aServerIsBusyOnNoMoreCoresThanItHasAndNoMoreThanItServes() {
        ServerObservationProto.Builder observation =
                sample(Codecs.SERVER_OBSERVATION, ServerObservationProto.class).toBuilder();
        observation.getCountsBuilder().setBusyCoreMicros(4_000_001);
        assertRefused(
                Codecs.SERVER_OBSERVATION,
                observation,
                IMPOSSIBLE_NUMBER,
                "counts.busy_core_micros is 4000001; allowed: 0..4000000");
    }

    @Test
    void aRequestDoesNotLeaveBeforeItCame() {
        ServerObservationProto.Builder observation =
                sample(Codecs.SERVER_OBSERVATION, ServerObservationProto.class).toBuilder();
        observation.getStaysBuilder(0).setArrivalMicros(2000).setDepartureMicros(1999);
        assertThat(refusal(Codecs.SERVER_OBSERVATION, observation.build().toByteArray())
                        .getMessage())
                .startsWith("stays.departure_micros is 1999; allowed: 2000..");
    }

    @Test
    void aSketchIsNotLargerThanItCanBe() {
        assertRefused(
                Codecs.SERVER_OBSERVATION,
                sample(Codecs.SERVER_OBSERVATION, ServerObservationProto.class).toBuilder()
                        .setLatencies(ByteString.copyFrom(new byte[65_537])),
                IMPOSSIBLE_NUMBER,
                "latencies has 65537 bytes; allowed: at most 65536");
    }

    @Test
    void countsOfServersAndWindowsMustBeThere() {
        assertRefused(
                Codecs.SERVER_OBSERVATION,
                sample(Codecs.SERVER_OBSERVATION, ServerObservationProto.class).toBuilder()
                        .clearCounts(),
                MISSING_FIELD,
                "counts is not set; allowed: set, even if to zeros");
        assertRefused(
                Codecs.TAIL_WINDOW,
                sample(Codecs.TAIL_WINDOW, TailWindowProto.class).toBuilder().clearCounts(),
                MISSING_FIELD,
                "counts is not set; allowed: set, even if to zeros");
    }

    @Test
    void aLevelNamesWhatIsAboveItAndNothingBelow() {
        assertRefused(
                Codecs.TAIL_WINDOW,
                sample(Codecs.TAIL_WINDOW, TailWindowProto.class).toBuilder().setLevel(TailLevelProto.COMPONENT_LEVEL),
                INCONSISTENT,
                "server is 'shard-1-b' at level COMPONENT; allowed: empty");
        assertRefused(
                Codecs.TAIL_WINDOW,
                sample(Codecs.TAIL_WINDOW, TailWindowProto.class).toBuilder().setLevel(TailLevelProto.SERVICE_LEVEL),
                INCONSISTENT,
                "tier is 'index' at level SERVICE; allowed: empty");
    }

    @Test
    void percentilesRise() {
        TailWindowProto.Builder window = sample(Codecs.TAIL_WINDOW, TailWindowProto.class).toBuilder();
        window.getLatencyBuilder().setP99Micros(100_001);
        assertRefused(
                Codecs.TAIL_WINDOW,
                window,
                IMPOSSIBLE_NUMBER,
                "latency.p99_micros is 100001.0; allowed: 31000.0..100000.0");
    }

    @Test
    void onlyQueriesHaveRecordsInTheirResult() {
        assertRefused(
                Codecs.CACHE_READ,
                sample(Codecs.CACHE_READ, CacheReadProto.class).toBuilder().setKind(CachedKindProto.CACHED_RECORD),
                INCONSISTENT,
                "record_keys has 2 parts in a read of a record; allowed: 0");
    }

    @Test
    void aDeleteLeavesNoDocumentAndOtherWritesDo() {
        RecordWriteProto.Builder write =
                sample(Codecs.RECORD_WRITE, RecordWriteProto.class).toBuilder().setDocument("{}");
        assertRefused(
                Codecs.RECORD_WRITE,
                write.clone().setKind(WriteKindProto.DELETE_WRITE),
                INCONSISTENT,
                "document has 2 characters in a delete; allowed: none");
        assertRefused(
                Codecs.RECORD_WRITE,
                write.setDocument(""),
                MISSING_FIELD,
                "document is empty in an UPDATE; allowed: what the write left");
    }

    @Test
    void aSubscriptionIsNotRegisteredBeforeItsQueryWasEvaluated() {
        assertThat(refusal(
                        Codecs.SUBSCRIPTION,
                        sample(Codecs.SUBSCRIPTION, SubscriptionProto.class).toBuilder()
                                .setEvaluatedMillis(2000)
                                .setRegisteredMillis(1999)
                                .build()
                                .toByteArray()))
                .hasMessageStartingWith("registered_millis is 1999; allowed: 2000..");
    }

    @Test
    void onlySoftInvalidationsLetStaleResultsBeServed() {
        assertRefused(
                Codecs.INVALIDATION,
                sample(Codecs.INVALIDATION, InvalidationProto.class).toBuilder()
                        .setMode(InvalidationModeProto.HARD_INVALIDATION),
                IMPOSSIBLE_NUMBER,
                "serve_stale_millis is 5000; allowed: 0..0");
        assertRefused(
                Codecs.INVALIDATION,
                sample(Codecs.INVALIDATION, InvalidationProto.class).toBuilder().setServeStaleMillis(0),
                IMPOSSIBLE_NUMBER,
                "serve_stale_millis is 0; allowed: 1..31536000000");
    }

    @Test
    void aMarkIsOfNoKey() {
        assertRefused(
                Codecs.INVALIDATION,
                sample(Codecs.INVALIDATION, InvalidationProto.class).toBuilder().setChange(ResultChangeProto.NO_CHANGE),
                INCONSISTENT,
                "service, table, key or record is set though nothing changed; allowed: none of" + " them");
    }

    @Test
    void aReadIsAnsweredFromOneCacheAtMost() {
        CacheUseProto.Builder use = sample(Codecs.CACHE_USE, CacheUseProto.class).toBuilder();
        use.getCountsBuilder().setSharedHits(31);
        assertRefused(Codecs.CACHE_USE, use, IMPOSSIBLE_NUMBER, "counts.shared_hits is 31; allowed: 0..30");
        assertRefused(
                Codecs.CACHE_USE,
                use.clearCounts(),
                MISSING_FIELD,
                "counts is not set; allowed: set, even if to zeros");
    }

    @Test
    void itemsAreNumbersOrTextsWithOneScoreEach() {
        assertRefused(
                Codecs.ANSWER,
                answer().setItems(ItemsProto.newBuilder().addNumbers(1).addTexts("b")),
                INCONSISTENT,
                "items have numbers and texts; allowed: one kind");
        assertRefused(
                Codecs.ANSWER,
                answer().setItems(ItemsProto.newBuilder().addNumbers(1)),
                INCONSISTENT,
                "items have 0 scores for 1 identifiers; allowed: one score each");
    }

    @Test
    void aQueryEventIsAnAnswerOrAPartialResult() {
        assertRefused(
                Codecs.QUERY_EVENT,
                QueryEventProto.newBuilder().setOffset(7),
                INCONSISTENT,
                "event is not set; allowed: answer or partial");
    }

    @Test
    void anObservationRejectsNoMoreThanWereOfferedAndTimesOutNoMoreThanWereAnswered() {
        ObservationProto.Builder second = sample(Codecs.OBSERVATION, ObservationProto.class).toBuilder();
        assertRefused(
                Codecs.OBSERVATION,
                second.clone().setRejected(701),
                IMPOSSIBLE_NUMBER,
                "rejected is 701; allowed: 0..700");
        assertRefused(
                Codecs.OBSERVATION,
                second.clone().setTimedOut(591),
                IMPOSSIBLE_NUMBER,
                "timed_out is 591; allowed: 0..590");
        second.getComponentsBuilder(0).setTimedOut(591);
        assertRefused(Codecs.OBSERVATION, second, IMPOSSIBLE_NUMBER, "components.timed_out is 591; allowed: 0..590");
    }

    @Test
    void intervalsAscend() {
        assertRefused(
                Codecs.MEASUREMENT,
                sample(Codecs.MEASUREMENT, MeasurementProto.class).toBuilder()
                        .addScores(ScoreProto.newBuilder()
                                .setMetric("m")
                                .setLow(0.5)
                                .setHigh(0.25)),
                IMPOSSIBLE_NUMBER,
                "scores.high is 0.25; allowed: 0.5..1.0");
        QualityWindowProto.Builder window = sample(Codecs.QUALITY_WINDOW, QualityWindowProto.class).toBuilder();
        window.getEstimateBuilder().setMean(0.5);
        assertRefused(Codecs.QUALITY_WINDOW, window, IMPOSSIBLE_NUMBER, "estimate.mean is 0.5; allowed: 0.93..1.0");
        ErrorBudgetProto.Builder budget = sample(Codecs.ERROR_BUDGET, ErrorBudgetProto.class).toBuilder();
        budget.getLongWindowBuilder().setHigh(1);
        assertRefused(Codecs.ERROR_BUDGET, budget, IMPOSSIBLE_NUMBER, "long_window.high is 1.0; allowed: 2.0..1.0E9");
    }

    @Test
    void curvesAndCalibrationsAscend() {
        DeadlineCurveProto.Builder curve = sample(Codecs.DEADLINE_CURVE, DeadlineCurveProto.class).toBuilder();
        assertRefused(
                Codecs.DEADLINE_CURVE,
                curve.clone().addPoints(curve.getPoints(0)),
                IMPOSSIBLE_NUMBER,
                "points.deadline_millis is 15.0; allowed: 30.0..8.64E8");
        curve.getComponentsBuilder(0).addPoints(curve.getComponents(0).getPoints(0));
        assertRefused(
                Codecs.DEADLINE_CURVE,
                curve,
                IMPOSSIBLE_NUMBER,
                "components.points.deadline_millis is 15.0; allowed: 60.0..8.64E8");
        CompletenessModelProto.Builder model =
                sample(Codecs.COMPLETENESS_MODEL, CompletenessModelProto.class).toBuilder();
        assertRefused(
                Codecs.COMPLETENESS_MODEL,
                model.addCalibration(model.getCalibration(0)),
                IMPOSSIBLE_NUMBER,
                "calibration.from is 0.6; allowed: 0.8..1.0");
    }

    @Test
    void aPartIsNoMoreThanItsWhole() {
        DeadlineCurveProto.Builder curve = sample(Codecs.DEADLINE_CURVE, DeadlineCurveProto.class).toBuilder();
        assertRefused(
                Codecs.DEADLINE_CURVE,
                curve.clone().setDegradedProfiles(401),
                IMPOSSIBLE_NUMBER,
                "degraded_profiles is 401; allowed: 0..400");
        curve.getComponentsBuilder(0).setLate(401);
        assertRefused(Codecs.DEADLINE_CURVE, curve, IMPOSSIBLE_NUMBER, "components.late is 401; allowed: 0..400");
        assertRefused(
                Codecs.ERROR_BUDGET,
                sample(Codecs.ERROR_BUDGET, ErrorBudgetProto.class).toBuilder().setCoveredMillis(2_419_200_001L),
                IMPOSSIBLE_NUMBER,
                "covered_millis is 2419200001; allowed: 0..2419200000");
    }

    @Test
    void onlyAnOrphanHasNoClass() throws Exception {
        MeasurementProto.Builder measured = sample(Codecs.MEASUREMENT, MeasurementProto.class).toBuilder();
        assertRefused(
                Codecs.MEASUREMENT,
                measured.clone().clearQueryClass(),
                MISSING_FIELD,
                "query_class is empty; allowed: 1..256 characters");
        byte[] orphan = measured.setCompleteness(CompletenessProto.ORPHAN)
                .clearUnmeasurable()
                .clearQueryClass()
                .build()
                .toByteArray();
        assertThat(Codecs.MEASUREMENT.decode(orphan).queryClass()).isEmpty();
    }

    @Test
    void whatIsNotMeasurableHasAReasonAndNothingElseHas() throws Exception {
        MeasurementProto.Builder measured = sample(Codecs.MEASUREMENT, MeasurementProto.class).toBuilder();
        assertRefused(
                Codecs.MEASUREMENT,
                measured.clone().clearUnmeasurable(),
                INCONSISTENT,
                "unmeasurable is not set and completeness NOT_MEASURABLE; allowed: set with" + " NOT_MEASURABLE alone");
        assertRefused(
                Codecs.MEASUREMENT,
                measured.clone().setCompleteness(CompletenessProto.COMPLETE),
                INCONSISTENT,
                "unmeasurable is CUT and completeness COMPLETE; allowed: set with NOT_MEASURABLE" + " alone");
    }

    @Test
    void noMoreAnswersAreUnmeasurableThanThereAre() throws Exception {
        ObservationProto.Builder observed = sample(Codecs.OBSERVATION, ObservationProto.class).toBuilder();
        observed.clearUnmeasurable().setAnswered(590).setTimedOut(60);
        UnmeasurableCountProto.Builder cut = UnmeasurableCountProto.newBuilder().setReason(UnmeasurableProto.CUT);
        assertRefused(
                Codecs.OBSERVATION,
                observed.clone().addUnmeasurable(cut.setAnswers(591)),
                IMPOSSIBLE_NUMBER,
                "unmeasurable.answers is 591; allowed: 0..590");
        assertRefused(
                Codecs.OBSERVATION,
                observed.clone().addUnmeasurable(cut.setAnswers(1)).addUnmeasurable(cut),
                INCONSISTENT,
                "unmeasurable names reason CUT twice; allowed: once");
    }

    @Test
    void noComponentIsMissingInMoreAnswersThanWereDegradedAndEachIsNamedOnce() throws Exception {
        ObservationProto.Builder observed =
                sample(Codecs.OBSERVATION, ObservationProto.class).toBuilder().clearMissing();
        MissingCountProto.Builder shard = MissingCountProto.newBuilder().setComponent("shard-0");
        for (long answers : new long[] {-1, 61, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertRefused(
                    Codecs.OBSERVATION,
                    observed.clone().addMissing(shard.clone().setAnswers(answers)),
                    IMPOSSIBLE_NUMBER,
                    "missing.answers is " + answers + "; allowed: 0..60");
        }
        assertRefused(
                Codecs.OBSERVATION,
                observed.clone().addMissing(shard.setAnswers(60)).addMissing(shard),
                INCONSISTENT,
                "missing names component 'shard-0' twice; allowed: once");
    }

    @Test
    void costsArePossibleAndEachBinIsThereOnce() throws Exception {
        ObservationProto.Builder observed =
                sample(Codecs.OBSERVATION, ObservationProto.class).toBuilder().clearCosts();
        CostCountProto.Builder cost = CostCountProto.newBuilder().setBin(3).setOffered(700);
        for (int bin : new int[] {-201, 201}) {
            assertRefused(
                    Codecs.OBSERVATION,
                    observed.clone().addCosts(cost.clone().setBin(bin)),
                    IMPOSSIBLE_NUMBER,
                    "costs.bin is " + bin + "; allowed: -200..200");
        }
        assertRefused(
                Codecs.OBSERVATION,
                observed.clone().addCosts(cost.clone().setOffered(701)),
                IMPOSSIBLE_NUMBER,
                "costs.offered is 701; allowed: 0..700");
        assertRefused(
                Codecs.OBSERVATION,
                observed.clone().addCosts(cost).addCosts(cost),
                INCONSISTENT,
                "costs has bin 3 twice; allowed: once");

        DecisionProto.Builder decision =
                sample(Codecs.DECISION, DecisionProto.class).toBuilder().clearCostOrder();
        CostStepProto.Builder step = CostStepProto.newBuilder().setUpTo(1).setFraction(0.5);
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertRefused(
                    Codecs.DECISION,
                    decision.clone().addCostOrder(step.clone().setUpTo(bad)),
                    IMPOSSIBLE_NUMBER,
                    "cost_order.up_to is " + bad + "; allowed: 4.9E-324..1.7976931348623157E308");
        }
        assertRefused(
                Codecs.DECISION,
                decision.clone().addCostOrder(step).addCostOrder(step),
                IMPOSSIBLE_NUMBER,
                "cost_order.up_to is 1.0; allowed: 1.0000000000000002..1.7976931348623157E308");
        assertRefused(
                Codecs.DECISION,
                decision.clone().addCostOrder(step.setFraction(1.1)),
                IMPOSSIBLE_NUMBER,
                "cost_order.fraction is 1.1; allowed: 0.0..1.0");
    }

    @Test
    void aPolicyThatContradictsItselfIsRefused() {
        assertPolicyRefused(policy().clearMetrics(), "metrics is empty");
        assertPolicyRefused(policy().addMetrics("tpr@20"), "metrics names 'tpr@20' twice");
        assertPolicyRefused(policy().clearClasses(), "classes is empty");
        assertPolicyRefused(policy().addClasses(policy().getClasses(0)), "classes names 'low' twice");
        assertPolicyRefused(
                policy().setWindowMillis(25_000),
                "window_millis is 25000; allowed: 1 to 1000 times slide_millis, which is 10000");
        assertPolicyRefused(policy().setSlideMillis(100).setWindowMillis(100_100), "window_millis is 100100");
        PolicyProto.Builder unordered = policy();
        unordered.getMergeBuilder().setKind(MergeKindProto.PREFERRED).clearPreference();
        assertPolicyRefused(unordered, "merge.preference is empty");
    }

    private static void assertPolicyRefused(PolicyProto.Builder policy, String detail) {
        InvalidRecordException refusal = refusal(Codecs.POLICY, policy.build().toByteArray());
        assertThat(refusal.reason()).isEqualTo(INCONSISTENT);
        assertThat(refusal).hasMessageContaining(detail).hasMessageMatching(MESSAGE_WITH_ALLOWED);
    }

    @Test
    void fanOutNamesClassesOfItsPolicy() {
        PolicyProto.Builder policy = policy();
        policy.getFanOutBuilder()
                .setFloor(0.9)
                .setPeriodMillis(60_000)
                .setLeaseMillis(600_000)
                .clearClasses();
        assertPolicyRefused(policy, "fan_out.classes is empty; allowed: at least one of low, high");
        policy.getFanOutBuilder().addClasses("lowest");
        assertPolicyRefused(policy, "fan_out.classes names 'lowest'; allowed: low, high");
        policy.getFanOutBuilder().clearClasses().addClasses("low").addClasses("low");
        assertPolicyRefused(policy, "fan_out.classes names 'low' twice; allowed: once");
        policy.getFanOutBuilder().clearClasses().addClasses("low").setFloor(1.5);
        assertRefused(Codecs.POLICY, policy, IMPOSSIBLE_NUMBER, "fan_out.floor is 1.5; allowed: 0.0..1.0");
    }

    @Test
    void aPoisonedModelOfContributionsIsRefused() {
        FanOutPublicationProto.Builder good =
                sample(Codecs.FAN_OUT_PUBLICATION, FanOutPublicationProto.class).toBuilder();
        FanOutPublicationProto.Builder bad = good.clone();
        bad.getModelBuilder().setBias(1, Double.NaN);
        assertPoisoned(bad, "model.bias is NaN; allowed: ");
        bad = good.clone();
        bad.getModelBuilder().setCosts(1, 0);
        assertPoisoned(bad, "model.costs is 0.0; allowed: ");
        bad = good.clone();
        bad.getModelBuilder().setStep(Double.POSITIVE_INFINITY);
        assertPoisoned(bad, "model.step is Infinity; allowed: ");
        bad = good.clone();
        bad.getModelBuilder().setRowBits(2);
        assertPoisoned(bad, "model.table has 4 bytes; allowed: 8, one for each component and row");
        bad = good.clone();
        bad.getModelBuilder().setTable(ByteString.copyFrom(new byte[131_073]));
        assertPoisoned(bad, "model.table has 131073 bytes; allowed: 1..131072");
        bad = good.clone();
        bad.getModelBuilder().addKept(1);
        assertPoisoned(bad, "model.kept has 11 parts; allowed: 10..10");
        bad = good.clone();
        bad.getModelBuilder().setTested(3, -1);
        assertPoisoned(bad, "model.tested is -1.0; allowed: ");
        bad = good.clone();
        bad.getModelBuilder().setComponents(1, "shard-0");
        assertPoisoned(bad, "model.components names 'shard-0' twice; allowed: once");
        assertPoisoned(good.clone().clearModel(), "model is not set with state SHADOW; allowed: ");
        assertPoisoned(good.clone().setState(FanOutStateProto.FAN_OUT_OFF), "model is set with state OFF; allowed: ");
    }

    private static void assertPoisoned(FanOutPublicationProto.Builder bad, String detail) {
        assertThat(refusal(Codecs.FAN_OUT_PUBLICATION, bad.build().toByteArray()))
                .hasMessageStartingWith(detail);
    }

    @Test
    void aPolicyIsRefusedWithAllItsProblemsAtOnce() {
        PolicyProto.Builder bad = policy().setTopK(0).setService("");
        bad.getClassesBuilder(0).setFloor(0).getOverrideBuilder().setFraction(2).setBy("");
        bad.getAdmissionBuilder().setKp(-1).clearSignal();
        bad.getSamplingBuilder().setMaximumRate(0.001);

        InvalidRecordException refusal = refusal(Codecs.POLICY, bad.build().toByteArray());

        assertThat(refusal.reason()).isEqualTo(MISSING_FIELD);
        assertThat(refusal.problems())
                .containsExactly(
                        "service is empty; allowed: 1..256 characters",
                        "top_k is 0; allowed: 1..10000",
                        "classes.low.floor is 0.0; allowed: 1.0E-6..1.0",
                        "classes.low.override.fraction is 2.0; allowed: 0.0..1.0",
                        "classes.low.override.by is empty; allowed: 1..256 characters",
                        "admission.signal is not set; allowed: one of [QUALITY, TIME_OUTS, CASCADE]",
                        "admission.kp is -1.0; allowed: 0.0..100.0",
                        "sampling.maximum_rate is 0.001; allowed: 0.005..1.0");
        assertThat(refusal).hasMessage(String.join(", and ", refusal.problems()));
    }

    @Test
    void aPolicysReplicationIsRefusedWithOneProblemABadField() {
        PolicyProto.Builder bad = policy();
        ReplicationPolicyProto.Builder replication = bad.getReplicationBuilder();
        replication.addTiers(replication.getTiers(0)).clearTarget().setHoldUtilisation(0.5);
        replication.getTiersBuilder(1).setMaximumFactor(-1);
        replication.getOverrideBuilder().setFactors(0, 0).setBy("");
        replication.getTrialsBuilder().setMinimumMillis(700_000).setConfidence(1);

        InvalidRecordException refusal = refusal(Codecs.POLICY, bad.build().toByteArray());

        assertThat(refusal.problems())
                .containsExactly(
                        "replication.tiers.store.maximum_factor is -1; allowed: 0..10000",
                        "replication.tiers names 'web' twice; allowed: once",
                        "replication.target is not set; allowed: one of [MEAN, P95, P99]",
                        "replication.hold_utilisation is 0.5; allowed: 0.8..1.0",
                        "replication.trials.minimum_millis is 700000; allowed: 0..600000",
                        "replication.trials.confidence is 1.0; allowed: 0.5..0.9999",
                        "replication.override.factors has 2 factors; allowed: one a tier, 3",
                        "replication.override.by is empty; allowed: 1..256 characters");
        replication.clearTiers();
        assertThat(refusal(Codecs.POLICY, bad.build().toByteArray()).problems())
                .contains("replication.tiers is empty; allowed: 1..16");
    }

    @Test
    void aReplicationDecisionThatContradictsItselfIsRefused() {
        ReplicationDecisionProto.Builder bad =
                sample(Codecs.REPLICATION_DECISION, ReplicationDecisionProto.class).toBuilder();
        assertThat(refusal(
                        Codecs.REPLICATION_DECISION,
                        bad.clone().clearTiers().build().toByteArray()))
                .hasMessageContaining("tiers is empty");
        assertThat(refusal(
                        Codecs.REPLICATION_DECISION,
                        bad.clone().addTiers(bad.getTiers(0)).build().toByteArray()))
                .hasMessageContaining("tiers names tier 'web' twice");
        bad.getEvidenceBuilder().addTo(1);
        assertThat(refusal(Codecs.REPLICATION_DECISION, bad.build().toByteArray()))
                .hasMessageContaining("evidence.to has 3 factors; allowed: one a tier, 2");
    }

    @Test
    void aPolicyFullOfProblemsIsRefusedWithAFewOfThem() {
        PolicyProto.Builder bad = policy();
        for (int i = 0; i < 9_000; i++) {
            bad.addClasses(ClassPolicyProto.getDefaultInstance());
        }
        assertThat(refusal(Codecs.POLICY, bad.build().toByteArray()).problems()).hasSizeBetween(10, 100);
    }

    @Test
    void itemsAboveTheCapAreCutAndTheRecordSaysSo() throws Exception {
        ItemsProto.Builder items = ItemsProto.newBuilder();
        IntStream.range(0, 10_001).forEach(i -> items.addNumbers(i).addScores(-i));

        PartialResult partial =
                Codecs.PARTIAL_RESULT.decode(sample(Codecs.PARTIAL_RESULT, PartialResultProto.class).toBuilder()
                        .setItems(items)
                        .setTruncated(false)
                        .build()
                        .toByteArray());
        Answer answer = Codecs.ANSWER.decode(
                answer().setItems(items).setTruncated(false).build().toByteArray());

        assertThat(partial.items().size()).isEqualTo(10_000);
        assertThat(partial.truncated()).isTrue();
        assertThat(answer.items().size()).isEqualTo(10_000);
        assertThat(answer.truncated()).isTrue();
    }

    @Test
    void itemsUpToTheCapAreKept() throws Exception {
        ItemsProto.Builder items = ItemsProto.newBuilder();
        IntStream.range(0, 10_000).forEach(i -> items.addTexts("doc-" + i).addScores(i));
        PartialResult partial =
                Codecs.PARTIAL_RESULT.decode(sample(Codecs.PARTIAL_RESULT, PartialResultProto.class).toBuilder()
                        .setItems(items)
                        .setTruncated(false)
                        .build()
                        .toByteArray());
        assertThat(partial.items().size()).isEqualTo(10_000);
        assertThat(partial.truncated()).isFalse();
    }

    @Test
    void recordsOfTooManyPartsAreRefused() {
        AnswerProto.Builder bad = answer();
        InvocationProto first = bad.getInvocations(0);
        for (int i = 0; i <= 10_000; i++) {
            bad.addInvocations(first.toBuilder().setComponent("c" + i));
        }
        assertRefused(Codecs.ANSWER, bad, IMPOSSIBLE_NUMBER, "invocations has 10004 parts; allowed: at most 10000");
    }

    @Test
    void fieldsOfLaterVersionsAreSkipped() {
        byte[] known = answer().build().toByteArray();
        byte[] later = Arrays.copyOf(known, known.length + 3);
        // Field 100, varint, 1.
        later[known.length] = (byte) 0xa0;
        later[known.length + 1] = 0x06;
        later[known.length + 2] = 1;
        assertThatNoException().isThrownBy(() -> Codecs.ANSWER.decode(later));
    }

    private static AnswerProto.Builder answer() {
        return sample(Codecs.ANSWER, AnswerProto.class).toBuilder();
    }

    private static PolicyProto.Builder policy() {
        return sample(Codecs.POLICY, PolicyProto.class).toBuilder();
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        return Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet());
    }

    private static <M extends Message> M sample(Codec<?> codec, Class<M> type) {
        return type.cast(samples(codec).get(0));
    }

    private static <T> List<Message> samples(Codec<T> codec) {
        return SampleRecords.of(codec).stream().map(codec::toMessage).toList();
    }

    private static void refusesEach(
            Codec<?> codec, Predicate<FieldDescriptor> which, Object value, Set<String> except) {
        refusesEach(codec, which, value, except, IMPOSSIBLE_NUMBER);
    }

    private static List<InvalidRecordException> refusesEach(
            Codec<?> codec,
            Predicate<FieldDescriptor> which,
            Object value,
            Set<String> except,
            RejectionReason reason) {
        return samples(codec).stream()
                .flatMap(sample -> Mutants.of(sample, which, value).stream())
                .filter(mutant -> !except.contains(mutant.path()))
                .map(mutant -> refusal(codec, mutant, reason))
                .toList();
    }

    private static void expect(
            Codec<?> codec, Message sample, Predicate<FieldDescriptor> which, Object value, RejectionReason reason) {
        Mutants.of(sample, which, value).forEach(mutant -> refusal(codec, mutant, reason));
    }

    private static InvalidRecordException refusal(Codec<?> codec, Mutants.Mutant mutant, RejectionReason reason) {
        InvalidRecordException refusal = refusal(codec, mutant.message().toByteArray());
        assertThat(refusal)
                .describedAs("%s %s: %s", codec.name(), mutant.path(), mutant.message())
                .isNotNull()
                .hasMessageContaining(mutant.path().substring(mutant.path().lastIndexOf('.') + 1))
                .hasMessageMatching(MESSAGE_WITH_ALLOWED);
        assertThat(refusal.reason()).describedAs(mutant.path()).isEqualTo(reason);
        return refusal;
    }

    private static InvalidRecordException refusal(Codec<?> codec, byte[] bytes) {
        return catchThrowableOfType(InvalidRecordException.class, () -> codec.decode(bytes));
    }

    private static void assertRefused(Codec<?> codec, Message.Builder bad, RejectionReason reason, String detail) {
        InvalidRecordException refusal = refusal(codec, bad.build().toByteArray());
        assertThat(refusal).hasMessage(detail);
        assertThat(refusal.reason()).isEqualTo(reason);
    }
}
