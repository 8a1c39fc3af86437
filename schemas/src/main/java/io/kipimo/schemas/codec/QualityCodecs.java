package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.wire.AnswerKindProto;
import io.kipimo.schemas.wire.AnswerProto;
import io.kipimo.schemas.wire.InvocationProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.schemas.wire.MeasurementProto;
import io.kipimo.schemas.wire.OutcomeProto;
import io.kipimo.schemas.wire.PartialResultProto;
import io.kipimo.schemas.wire.PhaseProto;
import io.kipimo.schemas.wire.QualityWindowProto;
import io.kipimo.schemas.wire.QueryEventProto;
import io.kipimo.schemas.wire.UnmeasurableProto;
import java.util.Optional;

/** Converts the records of package {@code schemas.quality} to Protobuf messages and back. */
final class QualityCodecs {
    /** Greatest number of items in a result or answer. Emitters cut further items and mark the record as truncated. */
    static final int MAXIMUM_ITEMS = 10_000;

    /** Ten days, in milliseconds. */
    static final int LONGEST_DEADLINE_MILLIS = 864_000_000;

    /** Value of an empty loss per time-out in the message: no time-out was seen. */
    private static final double NO_LOSS = -1;

    private static final Unmeasurable[] UNMEASURABLE_REASONS = Unmeasurable.values();

    static final RecordMapping<Measurement, MeasurementProto> MEASUREMENT = RecordMapping.partly(
                    Measurement.class, MeasurementProto.getDefaultInstance())
            .with("queryClass", QualityCodecs::queryClass)
            .derived();

    static final RecordMapping<QualityWindow, QualityWindowProto> WINDOW = RecordMapping.partly(
                    QualityWindow.class, QualityWindowProto.getDefaultInstance())
            .<Optional<Double>, QualityWindowProto.Builder>with(
                    "lossPerTimeOut",
                    (loss, wire) -> wire.setLossPerTimeOut(loss.orElse(NO_LOSS)),
                    (field, wire, problems) -> lossPerTimeOut(field, wire.getLossPerTimeOut(), problems))
            .derived();

    private static final RecordMapping<Answer, AnswerProto> ANSWER = RecordMapping.partly(
                    Answer.class, AnswerProto.getDefaultInstance())
            .with("items", (field, wire, problems) -> items(wire.getItems(), problems))
            .with("truncated", (field, wire, problems) -> wire.getTruncated() || isOversized(wire.getItems()))
            .with(
                    "features",
                    (field, wire, problems) -> Features.of(
                            wire.getFeaturesList().stream().mapToLong(f -> f).toArray()))
            .derived();

    private static final RecordMapping<PartialResult, PartialResultProto> PARTIAL = RecordMapping.partly(
                    PartialResult.class, PartialResultProto.getDefaultInstance())
            .with("items", (field, wire, problems) -> items(wire.getItems(), problems))
            .with("truncated", (field, wire, problems) -> wire.getTruncated() || isOversized(wire.getItems()))
            .derived();

    private QualityCodecs() {}

    static ItemsProto toWire(Items items) {
        ItemsProto.Builder wire = ItemsProto.newBuilder();
        for (long number : items.numbers()) {
            wire.addNumbers(number);
        }
        for (String text : items.texts()) {
            wire.addTexts(text);
        }
        for (float score : items.scores()) {
            wire.addScores(score);
        }
        return wire.build();
    }

    private static Items items(ItemsProto wire, Problems problems) {
        return problems.check(Items.NONE, () -> fromWire(wire));
    }

    private static Items fromWire(ItemsProto wire) throws InvalidRecordException {
        int numbers = wire.getNumbersCount();
        int texts = wire.getTextsCount();
        if (numbers > 0 && texts > 0) {
            throw Checks.inconsistent("items have numbers and texts; allowed: one kind");
        }
        if (wire.getScoresCount() != numbers + texts) {
            throw Checks.inconsistent("items have %s scores for %s identifiers; allowed: one score each"
                    .formatted(wire.getScoresCount(), numbers + texts));
        }
        int size = Math.min(MAXIMUM_ITEMS, numbers + texts);
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            scores[i] = (float) Checks.finite("items.scores", wire.getScores(i));
        }
        if (texts > 0) {
            String[] ids = new String[size];
            for (int i = 0; i < size; i++) {
                ids[i] = Checks.text("items.texts", wire.getTexts(i));
            }
            return Items.ofTexts(ids, scores);
        }
        if (size == 0) {
            return Items.NONE;
        }
        long[] ids = new long[size];
        for (int i = 0; i < size; i++) {
            ids[i] = wire.getNumbers(i);
        }
        return Items.ofNumbers(ids, scores);
    }

    private static boolean isOversized(ItemsProto wire) {
        return wire.getScoresCount() > MAXIMUM_ITEMS;
    }

    static AnswerProto toWire(Answer answer) {
        AnswerProto.Builder wire = AnswerProto.newBuilder()
                .setService(answer.service())
                .setQueryId(answer.queryId())
                .setQueryClass(answer.queryClass())
                .setKind(AnswerKindProto.forNumber(answer.kind().ordinal() + 1))
                .setStartedAtMillis(answer.startedAtMillis())
                .setAnsweredAtMillis(answer.answeredAtMillis())
                .setDeadlineMillis(answer.deadlineMillis())
                .setTopK(answer.topK())
                .setTruncated(answer.truncated());
        for (Invocation invocation : answer.invocations()) {
            wire.addInvocations(InvocationProto.newBuilder()
                    .setComponent(invocation.component())
                    .setOutcome(toWire(invocation.outcome()))
                    .setLatencyMicros(invocation.latencyMicros()));
        }
        if (!answer.items().isEmpty()) {
            wire.setItems(toWire(answer.items()));
        }
        answer.unmeasurable().ifPresent(reason -> wire.setUnmeasurable(toWire(reason)));
        for (long feature : answer.features().hashes()) {
            wire.addFeatures(feature);
        }
        answer.notAskedLoss().ifPresent(wire::setNotAskedLoss);
        return wire.setExplored(answer.explored()).setVariant(answer.variant()).build();
    }

    static Answer fromWire(AnswerProto wire) throws InvalidRecordException {
        return ANSWER.fromWire(wire);
    }

    static PartialResultProto toWire(PartialResult partial) {
        return PartialResultProto.newBuilder()
                .setService(partial.service())
                .setQueryId(partial.queryId())
                .setComponent(partial.component())
                .setServer(partial.server())
                .setPhase(PhaseProto.forNumber(partial.phase().ordinal() + 1))
                .setCompletedAtMillis(partial.completedAtMillis())
                .setLatencyMicros(partial.latencyMicros())
                .setItems(toWire(partial.items()))
                .setTruncated(partial.truncated())
                .setStartedAtMillis(partial.startedAtMillis())
                .build();
    }

    static PartialResult fromWire(PartialResultProto wire) throws InvalidRecordException {
        return PARTIAL.fromWire(wire);
    }

    static QueryEventProto toWire(QueryEvent event) {
        QueryEventProto.Builder wire =
                QueryEventProto.newBuilder().setPartition(event.partition()).setOffset(event.offset());
        if (event.isAnswer()) {
            wire.setAnswer(toWire(event.answer()));
        } else {
            wire.setPartial(toWire(event.partial()));
        }
        return wire.build();
    }

    static QueryEvent fromWire(QueryEventProto wire) throws InvalidRecordException {
        Answer answer = null;
        PartialResult partial = null;
        switch (wire.getEventCase()) {
            case ANSWER -> answer = fromWire(wire.getAnswer());
            case PARTIAL -> partial = fromWire(wire.getPartial());
            case EVENT_NOT_SET -> throw Checks.inconsistent("event is not set; allowed: answer or partial");
        }
        return new QueryEvent(
                answer,
                partial,
                (int) Checks.within("partition", wire.getPartition(), 0, Integer.MAX_VALUE),
                Checks.count("offset", wire.getOffset()));
    }

    private static String queryClass(String field, MeasurementProto wire, Problems problems) {
        return problems.check("?", () -> switch (wire.getCompleteness()) {
            // The class of an orphan is unknown. Other measurements without a class
            // are refused anyway.
            case ORPHAN, COMPLETENESS_PROTO_UNSPECIFIED, UNRECOGNIZED ->
                Checks.optionalText(field, wire.getQueryClass());
            default -> Checks.name(field, wire.getQueryClass());
        });
    }

    private static Optional<Double> lossPerTimeOut(String field, double wire, Problems problems) {
        double loss = problems.within(field, wire, NO_LOSS, 1);
        return loss < 0 ? Optional.empty() : Optional.of(loss);
    }

    static Optional<Unmeasurable> unmeasurable(int wire) throws InvalidRecordException {
        return wire == 0 ? Optional.empty() : Optional.of(Checks.constant("unmeasurable", wire, UNMEASURABLE_REASONS));
    }

    private static UnmeasurableProto toWire(Unmeasurable reason) {
        return UnmeasurableProto.forNumber(reason.ordinal() + 1);
    }

    private static OutcomeProto toWire(Outcome outcome) {
        return OutcomeProto.forNumber(outcome.ordinal() + 1);
    }
}
