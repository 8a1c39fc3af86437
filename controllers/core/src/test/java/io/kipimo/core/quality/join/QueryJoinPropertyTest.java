package io.kipimo.core.quality.join;

import static io.kipimo.core.quality.join.Events.KEY;
import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.failed;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.notAsked;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class QueryJoinPropertyTest {
    private final QualitySettings settings = QualitySettings.of(Events.policy());

    /** The events of a query with some components late and some absent, in a fixed order. */
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
            if (random.nextInt(4) == 0) {
                // A copy of the request, or a component that failed and nevertheless answered.
                invocations[c] = random.nextInt(3) == 0 ? failed("c" + c) : invocations[c];
                events.add(cut("c" + c, late ? Phase.ONLINE : Phase.MATURE, ids));
            }
        }
        if (random.nextInt(4) == 0) {
            events.add(cut("unnamed", Phase.MATURE, 1, 2, 3, 4));
        }
        // The first component is asked. What is not asked answers all the same, and counts nothing.
        boolean isTrimmed = random.nextInt(3) == 0;
        for (int c = 1; isTrimmed && c < components; c++) {
            invocations[c] = random.nextInt(3) == 0 ? notAsked("c" + c) : invocations[c];
        }
        events.add(Events.trimmed(
                random.nextInt(3) == 0 ? Optional.empty() : Optional.of(random.nextDouble()), invocations));
        return events;
    }

    private static LoggedEvent cut(String component, Phase phase, long... ids) {
        return Events.event(PartialResultBuilder.builder()
                .service("shop")
                .queryId("q")
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(START + 200)
                .latencyMicros(1_000)
                .items(Events.items(ids))
                .truncated(true)
                .startedAtMillis(START)
                .build());
    }

    /** The rows, and the number of events by result. */
    private record Run(List<Measurement> rows, Map<JoinResult, Integer> fates) {}

    private Run measure(List<LoggedEvent> events) {
        OpenQuery query = new OpenQuery();
        List<Measurement> measurements = new ArrayList<>();
        Map<JoinResult, Integer> fates = new EnumMap<>(JoinResult.class);
        JoinResult.Listener count = (event, fate) -> fates.merge(fate, 1, Integer::sum);
        for (LoggedEvent event : events) {
            boolean unused = QueryJoin.accept(query, event, settings, Long.MIN_VALUE, count);
            QueryJoin.measureIfComplete(KEY, query, settings).ifPresent(measurements::add);
        }
        QueryJoin.measureExpired(KEY, query, settings, count).ifPresent(measurements::add);
        return new Run(measurements, fates);
    }

    @Property(tries = 500)
    void theOrderOfArrivalAndRepetitionsDoNotMatter(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 7) int components) {
        assertOrderDoesNotMatter(seed, components);
    }

    @Property(tries = 10)
    void norDoTheyWithManyComponents(@ForAll long seed, @ForAll @IntRange(min = 31, max = 80) int components) {
        assertOrderDoesNotMatter(seed, components);
    }

    private void assertOrderDoesNotMatter(long seed, int components) {
        Random random = new Random(seed);
        List<LoggedEvent> events = events(random, components, true);
        Run inOrder = measure(events);

        List<LoggedEvent> shuffled = new ArrayList<>(events);
        shuffled.addAll(events);
        Collections.shuffle(shuffled, random);
        Run repeated = measure(shuffled);

        assertThat(repeated.rows()).isEqualTo(inOrder.rows()).hasSize(1);
        assertThat(inOrder.fates()).isEqualTo(Map.of(JoinResult.JOINED, events.size()));
        assertThat(repeated.fates())
                .isEqualTo(Map.of(JoinResult.JOINED, events.size(), JoinResult.DUPLICATE, events.size()));
    }

    @Property(tries = 500)
    void lossesOfLateComponentsSumToTheLossOfTheAnswer(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int components) {
        Measurement measurement =
                measure(events(new Random(seed), components, false)).rows().get(0);

        double lost = measurement.components().stream()
                .mapToDouble(ComponentShare::lostQuality)
                .sum();
        assertThat(lost)
                .isCloseTo(
                        1
                                - measurement.notAskedLoss().orElse(0.0)
                                - measurement.scores().get(0).high(),
                        within(1e-9));
        assertThat(measurement.startedAtMillis()).isEqualTo(START);
    }
}
