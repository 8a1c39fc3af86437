package io.kipimo.otlp;

import static io.kipimo.otlp.Spans.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.otlp.HeldTraces.Taken;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldTracesTest {
    private final HeldTraces held = new HeldTraces(1_000, 3, 1 << 20);

    private static ReceivedSpan span(int trace, int id, boolean isRoot) {
        return ReceivedSpan.of(
                "shop",
                (isRoot ? Spans.front(100) : Spans.call(id, "web", 5, 40))
                        .setTraceId(bytes("%032x".formatted(trace)))
                        .setSpanId(Spans.id(id))
                        .build());
    }

    private List<String> due(long nowMillis) {
        return held.due(nowMillis).stream()
                .map(trace -> trace.id().substring(31) + ':' + trace.spans().size())
                .toList();
    }

    @Test
    void aTraceIsDueTheHoldAfterItsRoot() {
        held.add(span(1, 2, false), 0);
        held.add(span(1, 1, true), 500);
        held.add(span(1, 3, false), 900);

        assertThat(due(1_499)).isEmpty();
        assertThat(due(1_500)).containsExactly("1:3");
        assertThat(held.size()).isZero();
        assertThat(held.bytes()).isZero();
        assertThat(held.add(span(1, 4, false), 1_600)).isEqualTo(Taken.LATE);
    }

    @Test
    void aTraceWithoutRootWaitsTwiceAfterItsNewestSpanAndTenTimesInAll() {
        held.add(span(1, 2, false), 0);
        held.add(span(1, 3, false), 1_500);
        assertThat(due(3_499)).isEmpty();
        assertThat(due(3_500)).containsExactly("1:2");

        for (int i = 0; i < 20; i++) {
            held.add(span(2, 2 + i, false), 4_000 + i * 1_000L);
        }
        assertThat(due(13_999)).isEmpty();
        assertThat(due(14_000)).containsExactly("2:20");
    }

    @Test
    void aSpanThatIsSentTwiceCountsOnce() {
        assertThat(held.add(span(1, 1, true), 0)).isEqualTo(Taken.HELD);
        assertThat(held.add(span(1, 1, true), 10)).isEqualTo(Taken.AGAIN);
        assertThat(due(1_000)).containsExactly("1:1");
    }

    @Test
    void theOldestTraceIsEvictedWhenThereIsNoRoom() {
        for (int trace = 1; trace <= 5; trace++) {
            held.add(span(trace, 1, true), trace);
        }
        assertThat(held.evicted()).isEqualTo(2);
        assertThat(held.add(span(1, 2, false), 10)).isEqualTo(Taken.LATE);
        assertThat(due(2_000)).containsExactly("3:1", "4:1", "5:1");
        assertThat(held.bytes()).isZero();
    }

    @Test
    void bytesAreBoundedToo() {
        HeldTraces small = new HeldTraces(1_000, 100, 300);
        for (int trace = 1; trace <= 50; trace++) {
            small.add(span(trace, 1, true), 0);
            assertThat(small.bytes()).isLessThanOrEqualTo(300);
        }
        assertThat(small.evicted()).isEqualTo(50 - small.size());
    }
}
