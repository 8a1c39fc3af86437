package io.kipimo.harness.oracle;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;

/** One event, encoded for its topic. */
record Event(Topic topic, long timeMillis, byte[] key, byte[] value) {

    static Event of(Answer answer) {
        return new Event(
                Topic.ANSWERS, answer.answeredAtMillis(), bytes(answer.queryId()), Codecs.ANSWER.encode(answer));
    }

    static Event of(PartialResult partial) {
        return new Event(
                Topic.PARTIALS,
                partial.completedAtMillis(),
                bytes(partial.queryId()),
                Codecs.PARTIAL_RESULT.encode(partial));
    }

    static Event of(Observation observation) {
        return new Event(
                Topic.OBSERVATIONS,
                observation.endMillis(),
                bytes(observation.service() + "/" + observation.tier() + "/" + observation.server()),
                Codecs.OBSERVATION.encode(observation));
    }

    LogRecord inPartition(int partition) {
        return new LogRecord(topic, partition, timeMillis, key, value);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
