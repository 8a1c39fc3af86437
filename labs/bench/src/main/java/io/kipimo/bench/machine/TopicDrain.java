package io.kipimo.bench.machine;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Reads and removes a subject's output between two repetitions. */
public final class TopicDrain {
    private static final RecordsToDelete ALL = RecordsToDelete.beforeOffset(-1);

    private TopicDrain() {}

    /** Passes on all records of a topic that has no writers any more, and empties it. */
    public static <T> void drain(KafkaSettings kafka, Topic topic, Codec<T> codec, Consumer<T> taker)
            throws ExecutionException, InterruptedException {
        TopicReader.read(kafka, topic, 0, codec, taker);
        String name = kafka.name(topic);
        try (Admin admin = Admin.create(kafka.forAdmin())) {
            TopicDescription description =
                    admin.describeTopics(List.of(name)).allTopicNames().get().get(name);
            admin.deleteRecords(description.partitions().stream()
                            .map(p -> new TopicPartition(name, p.partition()))
                            .collect(Collectors.toMap(Function.identity(), p -> ALL)))
                    .all()
                    .get();
        }
    }
}
