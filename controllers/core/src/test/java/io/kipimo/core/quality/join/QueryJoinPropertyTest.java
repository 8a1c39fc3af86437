package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class QueryJoinPropertyTest {
    private final QualitySettings settings = QualitySettings.of(Events.policy());

    /** The events of a query with some components late and some never there, in a fixed order. */
    private static List<LoggedEvent> events(Random random, int components, boolean missing) {
        List<LoggedEvent> events = new ArrayList<>();
        Invocation[] invocations = new Invocation[components];
        for (int c = 0; c < components; c++) {
            long[] ids = random.longs(4, 1, 30).distinct().toArray();
            boolean late = random.nextInt(3) == 0;
            invocations[c] = late ? timedOut("c" + c) : inTime("c" + c);
            if (!missing || random.nextInt(4) > 0) {
                events.add(late ? mature("c" + c, ids) : online("c" + c, ids));
            }
            if (random.nextInt(6) == 0) {
                // It says of itself what the answer denies.
                events.add(late ? online("c" + c, 31, 32) : mature("c" + c, 31, 32));
            }
        }
        events.add(answer(invocations));
        return events;
    }

    private List<Measurement> measure(List<LoggedEvent> events) {
        OpenQuery query = new OpenQuery();
        List<Measurement> measurements = new ArrayList<>();
        for (LoggedEvent event : events) {
            Events.accept(query, event, settings);
            QueryJoin.measureIfComplete(KEY, query, settings).ifPresent(measurements::add);
        }
        Events.expire(KEY, query, settings).ifPresent(measurements::add);
        return measurements;
    }

    @Property(tries = 500)
    void theOrderOfArrivalAndRepetitionsDoNotMatter(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 7) int components) {
        Random random = new Random(seed);
        List<LoggedEvent> events = events(random, components, true);
        List<Measurement> inOrder = measure(events);

        List<LoggedEvent> shuffled = new ArrayList<>(events);
        shuffled.addAll(events);
        Collections.shuffle(shuffled, random);

        assertThat(measure(shuffled)).isEqualTo(inOrder).hasSize(1);
    }

    @Property(tries = 500)
    void whatTheLateComponentsLostSumsToWhatTheAnswerLacks(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int components) {
        Measurement measurement = measure(events(new Random(seed), components, false)).get(0);

        double lost =
                measurement.components().stream().mapToDouble(ComponentShare::lostQuality).sum();
        assertThat(lost).isCloseTo(1 - measurement.scores().get(0).high(), within(1e-9));
        assertThat(measurement.startedAtMillis()).isEqualTo(START);
    }
}
