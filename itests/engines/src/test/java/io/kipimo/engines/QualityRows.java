package io.kipimo.engines;

import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.HashMap;
import java.util.Map;

/** The rows of topic {@code quality}, by their queries. */
final class QualityRows implements AutoCloseable {
    private final TopicLog<Measurement> topic;
    private final Map<String, Measurement> rows = new HashMap<>();

    QualityRows(KafkaSettings settings) {
        topic = new TopicLog<>(settings, Topic.QUALITY, Codecs.MEASUREMENT);
    }

    /** Reads on, and returns all rows so far. */
    Map<String, Measurement> read() {
        topic.readOn().forEach(row -> rows.put(row.queryId(), row));
        return rows;
    }

    @Override
    public void close() {
        topic.close();
    }
}
