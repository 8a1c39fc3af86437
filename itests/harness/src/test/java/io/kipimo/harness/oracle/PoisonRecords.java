package io.kipimo.harness.oracle;

import com.google.protobuf.Message;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.schemas.wire.AnswerKindProto;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.InvocationProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.schemas.wire.OutcomeProto;
import io.kipimo.schemas.wire.PartialResultProto;
import io.kipimo.schemas.wire.PhaseProto;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Every kind of unusable record, with the expected rejection reason. */
final class PoisonRecords {
    private static final long YEAR_MILLIS = 365L * 24 * 3600 * 1000;
    private static final long HOUR_MILLIS = 3600 * 1000;

    private final String queryId;
    private final long nowMillis;
    private final RandomGenerator random;

    private PoisonRecords(String queryId, long nowMillis, RandomGenerator random) {
        this.queryId = queryId;
        this.nowMillis = nowMillis;
        this.random = random;
    }

    record Poison(Event event, RejectionReason reason) {}

    /** One of each kind. */
    static List<Poison> all(String queryId, long nowMillis, RandomGenerator random) {
        return new PoisonRecords(queryId, nowMillis, random).all();
    }

    private List<Poison> all() {
        return List.of(
                raw(randomBytes()),
                raw(truncated()),
                raw(null),
                raw(new byte[0]),
                answer(RejectionReason.MISSING_FIELD, a -> a.clearService()),
                answer(RejectionReason.MISSING_FIELD, a -> a.clearQueryId()),
                answer(RejectionReason.MISSING_FIELD, a -> a.clearKind()),
                partial(RejectionReason.MISSING_FIELD, p -> p.clearComponent()),
                answer(RejectionReason.IMPOSSIBLE_TEXT, a -> a.setKindValue(99)),
                partial(RejectionReason.IMPOSSIBLE_TEXT, p -> p.setPhaseValue(99)),
                partial(RejectionReason.IMPOSSIBLE_TEXT, p -> p.setQueryId("x".repeat(300))),
                partial(RejectionReason.IMPOSSIBLE_TEXT, p -> p.setService("x".repeat(100_000))),
                partial(RejectionReason.IMPOSSIBLE_TEXT, p -> p.setComponent("a/b")),
                partial(RejectionReason.IMPOSSIBLE_TEXT, p -> p.setServer("a\u0007")),
                partial(RejectionReason.IMPOSSIBLE_NUMBER, p -> score(p, Float.NaN)),
                partial(RejectionReason.IMPOSSIBLE_NUMBER, p -> score(p, Float.NEGATIVE_INFINITY)),
                partial(RejectionReason.IMPOSSIBLE_NUMBER, p -> p.setLatencyMicros(-1)),
                partial(RejectionReason.IMPOSSIBLE_NUMBER, p -> p.setLatencyMicros(Long.MAX_VALUE)),
                partial(RejectionReason.IMPOSSIBLE_NUMBER, p -> p.clearCompletedAtMillis()),
                partial(RejectionReason.IMPOSSIBLE_NUMBER, p -> p.setCompletedAtMillis(Long.MIN_VALUE)),
                answer(RejectionReason.IMPOSSIBLE_NUMBER, a -> a.setTopK(-1)),
                answer(RejectionReason.IMPOSSIBLE_NUMBER, a -> a.setDeadlineMillis(Integer.MAX_VALUE)),
                answer(RejectionReason.INCONSISTENT, a -> a.setAnsweredAtMillis(a.getStartedAtMillis() - 1)),
                answer(RejectionReason.INCONSISTENT, a -> a.addInvocations(a.getInvocations(0))),
                partial(
                        RejectionReason.INCONSISTENT,
                        p -> p.setItems(p.getItems().toBuilder().addScores(1))),
                partial(
                        RejectionReason.INCONSISTENT,
                        p -> p.setItems(p.getItems().toBuilder().addTexts("a").addScores(1))),
                answer(RejectionReason.FUTURE_TIMESTAMP, a -> a.setAnsweredAtMillis(nowMillis + YEAR_MILLIS)),
                partial(RejectionReason.FUTURE_TIMESTAMP, p -> p.setCompletedAtMillis(nowMillis + YEAR_MILLIS)),
                partial(RejectionReason.FUTURE_TIMESTAMP, p -> p.setCompletedAtMillis(nowMillis + HOUR_MILLIS)),
                answer(RejectionReason.UNKNOWN_SERVICE, a -> a.setService("stranger")),
                partial(RejectionReason.UNKNOWN_SERVICE, p -> p.setService("stranger")));
    }

    private Poison answer(RejectionReason reason, Consumer<AnswerProto.Builder> fault) {
        AnswerProto.Builder answer = AnswerProto.newBuilder()
                .setService("shop")
                .setQueryId(queryId)
                .setQueryClass("high")
                .setKind(AnswerKindProto.ONLINE)
                .setStartedAtMillis(nowMillis - 100)
                .setAnsweredAtMillis(nowMillis)
                .setDeadlineMillis(100)
                .addInvocations(InvocationProto.newBuilder()
                        .setComponent("part-0")
                        .setOutcome(OutcomeProto.IN_TIME)
                        .setLatencyMicros(50_000));
        fault.accept(answer);
        return poison(Topic.ANSWERS, reason, answer.build());
    }

    private Poison partial(RejectionReason reason, Consumer<PartialResultProto.Builder> fault) {
        PartialResultProto.Builder partial = validPartial();
        fault.accept(partial);
        return poison(Topic.PARTIALS, reason, partial.build());
    }

    private PartialResultProto.Builder validPartial() {
        return PartialResultProto.newBuilder()
                .setService("shop")
                .setQueryId(queryId)
                .setComponent("part-0")
                .setPhase(PhaseProto.PHASE_ONLINE)
                .setCompletedAtMillis(nowMillis)
                .setLatencyMicros(50_000)
                .setItems(ItemsProto.newBuilder().addNumbers(1).addScores(1));
    }

    private static void score(PartialResultProto.Builder partial, float score) {
        partial.setItems(partial.getItems().toBuilder().setScores(0, score));
    }

    private byte[] randomBytes() {
        byte[] bytes = new byte[random.nextInt(1, 200)];
        random.nextBytes(bytes);
        // No field has this wire type.
        bytes[0] = 7;
        return bytes;
    }

    /** The last field is cut short. */
    private byte[] truncated() {
        byte[] whole = validPartial().build().toByteArray();
        return Arrays.copyOf(whole, whole.length - 1);
    }

    private Poison raw(byte[] value) {
        return new Poison(new Event(Topic.PARTIALS, nowMillis, key(), value), RejectionReason.UNREADABLE);
    }

    private Poison poison(Topic topic, RejectionReason reason, Message message) {
        return new Poison(new Event(topic, nowMillis, key(), message.toByteArray()), reason);
    }

    private byte[] key() {
        return queryId.getBytes(StandardCharsets.UTF_8);
    }
}
