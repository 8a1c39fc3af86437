package io.kipimo.sdk.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT_ID = "00f067aa0ba902b7";

    @Test
    void theSpecificationsExampleIsRead() {
        String header = "00-" + TRACE_ID + "-" + PARENT_ID + "-01";
        assertThat(TraceParent.parse(header)).hasValueSatisfying(parent -> {
            assertThat(parent.traceId()).isEqualTo(TRACE_ID);
            assertThat(parent.parentId()).isEqualTo(PARENT_ID);
            assertThat(parent.isSampled()).isTrue();
            assertThat(parent.format()).isEqualTo(header);
        });
    }

    @Test
    void laterVersionsAreReadAndWrittenAsThisOne() {
        assertThat(TraceParent.parse("cc-" + TRACE_ID + "-" + PARENT_ID + "-ff-what-the-future"))
                .hasValueSatisfying(
                        parent -> assertThat(parent.format()).isEqualTo("00-" + TRACE_ID + "-" + PARENT_ID + "-03"));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                "00-4bf92f3577b34da6a3ce929d0e0e47-00f067aa0ba902b7-01",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x"
            })
    void malformedHeadersAreIgnored(String header) {
        assertThat(TraceParent.parse(header)).isEmpty();
    }

    @Test
    void aNewTraceIsRandomAndReadsBack() {
        TraceParent parent = TraceParent.start(new SplittableRandom(7));
        assertThat(parent.format()).as("the W3C random flag").endsWith("-02");
        assertThat(TraceParent.parse(parent.format())).contains(parent);
    }

    @Test
    void aTraceThatIsRestartedKeepsOnlyWhetherItIsRecorded() {
        SplittableRandom random = new SplittableRandom(7);
        TraceParent recorded = new TraceParent(TRACE_ID, PARENT_ID, 0xff).restart(random);
        assertThat(recorded.format()).endsWith("-03").doesNotContain(TRACE_ID, PARENT_ID);
        assertThat(new TraceParent(TRACE_ID, PARENT_ID, 0xfe).restart(random).format())
                .endsWith("-02");
    }

    @Test
    void idsAreNeverAllZero() {
        RandomGenerator zeroFirst = new RandomGenerator() {
            private int calls;

            @Override
            public long nextLong() {
                return calls++ < 2 ? 0 : calls;
            }
        };
        assertThat(TraceIds.newTraceId(zeroFirst)).isEqualTo("00000000000000030000000000000004");
    }

    @Test
    void impossiblePartsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceParent(TRACE_ID, PARENT_ID, 256));
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceParent("x", PARENT_ID, 0));
    }
}
