package io.kipimo.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.kipimo.bench.workload.EventWorkload;
import io.kipimo.bench.workload.QueryEvents;
import io.kipimo.bench.workload.SentEvent;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.QueryEvent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QualitySizeTest {
    /** What Kafka stores with each record: the key, and at least ten bytes of its own. */
    private static final int RECORD_BYTES = 32 + 10;

    @ParameterizedTest
    @CsvSource({"4, 20", "40, 20", "400, 20", "4, 100", "1, 5"})
    void theBytesOfEventsAreForeseen(int components, int items) {
        int queries = 100;
        EventWorkload workload =
                EventWorkload.usual(queries, 0).withComponents(components).withItems(items);
        QueryEvents source = new QueryEvents(workload.withShares(0.25, 0, 0));
        long bytes = 0;
        for (int query = 0; query < queries; query++) {
            for (SentEvent sent : source.query(query).events()) {
                QueryEvent event = sent.event();
                bytes += RECORD_BYTES
                        + (event.isAnswer()
                                        ? Codecs.ANSWER.encode(event.answer())
                                        : Codecs.PARTIAL_RESULT.encode(event.partial()))
                                .length;
            }
        }
        assertThat(QualitySize.of(1, queries, components, items, 10).inBytesPerSecond())
                .isCloseTo((double) bytes, withinPercentage(10));
    }
}
