package io.kipimo.schemas.codec;

import com.google.protobuf.CodedOutputStream;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.wire.ComponentShareProto;
import io.kipimo.schemas.wire.MeasurementProto;
import io.kipimo.schemas.wire.ScoreProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes measurements as {@link QualityCodecs#MEASUREMENT} does, with equal bytes and records, but faster.
 * It is written by hand because there is one measurement for each sampled query.
 */
final class MeasurementWire {
    private static final Completeness[] COMPLETENESSES = Completeness.values();
    private static final Outcome[] OUTCOMES = Outcome.values();

    private MeasurementWire() {}

    static byte[] write(Measurement measurement) {
        byte[] bytes = new byte[size(measurement)];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            write(measurement, out);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException("a measurement has another size than computed", e);
        }
        return bytes;
    }

    /**
     * Converts a message to a record, field by field.
     *
     * @throws InvalidRecordException with the first problem
     */
    static Measurement read(MeasurementProto wire) throws InvalidRecordException {
        Completeness completeness = Checks.constant("completeness", wire.getCompletenessValue(), COMPLETENESSES);
        Checks.parts("scores", wire.getScoresCount());
        List<Score> scores = new ArrayList<>(wire.getScoresCount());
        for (ScoreProto score : wire.getScoresList()) {
            double low = Checks.fraction("scores.low", score.getLow());
            scores.add(new Score(
                    Checks.name("scores.metric", score.getMetric()),
                    low,
                    Checks.within("scores.high", score.getHigh(), low, 1)));
        }
        Checks.parts("components", wire.getComponentsCount());
        List<ComponentShare> components = new ArrayList<>(wire.getComponentsCount());
        for (ComponentShareProto share : wire.getComponentsList()) {
            components.add(new ComponentShare(
                    Checks.name("components.component", share.getComponent()),
                    Checks.constant("components.outcome", share.getOutcomeValue(), OUTCOMES),
                    Checks.latencyMicros("components.latency_micros", share.getLatencyMicros()),
                    share.getMissing(),
                    Checks.within("components.lost_quality", share.getLostQuality(), -1, 1),
                    Checks.fraction("components.contribution", share.getContribution())));
        }
        Measurement measurement = Measurement.builder()
                .service(Checks.name("service", wire.getService()))
                .queryId(Checks.text("query_id", wire.getQueryId()))
                // An orphan's class is unknown.
                .queryClass(
                        completeness == Completeness.ORPHAN
                                ? Checks.optionalText("query_class", wire.getQueryClass())
                                : Checks.name("query_class", wire.getQueryClass()))
                .startedAtMillis(Checks.millis("started_at_millis", wire.getStartedAtMillis()))
                .measuredAtMillis(Checks.millis("measured_at_millis", wire.getMeasuredAtMillis()))
                .completeness(completeness)
                .degraded(wire.getDegraded())
                .topK((int) Checks.within("top_k", wire.getTopK(), 0, QualityCodecs.MAXIMUM_ITEMS))
                .scores(List.copyOf(scores))
                .components(List.copyOf(components))
                .truncated(wire.getTruncated())
                .unmeasurable(QualityCodecs.unmeasurable(wire.getUnmeasurableValue()))
                .notAskedLoss(
                        wire.hasNotAskedLoss()
                                ? Optional.of(Checks.fraction("not_asked_loss", wire.getNotAskedLoss()))
                                : Optional.empty())
                .variant(Checks.optionalName("variant", wire.getVariant()))
                .explored(wire.getExplored())
                .weight((int) Checks.within("weight", wire.getWeight(), 0, Integer.MAX_VALUE))
                .build();
        RecordChecks.check(measurement);
        return measurement;
    }

    private static int size(Measurement m) {
        int size = size(1, m.service())
                + size(2, m.queryId())
                + size(3, m.queryClass())
                + size(4, m.startedAtMillis())
                + size(5, m.measuredAtMillis())
                + size(6, m.completeness().ordinal() + 1)
                + size(7, m.degraded())
                + size(8, m.topK())
                + size(11, m.truncated())
                + size(12, unmeasurable(m))
                + (m.notAskedLoss().isEmpty()
                        ? 0
                        : CodedOutputStream.computeDoubleSize(
                                70, m.notAskedLoss().get()))
                + size(71, m.variant())
                + size(72, m.explored())
                + size(73, m.weight());
        for (Score score : m.scores()) {
            size += sizeOfMessage(9, size(score));
        }
        for (ComponentShare share : m.components()) {
            size += sizeOfMessage(10, size(share));
        }
        return size;
    }

    private static int size(Score score) {
        return size(1, score.metric()) + size(2, score.low()) + size(3, score.high());
    }

    private static int size(ComponentShare share) {
        return size(1, share.component())
                + size(2, share.outcome().ordinal() + 1)
                + size(3, share.latencyMicros())
                + size(4, share.missing())
                + size(5, share.lostQuality())
                + size(6, share.contribution());
    }

    private static void write(Measurement m, CodedOutputStream out) throws IOException {
        write(1, m.service(), out);
        write(2, m.queryId(), out);
        write(3, m.queryClass(), out);
        write(4, m.startedAtMillis(), out);
        write(5, m.measuredAtMillis(), out);
        write(6, m.completeness().ordinal() + 1, out);
        write(7, m.degraded(), out);
        write(8, m.topK(), out);
        for (Score score : m.scores()) {
            beginMessage(9, size(score), out);
            write(1, score.metric(), out);
            write(2, score.low(), out);
            write(3, score.high(), out);
        }
        for (ComponentShare share : m.components()) {
            beginMessage(10, size(share), out);
            write(1, share.component(), out);
            write(2, share.outcome().ordinal() + 1, out);
            write(3, share.latencyMicros(), out);
            write(4, share.missing(), out);
            write(5, share.lostQuality(), out);
            write(6, share.contribution(), out);
        }
        write(11, m.truncated(), out);
        write(12, unmeasurable(m), out);
        if (m.notAskedLoss().isPresent()) {
            // An optional field is written even if it is 0.
            out.writeDouble(70, m.notAskedLoss().get());
        }
        write(71, m.variant(), out);
        write(72, m.explored(), out);
        write(73, m.weight(), out);
    }

    /** The number of the reason in the message; 0: measurable. */
    private static int unmeasurable(Measurement m) {
        return m.unmeasurable().isEmpty() ? 0 : m.unmeasurable().get().ordinal() + 1;
    }

    // Proto3 omits fields that have the default value of their type.

    private static int size(int field, String value) {
        return value.isEmpty() ? 0 : CodedOutputStream.computeStringSize(field, value);
    }

    private static void write(int field, String value, CodedOutputStream out) throws IOException {
        if (!value.isEmpty()) {
            out.writeString(field, value);
        }
    }

    private static int size(int field, long value) {
        return value == 0 ? 0 : CodedOutputStream.computeInt64Size(field, value);
    }

    private static void write(int field, long value, CodedOutputStream out) throws IOException {
        if (value != 0) {
            out.writeInt64(field, value);
        }
    }

    private static int size(int field, boolean value) {
        return value ? CodedOutputStream.computeBoolSize(field, true) : 0;
    }

    private static void write(int field, boolean value, CodedOutputStream out) throws IOException {
        if (value) {
            out.writeBool(field, true);
        }
    }

    private static int size(int field, double value) {
        return isDefault(value) ? 0 : CodedOutputStream.computeDoubleSize(field, value);
    }

    private static void write(int field, double value, CodedOutputStream out) throws IOException {
        if (!isDefault(value)) {
            out.writeDouble(field, value);
        }
    }

    /** Whether the value is positive zero, which is not written. Negative zero is written. */
    private static boolean isDefault(double value) {
        return Double.doubleToRawLongBits(value) == 0;
    }

    private static int sizeOfMessage(int field, int size) {
        return CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt32SizeNoTag(size) + size;
    }

    private static void beginMessage(int field, int size, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(field << 3 | 2);
        out.writeUInt32NoTag(size);
    }
}
