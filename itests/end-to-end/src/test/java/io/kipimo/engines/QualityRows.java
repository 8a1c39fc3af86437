package io.kipimo.engines;

import io.kipimo.core.whatif.MeasurementReplay;
import io.kipimo.core.whatif.RecordedEvents;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The rows of queries, by the queries' ids. */
final class QualityRows implements AutoCloseable {
    private final List<TopicLog<?>> topics;
    private final Supplier<List<Measurement>> all;
    private final Map<String, Measurement> rows = new HashMap<>();

    private QualityRows(List<TopicLog<?>> topics, Supplier<List<Measurement>> all) {
        this.topics = topics;
        this.all = all;
    }

    /** Those that a job writes. */
    QualityRows(KafkaSettings settings) {
        this(new TopicLog<>(settings, Topic.QUALITY, Codecs.MEASUREMENT));
    }

    private QualityRows(TopicLog<Measurement> topic) {
        this(List.of(topic), topic::readOn);
    }

    /** Those that the job's join makes of the log, without a job. What the log may still complete has no row yet. */
    static QualityRows joined(KafkaSettings settings, Policy policy) {
        TopicLog<Answer> answers = new TopicLog<>(settings, Topic.ANSWERS, Codecs.ANSWER);
        TopicLog<PartialResult> partials = new TopicLog<>(settings, Topic.PARTIALS, Codecs.PARTIAL_RESULT);
        return new QualityRows(List.of(answers, partials), () -> {
            RecordedEvents log = new RecordedEvents(answers.readOn(), partials.readOn(), List.of());
            return MeasurementReplay.replay(policy, log, key -> 0).measurements().stream()
                    .filter(row -> row.completeness() != Completeness.EXPIRED)
                    .toList();
        });
    }

    /** Reads on, and returns all rows so far. */
    Map<String, Measurement> read() {
        all.get().forEach(row -> rows.put(row.queryId(), row));
        return rows;
    }

    @Override
    public void close() {
        topics.forEach(TopicLog::close);
    }
}
