package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.items;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.notAsked;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.partial;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.quality.join.OpenQueryFormat.EventFormat;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.SampledEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenQueryFormatTest {
    /** A stored query with an answer, an in-time and a late result. The test fails if the format changes. */
    private static final String STORED = "1300000000000f6d3800000000000f42400000000400016100016200016300017a02"
            + "00000000000f424a00000000000027100000000200000000000000010000000000000003"
            + "4479c00044794000000000000200000000000f43080000000000030d4000000002000000"
            + "000000000200000000000000044479800044790000000200000000000f429a0000000000"
            + "015f90fffffffe0001780002c3a4400000003f80000000046869676800000000000f4240"
            + "00000000000f425e0000001e000000000000000000000003000001000000000000271000"
            + "00000000002710000000000000753000000000000f424000000000000f42680000000200"
            + "0000000000000100000000000000024479c00044798000"
            // No known start, the first event; no features; all asked; no held events.
            + "7fffffffffffffff00000000000f424a"
            + "00"
            + "00"
            + "00000000";

    /** Held events in the form in which the quality job has them. */
    static final OpenQueryFormat FORMAT = new OpenQueryFormat(new EventFormat() {
        @Override
        public void write(SampledEvent event, DataOutput out) throws IOException {
            ((LoggedEvent) event).write(out);
        }

        @Override
        public LoggedEvent read(DataInput in) throws IOException {
            return new EventScanner().read(in);
        }
    });

    private final QualitySettings settings = QualitySettings.of(Events.policy());

    private static final List<LoggedEvent> EVERYTHING = List.of(
            online("a", 1, 3),
            partial("z", Phase.MATURE, START + 90, Items.ofTexts(new String[] {"x", "ä"}, new float[] {2, 1})),
            answer(inTime("a"), inTime("b"), timedOut("c")),
            answer(AnswerKind.REPLAYED, items(1, 2), START + 40, inTime("a")),
            mature("c", 2, 4),
            online("b", 5, 6));

    @Test
    void aQueryIsTheSameAfterEveryEventWhenItWasStoredBetween() throws IOException {
        OpenQuery kept = new OpenQuery();
        OpenQuery stored = new OpenQuery();
        for (LoggedEvent event : EVERYTHING) {
            assertThat(Events.accept(stored, event, settings)).isEqualTo(Events.accept(kept, event, settings));
            assertThat(QueryJoin.measureIfComplete(KEY, stored, settings))
                    .isEqualTo(QueryJoin.measureIfComplete(KEY, kept, settings));
            stored = read(write(stored));
            assertThat(write(stored)).isEqualTo(write(kept));
        }
        assertThat(stored.isMeasured()).isTrue();
        for (LoggedEvent event : EVERYTHING) {
            assertThat(Events.accept(stored, event, settings)).isEqualTo(JoinResult.DUPLICATE);
        }
    }

    @Test
    void aCopyDoesNotChangeWithItsOriginal() throws IOException {
        OpenQuery query = new OpenQuery();
        for (LoggedEvent event : EVERYTHING) {
            OpenQuery copy = query.copy();
            byte[] before = write(copy);
            Events.accept(query, event, settings);
            QueryJoin.measureIfComplete(KEY, query, settings);
            assertThat(write(copy)).isEqualTo(before);
        }
    }

    @Test
    void theFormIsTheStoredOne() throws IOException {
        OpenQuery query = new OpenQuery();
        query.setDueMillis(START + WINDOW + 1000);
        for (LoggedEvent event : EVERYTHING.subList(0, 5)) {
            Events.accept(query, event, settings);
        }
        assertThat(HexFormat.of().formatHex(write(query))).isEqualTo(STORED);
        assertThat(write(read(HexFormat.of().parseHex(STORED)))).isEqualTo(write(query));
    }

    /** Otherwise a million queries would have a million copies of the same names after a restart. */
    @Test
    void restoredQueriesShareWhatLiveOnesShare() throws IOException {
        byte[] stored = HexFormat.of().parseHex(STORED);
        OpenQuery one = read(stored);
        OpenQuery other = read(stored);

        assertThat(one.componentCount()).isPositive();
        for (int place = 0; place < one.componentCount(); place++) {
            assertThat(other.component(place)).isSameAs(one.component(place));
        }
        assertThat(other.queryClass).isNotEmpty().isSameAs(one.queryClass);
        assertThat(other.outcomes).isNotEmpty().isSameAs(one.outcomes);

        Events.accept(other, mature("another", 2, 4), settings);
        assertThat(write(one)).isEqualTo(stored);
        assertThat(write(other)).isNotEqualTo(stored);
    }

    @Test
    void heldEventsAreStored() throws IOException {
        OpenQuery query = new OpenQuery();
        Events.accept(query, mature("c", 2, 4), settings);
        Events.accept(query, answer(AnswerKind.REPLAYED, items(1), START + 40, inTime("a")), settings);
        OpenQuery stored = read(write(query));

        assertThat(write(stored)).isEqualTo(write(query));
        assertThat(Events.accept(stored, mature("c", 2, 4), settings)).isEqualTo(JoinResult.DUPLICATE);
        assertThat(stored.settledMillis(settings)).isEqualTo(START + 40 + WINDOW);
    }

    @Test
    void aHeldEventIsStoredAsItWasReadAndWhere() throws IOException {
        OpenQuery query = new OpenQuery();
        LoggedEvent event = mature("c", 2);
        LoggedEvent placed = place(event, 7, 1_234_567);
        placed.place(START - 1, START + 1, false);
        assertThat(Events.accept(query, placed, settings)).isNull();
        String wire = HexFormat.of().formatHex(placed.wire());

        assertThat(HexFormat.of().formatHex(write(query)))
                .endsWith("00000001"
                        + "00"
                        + "00000007"
                        + "000000000012d687"
                        + HexFormat.of().toHexDigits(placed.wire().length)
                        + wire
                        + HexFormat.of().toHexDigits(START - 1)
                        + HexFormat.of().toHexDigits(START + 1)
                        + "00");
        assertThat(write(read(write(query)))).isEqualTo(write(query));
    }

    private static LoggedEvent place(LoggedEvent event, int partition, long offset) {
        try {
            return new EventScanner().partial(event.wire(), partition, offset);
        } catch (InvalidRecordException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void featuresAreStoredAndForgottenWithTheResults() throws IOException {
        OpenQuery query = new OpenQuery();
        Events.accept(query, answer(inTime("a"), timedOut("c")), settings);
        query.features = Features.of(7, -1);

        OpenQuery stored = read(write(query));
        assertThat(stored.features()).isEqualTo(Features.of(7, -1));
        assertThat(stored.copy().features()).isEqualTo(Features.of(7, -1));

        stored.discardResults();
        assertThat(stored.features()).isEqualTo(Features.NONE);
    }

    @Test
    void whatWasNotAskedIsStored() throws IOException {
        OpenQuery query = new OpenQuery();
        Events.accept(query, Events.trimmed(Optional.of(0.25), inTime("a"), timedOut("b"), notAsked("c")), settings);

        OpenQuery stored = read(write(query));
        Events.accept(stored, mature("b", 1, 2), settings);
        Events.accept(stored, online("a", 3, 4), settings);

        assertThat(stored.isTrimmed()).isTrue();
        assertThat(QueryJoin.measureIfComplete(KEY, stored, settings)
                        .orElseThrow()
                        .notAskedLoss())
                .contains(0.25);
    }

    @Test
    void theVariantIsStored() throws IOException {
        OpenQuery query = new OpenQuery();
        Events.accept(query, answer(inTime("a"), timedOut("c")), settings);
        query.variant = "canary";

        OpenQuery stored = read(write(query)).copy();
        Events.accept(stored, mature("c", 1, 2), settings);
        Events.accept(stored, online("a", 3, 4), settings);

        assertThat(QueryJoin.measureIfComplete(KEY, stored, settings)
                        .orElseThrow()
                        .variant())
                .isEqualTo("canary");
    }

    /** Components are found by a scan if they are few, and by a table if they are many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 17, 33, 400})
    void theOrderOfArrivalDoesNotChangeTheRowOfManyComponents(int components) throws IOException {
        List<LoggedEvent> events = new ArrayList<>();
        List<Invocation> invocations = new ArrayList<>();
        for (int c = 0; c < components; c++) {
            invocations.add(c % 3 == 1 ? timedOut("c" + c) : inTime("c" + c));
            events.add(c % 3 == 1 ? mature("c" + c, c) : online("c" + c, c));
        }
        LoggedEvent answer = answer(invocations.toArray(Invocation[]::new));
        events.add(answer);
        for (int c = 0; c < 20; c++) {
            events.add(online("unnamed" + c, c));
        }
        Set<Measurement> rows = new HashSet<>();
        for (long seed = 0; seed < 10; seed++) {
            Collections.shuffle(events, new Random(seed));
            OpenQuery query = new OpenQuery();
            int half = events.size() / 2;
            for (LoggedEvent event : events.subList(0, half)) {
                Events.accept(query, event, settings);
            }
            query = seed % 2 == 0 ? query.copy() : read(write(query));
            for (LoggedEvent event : events.subList(half, events.size())) {
                Events.accept(query, event, settings);
            }
            for (LoggedEvent event : events) {
                assertThat(Events.accept(query, event, settings)).isEqualTo(JoinResult.DUPLICATE);
            }
            assertThat(query.unnamedResults()).isEqualTo(20);
            rows.add(QueryJoin.measureIfComplete(KEY, query, settings).orElseThrow());
        }
        assertThat(rows).hasSize(1);
    }

    @Test
    void anUnknownVersionIsRefused() {
        assertThatThrownBy(() -> FORMAT.read(null, 2))
                .isInstanceOf(IOException.class)
                .hasMessage("open query has format 2; allowed: 1");
    }

    private static byte[] write(OpenQuery query) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FORMAT.write(query, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static OpenQuery read(byte[] bytes) throws IOException {
        return FORMAT.read(new DataInputStream(new ByteArrayInputStream(bytes)), OpenQueryFormat.VERSION);
    }
}
