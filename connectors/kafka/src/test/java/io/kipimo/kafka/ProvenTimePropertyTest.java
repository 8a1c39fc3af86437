package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.observation.Observation;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.types.Either;
import org.apache.flink.util.clock.ManualClock;

/** One partition with honest writers and writers whose clocks are ahead, read live or much later. */
class ProvenTimePropertyTest {
    private static final long DISORDER_MILLIS = 2_000;

    /** Longest time from an honest writer's event until the broker appended it. */
    private static final long LONGEST_WAY_MILLIS = 1_500;

    private static final int RECORDS = 400;

    @Property(tries = 300)
    void clocksAheadMakeNoHonestRecordLateAndDelayNothing(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 99) int percentAhead,
            @ForAll @LongRange(min = 1, max = 60_000) long mostAheadMillis,
            @ForAll @LongRange(min = 0, max = 86_400_000) long readAfterMillis) {
        RandomGenerator random = new SplittableRandom(seed);
        long[] appended = {NOW};
        Reader all = new Reader(() -> appended[0] + readAfterMillis);
        Reader honestOnes = new Reader(() -> appended[0] + readAfterMillis);
        for (int i = 0; i < RECORDS; i++) {
            appended[0] += random.nextLong(200);
            boolean isAhead = random.nextInt(100) < percentAhead;
            long happened = isAhead
                    ? appended[0] + 1 + random.nextLong(mostAheadMillis)
                    : appended[0] - random.nextLong(LONGEST_WAY_MILLIS);
            if (!isAhead) {
                assertThat(happened).as("not late").isGreaterThan(all.watermark);
                honestOnes.read(happened, appended[0]);
            }
            all.read(happened, appended[0]);
            assertThat(all.watermark).isBetween(honestOnes.watermark, appended[0] - DISORDER_MILLIS - 1);
        }
    }

    /** A partition as a source reads it. */
    private static final class Reader implements WatermarkOutput {
        private final TimestampAssigner<Either<DeadLetter, Observation>> stamps;
        private final WatermarkGenerator<Either<DeadLetter, Observation>> watermarks;
        private long watermark = Long.MIN_VALUE;

        Reader(WallClock clock) {
            WatermarkStrategy<Either<DeadLetter, Observation>> strategy = GoodRecordWatermarks.strategy(
                    SourceSettings.of("test").withOutOfOrderness(Duration.ofMillis(DISORDER_MILLIS)),
                    Observation::secondMillis,
                    clock);
            stamps = strategy.createTimestampAssigner(UnregisteredMetricsGroup::new);
            watermarks = strategy.createWatermarkGenerator(GoodRecordWatermarksTest.context(new ManualClock(1)));
        }

        void read(long happenedMillis, long appendedMillis) {
            Either<DeadLetter, Observation> found = Either.Right(Entries.observation(happenedMillis));
            watermarks.onEvent(found, stamps.extractTimestamp(found, appendedMillis), this);
            watermarks.onPeriodicEmit(this);
        }

        @Override
        public void emitWatermark(Watermark mark) {
            watermark = Math.max(watermark, mark.getTimestamp());
        }

        @Override
        public void markIdle() {}

        @Override
        public void markActive() {}
    }
}
