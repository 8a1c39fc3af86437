package io.kipimo.schemas.codec;

import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_NUMBER;
import static io.kipimo.schemas.deadletter.RejectionReason.IMPOSSIBLE_TEXT;
import static io.kipimo.schemas.deadletter.RejectionReason.MISSING_FIELD;
import static io.kipimo.schemas.deadletter.RejectionReason.UNREADABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.ClassPolicyProto;
import io.kipimo.schemas.wire.FanOutPublicationProto;
import io.kipimo.schemas.wire.InvocationProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.schemas.wire.PartialResultProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.ReplicationPolicyProto;
import io.kipimo.schemas.wire.ServerObservationProto;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    private static final Pattern INTO = Pattern.compile("(\\w+)\\.(?=[a-z&-])");

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
        refusesEach(codec, f -> JSON.contains(f.getName()), "x".repeat(1_000_001), Set.of("detail"), IMPOSSIBLE_TEXT);
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            AnswerProto | service: 'a/b' | IMPOSSIBLE_TEXT | service is 'a/b'; allowed: no '/'
            AnswerProto | started_at_millis: 2000 answered_at_millis: 1999 | INCONSISTENT | answered_at_millis is 1999, before started_at_millis, 2000; allowed: not before
            AnswerProto | &invocations | INCONSISTENT | invocations names component 'shard-0' twice; allowed: once
            AnswerProto | -items ; items { numbers: 1 texts: 'b' } | INCONSISTENT | items have numbers and texts; allowed: one kind
            AnswerProto | -items ; items { numbers: 1 } | INCONSISTENT | items have 0 scores for 1 identifiers; allowed: one score each
            QueryEventProto | -answer ; -partial ; offset: 7 | INCONSISTENT | event is not set; allowed: answer or partial
            ServerObservationProto | counts.busy_core_micros: 4000001 | IMPOSSIBLE_NUMBER | counts.busy_core_micros is 4000001; allowed: 0..4000000
            ServerObservationProto | stays.arrival_micros: 2000 departure_micros: 1999 | IMPOSSIBLE_NUMBER | stays.departure_micros is 1999; allowed: 2000..
            ServerObservationProto | -counts | MISSING_FIELD | counts is not set; allowed: set, even if to zeros
            TailWindowProto | -counts | MISSING_FIELD | counts is not set; allowed: set, even if to zeros
            TailWindowProto | level: COMPONENT_LEVEL | INCONSISTENT | server is 'shard-1-b' at level COMPONENT; allowed: empty
            TailWindowProto | level: SERVICE_LEVEL | INCONSISTENT | tier is 'index' at level SERVICE; allowed: empty
            TailWindowProto | latency.p99_micros: 100001 | IMPOSSIBLE_NUMBER | latency.p99_micros is 100001.0; allowed: 31000.0..100000.0
            CacheReadProto | kind: CACHED_RECORD | INCONSISTENT | record_keys has 2 parts in a read of a record; allowed: 0
            RecordWriteProto | document: '{}' kind: DELETE_WRITE | INCONSISTENT | document has 2 characters in a delete; allowed: none
            RecordWriteProto | -document | MISSING_FIELD | document is empty in an UPDATE; allowed: what the write left
            SubscriptionProto | evaluated_millis: 2000 registered_millis: 1999 | IMPOSSIBLE_NUMBER | registered_millis is 1999; allowed: 2000..
            InvalidationProto | mode: HARD_INVALIDATION | IMPOSSIBLE_NUMBER | serve_stale_millis is 5000; allowed: 0..0
            InvalidationProto | serve_stale_millis: 0 | IMPOSSIBLE_NUMBER | serve_stale_millis is 0; allowed: 1..31536000000
            InvalidationProto | change: NO_CHANGE | INCONSISTENT | service, table, key or record is set though nothing changed; allowed: none of them
            CacheUseProto | counts.shared_hits: 31 | IMPOSSIBLE_NUMBER | counts.shared_hits is 31; allowed: 0..30
            CacheUseProto | -counts | MISSING_FIELD | counts is not set; allowed: set, even if to zeros
            ObservationProto | rejected: 701 | IMPOSSIBLE_NUMBER | rejected is 701; allowed: 0..700
            ObservationProto | timed_out: 591 | IMPOSSIBLE_NUMBER | timed_out is 591; allowed: 0..590
            ObservationProto | components.timed_out: 591 | IMPOSSIBLE_NUMBER | components.timed_out is 591; allowed: 0..590
            ObservationProto | -unmeasurable ; answered: 590 timed_out: 60 unmeasurable { reason: CUT answers: 591 } | IMPOSSIBLE_NUMBER | unmeasurable.answers is 591; allowed: 0..590
            ObservationProto | -unmeasurable ; answered: 590 timed_out: 60 unmeasurable { reason: CUT answers: 1 } ; &unmeasurable | INCONSISTENT | unmeasurable names reason CUT twice; allowed: once
            ObservationProto | -missing ; missing { component: 'shard-0' answers: -1 } | IMPOSSIBLE_NUMBER | missing.answers is -1; allowed: 0..60
            ObservationProto | -missing ; missing { component: 'shard-0' answers: 61 } | IMPOSSIBLE_NUMBER | missing.answers is 61; allowed: 0..60
            ObservationProto | -missing ; missing { component: 'shard-0' answers: 60 } ; &missing | INCONSISTENT | missing names component 'shard-0' twice; allowed: once
            ObservationProto | -costs ; costs { bin: -201 offered: 700 } | IMPOSSIBLE_NUMBER | costs.bin is -201; allowed: -200..200
            ObservationProto | -costs ; costs { bin: 201 offered: 700 } | IMPOSSIBLE_NUMBER | costs.bin is 201; allowed: -200..200
            ObservationProto | -costs ; costs { bin: 3 offered: 701 } | IMPOSSIBLE_NUMBER | costs.offered is 701; allowed: 0..700
            ObservationProto | -costs ; costs { bin: 3 offered: 700 } ; &costs | INCONSISTENT | costs has bin 3 twice; allowed: once
            DecisionProto | -cost_order ; cost_order { up_to: 0 fraction: 0.5 } | IMPOSSIBLE_NUMBER | cost_order.up_to is 0.0; allowed: 4.9E-324..1.7976931348623157E308
            DecisionProto | -cost_order ; cost_order { up_to: inf fraction: 0.5 } | IMPOSSIBLE_NUMBER | cost_order.up_to is Infinity; allowed: 4.9E-324..1.7976931348623157E308
            DecisionProto | -cost_order ; cost_order { up_to: 1 fraction: 0.5 } ; &cost_order | IMPOSSIBLE_NUMBER | cost_order.up_to is 1.0; allowed: 1.0000000000000002..1.7976931348623157E308
            DecisionProto | -cost_order ; cost_order { up_to: 1 fraction: 1.1 } | IMPOSSIBLE_NUMBER | cost_order.fraction is 1.1; allowed: 0.0..1.0
            MeasurementProto | scores { metric: 'm' low: 0.5 high: 0.25 } | IMPOSSIBLE_NUMBER | scores.high is 0.25; allowed: 0.5..1.0
            MeasurementProto | -query_class | MISSING_FIELD | query_class is empty; allowed: 1..256 characters
            MeasurementProto | -unmeasurable | INCONSISTENT | unmeasurable is not set and completeness NOT_MEASURABLE; allowed: set with NOT_MEASURABLE alone
            MeasurementProto | completeness: COMPLETE | INCONSISTENT | unmeasurable is CUT and completeness COMPLETE; allowed: set with NOT_MEASURABLE alone
            QualityWindowProto | estimate.mean: 0.5 | IMPOSSIBLE_NUMBER | estimate.mean is 0.5; allowed: 0.93..1.0
            ErrorBudgetProto | long_window.high: 1 | IMPOSSIBLE_NUMBER | long_window.high is 1.0; allowed: 2.0..1.0E9
            ErrorBudgetProto | covered_millis: 2419200001 | IMPOSSIBLE_NUMBER | covered_millis is 2419200001; allowed: 0..2419200000
            DeadlineCurveProto | &points | IMPOSSIBLE_NUMBER | points.deadline_millis is 15.0; allowed: 30.0..8.64E8
            DeadlineCurveProto | components.&points | IMPOSSIBLE_NUMBER | components.points.deadline_millis is 15.0; allowed: 60.0..8.64E8
            DeadlineCurveProto | degraded_profiles: 401 | IMPOSSIBLE_NUMBER | degraded_profiles is 401; allowed: 0..400
            DeadlineCurveProto | components.late: 401 | IMPOSSIBLE_NUMBER | components.late is 401; allowed: 0..400
            CompletenessModelProto | &calibration | IMPOSSIBLE_NUMBER | calibration.from is 0.6; allowed: 0.8..1.0
            PolicyProto | -metrics | INCONSISTENT | metrics is empty;
            PolicyProto | metrics: 'tpr@20' | INCONSISTENT | metrics names 'tpr@20' twice;
            PolicyProto | -classes | INCONSISTENT | classes is empty;
            PolicyProto | &classes | INCONSISTENT | classes names 'low' twice;
            PolicyProto | window_millis: 25000 | INCONSISTENT | window_millis is 25000; allowed: 1 to 1000 times slide_millis, which is 10000
            PolicyProto | slide_millis: 100 window_millis: 100100 | INCONSISTENT | window_millis is 100100;
            PolicyProto | merge.-preference ; merge.kind: PREFERRED | INCONSISTENT | merge.preference is empty;
            PolicyProto | fan_out { floor: 0.9 period_millis: 60000 lease_millis: 600000 } ; fan_out.-classes | INCONSISTENT | fan_out.classes is empty; allowed: at least one of low, high
            PolicyProto | fan_out { floor: 0.9 period_millis: 60000 lease_millis: 600000 } ; fan_out.-classes ; fan_out.classes: 'lowest' | INCONSISTENT | fan_out.classes names 'lowest'; allowed: low, high
            PolicyProto | fan_out { floor: 0.9 period_millis: 60000 lease_millis: 600000 } ; fan_out.-classes ; fan_out.classes: 'low' classes: 'low' | INCONSISTENT | fan_out.classes names 'low' twice; allowed: once
            PolicyProto | fan_out { floor: 1.5 period_millis: 60000 lease_millis: 600000 } ; fan_out.-classes ; fan_out.classes: 'low' | IMPOSSIBLE_NUMBER | fan_out.floor is 1.5; allowed: 0.0..1.0
            FanOutPublicationProto | model.-bias ; model.bias: [0, nan] | IMPOSSIBLE_NUMBER | model.bias is NaN; allowed:
            FanOutPublicationProto | model.-costs ; model.costs: [1, 0] | IMPOSSIBLE_NUMBER | model.costs is 0.0; allowed:
            FanOutPublicationProto | model.step: inf | IMPOSSIBLE_NUMBER | model.step is Infinity; allowed:
            FanOutPublicationProto | model.row_bits: 2 | INCONSISTENT | model.table has 4 bytes; allowed: 8, one for each component and row
            FanOutPublicationProto | model.kept: 1 | IMPOSSIBLE_NUMBER | model.kept has 11 parts; allowed: 10..10
            FanOutPublicationProto | model.-tested ; model.tested: [0, 0, 0, -1, 0, 0, 0, 0, 0, 0] | IMPOSSIBLE_NUMBER | model.tested is -1.0; allowed:
            FanOutPublicationProto | model.components: 'shard-0' | INCONSISTENT | model.components names 'shard-0' twice; allowed: once
            FanOutPublicationProto | -model | INCONSISTENT | model is not set with state SHADOW; allowed:
            FanOutPublicationProto | state: FAN_OUT_OFF | INCONSISTENT | model is set with state OFF; allowed:
            ReplicationDecisionProto | -tiers | INCONSISTENT | tiers is empty
            ReplicationDecisionProto | &tiers | INCONSISTENT | tiers names tier 'web' twice
            ReplicationDecisionProto | evidence.to: 1 | INCONSISTENT | evidence.to has 3 factors; allowed: one a tier, 2
            """)
    void aRecordThatContradictsItselfOrItsBoundsIsRefused(
            String codecName, String change, RejectionReason reason, String detail) throws Exception {
        Codec<?> codec = Codecs.named(codecName);
        InvalidRecordException refusal =
                refusal(codec, changed(samples(codec).get(0), change).toByteArray());
        assertThat(refusal).hasMessageStartingWith(detail).hasMessageMatching(MESSAGE_WITH_ALLOWED);
        assertThat(refusal.reason()).isEqualTo(reason);
    }

    /**
     * @param changes each clears a field ({@code -field}), repeats its first part ({@code &field}), or merges fields in
     *     text format; a path leads to the first part of each field before it
     */
    private static Message changed(Message sample, String changes) throws TextFormat.ParseException {
        Message.Builder builder = sample.toBuilder();
        for (String change : changes.split(" ; ")) {
            Message.Builder at = builder;
            String rest = change;
            for (Matcher into = INTO.matcher(rest); into.lookingAt(); into = INTO.matcher(rest)) {
                FieldDescriptor field = at.getDescriptorForType().findFieldByName(into.group(1));
                at = field.isRepeated() ? at.getRepeatedFieldBuilder(field, 0) : at.getFieldBuilder(field);
                rest = rest.substring(into.end());
            }
            FieldDescriptor field = at.getDescriptorForType().findFieldByName(rest.substring(1));
            switch (rest.charAt(0)) {
                case '-' -> at.clearField(field);
                case '&' -> at.addRepeatedField(field, at.getRepeatedField(field, 0));
                default -> TextFormat.merge(rest, at);
            }
        }
        return builder.build();
    }

    @Test
    void tablesAndSketchesAreNotLargerThanTheyCanBe() {
        assertRefused(
                Codecs.SERVER_OBSERVATION,
                sample(Codecs.SERVER_OBSERVATION, ServerObservationProto.class).toBuilder()
                        .setLatencies(ByteString.copyFrom(new byte[65_537])),
                IMPOSSIBLE_NUMBER,
                "latencies has 65537 bytes; allowed: at most 65536");
        FanOutPublicationProto.Builder fanOut =
                sample(Codecs.FAN_OUT_PUBLICATION, FanOutPublicationProto.class).toBuilder();
        fanOut.getModelBuilder().setTable(ByteString.copyFrom(new byte[131_073]));
        assertRefused(
                Codecs.FAN_OUT_PUBLICATION,
                fanOut,
                IMPOSSIBLE_NUMBER,
                "model.table has 131073 bytes; allowed: 1..131072");
    }

    @Test
    void anOrphanHasNoClass() throws Exception {
        byte[] orphan = changed(
                        samples(Codecs.MEASUREMENT).get(0), "-unmeasurable ; -query_class ; completeness: ORPHAN")
                .toByteArray();
        assertThat(Codecs.MEASUREMENT.decode(orphan).queryClass()).isEmpty();
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
