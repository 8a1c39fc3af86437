package io.kipimo.sdk.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicReaderTest {
    private static final TopicPartition PARTITION = new TopicPartition("kipimo.quality", 0);

    /** A partition that held nothing new when the times were looked up, and then got a record. */
    private static final class GrowingLog extends MockConsumer<byte[], byte[]> {
        GrowingLog() {
            super("none");
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
            Map<TopicPartition, OffsetAndTimestamp> none = new HashMap<>();
            times.keySet().forEach(partition -> none.put(partition, null));
            updateEndOffsets(Map.of(PARTITION, endOffsets(times.keySet()).get(PARTITION) + 1));
            return none;
        }
    }

    @Test
    void recordThatComesDuringTheLookUpIsNotPassedOver() {
        try (GrowingLog log = new GrowingLog()) {
            log.updateEndOffsets(Map.of(PARTITION, 7L));
            assertThat(TopicReader.offsetsSince(log, Map.of(PARTITION, 1_000L)))
                    .containsExactly(Map.entry(PARTITION, 7L));
        }
    }
}
