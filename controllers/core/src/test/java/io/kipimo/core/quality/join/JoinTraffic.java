package io.kipimo.core.quality.join;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Sampled queries of three minutes as a join receives them: out of order, twice, late or never. Some results lack the
 * start of their query, belong to components that the answer does not list, or have another phase than in the answer.
 * Some answers never arrive, are not measurable, or have items cut. First copies arrive within
 * {@link #OUT_OF_ORDER_MILLIS}; duplicates may arrive half a minute later.
 */
public final class JoinTraffic {
    public static final long OUT_OF_ORDER_MILLIS = 1_000;

    /** A minute of the simulator's time. */
    public static final long BEGIN_MILLIS = 1_767_225_660_000L;

    private static final int QUERIES = 600;
    private static final int COMPONENTS = 4;
    private static final int DEADLINE_MILLIS = 30;

    /** An event and its arrival, epoch milliseconds. */
    public record Arrival(QueryEvent event, long atMillis) {}

    private final Random random;
    private final List<Arrival> arrivals = new ArrayList<>();

    private JoinTraffic(Random random) {
        this.random = random;
    }

    /** The events of a seed, in order of arrival. */
    public static List<Arrival> of(long seed) {
        JoinTraffic traffic = new JoinTraffic(new Random(seed));
        for (int q = 0; q < QUERIES; q++) {
            // Keys of trace ids are numbers, others texts.
            String id = q % 3 == 0 ? "q" + q : "%032x".formatted(q);
            traffic.query(id, BEGIN_MILLIS + traffic.random.nextInt(180_000));
        }
        traffic.arrivals.sort(Comparator.comparingLong(Arrival::atMillis));
        return traffic.arrivals;
    }

    /** Policy of the service. */
    public static Policy policy() {
        return Events.policy();
    }

    private boolean oneOf(int many) {
        return random.nextInt(many) == 0;
    }

    private void query(String id, long start) {
        List<Invocation> invocations = new ArrayList<>();
        boolean degraded = oneOf(2);
        boolean isUnnamed = oneOf(40);
        boolean isTrimmed = oneOf(5);
        for (int c = 0; c < COMPONENTS; c++) {
            String component = "c" + c;
            Outcome outcome = !degraded || !oneOf(2) ? Outcome.IN_TIME : oneOf(12) ? Outcome.FAILED : Outcome.TIMED_OUT;
            if (isTrimmed && (oneOf(3) || outcome == Outcome.FAILED)) {
                // Its results come all the same, and do not count. If all that were asked failed, a
                // replay of answers before results would measure it before it learned anything.
                outcome = Outcome.NOT_ASKED;
            }
            results(id, start, component, outcome, !degraded);
            if (!isUnnamed && !oneOf(15)) {
                invocations.add(new Invocation(component, outcome, 1_000L * (c + 1)));
            }
        }
        if (!oneOf(20)) {
            arrive(QueryEvent.of(AnswerBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .queryClass("high")
                    .kind(AnswerKind.ONLINE)
                    .startedAtMillis(start)
                    .answeredAtMillis(start + DEADLINE_MILLIS)
                    .deadlineMillis(DEADLINE_MILLIS)
                    .invocations(invocations)
                    .items(Items.NONE)
                    .truncated(oneOf(10))
                    .unmeasurable(oneOf(30) ? Optional.of(Unmeasurable.CUT) : Optional.empty())
                    .notAskedLoss(oneOf(3) ? Optional.empty() : Optional.of(random.nextDouble()))
                    .build()));
        }
    }

    private void results(String id, long start, String component, Outcome outcome, boolean mayBeCut) {
        if (outcome == Outcome.FAILED) {
            return;
        }
        boolean inTime = outcome == Outcome.IN_TIME;
        if (!oneOf(inTime ? 40 : 10)) {
            result(id, start, component, inTime ? Phase.ONLINE : Phase.MATURE, mayBeCut);
        }
        if (oneOf(12)) {
            result(id, start, component, inTime ? Phase.MATURE : Phase.ONLINE, mayBeCut);
        }
    }

    private void result(String id, long start, String component, Phase phase, boolean mayBeCut) {
        long afterMillis;
        if (phase == Phase.ONLINE) {
            afterMillis = random.nextInt(DEADLINE_MILLIS);
        } else if (oneOf(8)) {
            afterMillis = Events.WINDOW + 2 * OUT_OF_ORDER_MILLIS + random.nextInt(20_000);
        } else {
            afterMillis = DEADLINE_MILLIS + 1L + random.nextInt(5_000);
        }
        arrive(QueryEvent.of(PartialResultBuilder.builder()
                .service("shop")
                .queryId(id)
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(start + afterMillis)
                // A component may be invoked long after the start
                // of its query.
                .latencyMicros(1_000L * random.nextInt((int) afterMillis + 1))
                .items(items())
                .truncated(mayBeCut && oneOf(5))
                .startedAtMillis(oneOf(2) ? start : 0)
                .build()));
    }

    private Items items() {
        long[] ids = random.longs(4, 1, 30).distinct().toArray();
        if (!oneOf(4)) {
            return Events.items(ids);
        }
        String[] texts = new String[ids.length];
        float[] scores = new float[ids.length];
        for (int i = 0; i < ids.length; i++) {
            texts[i] = "item " + ids[i];
            scores[i] = 1000 - ids[i];
        }
        return Items.ofTexts(texts, scores);
    }

    private void arrive(QueryEvent event) {
        long atMillis = event.eventTimeMillis() + random.nextInt((int) OUT_OF_ORDER_MILLIS + 1);
        arrivals.add(new Arrival(event, atMillis));
        if (oneOf(6)) {
            arrivals.add(new Arrival(event, atMillis + random.nextInt(30_000)));
        }
    }
}
