package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.observation.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.types.Either;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.clock.ManualClock;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;

class GoodRecordWatermarksTest {
    private static final SourceSettings SETTINGS =
            SourceSettings.of("test").withOutOfOrderness(Duration.ofSeconds(2)).withIdleness(Duration.ofSeconds(10));

    private final ManualClock clock = new ManualClock(1);
    private final Recorder output = new Recorder();
    private final WatermarkStrategy<Either<DeadLetter, Observation>> strategy =
            GoodRecordWatermarks.strategy(SETTINGS, Observation::secondMillis, () -> NOW + 60_000);
    private final WatermarkGenerator<Either<DeadLetter, Observation>> watermarks =
            strategy.createWatermarkGenerator(context(clock));

    /** What a generator is made with. */
    static WatermarkGeneratorSupplier.Context context(RelativeClock clock) {
        return new WatermarkGeneratorSupplier.Context() {
            @Override
            public MetricGroup getMetricGroup() {
                return new UnregisteredMetricsGroup();
            }

            @Override
            public RelativeClock getInputActivityClock() {
                return clock;
            }
        };
    }

    private static Either<DeadLetter, Observation> good(long atMillis) {
        return Either.Right(Entries.observation(atMillis));
    }

    private static Either<DeadLetter, Observation> bad() {
        return Either.Left(new DeadLetter(
                "t", 0, 1, RejectionReason.FUTURE_TIMESTAMP, "", new byte[0], new byte[0], NOW + 1_000_000));
    }

    private void on(Either<DeadLetter, Observation> event) {
        on(event, -1);
    }

    private void on(Either<DeadLetter, Observation> event, long loggedMillis) {
        TimestampAssigner<Either<DeadLetter, Observation>> stamps =
                strategy.createTimestampAssigner(() -> new UnregisteredMetricsGroup());
        watermarks.onEvent(event, stamps.extractTimestamp(event, loggedMillis), output);
    }

    @Test
    void theWatermarkFollowsTheYoungestGoodRecord() {
        on(good(NOW));
        on(good(NOW - 1_500));
        watermarks.onPeriodicEmit(output);
        assertThat(output.last()).isEqualTo(NOW - 2_000 - 1);
    }

    @Test
    void rejectedRecordsDoNotMoveIt() {
        on(good(NOW));
        on(bad());
        watermarks.onPeriodicEmit(output);
        assertThat(output.last()).isEqualTo(NOW - 2_001);
    }

    @Test
    void recordsFromTheFutureMoveItNoFurtherThanToWhenTheyWereAppended() {
        on(good(NOW), NOW + 5);
        for (int i = 0; i < 3; i++) {
            on(good(NOW + 50_000), NOW + 10);
        }
        watermarks.onPeriodicEmit(output);
        assertThat(output.last()).isEqualTo(NOW + 10 - 2_001);
    }

    /** Its reader says whether a partition is idle, and a repeated watermark would contradict. */
    @Test
    void withoutNewGoodRecordsItSaysNothing() {
        on(good(NOW));
        watermarks.onPeriodicEmit(output);
        output.markIdle();
        on(bad());
        watermarks.onPeriodicEmit(output);
        assertThat(output.idle).isTrue();
        on(good(NOW - 1));
        watermarks.onPeriodicEmit(output);
        assertThat(output.idle).isFalse();
    }

    @Test
    void strategiesTravelWithTheJob() throws Exception {
        assertThat(InstantiationUtil.clone(strategy)).isNotNull();
        assertThat(InstantiationUtil.clone(GoodRecordWatermarks.<Observation>none()))
                .isNotNull();
    }

    @Test
    void streamsWithoutEventTimeAreIdleFromTheStart() {
        WatermarkGenerator<Either<DeadLetter, Observation>> none =
                GoodRecordWatermarks.<Observation>none().createWatermarkGenerator(context(clock));
        none.onEvent(good(NOW), NOW, output);
        none.onPeriodicEmit(output);
        assertThat(output.idle).isTrue();
        assertThat(output.emitted).isEmpty();
    }

    private static final class Recorder implements WatermarkOutput {
        final List<Long> emitted = new ArrayList<>();
        boolean idle;

        @Override
        public void emitWatermark(Watermark watermark) {
            emitted.add(watermark.getTimestamp());
            idle = false;
        }

        @Override
        public void markIdle() {
            idle = true;
        }

        @Override
        public void markActive() {
            idle = false;
        }

        long last() {
            return emitted.get(emitted.size() - 1);
        }
    }
}
