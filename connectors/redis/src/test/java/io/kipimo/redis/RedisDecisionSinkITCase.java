package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.decision.Decision;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisDecisionSinkITCase {
    private final TestProcessingTimeService clock = new TestProcessingTimeService();
    private final RedisSinkMetrics metrics = new RedisSinkMetrics(new UnregisteredMetricsGroup());
    private ForgetfulRedis redis;
    private RedisDecisionSink.DecisionWriter<Decision> writer;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        redis = new ForgetfulRedis(directory);
        writer = new RedisDecisionSink.DecisionWriter<>(
                RedisDecisionStore.at(redis.settings()), RedisDecisionStore::put, metrics, clock);
    }

    @AfterEach
    void stop() throws IOException {
        writer.close();
        redis.close();
    }

    @Test
    void repeatedDecisionsAreStoredOnce() {
        writer.write(SampleDecisions.of(1, 1, 0.5), null);
        writer.write(SampleDecisions.of(1, 1, 0.5), null);
        assertThat(metrics.stored.getCount()).isEqualTo(1);
        assertThat(metrics.notNewer.getCount()).isEqualTo(1);
    }

    @Test
    void impossibleDecisionsAreCounted() {
        writer.write(SampleDecisions.of(1, 1, Double.NaN), null);
        assertThat(metrics.invalid.getCount()).isEqualTo(1);
    }

    @Test
    void anOutageDropsDecisionsAndEndsByItself() throws Exception {
        writer.write(SampleDecisions.of(1, 1, 0.5), null);
        redis.stop();
        writer.write(SampleDecisions.of(1, 2, 0.6), null);
        redis.start();
        writer.write(SampleDecisions.of(1, 3, 0.7), null);
        assertThat(metrics.dropped.getCount())
                .as("plus the one within the pause")
                .isEqualTo(2);

        clock.setCurrentTime(1_000);
        writer.write(SampleDecisions.of(1, 4, 0.8), null);
        assertThat(metrics.stored.getCount()).isEqualTo(2);
        try (RedisDecisionStore store = RedisDecisionStore.at(redis.settings())) {
            assertThat(store.get(Decision.ADMISSION, SampleDecisions.SCOPE)).contains(SampleDecisions.of(1, 4, 0.8));
        }
    }
}
