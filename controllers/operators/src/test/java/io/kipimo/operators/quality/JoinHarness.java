package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;

/** The join with its surroundings. */
final class JoinHarness extends KeyedTwoInputStreamOperatorTestHarness<QueryKey, LoggedEvent, Policy, Measurement> {
    static final int MAX_PARALLELISM = 128;

    private final QueryJoinOperator join;

    JoinHarness(Map<String, Policy> known, Duration backStop, int parallelism, int subtask) throws Exception {
        this(
                new QueryJoinOperator(
                        new JoinSettings(known, "kipimo.", 1000, backStop, BacklogSampling.BacklogSettings.OFF)),
                parallelism,
                subtask);
    }

    /** The join on RocksDB, with a cache of this size. */
    static JoinHarness onRocksDb(Map<String, Policy> known, Duration backStop, int mostChanges, int mostObjects)
            throws Exception {
        JoinHarness harness = new JoinHarness(
                new QueryJoinOperator(
                        new JoinSettings(known, "kipimo.", 1000, backStop, BacklogSampling.BacklogSettings.OFF),
                        mostChanges,
                        mostObjects),
                1,
                0);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        return harness;
    }

    private JoinHarness(QueryJoinOperator join, int parallelism, int subtask) throws Exception {
        super(join, LoggedEvent::key, null, QueryJoinOperator.KEY_TYPE, MAX_PARALLELISM, parallelism, subtask);
        this.join = join;
    }

    QueryJoinOperator join() {
        return join;
    }

    void processElement(LoggedEvent event, long millis) throws Exception {
        processElement1(event, millis);
    }

    /** The watermark of the events; policies say nothing of time. */
    void processWatermark(long millis) throws Exception {
        processWatermark1(new Watermark(millis));
    }
}
